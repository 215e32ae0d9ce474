#include "drafts/ocr/ocr_words.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <string_view>
#include <utility>

#include "core/base/median.h"
#include "core/text/unicode.h"
#include "drafts/latex/account_words.h"

namespace docspec {
namespace {

/// Whether OCR reads bullets at the start of a line as this text.
bool looks_like_bullet(std::string_view text) {
  static constexpr std::array<std::string_view, 9> kReadings = {"©", "®", "¢", "«", "»",
                                                                "°", "*", "e", "o"};
  return std::find(kReadings.begin(), kReadings.end(), text) != kReadings.end();
}

/// Whether the word is a single, nearly square blob, at most half as high as the text after it, at
/// the height of its small letters and well apart, whatever it was read as.
bool shaped_like_bullet(const Word& mark, const Box& text) {
  const Box& m = mark.box;
  const double middle = (m.y0 + m.y1) / 2.0 - text.y0;
  const double apart = std::isalnum(uint8_t(mark.text[0])) ? 0.5 : 0.4;  // "a" may be a word
  return count_code_points(mark.text) == 1 && !std::isdigit(uint8_t(mark.text[0])) &&
         m.height() <= 0.55 * text.height() && m.height() >= 0.2 * text.height() &&
         m.width() <= 1.4 * m.height() && m.height() <= 1.4 * m.width() &&
         middle > 0.25 * text.height() && middle < 0.8 * text.height() &&
         text.x0 - m.x1 > apart * text.height();
}

/// A syllable of Korean.
bool is_hangul(uint32_t c) {
  return c >= 0xAC00 && c < 0xD7B0;
}

/// "1'homme" and "I'homme" are "l'homme"; "I'm" and "I'll" are not.
void mend_elision(std::string& text) {
  const size_t at = text.find_first_of("1I");
  if (at == text.npos || (at > 0 && std::isalnum(uint8_t(text[at - 1])))) return;
  const std::string_view rest = std::string_view(text).substr(at + 1);
  const size_t mark = rest.starts_with('\'') ? 1 : rest.starts_with("\u2019") ? 3 : 0;
  if (mark == 0 || mark == rest.size()) return;
  size_t letters = 0;
  for (size_t next = mark; next < rest.size() && letters < 3; ++letters) {
    const uint32_t c = next_code_point(rest, next);
    if (c < 0x80 ? !std::isalpha(int(c)) : !(c >= U'À' && c <= U'ÿ')) break;
  }
  if (letters >= (text[at] == '1' ? 1 : 3)) text[at] = 'l';
}

/// Small capitals are as high as small letters, and of some the shape is the same: "VoELZEN".
void mend_small_capitals(std::string& text) {
  constexpr size_t kLeastCapitals = 4, kPluralCapitals = 6;
  if (text.starts_with("Mc") || !std::isupper(uint8_t(text[0]))) return;
  size_t capitals = 0, small = 0;
  bool plural = false;  // the "s" of "JPEGs" is small
  for (size_t at = 0; at < text.size();) {
    const uint32_t c = next_code_point(text, at);
    if ((c >= 'A' && c <= 'Z') || (c >= U'À' && c <= U'Þ')) {
      ++capitals;
      plural = false;
    } else if (c < 0x80 && std::string_view("cosuvwxz").find(char(c)) != std::string_view::npos) {
      plural = c == 's' && small == 0;
      ++small;
    } else if (c >= 0x80 || std::isalpha(int(c))) {
      return;
    }
  }
  if (small == 0 || capitals < (plural ? kPluralCapitals : kLeastCapitals) || capitals < 2 * small)
    return;
  for (char& c : text) c = char(std::toupper(uint8_t(c)));
}

/// Of the words of a line, with their lines: the one before (-1) or after (1); nullptr = none.
const Word* neighbour(std::span<const Word> words, size_t i, int step) {
  const size_t other = i + size_t(step);
  return other < words.size() && words[other].line == words[i].line ? &words[other] : nullptr;
}

/// The small "s" that receipts print after prices and before "= 6%" is read as "≤", which lacks a
/// side there; a tick after a number is read as a root of nothing.
void mend_signs(std::vector<Word>& words, size_t i) {
  constexpr std::string_view kAtMost = "\u2264", kRoot = "\u221A", kTick = "\u2713";
  std::string& text = words[i].text;
  const Word *before = neighbour(words, i, -1), *after = neighbour(words, i, 1);
  if (text == kAtMost && (before ? !after && is_price(before->text) : after && after->text == "="))
    text = "s";
  if (text.size() > kRoot.size() && text.ends_with(kRoot) && !after &&
      std::isdigit(uint8_t(text[text.size() - kRoot.size() - 1])))
    text.replace(text.size() - kRoot.size(), kRoot.size(), kTick);
}

/// How thick strokes are: the ink of rows of pixels by the runs it stands in.
class Strokes {
 public:
  void add(const PageImage& image, const Box& box) {
    const Box seen = intersect(box, {0, 0, image.width_px(), image.height_px()});
    if (seen.empty()) return;
    const auto [lightest, darkest, white_on_dark] = levels(image, seen);
    const double paper = white_on_dark ? 255 - darkest : lightest;
    for (int y = seen.y0; y < seen.y1; ++y) {
      bool dark = false;
      for (int x = seen.x0; x < seen.x1; ++x) {
        const int green = image.row(y)[x * 3 + 1], value = white_on_dark ? 255 - green : green;
        ink_ += std::max(0.0, paper - value) / paper;
        if (value * 2 < paper && !dark) ++runs_;
        dark = value * 2 < paper;
      }
    }
  }
  double width_px() const { return runs_ > 0 ? ink_ / runs_ : 0; }

