#include "drafts/lines/text_lines.h"

#include <algorithm>
#include <cctype>
#include <cstdint>
#include <numeric>
#include <optional>
#include <utility>

#include "core/base/median.h"
#include "core/text/unicode.h"
#include "drafts/lines/bullets.h"
#include "drafts/lines/font_style.h"
#include "drafts/lines/gutter.h"

namespace docspec {
namespace {

constexpr double kLineGapEm = 1.0;    // wider gaps end a line
constexpr double kGlueGapEm = 2.5;    // up to this wide, neighbours decide
constexpr double kMarkerGapEm = 4.0;  // between a list marker or number and its text
constexpr double kLabelGapEm = 6.0;   // between a label with a colon and what it names
constexpr double kTornGapEm = 0.5;    // within a line that OCR found in two pieces

double font_size_px(const Word& word, double dpi) {
  if (word.font_size_pt > 0) return word.font_size_pt * dpi / 72;
  return 0.75 * (word.quarter_turns % 2 ? word.box.width() : word.box.height());
}

/// Width of a letter of words from OCR; 0 if the font gives it or there are too few letters.
double letter_px(const Word& word) {
  constexpr size_t kLeastLetters = 3;
  const size_t letters = count_code_points(word.text);
  return !word.font.empty() || letters < kLeastLetters ? 0 : word.box.width() / double(letters);
}

/// Whether OCR's words are of letters that are all as wide: half of the words have letters within a
/// few hundredths.
bool of_one_width(std::span<const Word> words) {
  constexpr size_t kLeastWords = 20;
  std::vector<double> widths;
  for (const Word& word : words)
    if (word.quarter_turns == 0 && letter_px(word) > 0) widths.push_back(letter_px(word));
  if (widths.size() < kLeastWords) return false;
  std::sort(widths.begin(), widths.end());
  const double low = widths[widths.size() / 4], high = widths[widths.size() * 3 / 4];
  return high - low < 0.07 * widths[widths.size() / 2];
}

/// Capitals alone, as small capitals are drawn.
bool capitals(const std::string& text) {
  return std::all_of(text.begin(), text.end(), [](char c) { return !std::islower(uint8_t(c)); }) &&
         std::any_of(text.begin(), text.end(), [](char c) { return std::isupper(uint8_t(c)); });
}

}  // namespace

double row_overlap(const Box& a, const Box& b) {
  const int common = std::min(a.y1, b.y1) - std::max(a.y0, b.y0);
  return common / double(std::max(1, std::min(a.height(), b.height())));
}

void summarise(TextLine& line, std::span<const Word> words, double dpi) {
  std::vector<double> sizes;
  size_t bold = 0, mono = 0, italic = 0;
  double capital = 0;  // size of the capital that small ones follow
  line.box = {};
  line.chars = 0;
  for (int i : line.words) {
    const Word& word = words[i];
    const size_t chars = std::max<size_t>(1, count_code_points(word.text));
    line.box = unite(line.box, word.box);
    line.chars += chars;
    double size = font_size_px(word, dpi);
    const bool small_capitals = capitals(word.text) && size > 0.7 * capital && size < capital;
    if (small_capitals && !word.font.empty()) size = capital;
    capital = capitals(word.text) ? size : 0;
    sizes.insert(sizes.end(), chars, size);
    const FontStyle style = font_style(word.font);
    if (word.heavy || style.bold) bold += chars;
    if (style.mono) mono += chars;
    if (style.italic) italic += chars;
  }
  line.size_px = std::max(1.0, median(std::move(sizes)));
  line.bold = bold * 10 >= line.chars * 8;
  line.mono = mono * 10 >= line.chars * 8;
  line.italic = italic * 10 >= line.chars * 8;
  line.rough_size = words[line.words.front()].font.empty();
  line.quarter_turns = words[line.words.front()].quarter_turns;
}

namespace {

/// Whether two columns part here. A blank of a large typewriter's is as wide as a gutter.
bool parted(const Gutters& gutters, const Word& left, const Word& right) {
  constexpr double kTypedBlank = 1.4;  // letters: one, and the white space next to it
  const double a = letter_px(left), b = letter_px(right);
  const double letter = a > 0 && b > 0 ? std::min(a, b) : std::max(a, b);
  return gutters.parts(left.box, right.box) && right.box.x0 - left.box.x1 > kTypedBlank * letter;
}

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

/// The nearest line on one side of a gap: it runs across the gap, ends next to it, or does not
/// exist. The short last line of a paragraph, which is below the left part alone, counts as not
/// existing.
enum class Neighbour { none, across, apart };

Neighbour look(const std::vector<TextLine>& lines, size_t left, size_t right, bool above) {
  const Box &l = lines[left].box, &r = lines[right].box;
  const double reach = 2.0 * lines[left].size_px;
  bool seen = false;
  for (size_t i = 0; i < lines.size(); ++i) {
    if (i == left || i == right || lines[i].words.empty()) continue;
    const Box& box = lines[i].box;
    const double distance = (above ? -1 : 1) * (lines[i].middle() - lines[left].middle());
    if (distance < 0.5 * lines[left].size_px || distance > reach) continue;
    if (box.x1 <= l.x0 || box.x0 >= r.x1) continue;
    if (box.x0 < l.x1 && box.x1 > r.x0) return Neighbour::across;
    seen |= above || box.x1 > r.x0;
  }
  return seen ? Neighbour::apart : Neighbour::none;
}

/// A marker of a list, the "V.II" of a section, or "[Cop87]" in a bibliography, where a raised "+"
/// is a word of its own.
bool is_marker(std::span<const Word> words, const TextLine& line) {
  const std::string &first = words[line.words[0]].text, &last = words[line.words.back()].text;
  const bool roman = first.find_first_not_of("IVX.") == first.npos && first[0] != '.' &&
                     first.find('.') != first.npos;
  if (line.words.size() == 1 && (is_list_marker(first) || roman)) return true;
  return line.words.size() <= 3 && line.chars <= 12 && first[0] == '[' && last.ends_with(']');
}

/// The letter of an appendix before its name.
bool is_heading_letter(std::span<const Word> words, const TextLine& letter, const TextLine& name) {
  return letter.chars == 1 && letter.bold && name.bold && letter.size_px == name.size_px &&
         std::isupper(uint8_t(words[size_t(letter.words.front())].text[0]));
}

bool ends_as_label(std::span<const Word> words, const TextLine& line) {
  constexpr size_t kMostWords = 4;
  const std::string& last = words[size_t(line.words.back())].text;
  return line.words.size() <= kMostWords && !line.mono && last.size() > 1 && last.ends_with(':');
}

/// "Input:" and what stands next to it, in a row of nothing but such pairs.
bool is_label(std::span<const Word> words, const std::vector<TextLine>& lines, size_t left,
              size_t right) {
  const TextLine& label = lines[left];
  if (!ends_as_label(words, label) || ends_as_label(words, lines[right])) return false;
  std::vector<const TextLine*> row;
  for (const TextLine& line : lines)
    if (!line.words.empty() && row_overlap(line.box, label.box) >= 0.5) row.push_back(&line);
  std::sort(row.begin(), row.end(),
            [](const TextLine* a, const TextLine* b) { return a->box.x0 < b->box.x0; });
  for (size_t k = 0; k < row.size(); ++k) {
    const auto& own = row[k]->words;
    const bool pair = std::any_of(own.begin(), own.end(),
                                  [&](int w) { return words[size_t(w)].text.ends_with(':'); });
    const bool value = k > 0 && ends_as_label(words, *row[k - 1]);
    if ((!pair && !value) || (row[k] == &lines[right] && (k == 0 || row[k - 1] != &label)))
      return false;
  }
  return true;
}

/// Should the gap between two lines of one row be closed?
bool glue(std::span<const Word> words, const std::vector<TextLine>& lines, size_t left,
          size_t right, const Gutters& gutters) {
  const TextLine &a = lines[left], &b = lines[right];
  const double gap = b.box.x0 - a.box.x1, em = std::max(a.size_px, b.size_px);
  if (gap < -0.6 * em || row_overlap(a.box, b.box) < 0.5) return false;
  if (parted(gutters, words[size_t(a.words.back())], words[size_t(b.words.front())])) return false;
  if (a.mono && b.mono && gap < 8 * em) return true;
  if ((is_marker(words, a) || is_heading_letter(words, a, b)) && gap < kMarkerGapEm * em)
    return true;
  if (gap < kLabelGapEm * em && is_label(words, lines, left, right)) return true;
  if (gap > kGlueGapEm * em) return false;
  const Neighbour above = look(lines, left, right, true), below = look(lines, left, right, false);
  // OCR cut a line at the white after its sentence.
  if (gap <= kLineGapEm * em && above != Neighbour::apart && below != Neighbour::apart) return true;
  return (above == Neighbour::across && below != Neighbour::apart) ||
         (below == Neighbour::across && above != Neighbour::apart);
}

/// The pieces of a row, cut at gutters and at gaps that are too wide for blanks.
std::vector<std::vector<int>> runs_of(const std::vector<int>& row,
                                      const std::vector<TextLine>& lines,
                                      std::span<const Word> words, const Gutters& gutters) {
  constexpr double kMostGapEm = 5;
  std::vector<std::vector<int>> runs;
  for (size_t k = 0; k < row.size(); ++k) {
    const TextLine& line = lines[size_t(row[k])];
    const TextLine* last = k == 0 ? nullptr : &lines[size_t(row[k - 1])];
    if (!last || line.box.x0 - last->box.x1 > kMostGapEm * line.size_px ||
        parted(gutters, words[size_t(last->words.back())], words[size_t(line.words.front())]))
      runs.emplace_back();
    runs.back().push_back(row[k]);
  }
  return runs;
}

/// Joins the words of a justified line whose blanks are all as wide as an em and more: a run of
/// equal gaps and many pieces that go on with a sentence.
void close_justified(std::vector<TextLine>& lines, std::span<const Word> words, double dpi,
                     const Gutters& gutters) {
  constexpr size_t kLeastPieces = 5;
  constexpr double kEven = 0.2;
  const auto close = [&](std::vector<int> run) {
    if (run.size() > kLeastPieces && is_marker(words, lines[size_t(run[0])]))
      run.erase(run.begin());
    if (run.size() < kLeastPieces) return;
    int widest = 0, narrowest = INT32_MAX;
    size_t goes_on = 0;
    for (size_t k = 0; k < run.size(); ++k) {
      const TextLine& line = lines[size_t(run[k])];
      goes_on += std::islower(uint8_t(words[size_t(line.words.front())].text[0])) != 0 ||
                 words[size_t(line.words.back())].text.ends_with(',');
      if (k == 0) continue;
      const int gap = line.box.x0 - lines[size_t(run[k - 1])].box.x1;
      widest = std::max(widest, gap), narrowest = std::min(narrowest, gap);
    }
    if (goes_on * 3 < run.size() || narrowest <= 0 || widest - narrowest > kEven * widest + 2)
      return;
    TextLine& first = lines[size_t(run[0])];
    for (size_t k = 1; k < run.size(); ++k) {
      auto& rest = lines[size_t(run[k])].words;
      first.words.insert(first.words.end(), rest.begin(), rest.end());
      rest.clear();
    }
    summarise(first, words, dpi);
  };
  for (const auto& row : group_rows(lines))
    for (std::vector<int>& run : runs_of(row, lines, words, gutters)) close(std::move(run));
  std::erase_if(lines, [](const TextLine& line) { return line.words.empty(); });
}

void glue_lines(std::vector<TextLine>& lines, std::span<const Word> words, double dpi,
                const Gutters& gutters) {
  for (size_t i = 0; i < lines.size(); ++i) {
    for (bool again = !lines[i].words.empty(); again;) {
      again = false;
      size_t next = lines.size();  // the nearest line to the right in this row
      for (size_t j = 0; j < lines.size(); ++j) {
        if (j == i || lines[j].words.empty() || row_overlap(lines[i].box, lines[j].box) < 0.5)
          continue;
        if (lines[j].box.x0 <= lines[i].box.x0) continue;
        if (next == lines.size() || lines[j].box.x0 < lines[next].box.x0) next = j;
      }
      if (next == lines.size() || !glue(words, lines, i, next, gutters)) break;
      lines[i].words.insert(lines[i].words.end(), lines[next].words.begin(),
                            lines[next].words.end());
      lines[next].words.clear();
      summarise(lines[i], words, dpi);
      again = true;
    }
  }
  std::erase_if(lines, [](const TextLine& line) { return line.words.empty(); });
}

}  // namespace

int column_edge(std::vector<int> edges, double em) {
  std::sort(edges.rbegin(), edges.rend());
  const bool overfull =
      edges.size() > 3 && edges[0] - edges[1] > em && edges[1] - edges[2] < 0.5 * em;
  return overfull ? edges[1] : edges[0];
}

Box turned_upright(const Box& box, int quarter_turns) {
  if (quarter_turns % 2 == 0) return box;
  return quarter_turns == 1 ? Box{box.y0, -box.x1, box.y1, -box.x0}
                            : Box{-box.y1, box.x0, -box.y0, box.x1};
}

std::vector<TextLine> group_lines(std::span<const Word> words, double dpi) {
  std::vector<TextLine> all;
  for (int turns = 0; turns < 4; ++turns) {
    std::vector<int> chosen;
    for (int i = 0; i < int(words.size()); ++i)
      if (words[i].quarter_turns == turns) chosen.push_back(i);
    if (chosen.empty()) continue;
    // Sideways text is grouped as if the page were turned upright for it.
    std::vector<Word> turned;
    std::span<const Word> view = words;
    if (turns % 2) {
      turned.assign(words.begin(), words.end());
      for (Word& w : turned) w.box = turned_upright(w.box, turns);
      view = turned;
    }
    std::stable_sort(chosen.begin(), chosen.end(),
                     [&](int a, int b) { return view[a].box.x0 < view[b].box.x0; });
    Spacing spacing{.dpi = dpi, .gutters = {}};
    if (turns == 0) spacing.gutters = find_gutters(words);
    if (of_one_width(words)) spacing.letters = 3.5;  // few letters a line: justified ones gape
    std::vector<TextLine> lines = join_words(view, chosen, spacing);
    close_justified(lines, view, dpi, spacing.gutters);
    glue_lines(lines, view, dpi, spacing.gutters);
    if (turns % 2)
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

std::vector<std::vector<int>> group_rows(const std::vector<TextLine>& lines) {
  std::vector<Box> boxes;
  for (const TextLine& line : lines) boxes.push_back(line.box);
  return group_rows(boxes);
}

}  // namespace docspec
