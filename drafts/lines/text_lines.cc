#include "drafts/lines/text_lines.h"

#include <algorithm>
#include <cctype>
#include <cstdint>
#include <numeric>
#include <utility>

#include "core/base/median.h"
#include "core/input/letters/tex_fonts.h"
#include "core/text/unicode.h"
#include "drafts/lines/font_style.h"
#include "drafts/lines/glue_lines.h"
#include "drafts/lines/leaders.h"

namespace docspec {
namespace {

constexpr double kTornGapEm = 0.5;  // within a line that OCR found in two pieces

double font_size_px(const Word& word, double dpi) {
  if (word.font_size_pt > 0) return word.font_size_pt * dpi / 72;
  return 0.75 * (word.quarter_turns % 2 ? word.box.width() : word.box.height());
}

/// Capitals alone, as small capitals are drawn.
bool capitals(const std::string& text) {
  return std::all_of(text.begin(), text.end(), [](char c) { return !std::islower(uint8_t(c)); }) &&
         std::any_of(text.begin(), text.end(), [](char c) { return std::isupper(uint8_t(c)); });
}

/// Whether a word is in the small capitals of a larger one before it: smaller capitals, or small
/// letters of its font on its base line, which a font of small capitals draws as such. `joined`:
/// these touch the capital or go on with other small capitals.
bool are_small_capitals(const Word& word, const Word& capital, bool joined) {
  constexpr double kLeast = 0.68;  // of the capital's size
  constexpr double kLow = 0.15;    // of the capital's height
  const double ratio = word.font_size_pt / std::max(0.1, capital.font_size_pt);
  if (word.font.empty() || ratio <= kLeast || ratio >= 1) return false;
  const int rise = capital.box.y1 - word.box.y1;
  return capitals(word.text) ||
         (joined && word.font == capital.font && rise >= 0 && rise < kLow * capital.box.height());
}

/// A hyphen and the like between the parts of a word.
bool is_mark(const std::string& text) {
  return text.size() == 1 && std::ispunct(uint8_t(text[0]));
}

}  // namespace

double row_overlap(const Box& a, const Box& b) {
  const int common = std::min(a.y1, b.y1) - std::max(a.y0, b.y0);
  return common / double(std::max(1, std::min(a.height(), b.height())));
}

double letter_px(const Word& word) {
  constexpr size_t kLeastLetters = 3;
  const size_t letters = count_code_points(word.text);
  return !word.font.empty() || letters < kLeastLetters ? 0 : word.box.width() / double(letters);
}

double typed_letter_px(std::span<const Word> words) {
  constexpr size_t kLeastWords = 20;
  std::vector<double> widths;
  for (const Word& word : words)
    if (word.quarter_turns == 0 && letter_px(word) > 0) widths.push_back(letter_px(word));
  if (widths.size() < kLeastWords) return 0;
  std::sort(widths.begin(), widths.end());
  const double low = widths[widths.size() / 4], high = widths[widths.size() * 3 / 4];
  const double middle = widths[widths.size() / 2];
  return high - low < 0.07 * middle ? middle : 0;
}

bool opens_comment(std::string_view word) {
  return word.starts_with("//") || word.starts_with("/*") || word.starts_with('#') ||
         word.starts_with(';') || word.starts_with("--");
}

void summarise(TextLine& line, std::span<const Word> words, double dpi) {
  std::vector<double> sizes;
  size_t bold = 0, mono = 0, italic = 0, small = 0;
  size_t signs = 0;  // letters in a font of formulas, as code may have them
  size_t told = 0;   // Chinese letters of a comment in code, or of what it prints
  bool quoted = false;
  const Word* capital = nullptr;  // that small ones follow
  bool in_small = false;          // since then
  line.box = {};
  line.chars = 0;
  for (int i : line.words) {
    const Word& word = words[i];
    const size_t chars = std::max<size_t>(1, count_code_points(word.text));
    const bool dots = is_dots(word.text) && !sizes.empty();  // maybe of a larger font
    Box box = word.box;
    if (dots && word.quarter_turns == 0) box.y0 = line.box.y0, box.y1 = line.box.y1;
    line.box = unite(line.box, box);
    line.chars += chars;
    double size = font_size_px(word, dpi);
    const bool joined = in_small || (capital && word.box.x0 - capital->box.x1 < size / 8);
    if (capital && are_small_capitals(word, *capital, joined)) {
      size = font_size_px(*capital, dpi);
      small += chars;
      in_small = true;
    } else if (!is_mark(word.text)) {
      capital = capitals(word.text) ? &word : nullptr;
      in_small &= capital != nullptr;
    }
    // Formulas may be set larger, and their LaTeX is long.
    if (!dots && (!word.formula || line.words.size() == 1)) sizes.insert(sizes.end(), chars, size);
    const FontStyle style = font_style(word.font);
    if (word.heavy || style.bold) bold += chars;
    // Chinese is in the type of a word that it opens, not in that of letters before it.
    const bool chinese = is_cjk(first_code_point(word.text));
    const size_t characters = chinese ? 0 : count_cjk(word.text);
    if (style.mono) mono += chars - characters;
    if (style.mono) quoted |= opens_comment(word.text) || word.text.ends_with('"');
    if (is_tex_math(word.font)) signs += chars;
    if (quoted) told += chinese ? chars : characters;
    if (style.italic) italic += chars;
  }
  if (sizes.empty()) sizes.push_back(font_size_px(words[line.words.front()], dpi));
  line.size_px = std::max(1.0, median(std::move(sizes)));
  line.bold = bold * 10 >= line.chars * 8;
  line.mono = mono > signs && mono * 10 >= (line.chars - signs - told) * 8;
  line.italic = italic * 10 >= line.chars * 8;
  line.small_capitals = small * 2 >= line.chars;
  line.rough_size = is_of_ocr(words[line.words.front()].font);
  line.quarter_turns = words[line.words.front()].quarter_turns;
}

bool evenly_set(const std::vector<TextLine>& lines, int first, int second, int third) {
  constexpr double kSame = 0.08;  // sizes
  if (first < 0 || second < 0 || third < 0) return false;
  const double above = lines[size_t(second)].middle() - lines[size_t(first)].middle();
  const double below = lines[size_t(third)].middle() - lines[size_t(second)].middle();
  return std::abs(above - below) < kSame * lines[size_t(second)].size_px;
}

namespace {

/// The distances that decide which words are in one line.
struct Spacing {
  double dpi = 0;
  Gutters gutters;
  /// The blank that OCR's words may have, in letters of theirs: two are more than an em where all
  /// letters are as wide as the widest.
  double letters = 2;