 private:
  struct Levels {
    int lightest, darkest;
    bool white_on_dark;
  };
  /// Without what few pixels have: a word may stand on shade, and be the lighter part.
  static Levels levels(const PageImage& image, const Box& box) {
    std::array<int64_t, 256> count{};
    for (int y = box.y0; y < box.y1; ++y)
      for (int x = box.x0; x < box.x1; ++x) ++count[image.row(y)[x * 3 + 1]];
    const auto at_share = [&](double share) {
      int value = 0;
      for (int64_t seen = count[0]; double(seen) < share * double(box.area());)
        seen += count[size_t(++value)];
      return value;
    };
    const int darkest = std::min(254, at_share(0.05)), usual = at_share(0.65);
    const int lightest = std::max(1, at_share(0.95));
    return {lightest, darkest, usual * 2 < lightest + darkest && lightest > darkest + 60};
  }

  double ink_ = 0, runs_ = 0;
};

}  // namespace

std::vector<Word> words_of(std::span<const Draft> drafts) {
  std::vector<Word> words;
  for (const Draft& draft : drafts)
    words.insert(words.end(), draft.words.begin(), draft.words.end());
  return words;
}

std::vector<Word> read_lines(Drafter& engine, const PageInput& page, std::span<const Box> lines) {
  std::vector<Region> regions;
  for (size_t i = 0; i < lines.size(); ++i)
    regions.push_back({int(i), int(i), RegionKind::text, lines[i], 1});
  return words_of(engine.draft(page, regions));
}

void restore_bullets(std::vector<Word>& words, std::span<const size_t> line_starts) {
  for (size_t k = 0; k < line_starts.size(); ++k) {
    const size_t i = line_starts[k];
    const size_t end = k + 1 < line_starts.size() ? line_starts[k + 1] : words.size();
    if (i + 1 >= end || words[i + 1].box.x0 <= words[i].box.x1) continue;
    Box text;  // a few words, so that one of them has high letters
    for (size_t w = i + 1; w < std::min(end, i + 5); ++w) text = unite(text, words[w].box);
    const bool misread =
        looks_like_bullet(words[i].text) && std::isupper(uint8_t(words[i + 1].text[0]));
    if (misread || shaped_like_bullet(words[i], text)) words[i].text = "•";
  }
}

void cut_grown_words(std::vector<Word>& words, std::span<const size_t> line_starts) {
  constexpr size_t kLeastWords = 4;
  constexpr double kTall = 1.5;      // of the usual height
  constexpr double kIntoNext = 0.3;  // of the height; slanted letters reach over
  for (size_t k = 0; k < line_starts.size(); ++k) {
    const size_t first = line_starts[k];
    const size_t end = k + 1 < line_starts.size() ? line_starts[k + 1] : words.size();
    if (end - first < kLeastWords) continue;
    std::vector<int> heights;
    for (size_t i = first; i < end; ++i) heights.push_back(words[i].box.height());
    const double most = kTall * median(std::move(heights));
    Box usual;
    for (size_t i = first; i < end; ++i)
      if (words[i].box.height() <= most) usual = unite(usual, words[i].box);
    for (size_t i = first + 1; i < end; ++i) {
      Box& box = words[i].box;
      const Box cut{box.x0, std::max(box.y0, usual.y0), box.x1, std::min(box.y1, usual.y1)};
      if (box.height() > most && !cut.empty()) box = cut;
    }
    for (size_t i = first; i + 1 < end; ++i) {
      Box& box = words[i].box;
      const int next = words[i + 1].box.x0;
      if (next > box.x0 && box.x1 - next > kIntoNext * box.height()) box.x1 = next;
    }
  }
}

void close_cjk_gaps(std::vector<Word>& words, std::span<const size_t> line_starts) {
  constexpr double kGap = 0.5, kHangulGap = 0.27;  // drafts.md 2
  for (size_t k = 0; k < line_starts.size(); ++k) {
    const size_t end = k + 1 < line_starts.size() ? line_starts[k + 1] : words.size();
    std::vector<int> heights;
    for (size_t i = line_starts[k]; i < end; ++i) heights.push_back(words[i].box.height());
    const double usual = heights.empty() ? 0 : median(std::move(heights));
    for (size_t i = line_starts[k]; i + 1 < end; ++i) {
      const Box &a = words[i].box, &b = words[i + 1].box;
      const uint32_t left = last_code_point(words[i].text);
      const uint32_t right = first_code_point(words[i + 1].text);
      const double gap = b.x0 - a.x1;
      if ((is_cjk(left) && is_cjk(right) && gap < kGap * std::min(a.height(), b.height())) ||
          (is_hangul(left) && is_hangul(right) && gap < kHangulGap * usual))
        words[i].space_after = false;
    }
  }
}

void join_cjk_stops(std::vector<Word>& line) {
  static constexpr std::u32string_view kStops = U"，。；！？";
  constexpr double kFar = 1.5;  // heights
  for (size_t i = 1; i < line.size();) {
    const Word& word = line[i];
    Word& before = line[i - 1];
    const bool stop = count_code_points(word.text) == 1 &&
                      kStops.find(char32_t(first_code_point(word.text))) != kStops.npos;
    if (!stop || word.box.x0 - before.box.x1 > kFar * before.box.height()) {
      ++i;
      continue;
    }
    before.text += word.text;
    before.box = unite(before.box, word.box);
    before.space_after = word.space_after;
    line.erase(line.begin() + std::ptrdiff_t(i));
  }
}

void mend_letters(std::vector<Word>& words) {
  for (size_t i = 0; i < words.size(); ++i) {
    mend_elision(words[i].text);
    mend_small_capitals(words[i].text);
    mend_signs(words, i);
  }
}

void mark_heavy(std::vector<Word>& words, std::span<const size_t> line_lengths,
                const PageImage& image) {
  std::vector<double> widths;  // one a word, of its line
  for (size_t length : line_lengths) {
    Strokes strokes;
    const size_t from = widths.size();
    for (size_t i = from; i < from + length; ++i) strokes.add(image, words[i].box);
    widths.insert(widths.end(), length, strokes.width_px());
  }
  if (widths.empty()) return;
  const double usual = median(widths);
  for (size_t i = 0; i < widths.size(); ++i) words[i].heavy = widths[i] > 1.25 * usual;
}

bool is_vietnamese(std::span<const Word> words) {
  constexpr size_t kLeast = 3;
  constexpr double kShare = 0.007;
  size_t horned = 0, all = 0;
  for (const Word& word : words)
    for (size_t at = 0; at < word.text.size(); ++all) {
      const uint32_t c = next_code_point(word.text, at);
      horned += c == U'Ơ' || c == U'ơ' || c == U'Ư' || c == U'ư';
    }
  return horned >= kLeast && double(horned) > kShare * double(all);
}

}  // namespace docspec
