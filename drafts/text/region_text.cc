#include "drafts/text/region_text.h"

#include <algorithm>
#include <cctype>
#include <cmath>
#include <map>

#include "core/base/median.h"
#include "core/text/unicode.h"
#include "drafts/grid/cell_text.h"
#include "drafts/lines/bullets.h"
#include "drafts/lines/font_style.h"
#include "drafts/lines/leaders.h"
#include "drafts/lines/line_joiner.h"
#include "drafts/lines/line_text.h"
#include "drafts/lines/text_lines.h"
#include "drafts/table/grid_cells.h"
#include "drafts/table/table_structure.h"
#include "drafts/text/hard_breaks.h"

namespace docspec {
namespace {

/// A line of OCR, or some that stand side by side.
struct OcrRow {
  std::vector<int> words;
  std::vector<Box> lines;
  Box box;
};

/// Whether the lines of two rows share half of their height and stand beside one another. Boxes of
/// words in frames overlap their neighbours a little.
bool in_one_row(const OcrRow& a, const OcrRow& b) {
  const auto common = [](int a0, int a1, int b0, int b1) {
    return std::min(a1, b1) - std::max(a0, b0);
  };
  const int height = std::min(a.box.height(), b.box.height());
  if (2 * common(a.box.y0, a.box.y1, b.box.y0, b.box.y1) < height) return false;
  for (const Box& left : a.lines)
    for (const Box& right : b.lines)
      if (common(left.x0, left.x1, right.x0, right.x1) > height) return false;
  return true;
}

/// Rows of words whose lines are known: neighbouring lines of bent paper overlap, so that a line
/// joins a row only beside what is there.
std::vector<std::vector<int>> rows_of_lines(std::span<const Word> words, std::span<const int> own) {
  std::map<int, OcrRow> lines;
  for (int i : own) {
    lines[words[i].line].words.push_back(i);
    lines[words[i].line].box = unite(lines[words[i].line].box, words[i].box);
  }
  std::vector<OcrRow> rows;
  for (auto& [number, line] : lines) {
    line.lines = {line.box};
    rows.push_back(std::move(line));
  }
  const auto middle = [](const OcrRow& row) { return row.box.y0 + row.box.y1; };
  std::stable_sort(rows.begin(), rows.end(),
                   [&](const OcrRow& a, const OcrRow& b) { return middle(a) < middle(b); });
  for (size_t i = 0; i < rows.size(); ++i)
    for (size_t j = i + 1; j < rows.size();) {
      if (!in_one_row(rows[i], rows[j])) {
        ++j;
        continue;
      }
      rows[i].box = unite(rows[i].box, rows[j].box);
      rows[i].lines.push_back(rows[j].box);
      rows[i].words.insert(rows[i].words.end(), rows[j].words.begin(), rows[j].words.end());
      rows.erase(rows.begin() + std::ptrdiff_t(j));
    }
  std::vector<std::vector<int>> out;
  for (OcrRow& row : rows) {
    std::stable_sort(row.words.begin(), row.words.end(),
                     [&](int a, int b) { return words[a].box.x0 < words[b].box.x0; });
    out.push_back(std::move(row.words));
  }
  return out;
}

/// Rows of the words, each from left to right.
std::vector<std::vector<int>> rows_of(std::span<const Word> words, std::span<const int> own) {
  if (std::all_of(own.begin(), own.end(),
                  [&](int i) { return words[i].line > 0 && words[i].quarter_turns == 0; }))
    return rows_of_lines(words, own);
  std::vector<Box> boxes;
  for (int i : own) boxes.push_back(turned_upright(words[i].box, words[own.front()].quarter_turns));
  auto rows = group_rows(boxes);
  for (auto& row : rows)
    for (int& i : row) i = own[i];
  return rows;
}

bool is_letter_byte(char c) {
  return std::isalpha(uint8_t(c)) || uint8_t(c) >= 0x80;
}

/// A bracket that opens or closes more than what is emphasised is not: the word's font was its own.
void leave_out_brackets(TextMark& mark, std::string_view text) {
  const auto lacks = [&](char c) {
    return text.substr(mark.from, mark.to - mark.from).find(c) == text.npos;
  };
  for (bool again = true; again && mark.to - mark.from > 1;) {
    const char first = text[mark.from], last = text[mark.to - 1];
    again = true;
    if ((first == '(' && lacks(')')) || (first == '[' && lacks(']')))
      ++mark.from;
    else if ((last == ')' && lacks('(')) || (last == ']' && lacks('[')))
      --mark.to;
    else
      again = false;
  }
}

/// Marks that say nothing go: emphasis of most of a text, of a letter alone, or within code.
void drop_idle_marks(MarkedText& text) {
  using Kind = TextMark::Kind;
  for (TextMark& mark : text.marks)
    if (mark.kind == Kind::bold || mark.kind == Kind::italic) leave_out_brackets(mark, text.text);
  for (const Kind kind : {Kind::bold, Kind::italic, Kind::code}) {
    size_t marked = 0;
    for (const TextMark& mark : text.marks)
      if (mark.kind == kind) marked += mark.to - mark.from;
    const bool most = marked * 10 > text.text.size() * 7;
    std::erase_if(text.marks, [&](const TextMark& mark) {
      if (mark.kind != kind) return false;
      const std::string_view part =
          std::string_view(text.text).substr(mark.from, mark.to - mark.from);
      const auto letters = std::count_if(part.begin(), part.end(), is_letter_byte);
      return most || letters < 2 || (kind == Kind::code && part.find('`') != part.npos);
    });
  }
  std::stable_sort(text.marks.begin(), text.marks.end(),
                   [](const TextMark& a, const TextMark& b) { return a.from < b.from; });
}

/// How far apart the letters of a few words begin, where they are set wider than they are: longer
/// words are wider by so much a letter. 0 where they are not.
double spaced_pitch(std::span<const Word> words, const std::vector<std::vector<int>>& rows) {
  constexpr double kLeast = 1.06, kMostOff = 0.12;  // widths of a letter
  double n = 0, x = 0, y = 0, xx = 0, xy = 0;       // letters and widths of words
  std::vector<std::pair<double, double>> sizes;
  for (const auto& row : rows)
    for (const int i : row) {
      sizes.emplace_back(count_code_points(words[i].text), words[i].box.width());
      const auto& [letters, width] = sizes.back();
      n += 1, x += letters, y += width, xx += letters * letters, xy += letters * width;
    }
  const double spread = n * xx - x * x;
  if (n < 3 || spread <= 0) return 0;
  const double pitch = (n * xy - x * y) / spread, letter = (y - pitch * x) / n + pitch;
  const bool fits = std::all_of(sizes.begin(), sizes.end(), [&](const auto& size) {
    return std::abs((size.first - 1) * pitch + letter - size.second) <
           kMostOff * size.first * letter;
  });
  return fits && letter > 1 && pitch > kLeast * letter ? pitch : 0;
}

/// How far apart the letters of a listing begin, in pixels, where all stand on one grid that is up
/// to a third wider than they are; 0 where they do not. What TeX's listings sets leaves white
/// behind each letter, in which words would seem to end.
double letter_pitch(std::span<const Word> words, const std::vector<std::vector<int>>& rows,
                    double letter) {
  constexpr size_t kLeastSteps = 6;
  constexpr double kNarrowest = 0.95, kOwn = 1.06, kWidest = 1.35;  // widths of a letter
  constexpr double kStep = 0.0025, kMostOff = 0.12;
  std::vector<int> steps;  // from one word to the next
  for (const auto& row : rows)
    for (size_t i = 1; i < row.size(); ++i)
      steps.push_back(words[row[i]].box.x0 - words[row[i - 1]].box.x0);
  if (steps.size() < kLeastSteps) return spaced_pitch(words, rows);
  double best = 0, least = kMostOff;
  const auto off_grid = [](int step, double pitch) {
    return std::abs(step / pitch - std::round(step / pitch));
  };
  const auto look = [&](double from, double to) {
    for (double pitch = from * letter; pitch < to * letter; pitch += kStep * letter) {
      double off = 0;
      for (const int step : steps) off += off_grid(step, pitch);
      if (off / double(steps.size()) < least) least = off / double(steps.size()), best = pitch;
    }
  };
  look(kNarrowest, kOwn);
  if (best == 0) look(kOwn, kWidest);    // "1111 0000" fits letters a quarter wider as well
  constexpr double kMostOffInRow = 0.2;  // a title in larger letters has a grid of its own
  for (const auto& row : rows) {
    double off = 0;
    for (size_t i = 1; i < row.size(); ++i)
      off += off_grid(words[row[i]].box.x0 - words[row[i - 1]].box.x0, std::max(1.0, best));
    if (row.size() > 2 && off > kMostOffInRow * double(row.size() - 1)) return 0;
  }
  return best;
}

/// How many empty lines stand before each row of a listing.
std::vector<size_t> empty_lines(std::span<const Word> words,
                                const std::vector<std::vector<int>>& rows) {
  constexpr size_t kMost = 2;
  const auto foot = [&](const std::vector<int>& row) {
    std::vector<int> feet;
    for (int i : row) feet.push_back(words[i].box.y1);
    return median(std::move(feet));
  };
  std::vector<double> steps;
  for (size_t i = 1; i < rows.size(); ++i) steps.push_back(foot(rows[i]) - foot(rows[i - 1]));
  std::vector<size_t> out(rows.size(), 0);
  if (steps.empty()) return out;
  std::vector<double> sorted = steps;
  std::sort(sorted.begin(), sorted.end());
  const double pitch = std::max(1.0, sorted[sorted.size() / 4]);
  for (size_t i = 0; i < steps.size(); ++i)
    out[i + 1] = size_t(std::clamp(std::lround(steps[i] / pitch) - 1, 0L, long(kMost)));
  return out;
}

/// Lines of code with their indents, counted in the width of a letter.
std::string code_text(std::span<const Word> words, const std::vector<std::vector<int>>& rows) {
  double width = 0, letters = 0;
  int left = INT32_MAX;
  for (const auto& row : rows)
    for (int i : row) {
      width += words[i].box.width();
      letters += double(count_code_points(words[i].text));
      left = std::min(left, words[i].box.x0);
    }
  const double letter = std::max(1.0, width / std::max(1.0, letters));
  std::string text;
  const double pitch = letter_pitch(words, rows, letter);
  const auto blanks = [&](double px) {
    return std::string(size_t(std::clamp(std::lround(px / std::max(letter, pitch)), 0L, 80L)), ' ');
  };
  const std::vector<size_t> empty = empty_lines(words, rows);
  for (size_t at = 0; at < rows.size(); ++at) {
    const std::vector<int>& row = rows[at];
    if (at > 0) text += std::string(1 + empty[at], '\n');
    text += blanks(words[row.front()].box.x0 - left);
    if (pitch > 0) {
      for (size_t i = 0; i < row.size(); ++i) {
        const Word& word = words[row[i]];
        text += word.text;
        if (i + 1 == row.size()) continue;
        const Word& next = words[row[i + 1]];
        const double gap = next.box.x0 - word.box.x0 - pitch * double(count_code_points(word.text));
        const bool cjk = is_cjk(last_code_point(word.text)) && is_cjk(first_code_point(next.text));
        if (cjk && gap <= 2 * pitch) continue;
        const bool roman = !word.font.empty() && !is_of_ocr(word.font) &&
                           !font_style(word.font).mono;  // whose blanks are narrow
        const bool apart = next.box.x0 - word.box.x1 > 0.4 * letter || (roman && word.space_after);
        text += apart ? blanks(std::max(gap, pitch)) : blanks(gap);
      }
      continue;
    }
    // What stands below each other in a listing is set with more than one blank.
    for (size_t from = 0, to = 0; from < row.size(); from = to) {
      for (to = from + 1; to < row.size(); ++to)
        if (words[row[to]].box.x0 - words[row[to - 1]].box.x1 > 1.6 * letter) break;
      text += line_text(words, std::span(row).subspan(from, to - from));
      if (to < row.size()) text += blanks(words[row[to]].box.x0 - words[row[to - 1]].box.x1);
    }
  }
  return text;
}

std::string table_draft(const Region& region, std::span<const Word> words, std::span<const int> own,
                        const std::vector<std::vector<int>>& rows, double dpi,
                        const LineJoiner& joiner) {
  if (!region.cells.empty()) return table_html(region.cells, words, own, joiner);
  std::vector<Word> inside;
  for (int i : own) inside.push_back(words[i]);
  if (const auto grid = table_grid(group_lines(inside, dpi), inside))
    return table_html(grid_cells(*grid, inside), words, own, joiner);
  std::string text;
  for (const auto& row : rows) text += (text.empty() ? "" : "\n") + line_text(words, row);
  return text;
}

/// Headings are set off by themselves, and cells by their table.
bool has_marks(RegionKind kind) {
  return kind == RegionKind::text || kind == RegionKind::list_item ||
         kind == RegionKind::footnote || kind == RegionKind::caption;
}

/// A text's lines, joined where they were only too long for their column.
MarkedText paragraph(std::span<const Word> words, const std::vector<std::vector<int>>& rows,
                     const Region& region, const std::vector<Region>& regions,
                     const LineJoiner& joiner) {
  const bool plain = region.kind == RegionKind::text;
  const std::vector<bool> breaks =
      plain ? hard_breaks(words, rows, free_beside(region, regions)) : std::vector<bool>();
  MarkedText text;
  for (size_t i = 0; i < rows.size(); ++i) {
    const MarkedText line = marked_line(words, rows[i]);
    if (plain && breaks[i])
      joiner.add_below(text, line);
    else
      joiner.add(text, line);
  }
  return text;
}

/// The number of an item is not emphasised: it would be none in Markdown.
void unmark_number(MarkedText& text) {
  const size_t end = text.text.find(' ');
  if (end == text.text.npos || !is_list_marker(std::string_view(text.text).substr(0, end))) return;
  for (TextMark& mark : text.marks)
    if (mark.kind == TextMark::Kind::bold || mark.kind == TextMark::Kind::italic)
      mark.from = std::max(mark.from, end + 1);
  std::erase_if(text.marks, [](const TextMark& mark) { return mark.from >= mark.to; });
}

Draft make_draft(const Region& region, const std::vector<Region>& regions,
                 std::span<const Word> words, std::span<const int> own, double dpi,
                 std::string_view source, const LineJoiner& joiner) {
  Draft draft;
  draft.region = region.id;
  draft.source = source;
  auto rows = rows_of(words, own);
  if (region.kind == RegionKind::list_item && rows.front().size() > 1 &&
      is_bullet(words[rows.front().front()].text)) {
    // The mark is part of what the region is, not of its text; its word stays with the draft.
    draft.words.push_back(words[rows.front().front()]);
    rows.front().erase(rows.front().begin());
  }
  if (region.kind == RegionKind::code) {
    draft.text = code_text(words, rows);
  } else if (region.kind == RegionKind::table) {
    draft.text = table_draft(region, words, own, rows, dpi, joiner);
  } else {
    MarkedText text = paragraph(words, rows, region, regions, joiner);
    if (ends_with_leader(text.text)) {
      draft.text = without_leaders(text.text);
      for (const TextMark& mark : text.marks)  // before the leader
        if (mark.kind == TextMark::Kind::formula &&
            draft.text.compare(0, mark.to, text.text, 0, mark.to) == 0)
          draft.marks.push_back(mark);
    } else {
      if (region.kind == RegionKind::list_item) unmark_number(text);
      if (has_marks(region.kind))
        drop_idle_marks(text);
      else
        std::erase_if(text.marks,
                      [](const TextMark& mark) { return mark.kind != TextMark::Kind::formula; });
      draft.text = std::move(text.text);
      draft.marks = std::move(text.marks);
    }
  }
  double confidence = draft.words.empty() ? 0 : draft.words.front().confidence;
  for (const auto& row : rows)
    for (int i : row) {
      draft.words.push_back(words[i]);
      confidence += words[i].confidence;
    }
  if (!own.empty()) draft.confidence = confidence / double(own.size());
  return draft;
}

}  // namespace

std::vector<std::vector<int>> assign_words(std::span<const Word> words,
                                           const std::vector<Region>& regions) {
  std::vector<std::vector<int>> own(regions.size());
  for (int w = 0; w < int(words.size()); ++w) {
    int best = -1;
    for (int r = 0; r < int(regions.size()); ++r) {
      if (!holds_middle(regions[r].box, words[w].box)) continue;
      const auto rank = [&](int i) {
        return std::pair(regions[i].kind == RegionKind::picture, regions[i].box.area());
      };
      if (best < 0 || rank(r) < rank(best)) best = r;
    }
    if (best >= 0) own[best].push_back(w);
  }
  return own;
}

std::vector<Draft> region_drafts(const std::vector<Region>& regions, std::span<const Word> words,
                                 double dpi, std::string_view source) {
  const LineJoiner joiner(words);
  const auto own = assign_words(words, regions);
  std::vector<Draft> drafts;
  for (size_t i = 0; i < regions.size(); ++i)
    if (!own[i].empty())
      drafts.push_back(make_draft(regions[i], regions, words, own[i], dpi, source, joiner));
  return drafts;
}

}  // namespace docspec