  double blank_px(const Word& word) const {
    return std::max(font_size_px(word, dpi), letters * letter_px(word));
  }
};

/// Appends each word to the line it continues; words must come from left to right.
std::vector<TextLine> join_words(std::span<const Word> words, const std::vector<int>& by_x,
                                 const Spacing& spacing) {
  double largest = 0;
  for (int i : by_x) largest = std::max(largest, spacing.blank_px(words[i]));
  std::vector<TextLine> lines;
  std::vector<size_t> open;  // lines that a word further to the right may still continue
  for (int i : by_x) {
    const Word& word = words[i];
    std::erase_if(open, [&](size_t k) {
      return words[lines[k].words.back()].box.x1 + kLineGapEm * largest < word.box.x0;
    });
    size_t best = lines.size();
    double best_gap = 0;
    for (size_t k : open) {
      const Word& last = words[lines[k].words.back()];
      const double em = std::max(spacing.blank_px(last), spacing.blank_px(word));
      const double gap = word.box.x0 - last.box.x1;
      const bool known = last.line > 0 && word.line > 0, same = known && last.line == word.line;
      if (gap > (known && !same ? kTornGapEm : kLineGapEm) * em || gap < -0.6 * em ||
          parted(spacing.gutters, last, word))
        continue;
      if (!same && row_overlap(last.box, word.box) < 0.5 &&
          row_overlap(lines[k].box, word.box) < 0.75)
        continue;
      if (best == lines.size() || same || gap < best_gap) best = k, best_gap = same ? -1e9 : gap;
    }
    if (best == lines.size()) {
      open.push_back(best);
      lines.emplace_back();
    }
    lines[best].words.push_back(i);
    lines[best].box = unite(lines[best].box, word.box);
  }
  for (TextLine& line : lines) summarise(line, words, spacing.dpi);
  return lines;
}

}  // namespace

int column_edge(std::vector<int> edges, double em) {
  std::sort(edges.rbegin(), edges.rend());
  const bool overfull =
      edges.size() > 3 && edges[0] - edges[1] > em && edges[1] - edges[2] < 0.5 * em;
  return overfull ? edges[1] : edges[0];
}

Box turned_upright(const Box& box, int quarter_turns) {
  if (quarter_turns == 0) return box;
  if (quarter_turns == 2) return {-box.x1, -box.y1, -box.x0, -box.y0};
  return quarter_turns == 1 ? Box{box.y0, -box.x1, box.y1, -box.x0}
                            : Box{-box.y1, box.x0, -box.y0, box.x1};
}

std::vector<TextLine> group_lines(std::span<const Word> words, double dpi,
                                  std::span<const Box> rules) {
  std::vector<TextLine> all;
  for (int turns = 0; turns < 4; ++turns) {
    std::vector<int> chosen;
    for (int i = 0; i < int(words.size()); ++i)
      if (words[i].quarter_turns == turns) chosen.push_back(i);
    if (chosen.empty()) continue;
    // Turned text is grouped as if the page were turned upright for it.
    std::vector<Word> turned;
    std::span<const Word> view = words;
    if (turns != 0) {
      turned.assign(words.begin(), words.end());
      for (Word& w : turned) w.box = turned_upright(w.box, turns);
      view = turned;
    }
    std::stable_sort(chosen.begin(), chosen.end(),
                     [&](int a, int b) { return view[a].box.x0 < view[b].box.x0; });
    Spacing spacing{.dpi = dpi, .gutters = {}};
    if (turns == 0) {
      spacing.gutters = find_gutters(words);
      spacing.gutters.set_rules(rules);
    }
    if (typed_letter_px(words) > 0)
      spacing.letters = 3.5;  // few letters a line: justified ones gape
    std::vector<TextLine> lines = join_words(view, chosen, spacing);
    close_justified(lines, view, dpi, spacing.gutters);
    glue_lines(lines, view, dpi, spacing.gutters);
    if (turns != 0)
      for (TextLine& line : lines) summarise(line, words, dpi);
    all.insert(all.end(), lines.begin(), lines.end());
  }
  std::stable_sort(all.begin(), all.end(), [](const TextLine& a, const TextLine& b) {
    return a.box.y0 != b.box.y0 ? a.box.y0 < b.box.y0 : a.box.x0 < b.box.x0;
  });
  return all;
}

std::vector<std::vector<int>> group_rows(std::span<const Box> boxes) {
  std::vector<int> by_y(boxes.size());
  std::iota(by_y.begin(), by_y.end(), 0);
  const auto middle = [&](int i) { return boxes[i].y0 + boxes[i].y1; };
  std::stable_sort(by_y.begin(), by_y.end(), [&](int a, int b) { return middle(a) < middle(b); });
  std::vector<std::vector<int>> rows;
  std::vector<Box> extents;
  for (int i : by_y) {
    int home = -1;
    for (int r = int(rows.size()) - 1; r >= 0 && r >= int(rows.size()) - 4; --r)
      if (row_overlap(extents[r], boxes[i]) >= 0.5) {
        home = r;
        break;
      }
    if (home < 0) {
      home = int(rows.size());
      rows.emplace_back();
      extents.push_back(boxes[i]);
    }
    rows[home].push_back(i);
    // The tallest tells where the row is: an index may have come first.
    if (boxes[i].height() > extents[home].height()) extents[home] = boxes[i];
  }
  for (auto& row : rows)
    std::stable_sort(row.begin(), row.end(),
                     [&](int a, int b) { return boxes[a].x0 < boxes[b].x0; });
  return rows;
}

std::vector<std::vector<int>> group_rows(std::span<const TextLine> lines) {
  std::vector<Box> boxes;
  for (const TextLine& line : lines) boxes.push_back(line.box);
  return group_rows(boxes);
}

}  // namespace docspec
