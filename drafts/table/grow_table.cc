#include "drafts/table/grow_table.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <set>
#include <vector>

#include "drafts/grid/cell_text.h"
#include "drafts/grid/table_columns.h"
#include "drafts/lines/line_text.h"
#include "drafts/lines/text_blocks.h"

namespace docspec {
namespace {

/// Where each column begins, and where the last one ends; empty if one is not known.
std::vector<int> column_starts(const RuledTable& table) {
  std::vector<int> starts;
  for (int c = 0; c < table.columns; ++c) starts.push_back(column_start(table, c));
  starts.push_back(table.box.x1);
  return std::is_sorted(starts.begin(), starts.end()) && starts.front() >= 0 ? starts
                                                                             : std::vector<int>();
}

/// What is written in each column, from the left end to the right; empty boxes where nothing is.
std::vector<Box> column_texts(const RuledTable& table, std::span<const Word> words) {
  std::vector<Box> texts(size_t(table.columns));
  for (const Word& word : words)
    for (const GridCell& cell : table.cells)
      if (cell.column_span == 1 && holds_middle(cell.box, word.box))
        texts[size_t(cell.column)] = unite(texts[size_t(cell.column)], word.box);
  return texts;
}

int overlap(const Box& a, const Box& b) {
  return std::min(a.x1, b.x1) - std::max(a.x0, b.x0);
}

/// The column over which a head stands; -1 where it stands over none or over several.
int column_below(const Box& head, const std::vector<Box>& texts, double em) {
  int best = -1;
  for (int c = 0; c < int(texts.size()); ++c)
    if (!texts[size_t(c)].empty() &&
        (best < 0 || overlap(head, texts[size_t(c)]) > overlap(head, texts[size_t(best)])))
      best = c;
  if (best < 0 || overlap(head, texts[size_t(best)]) < -em) return -1;
  for (int c = 0; c < int(texts.size()); ++c)
    if (c != best && overlap(head, texts[size_t(c)]) * 2 > texts[size_t(c)].width()) return -1;
  return best;
}

/// The heads of a zone by columns, with empty boxes where a column has none; nothing where they
/// are not the heads of these columns.
std::vector<Box> heads_of(const RuledTable& table, const Box& zone, std::span<const Word> words,
                          double em, int least) {
  const std::vector<Box> texts = column_texts(table, words);
  std::vector<Box> heads(texts.size());
  int count = 0, last = -1;
  for (const Box& head : phrase_columns(zone, words, em)) {
    const int column = column_below(head, texts, em);
    if (column <= last) return {};
    heads[size_t(column)] = head;
    last = column;
    ++count;
  }
  return count >= least && count * 10 >= table.columns * 6 ? heads : std::vector<Box>();
}

}  // namespace

bool add_heads(RuledTable& table, const Box& zone, std::span<const Word> words, double em_px,
               int least) {
  std::vector<int> starts = column_starts(table);
  if (starts.empty()) return false;
  const std::vector<Box> heads = heads_of(table, zone, words, em_px, least);
  if (heads.empty()) return false;
  for (size_t c = 0; c < heads.size(); ++c) {
    const Box *left = c > 0 && !heads[c - 1].empty() ? &heads[c - 1] : nullptr,
              *right = heads[c].empty() ? nullptr : &heads[c];
    if (left && right)
      starts[c] = (left->x1 + right->x0) / 2;
    else if (left)
      starts[c] = std::max(starts[c], left->x1 + 1);
    else if (right)
      starts[c] = std::min(starts[c], right->x0);
  }
  starts.back() = std::max(starts.back(), heads.back().x1 + 1);
  for (GridCell& cell : table.cells) ++cell.row;
  for (size_t c = 0; c < heads.size(); ++c)
    table.cells.push_back(
        {0, int(c), 1, 1, {starts[c], zone.y0, std::max(starts[c], starts[c + 1]), table.box.y0}});
  table.box.y0 = zone.y0;
  ++table.rows;
  sort_cells(table.cells);
  return true;
}

bool fits_columns(const RuledTable& table, std::span<const TextLine> lines,
                  std::span<const Word> words, double em_px) {
  constexpr int kLeastColumns = 3;
  constexpr size_t kMostWords = 7;
  constexpr double kOver = 0.5;  // em: heads may be a little wider than their columns
  const std::vector<int> starts = column_starts(table);
  if (starts.empty() || table.columns < kLeastColumns) return false;
  std::set<int> filled;
  for (const TextLine& line : lines) {
    if (line.words.empty() || line.words.size() > kMostWords || line.quarter_turns != 0)
      return false;
    for (int w : line.words) {
      const Box& box = words[size_t(w)].box;
      int column = 0;
      for (int c = 1; c < table.columns; ++c) {
        const int x = starts[size_t(c)];
        if (std::min(x - box.x0, box.x1 - x) > kOver * em_px) return false;
        if ((box.x0 + box.x1) / 2 >= x) column = c;
      }
      filled.insert(column);
    }
  }
  return int(filled.size()) >= kLeastColumns && int(filled.size()) * 10 >= table.columns * 6;
}

void add_row(RuledTable& table, int y) {
  const std::vector<int> starts = column_starts(table);
  const bool above = y < table.box.y0;
  if (above)
    for (GridCell& cell : table.cells) ++cell.row;
  for (int c = 0; c < table.columns; ++c) {
    const int x0 = starts[size_t(c)], x1 = starts[size_t(c) + 1];
    const Box box = above ? Box{x0, y, x1, table.box.y0} : Box{x0, table.box.y1, x1, y};
    table.cells.push_back({above ? 0 : table.rows, c, 1, 1, box});
  }
  (above ? table.box.y0 : table.box.y1) = y;
  ++table.rows;
  sort_cells(table.cells);
}

bool add_labels(RuledTable& table, int x) {
  std::vector<Box> rows(size_t(table.rows));
  for (const GridCell& cell : table.cells)
    if (cell.row_span == 1) rows[size_t(cell.row)] = cell.box;
  if (std::any_of(rows.begin(), rows.end(), [](const Box& row) { return row.empty(); }))
    return false;
  for (GridCell& cell : table.cells) ++cell.column;
  for (int row = 0; row < table.rows; ++row) {
    const Box& beside = rows[size_t(row)];
    table.cells.push_back({row, 0, 1, 1, {x, beside.y0, table.box.x0, beside.y1}});
  }
  table.box.x0 = x;
  ++table.columns;
  sort_cells(table.cells);
  return true;
}

std::vector<int> outer_row(const std::vector<int>& own, const std::vector<TextLine>& lines,
                           bool last, double near_px) {
  std::vector<Box> boxes;
  for (int i : own) boxes.push_back(lines[size_t(i)].box);
  auto rows = group_rows(boxes);
  if (last) std::reverse(rows.begin(), rows.end());
  std::vector<int> found;
  Box all;
  for (const auto& row : rows) {
    Box box;
    for (int k : row) box = unite(box, boxes[size_t(k)]);
    if (!found.empty() && (last ? all.y0 - box.y1 : box.y0 - all.y1) > near_px) break;
    all = unite(all, box);
    for (int k : row) found.push_back(own[size_t(k)]);
  }
  return found;
}

Box shade_above(const PageInput& page, const Box& table, double em_px) {
  constexpr int kSkip = 3, kPaper = 245, kSame = 12;  // pixels; gray levels
  constexpr double kLowest = 1.2, kHighest = 5;       // em
  if (!page.image || page.image->empty()) return {};
  const PageImage& image = *page.image;
  const double scale = double(page.width_px) / image.width_px();
  const Box own = intersect(in_image(table, scale), {0, 0, image.width_px(), image.height_px()});
  if (own.empty() || own.y0 <= kSkip) return {};
  // The shade's colour: that of most of a row's pixels.
  const auto shade_of = [&](int y) {
    std::array<int, 256> count{};
    for (int x = own.x0; x < own.x1; ++x) {
      const uint8_t* rgb = image.row(y) + size_t(x) * 3;
      ++count[std::min({rgb[0], rgb[1], rgb[2]})];
    }
    return int(std::max_element(count.begin(), count.end()) - count.begin());
  };
  const int bottom = own.y0 - kSkip, shade = shade_of(bottom);
  if (shade >= kPaper) return {};
  const int highest = int(kHighest * em_px / scale);
  int top = bottom;
  while (top > 0 && own.y0 - top <= highest && std::abs(shade_of(top - 1) - shade) <= kSame) --top;
  const double height = (own.y0 - top) * scale;
  if (height < kLowest * em_px || height > kHighest * em_px) return {};
  return {table.x0, int(top * scale), table.x1, table.y0};
}

std::vector<int> heads_above(int y, std::span<const TextLine> near, double em_px) {
  constexpr double kNear = 1.6, kPitch = 0.8, kLarge = 1.3;  // em
  constexpr size_t kLeastPieces = 3, kMostRows = 3, kMostWords = 3, kMostBoldWords = 6;
  std::vector<Box> boxes;
  for (const TextLine& line : near) boxes.push_back(line.box);
  const auto is_piece = [&](int k) {
    const TextLine& line = near[size_t(k)];
    return line.words.size() <= (line.bold ? kMostBoldWords : kMostWords) &&
           line.size_px < kLarge * em_px && line.quarter_turns == 0;
  };
  std::vector<int> heads;
  size_t most = 0, count = 0;
  const auto rows = group_rows(boxes);
  for (auto row = rows.rbegin(); row != rows.rend() && count < kMostRows; ++row, ++count) {
    Box box;
    for (int k : *row) box = unite(box, boxes[size_t(k)]);
    const double gap = (y - box.y1) / em_px;
    if (gap > (heads.empty() ? kNear : kPitch) || !std::all_of(row->begin(), row->end(), is_piece))
      break;
    heads.insert(heads.end(), row->begin(), row->end());
    most = std::max(most, row->size());
    y = box.y0;
  }
  return most >= kLeastPieces ? heads : std::vector<int>();
}

bool is_centred(const Box& a, const Box& b, double em_px) {
  return std::abs(a.x0 + a.x1 - b.x0 - b.x1) < em_px;
}

bool is_straight(const Box& a, const Box& b, double em_px) {
  return std::abs(a.x0 - b.x0) < em_px / 2 || std::abs(a.x1 - b.x1) < em_px / 2 ||
         is_centred(a, b, em_px);
}

Box row_beside_shades(const Box& stack, bool above, const std::vector<TextLine>& lines,
                      std::span<const Box> rules, std::span<const Word> words, double em_px) {
  constexpr size_t kLeastPieces = 4, kMostWords = 12;
  constexpr int kLeastEdges = 4;
  constexpr double kLarge = 1.3;                           // em
  const double near = (above ? 0.3 : 0.4) * em_px;         // between the lines of a cell
  int pitch = std::numeric_limits<int>::max(), edges = 0;  // of the row next to it; of all rows
  for (const Box& rule : rules) {
    const int inner = above ? rule.y1 - stack.y0 : stack.y1 - rule.y0;
    if (std::min(rule.x1, stack.x1) - std::max(rule.x0, stack.x0) < 0.9 * stack.width() ||
        rule.y0 < stack.y0 || rule.y1 > stack.y1)
      continue;
    ++edges;
    if (inner > em_px) pitch = std::min(pitch, inner);
  }
  const bool shaded = pitch < stack.height() && edges * pitch * 2 > stack.height();
  if (!shaded || edges < kLeastEdges) return {};
  const Box strip = above ? Box{stack.x0, stack.y0 - pitch, stack.x1, stack.y0}
                          : Box{stack.x0, stack.y1, stack.x1, stack.y1 + pitch};
  const int to_next = above ? pitch : -pitch;
  const Box inner{strip.x0, strip.y0 + to_next, strip.x1, strip.y1 + to_next};
  const std::vector<int> own = outer_row(lines_within(strip, lines), lines, above, near),
                         next = lines_within(inner, lines);
  const auto is_label = [&](int i) {
    return words[size_t(lines[size_t(i)].words.back())].text.ends_with(':');
  };
  const bool labels = std::any_of(next.begin(), next.end(), is_label);
  Box row;
  for (int i : own) {
    const TextLine& line = lines[size_t(i)];
    if (line.words.size() > kMostWords || line.size_px > kLarge * em_px || (is_label(i) && !labels))
      return {};
    row = unite(row, lines[size_t(i)].box);
  }
  const Box inner_row = box_of(outer_row(next, lines, !above, 0), lines);
  const size_t own_pieces = count_phrases(row, words, em_px);
  const size_t pieces = count_phrases(inner_row, words, em_px);
  const bool alike = own_pieces >= kLeastPieces && own_pieces * 10 >= pieces * 7;
  if (!alike || row.height() >= pitch + em_px / 2) return {};
  const Box rest{strip.x0, strip.y0, strip.x1, strip.y1 + pitch};  // its last line may be lower
  return above ? row : box_of(outer_row(lines_within(rest, lines), lines, above, near), lines);
}

Box rows_below(std::span<const TextLine> table, std::span<const TextLine> below,
               std::span<const Word> words, double em_px) {
  constexpr double kNear = 1.2;  // em
  constexpr size_t kLeastPieces = 3;
  const auto rows = group_rows(table);
  if (rows.empty()) return {};
  int bottom = 0;
  for (const TextLine& line : table) bottom = std::max(bottom, line.box.y1);
  Box found;
  for (const auto& row : group_rows(below)) {
    size_t straight = 0, numbers = 0;
    Box box;
    for (int k : row) {
      const Box& other = below[size_t(k)].box;
      box = unite(box, other);
      straight += std::any_of(rows.back().begin(), rows.back().end(), [&](int i) {
        return is_straight(table[size_t(i)].box, other, em_px);
      });
      numbers += is_numeric(line_text(words, below[size_t(k)].words));
    }
    if (row.size() < kLeastPieces || row.size() > rows.back().size() ||
        box.y0 - bottom > kNear * em_px || straight * 10 < rows.back().size() * 7 ||
        numbers * 2 < row.size())
      break;
    found = unite(found, box);
    bottom = box.y1;
  }
  return found;
}

std::vector<int> heads_over_rule(std::span<const TextLine> table, std::span<const TextLine> near,
                                 std::span<const Box> rules, const Box& frame, double em_px) {
  constexpr double kNear = 1.3, kOver = 2, kLarge = 1.5;  // em
  constexpr size_t kMostWords = 6, kLeastPieces = 2;
  std::vector<Box> own, others;
  for (const TextLine& line : table) own.push_back(line.box);
  for (const TextLine& line : near) others.push_back(line.box);
  Box all = frame;
  for (const Box& box : own) all = unite(all, box);
  const auto rule = std::find_if(rules.begin(), rules.end(), [&](const Box& rule) {
    return std::abs(all.y0 - rule.y1) < kNear * em_px && rule.y1 < all.y0 + em_px / 2 &&
           std::abs(rule.x0 - all.x0) < kOver * em_px && std::abs(rule.x1 - all.x1) < kOver * em_px;
  });
  if (rule == rules.end() || own.empty()) return {};
  const auto first = group_rows(own).front();
  const auto rows = group_rows(others);
  const auto lowest = std::find_if(rows.rbegin(), rows.rend(), [&](const std::vector<int>& row) {
    return others[size_t(row.front())].y1 < rule->y1 + em_px / 2;
  });
  if (lowest == rows.rend() || lowest->size() < kLeastPieces || lowest->size() > first.size())
    return {};
  size_t column = 0;  // labels at the left have no head
  for (const int k : *lowest) {
    const TextLine& head = near[size_t(k)];
    if (head.words.empty() || head.words.size() > kMostWords || head.size_px > kLarge * em_px ||
        rule->y0 - head.box.y1 > kNear * em_px)
      return {};
    while (column < first.size() && !is_straight(head.box, own[size_t(first[column])], em_px))
      ++column;
    if (column++ == first.size()) return {};
  }
  return *lowest;
}

std::vector<int> lines_over_heads(std::span<const TextLine> table, std::span<const TextLine> near,
                                  std::span<const Word> words, double em_px) {
  constexpr double kNear = 0.5;  // em
  constexpr size_t kLeastHeads = 3;
  if (table.empty()) return {};
  std::vector<Box> heads;  // the upper line of each
  const std::vector<int> first = group_rows(table).front();
  for (const int i : first) {
    if (is_numeric(line_text(words, table[size_t(i)].words))) return {};
    heads.push_back(table[size_t(i)].box);
  }
  if (heads.size() < kLeastHeads) return {};
  int top = heads.front().y0;
  for (const Box& head : heads) top = std::min(top, head.y0);
  std::vector<int> found;
  const auto rows = group_rows(near);
  for (auto row = rows.rbegin(); row != rows.rend(); ++row) {
    if (near[size_t(row->front())].middle() >= top) continue;
    std::vector<Box> grown = heads;
    for (const int k : *row) {
      const Box& box = near[size_t(k)].box;
      size_t over = 0;
      for (size_t h = 0; h < heads.size(); ++h) {
        if (box.x1 <= heads[h].x0 || box.x0 >= heads[h].x1) continue;
        const double gap = heads[h].y0 - box.y1;
        ++over;
        if (gap > -kNear * em_px && gap < kNear * em_px && is_straight(box, heads[h], em_px))
          grown[h] = unite(box, heads[h]);
      }
      if (over != 1 || grown == heads) return found;
    }
    heads = std::move(grown);
    found.insert(found.end(), row->begin(), row->end());
  }
  return found;
}

}  // namespace docspec
