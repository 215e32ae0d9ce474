#include "core/input/pdf_words.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <numeric>
#include <string_view>

#include "core/base/median.h"
#include "core/input/plain_letters.h"
#include "core/text/unicode.h"

namespace docspec {
namespace {

void drop(std::vector<Word>& words, const std::vector<bool>& gone) {
  size_t kept = 0;
  for (size_t i = 0; i < words.size(); ++i) {
    if (gone[i]) continue;
    if (kept != i) words[kept] = std::move(words[i]);
    ++kept;
  }
  words.resize(kept);
}

}  // namespace

void clip_tall_boxes(std::vector<Word>& words, const std::vector<double>& glyphs, double scale,
                     bool tex) {
  constexpr double kTall = 1.35;
  const auto ratio = [&](const Word& word) {
    return word.box.height() / (word.font_size_pt * scale);
  };
  std::vector<double> ratios;
  for (const Word& word : words)
    if (word.font_size_pt > 0 && word.quarter_turns == 0) ratios.push_back(ratio(word));
  if (ratios.empty()) return;
  const double usual = median(std::move(ratios));
  for (size_t i = 0; i < words.size(); ++i) {
    Word& word = words[i];
    if (word.font_size_pt <= 0 || word.quarter_turns != 0 || ratio(word) <= kTall * usual) continue;
    const double height = glyphs[i] > 0 ? glyphs[i] : usual;
    const int clipped = int(std::ceil(height * word.font_size_pt * scale));
    if (tex)
      word.box.y1 = word.box.y0 + clipped;
    else
      word.box.y0 = word.box.y1 - clipped;
  }
}

void join_strokes(std::vector<Word>& words) {
  constexpr size_t kNear = 2;  // words
  std::vector<bool> gone(words.size(), false);
  for (size_t i = 0; i < words.size(); ++i) {
    for (const std::string_view both : {"\u0338=", "=\u0338"})
      if (const size_t at = words[i].text.find(both); at != std::string::npos)
        words[i].text.replace(at, both.size(), "≠");
    if (words[i].text != "\u0338") continue;
    const Word& stroke = words[i];
    for (size_t j = i > kNear ? i - kNear : 0; j < std::min(words.size(), i + kNear + 1); ++j) {
      const int aside = std::abs(words[j].box.x0 - stroke.box.x0);
      if (j == i || aside * 4 > words[j].box.height() || words[j].box.y0 > stroke.box.y1 ||
          words[j].box.y1 < stroke.box.y0)
        continue;
      size_t end = 0;
      const uint32_t sign = struck(next_code_point(words[j].text, end));
      if (sign == 0) continue;
      std::string text;
      append_utf8(text, sign);
      words[j].text.replace(0, end, text);
      words[j].space_after |= stroke.space_after;
      gone[i] = true;
      break;
    }
  }
  drop(words, gone);
}

void drop_overprints(std::vector<Word>& words) {
  constexpr int kAside = 2;  // pixels
  std::vector<size_t> by_height(words.size());
  std::iota(by_height.begin(), by_height.end(), size_t(0));
  std::stable_sort(by_height.begin(), by_height.end(),
                   [&](size_t a, size_t b) { return words[a].box.y0 < words[b].box.y0; });
  std::vector<bool> gone(words.size(), false);
  const auto holds = [](const std::string& whole, const std::string& piece) {
    size_t found = 0;
    for (size_t i = 0; i < whole.size() && found < piece.size(); ++i)
      found += whole[i] == piece[found];
    return found == piece.size();
  };
  const auto covers = [&](const Word& whole, const Word& piece) {
    return piece.box.x0 >= whole.box.x0 - kAside && piece.box.x1 <= whole.box.x1 + kAside &&
           std::abs(piece.box.y1 - whole.box.y1) <= kAside &&
           piece.font_size_pt == whole.font_size_pt && holds(whole.text, piece.text);
  };
  for (size_t i = 0; i < by_height.size(); ++i)
    for (size_t j = i + 1; j < by_height.size() && !gone[by_height[i]]; ++j) {
      const size_t a = by_height[i], b = by_height[j];
      if (words[b].box.y0 - words[a].box.y0 > kAside) break;
      if (gone[b]) continue;
      const bool first = covers(words[a], words[b]), second = covers(words[b], words[a]);
      if (!first && !second) continue;
      gone[first ? b : a] = true;
      words[first ? a : b].space_after = true;  // what Poppler said was of the other print
    }
  drop(words, gone);
}

void mark_links(std::vector<Word>& words, const std::vector<PdfLink>& links, double scale) {
  for (Word& word : words)
    for (const PdfLink& link : links) {
      const double x = (word.box.x0 + word.box.x1) / (2 * scale);
      const double y = (word.box.y0 + word.box.y1) / (2 * scale);
      if (x < link.box.x0 || x > link.box.x1 || y < link.box.y0 || y > link.box.y1) continue;
      word.link = link.address;
      break;
    }
}

}  // namespace docspec
