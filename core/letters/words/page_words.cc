#include "core/letters/words/page_words.h"

#include <algorithm>
#include <cctype>
#include <cmath>
#include <map>
#include <numeric>
#include <utility>

#include "core/letters/words/marked_words.h"
#include "core/text/unicode.h"

namespace docspec {
namespace {

/// No page that is read has more; a layer that does holds something else.
constexpr size_t kMostWords = 50'000;

bool readable(std::string_view text) {
  for (size_t at = 0; at < text.size();) {
    const uint32_t c = next_code_point(text, at);
    const bool private_use = (c >= 0xE000 && c <= 0xF8FF) || c >= 0xF0000;
    if (c < 0x20 || c == 0xFFFD || private_use || (c >= 0x7F && c < 0xA0)) return false;
  }
  return !text.empty();
}

/// Ligatures and presentation forms resolved, soft hyphens and zero-width characters left out, but
/// for a soft hyphen at the end, which parts a word.
std::string cleaned(const std::string& text) {
  std::string out;
  for (size_t at = 0; at < text.size();) {
    const uint32_t c = next_code_point(text, at);
    const bool last = at >= text.size();
    const bool form = (c >= 0xFB00 && c <= 0xFDFF) || (c >= 0xFE70 && c <= 0xFEFC);
    if (c == 0xAD) {
      if (last) out += '-';
    } else if (form) {
      std::string one;
      append_utf8(one, c);
      out += normalize_unicode(one, NormalForm::nfkc);
    } else if (!((c >= 0x200B && c <= 0x200D) || c == 0x2060 || c == 0xFEFF)) {
      append_utf8(out, c);
    }
  }
  return out;
}

/// "TToowweerr": each letter stands twice.
bool doubled(const std::string& text) {
  const std::u32string letters = fold(text);
  if (letters.size() < 6 || letters.size() % 2 != 0) return false;
  bool same = true, varied = false;
  for (size_t i = 0; i + 1 < letters.size(); i += 2) {
    same &= letters[i] == letters[i + 1];
    varied |= i > 0 && letters[i] != letters[0];
  }
  return same && varied;
}

/// Cyrillic letters look like Latin ones; a word has only one kind.
bool two_alphabets(std::string_view text) {
  bool latin = false, cyrillic = false;
  for (size_t at = 0; at < text.size();) {
    const uint32_t c = next_code_point(text, at);
    latin |= c < 0x250 && is_word(int32_t(c)) && c != '_' && !(c >= '0' && c <= '9');
    cyrillic |= c >= 0x400 && c < 0x530;
  }
  return latin && cyrillic;
}

/// Fonts that OCR programs set under a scan.
bool ocr_font(std::string_view font) {
  return font.find("GlyphLess") != font.npos || font.find("HiddenHorzOCR") != font.npos ||
         font.find("Invisible") != font.npos;
}

std::string doubt_of(const Word& word, const std::string& text, const PageImage* image) {
  if (!readable(text)) return "codes without a character";
  if (doubled(text)) return "each letter twice";
  if (two_alphabets(text)) return "Latin and Cyrillic in one word";
  if (ocr_font(word.font)) return "an OCR layer";
  if (word.quarter_turns != 0) return "turned text";
  if (image && !has_ink(*image, word.box)) return "no ink there";
  return "";
}

double middle_y(const Box& box) {
  return (box.y0 + box.y1) / 2.0;
}

/// Doubts words of which one's middle lies in another: no page shows both.
void doubt_overlaps(std::vector<PageWord>& words) {
  constexpr int kCell = 64, kMostCells = 64;  // pixels; of one word
  std::map<std::pair<int, int>, std::vector<size_t>> grid;
  const auto of = [](int px) { return px >= 0 ? px / kCell : -1 - (-px / kCell); };
  for (size_t i = 0; i < words.size(); ++i) {
    const Box& box = words[i].box;
    const int columns = of(box.x1) - of(box.x0) + 1, rows = of(box.y1) - of(box.y0) + 1;
    if (int64_t{columns} * rows > kMostCells) {
      words[i].doubt = "larger than a word";
      continue;
    }
    for (int y = of(box.y0); y <= of(box.y1); ++y)
      for (int x = of(box.x0); x <= of(box.x1); ++x) {
        auto& cell = grid[{y, x}];
        if (cell.size() < 64) cell.push_back(i);
      }
  }
  for (size_t i = 0; i < words.size(); ++i) {
    const int x = (words[i].box.x0 + words[i].box.x1) / 2;
    const int y = (words[i].box.y0 + words[i].box.y1) / 2;
    const auto cell = grid.find({of(y), of(x)});
    if (cell == grid.end()) continue;
    for (const size_t other : cell->second) {
      const Box& box = words[other].box;
      const int margin = box.height() / 4;  // lines of a tight paragraph overlap a little
      if (other == i || x <= box.x0 || x >= box.x1 || y <= box.y0 + margin || y >= box.y1 - margin)
        continue;
      for (const size_t one : {i, other})
        if (words[one].doubt.empty()) words[one].doubt = "words on top of each other";
    }
  }
}

/// The word without dots and lines to write on at its ends.
std::string without_leaders(std::string text) {
  while (const size_t leader = leader_length(text)) text.erase(0, leader);
  const size_t last = text.empty() ? 0 : text.find_last_not_of(text.back()) + 1;
  if (leader_length(std::string_view(text).substr(last)) > 0) text.resize(last);
  return text;
}

/// Takes out leaders whose dots are a word each.
void drop_dots(std::vector<PageWord>& words) {
  constexpr size_t kLeast = 3;
  std::vector<PageWord> out;
  for (size_t i = 0; i < words.size();) {
    size_t end = i;
    while (end < words.size() && words[end].text == ".") ++end;
    if (end - i >= kLeast)
      i = end;
    else
      out.push_back(std::move(words[i++]));
  }
  words = std::move(out);
}

bool right_to_left(const std::string& text) {
  size_t at = 0;
  return !text.empty() && is_right_to_left(next_code_point(text, at));
}

/// Lines from top to bottom, their words in reading order.
std::vector<std::vector<int>> lines_of(std::span<const PageWord> words, std::vector<int> own) {
  std::stable_sort(own.begin(), own.end(),
                   [&](int i, int j) { return middle_y(words[i].box) < middle_y(words[j].box); });
  std::vector<std::vector<int>> lines;
  double middle = 0, height = 0;  // of the last line
  for (int i : own) {
    const Box& box = words[i].box;
    const double y = middle_y(box), most = std::max(height, double(box.height()));
    if (lines.empty() || y - middle > 0.55 * most) {
      lines.emplace_back();
      middle = y;
      height = box.height();
    } else {
      middle += (y - middle) / double(lines.back().size() + 1);
      height = most;
    }
    lines.back().push_back(i);
  }
  for (auto& line : lines) {
    const auto backwards = std::count_if(line.begin(), line.end(),
                                         [&](int i) { return right_to_left(words[i].text); });
    const bool rtl = 2 * size_t(backwards) > line.size();
    std::stable_sort(line.begin(), line.end(), [&](int i, int j) {
      return rtl ? words[i].box.x1 > words[j].box.x1 : words[i].box.x0 < words[j].box.x0;
    });
  }
  return lines;
}

/// Lines of words in the source's own order.
std::vector<std::vector<int>> own_lines(std::span<const PageWord> words, std::span<const int> own) {
  std::vector<std::vector<int>> lines;
  for (const int i : own) {
    bool goes_on = false;
    if (!lines.empty()) {
      const Box &last = words[lines.back().back()].box, &next = words[i].box;
      const double apart = std::abs(middle_y(last) - middle_y(next));
      goes_on = apart <= 0.55 * std::max(last.height(), next.height()) && next.x1 >= last.x0;
    }
    if (!goes_on) lines.emplace_back();
    lines.back().push_back(i);
  }
  return lines;
}

bool glued(const PageWord& left, const PageWord& right) {
  return !left.space_after && !right_to_left(left.text) &&
         right.box.x0 - left.box.x1 < 0.3 * left.box.height() && right.box.x0 >= left.box.x0 &&
         std::abs(middle_y(left.box) - middle_y(right.box)) <
             0.7 * std::max(left.box.height(), right.box.height());
}

/// Whether `right` is a small number above the end of `left`: the mark of a note.
bool raised(const PageWord& left, const PageWord& right) {
  const bool digits = std::all_of(right.text.begin(), right.text.end(),
                                  [](char c) { return c >= '0' && c <= '9'; });
  return digits && !left.text.empty() && std::isdigit(uint8_t(left.text.back())) == 0 &&
         10 * right.box.height() < 8 * left.box.height() &&
         10 * (left.box.y1 - right.box.y1) > 2 * left.box.height();
}

std::string superscript(const std::string& digits) {
  static constexpr std::string_view kSigns[] = {"\u2070", "\u00B9", "\u00B2", "\u00B3", "\u2074",
                                                "\u2075", "\u2076", "\u2077", "\u2078", "\u2079"};
  std::string out;
  for (const char c : digits) out += kSigns[c - '0'];
  return out;
}

void append_line(std::span<const PageWord> words, std::span<const int> line, size_t number,
                 std::vector<PageToken>& out) {
  const size_t first = out.size();
  for (size_t k = 0; k < line.size(); ++k) {
    const PageWord& word = words[line[k]];
    if (out.size() == first || !glued(words[line[k - 1]], word)) {
      out.emplace_back();
      out.back().line = number;
    }
    PageToken& token = out.back();
    if (token.words.empty()) token.font = word.font;
    token.text += !token.words.empty() && raised(words[line[k - 1]], word) ? superscript(word.text)
                                                                           : word.text;
    token.box = unite(token.box, word.box);
    if (token.doubt.empty()) token.doubt = word.doubt;
    token.confidence = std::min(token.confidence, word.confidence);
    token.words.push_back(line[k]);
  }
  for (size_t i = first; i < out.size(); ++i) out[i].aligned.key = fold(out[i].text);
  if (out.size() > first) out.back().aligned.line_end = true;
}

/// Takes out tokens to the sides of the block that stand a column's gap from those inside: the ends
/// of its lines are ends, and a word may be parted there.
void drop_beside(std::vector<PageToken>& tokens) {
  constexpr double kGap = 0.8;  // of a line's height, more than a blank
  std::vector<PageToken> out;
  for (size_t from = 0; from < tokens.size();) {
    size_t to = from + 1;
    while (to < tokens.size() && tokens[to].line == tokens[from].line) ++to;
    size_t first = from, last = to;
    const auto parted = [&](const PageToken& left, const PageToken& right) {
      return right.box.x0 - left.box.x1 > kGap * std::max(left.box.height(), right.box.height());
    };
    while (first < to && !tokens[first].inside) ++first;
    while (last > first && !tokens[last - 1].inside) --last;
    const size_t inside = first, beyond = last;
    while (first > from && !parted(tokens[first - 1], tokens[first])) --first;
    while (last < to && !parted(tokens[last - 1], tokens[last])) ++last;
    if (inside == beyond) first = from, last = to;  // a line above or below
    for (size_t i = first; i < last; ++i) out.push_back(std::move(tokens[i]));
    if (last > first) out.back().aligned.line_end = true;
    from = to;
  }
  tokens = std::move(out);
}

/// Doubts a layer that has letters in place of words.
void doubt_single_letters(std::vector<PageWord>& words) {
  const auto single = [](const PageWord& word) {
    return word.text.size() == 1 && uint8_t(word.text[0]) < 0x80 &&
           std::isalnum(uint8_t(word.text[0]));
  };
  constexpr size_t kFew = 20;
  const auto count = size_t(std::count_if(words.begin(), words.end(), single));
  if (count < kFew || 2 * count < words.size()) return;
  for (PageWord& word : words)
    if (word.doubt.empty()) word.doubt = "letters without words";
}

}  // namespace

bool has_ink(const PageImage& image, const Box& box) {
  constexpr int kContrast = 48;
  const Box part = intersect(box, {0, 0, image.width_px(), image.height_px()});
  if (part.empty()) return false;
  int least = 255, most = 0;
  for (int y = part.y0; y < part.y1; ++y) {
    const uint8_t* rgb = image.row(y) + size_t(part.x0) * 3;
    for (int x = part.x0; x < part.x1; ++x, rgb += 3) {
      const int light = (rgb[0] * 77 + rgb[1] * 151 + rgb[2] * 28) >> 8;
      least = std::min(least, light);
      most = std::max(most, light);
    }
    if (most - least >= kContrast) return true;
  }
  return false;
}

std::vector<PageWord> page_words(std::span<const Word> words, const PageImage* image) {
  std::vector<PageWord> out;
  if (words.size() > kMostWords) return out;
  std::map<std::pair<int, std::string>, std::vector<size_t>> known;  // by height on the page
  for (const Word& word : words) {
    PageWord next{without_leaders(cleaned(word.text)),
                  word.box,
                  "",
                  word.space_after,
                  word.confidence,
                  word.font};
    if (next.text.empty() || word.box.empty()) continue;
    constexpr int kBand = 16;  // pixels; overprinted words differ by fewer
    const int band = word.box.y0 / kBand;
    bool twice = false;
    for (const int near : {band - 1, band, band + 1})
      if (const auto it = known.find({near, next.text}); it != known.end())
        twice |= std::any_of(it->second.begin(), it->second.end(),
                             [&](size_t i) { return iou(out[i].box, next.box) > 0.5; });
    if (twice) continue;
    next.doubt = doubt_of(word, next.text, image);
    known[{band, next.text}].push_back(out.size());
    out.push_back(std::move(next));
  }
  drop_dots(out);
  doubt_overlaps(out);
  doubt_single_letters(out);
  return out;
}

std::vector<PageToken> tokens_in(std::span<const PageWord> words, const Box& box, int margin_px,
                                 WordOrder order) {
  const Box wide{box.x0 - margin_px, box.y0 - margin_px, box.x1 + margin_px, box.y1 + margin_px};
  std::vector<int> own;
  for (int i = 0; i < int(words.size()); ++i)
    if (holds_middle(wide, words[i].box)) own.push_back(i);
  std::vector<PageToken> out;
  const auto lines =
      order == WordOrder::own ? own_lines(words, own) : lines_of(words, std::move(own));
  for (size_t i = 0; i < lines.size(); ++i) append_line(words, lines[i], i, out);
  for (PageToken& token : out) {
    token.inside = holds_middle(box, token.box);
    token.aligned.outside = !token.inside;
  }
  drop_beside(out);
  return out;
}

std::vector<PageToken> all_tokens(std::span<const PageWord> words) {
  std::vector<int> all(words.size());
  std::iota(all.begin(), all.end(), 0);
  return all_tokens(words, all);
}

std::vector<PageToken> all_tokens(std::span<const PageWord> words, std::span<const int> own) {
  std::vector<PageToken> out;
  const auto lines = own_lines(words, own);
  for (size_t i = 0; i < lines.size(); ++i) append_line(words, lines[i], i, out);
  return out;
}

}  // namespace docspec
