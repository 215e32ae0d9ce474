#include "drafts/table/rule_zones.h"

#include <algorithm>
#include <cctype>
#include <cstdlib>
#include <string>

#include "drafts/grid/cell_text.h"
#include "drafts/grid/table_columns.h"
#include "drafts/lines/bullets.h"
#include "drafts/lines/line_text.h"
#include "drafts/lines/text_blocks.h"

namespace docspec {

Zone zone_kind(std::span<const TextLine> lines, const Box& zone, double em_px) {
  constexpr double kFar = 3;  // em
  std::vector<Box> boxes;
  for (const TextLine& line : lines) boxes.push_back(line.box);
  const auto rows = group_rows(boxes);
  if (rows.empty()) return Zone::nothing;
  size_t cells = 0, wide = 0;   // rows of several cells, lines of prose
  const Box* second = nullptr;  // cell of the row of several above
  bool far = false;             // from row to row: parts of a page
  Box above;
  for (const auto& row : rows) {
    const Box& first = boxes[size_t(row[0])];
    const bool of_cell = second && std::abs(first.x0 - second->x0) < em_px / 2;
    Box all;
    for (int k : row) all = unite(all, boxes[size_t(k)]);
    far |= !above.empty() && all.y0 - above.y1 > kFar * em_px;
    above = all;
    cells += row.size() > 1;
    wide += row.size() == 1 && first.width() * 2 > zone.width() && !of_cell;
    if (row.size() > 1) second = &boxes[size_t(row[1])];
  }
  if (cells > 0 && (cells * 2 >= rows.size() || (wide == 0 && !far))) return Zone::cells;
  return rows.size() == 1 ? Zone::one_row : Zone::prose;
}

namespace {

/// Whether nothing but heads of columns stands below a line and right of it: no sums.
bool has_heads_below(const TextLine& line, std::span<const TextLine> lines,
                     std::span<const Word> words) {
  constexpr size_t kYear = 4;  // digits
  return lines.size() > 1 && std::all_of(lines.begin(), lines.end(), [&](const TextLine& other) {
           const auto is_sum = [&](int w) {
             const std::string& text = words[size_t(w)].text;
             return is_numeric(text) && text.size() != kYear;
           };
           return &other == &line || (other.box.y0 >= line.box.y1 && other.box.x0 > line.box.x1 &&
                                      !std::all_of(other.words.begin(), other.words.end(), is_sum));
         });
}

/// The heading of another table in a zone; empty where there is none.
Box heading_in(std::span<const TextLine> lines, std::span<const Word> words, double em_px) {
  constexpr double kLarger = 1.15;  // than the body's letters
  Box heading;
  for (const TextLine& line : lines) {
    const auto beside = [&](const TextLine& other) {
      return &other != &line && row_overlap(other.box, line.box) > 0.3;
    };
    if (line.bold && (line.size_px > kLarger * em_px || has_heads_below(line, lines, words)) &&
        std::none_of(lines.begin(), lines.end(), beside))
      heading = unite(heading, line.box);
  }
  return heading;
}

/// The text of a bold line with a 0 for each digit; empty where it is an amount or not bold.
std::string head_text(const TextLine& line, std::span<const Word> words) {
  constexpr size_t kYear = 4;  // digits
  std::string text = line_text(words, line.words);
  if (!line.bold || (is_numeric(text) && text.size() != kYear)) return "";
  for (char& c : text)
    if (std::isdigit(uint8_t(c))) c = '0';
  return text;
}

/// Whether two rows of lines are the same heads at the same places, one of them with letters.
bool are_same_heads(std::span<const TextLine> a, const std::vector<int>& row_a,
                    std::span<const TextLine> b, const std::vector<int>& row_b,
                    std::span<const Word> words, double em_px) {
  bool letters = false;
  for (size_t k = 0; k < row_a.size(); ++k) {
    if (row_a.size() != row_b.size()) return false;
    const TextLine &one = a[size_t(row_a[k])], &other = b[size_t(row_b[k])];
    const std::string text = head_text(one, words);
    const int left = std::abs(one.box.x0 - other.box.x0);
    const int right = std::abs(one.box.x1 - other.box.x1);
    if (text.empty() || text != head_text(other, words) || 2 * std::min(left, right) > em_px)
      return false;
    for (const char c : text) letters |= std::isalpha(uint8_t(c)) != 0;
  }
  return letters;
}

/// The box of the last rows in a zone where they are the heads once more; empty where they are not,
/// or have no two rows above them.
Box heads_again(std::span<const TextLine> lines, std::span<const TextLine> heads,
                std::span<const Word> words, double em_px) {
  constexpr size_t kLeastRows = 2;  // over the heads
  const auto rows = group_rows(lines), above = group_rows(heads);
  Box again;
  for (size_t k = 1; k <= above.size() && k + kLeastRows <= rows.size(); ++k) {
    const auto &row = rows[rows.size() - k], &head = above[above.size() - k];
    if ((k == 1 && row.size() < 2) || !are_same_heads(lines, row, heads, head, words, em_px)) break;
    for (const int i : row) again = unite(again, lines[size_t(i)].box);
  }
  return again;
}

}  // namespace

void cut_zone(const Box& zone, std::span<const TextLine> lines, std::span<const TextLine> over,
              std::span<const Word> words, double em_px, std::vector<RuleZone>& zones) {
  int top = zone.y0;
  const Box heading = heading_in(lines, words, em_px);
  const Box heads = heading.empty() ? heads_again(lines, over, words, em_px) : Box();
  if (const int end = heading.empty() ? heads.y0 : heading.y0; !unite(heading, heads).empty()) {
    zones.push_back({{zone.x0, zone.y0, zone.x1, end}, true});
    top = heading.empty() ? heads.y0 : heading.y1;
  }
  zones.push_back({{zone.x0, top, zone.x1, zone.y1}});
}

bool is_last_label(std::span<const TextLine> lines, std::span<const Word> words, const Box& zone,
                   const Box& table, double em_px) {
  constexpr double kHighest = 2.5;  // em
  return lines.size() == 1 && zone.height() < kHighest * em_px &&
         lines[0].box.x0 - table.x0 < em_px && !lines[0].words.empty() &&
         words[size_t(lines[0].words.back())].text.ends_with(':');
}

namespace {

/// Whether a cell over most columns holds items of a list, one below the other: text of a slide.
bool lists_items(const GridCell& cell, const RuledTable& table, std::span<const Word> words) {
  constexpr int kLeastColumns = 3;
  if (cell.column_span < kLeastColumns || cell.column_span * 3 < table.columns * 2) return false;
  const auto bullets = std::count_if(words.begin(), words.end(), [&](const Word& word) {
    return is_bullet(word.text) && holds_middle(cell.box, word.box) &&
           word.box.x0 - cell.box.x0 < cell.box.width() / 4;
  });
  return bullets >= 2;
}

}  // namespace

bool is_frame(const RuledTable& table, std::span<const Word> words, double em_px) {
  constexpr size_t kLeastCells = 2, kLeastRows = 3;
  if (std::any_of(table.cells.begin(), table.cells.end(),
                  [&](const GridCell& cell) { return lists_items(cell, table, words); }))
    return true;
  size_t cells = 0, empty = 0, within = 0, all = 0;  // the latter two: words
  for (const GridCell& cell : table.cells) {
    const auto own = std::count_if(words.begin(), words.end(), [&](const Word& word) {
      return holds_middle(cell.box, word.box);
    });
    all += size_t(own);
    empty += own == 0;
    if (cell.column_span < table.columns || phrase_rows(cell.box, words, em_px).size() < kLeastRows)
      continue;
    within += size_t(own);
    ++cells;
  }
  const bool drawn = cells > 0 && table.columns > 3 && empty * 3 > table.cells.size();
  return table.columns > 1 && (cells >= kLeastCells || drawn) && within * 2 > all;
}

bool is_torn(std::span<const GridCell> cells, std::span<const Word> words, double em_px) {
  constexpr double kWide = 3.5;  // blanks between phrases
  constexpr size_t kLeast = 3;
  size_t filled = 0, torn = 0;
  for (const GridCell& cell : cells) {
    const auto rows = phrase_rows(cell.box, words, kWide * em_px);
    filled += !rows.empty();
    torn += std::any_of(rows.begin(), rows.end(), [](const auto& row) { return row.size() > 1; });
  }
  return torn >= kLeast && torn * 8 > filled;
}

std::vector<Box> parts_at_gaps(std::span<const TextLine> lines, double em_px) {
  constexpr double kFar = 1.2, kFarFromHead = 2.5;  // em
  constexpr size_t kLeastHeads = 3;
  std::vector<Box> boxes, parts;
  for (const TextLine& line : lines) boxes.push_back(line.box);
  double far = 0;  // below the last row
  for (const auto& row : group_rows(boxes)) {
    Box box;
    for (int k : row) box = unite(box, boxes[size_t(k)]);
    const bool opens = parts.empty() || box.y0 - parts.back().y1 > far * em_px;
    if (opens)
      parts.push_back(box);
    else
      parts.back() = unite(parts.back(), box);
    far = opens && row.size() >= kLeastHeads ? kFarFromHead : kFar;
  }
  return parts;
}

const Box* rule_above(const Box& table, std::span<const Box> across, double em_px) {
  constexpr double kNearest = 0.8, kFarthest = 8, kOver = 2;  // em
  const auto found = std::find_if(across.rbegin(), across.rend(), [&](const Box& rule) {
    const double gap = table.y0 - rule.y1;
    const bool own =
        std::max(std::abs(rule.x0 - table.x0), std::abs(rule.x1 - table.x1)) < kOver * em_px;
    return gap > kNearest * em_px && gap < kFarthest * em_px && own;
  });
  return found == across.rend() ? nullptr : &*found;
}

bool stands_over(std::span<const RuleZone> zones, size_t i, std::span<const Word> words,
                 double em_px) {
  constexpr size_t kLeastHeads = 3;
  if (i + 1 >= zones.size()) return false;
  const auto heads = phrase_rows(zones[i].box, words, em_px);
  const auto rows = phrase_rows(zones[i + 1].box, words, em_px);
  const auto fullest = std::max_element(
      rows.begin(), rows.end(), [](const auto& a, const auto& b) { return a.size() < b.size(); });
  if (heads.size() != 1 || heads[0].size() < kLeastHeads || rows.empty() ||
      heads[0].size() != fullest->size())
    return false;
  return std::equal(
      heads[0].begin(), heads[0].end(), fullest->begin(),
      [](const Box& head, const Box& cell) { return head.x0 <= cell.x1 && head.x1 >= cell.x0; });
}

bool cuts_text(const RuledTable& table, std::span<const TextLine> inside,
               std::span<const Word> words) {
  constexpr double kWordSpace = 0.45;  // em
  constexpr size_t kMostCut = 4;       // one line of so many
  size_t cut = 0;
  const auto column = [&](int w) {
    const Box& box = words[size_t(w)].box;
    const auto cell = std::find_if(table.cells.begin(), table.cells.end(), [&](const auto& c) {
      return c.box.x0 <= box.x0 && box.x0 < c.box.x1 && c.box.y0 <= box.y0 && box.y0 < c.box.y1;
    });
    return cell == table.cells.end() ? -1 : cell->column;
  };
  for (const TextLine& line : inside)
    for (size_t k = 1; k < line.words.size(); ++k) {
      const int left = line.words[k - 1], right = line.words[k];
      const int gap = words[size_t(right)].box.x0 - words[size_t(left)].box.x1;
      if (gap > kWordSpace * line.size_px || column(left) == column(right)) continue;
      ++cut;
      break;
    }
  return cut * kMostCut > inside.size();
}

Box labels_beside(const Box& zone, std::span<const TextLine> near, std::span<const TextLine> table,
                  double em_px) {
  constexpr double kLevel = 0.3;                            // em
  constexpr size_t kLeast = 4, kMostWords = 5, kHeads = 2;  // of which a head is not level
  const auto is_short = [&](const TextLine& line) {
    return line.words.size() <= kMostWords && line.quarter_turns == 0 && line.box.x0 >= zone.x0 &&
           line.box.x1 < zone.x1 + em_px;
  };
  const auto is_level = [&](const TextLine& line) {
    return std::any_of(table.begin(), table.end(), [&](const TextLine& own) {
      return std::abs(line.middle() - own.middle()) < kLevel * em_px;
    });
  };
  std::vector<Box> rows;
  for (const TextLine& line : table) rows.push_back(line.box);
  Box labels;
  for (const TextLine& line : near) labels = unite(labels, line.box);
  const auto level = size_t(std::count_if(near.begin(), near.end(), is_level));
  const bool are_labels = level >= kLeast && level * 10 >= group_rows(rows).size() * 8 &&
                          level + kHeads >= near.size() &&
                          std::all_of(near.begin(), near.end(), is_short);
  return are_labels ? labels : Box();
}

bool is_lined(const Box& box, std::span<const Box> down, double em_px) {
  return std::any_of(down.begin(), down.end(), [&](const Box& line) {
    return line.x0 > box.x0 + em_px && line.x1 < box.x1 - em_px &&
           (std::min(line.y1, box.y1) - std::max(line.y0, box.y0)) * 2 > box.height();
  });
}

}  // namespace docspec
