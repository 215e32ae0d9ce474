#include "drafts/grid/column_lines.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>

#include "core/base/median.h"
#include "drafts/grid/column_rows.h"
#include "drafts/lines/leaders.h"

namespace docspec {
namespace {

/// Lines that run down from one height to another, from left to right.
using LineGroup = std::vector<Box>;

std::vector<LineGroup> groups_of(const std::vector<Box>& down, double em_px) {
  constexpr double kLeastHeight = 6, kSame = 0.6, kLeastApart = 2;  // em
  std::vector<LineGroup> groups;
  for (const Box& line : down) {
    if (line.height() < kLeastHeight * em_px) continue;
    const auto home = std::find_if(groups.begin(), groups.end(), [&](const LineGroup& group) {
      return std::abs(group.back().y0 - line.y0) < kSame * em_px &&
             std::abs(group.back().y1 - line.y1) < kSame * em_px;
    });
    if (home == groups.end())
      groups.push_back({line});
    else if (line.x0 - home->back().x1 > kLeastApart * em_px)
      home->push_back(line);
  }
  return groups;
}

/// The lowest rule across that is over the lines, near `y`; nullptr = none.
const Box* rule_near(const RulingLines& rules, const LineGroup& group, int y, double reach) {
  const Box* found = nullptr;
  for (const Box& rule : rules.across)
    if (rule.x0 <= group.front().x0 && rule.x1 >= group.back().x1 &&
        std::abs(rule.y1 - y) <= reach && (!found || rule.y1 > found->y1))
      found = &rule;
  return found;
}

/// The rule below the heads of columns whose lines run up between the heads; nullptr = none.
const Box* rule_below_heads(const RulingLines& rules, const LineGroup& group, double em_px) {
  constexpr double kLeast = 0.8, kMost = 3;  // em
  const auto found = std::find_if(rules.across.begin(), rules.across.end(), [&](const Box& rule) {
    const int below = rule.y0 - group.front().y0;
    return rule.x0 < group.front().x0 && rule.x1 > group.back().x1 && below > kLeast * em_px &&
           below < kMost * em_px;
  });
  return found == rules.across.end() ? nullptr : &*found;
}

class LinedColumns {
 public:
  LinedColumns(const LineGroup& group, const Box& top, double em_px) : em_px_(em_px) {
    bounds_.push_back(top.x0);
    for (const Box& line : group) bounds_.push_back((line.x0 + line.x1) / 2);
    bounds_.push_back(top.x1);
  }

  size_t size() const { return bounds_.size() - 1; }
  int bound(size_t c) const { return bounds_[c]; }

  /// The words of each column of a row; empty where a word crosses a line or stands beside.
  std::vector<std::vector<Box>> read(const WordRow& row) const {
    std::vector<std::vector<Box>> cells(size());
    for (const Word* word : row.words) {
      const int x = (word->box.x0 + word->box.x1) / 2;
      if (x < bounds_.front() || x > bounds_.back()) continue;
      size_t c = 0;
      while (c + 1 < size() && x > bounds_[c + 1]) ++c;
      const bool crosses =
          word->box.x0 < bounds_[c] - 0.3 * em_px_ || word->box.x1 > bounds_[c + 1] + 0.3 * em_px_;
      if (crosses) return {};
      cells[c].push_back(word->box);
    }
    return cells;
  }

  /// Whether text runs through a column from one side to the other.
  bool is_full(size_t c, const std::vector<Box>& words) const {
    constexpr double kFull = 0.85;
    return !words.empty() &&
           words.back().x1 - words.front().x0 > kFull * (bounds_[c + 1] - bounds_[c]);
  }

 private:
  std::vector<int> bounds_;
  double em_px_;
};

}  // namespace

std::vector<RuledTable> find_tables_by_column_lines(const RulingLines& rules,
                                                    std::span<const Word> words, double em_px) {
  constexpr size_t kLeastLines = 2, kLeastRows = 3;
  constexpr std::ptrdiff_t kLeastRules = 2;
  constexpr double kMostWords = 4;            // of a label; the lines of a form have sentences
  constexpr double kNear = 0.8, kHead = 4.8;  // em
  std::vector<RuledTable> tables;
  std::vector<LineGroup> groups = groups_of(rules.down, em_px);
  std::erase_if(groups, [](const LineGroup& group) { return group.size() < kLeastLines; });
  if (groups.empty()) return tables;
  const std::vector<WordRow> rows = word_rows(words);
  for (const LineGroup& group : groups) {
    const Box* top = rule_near(rules, group, group.front().y0, kNear * em_px);
    const bool heads_between = !top;
    if (heads_between) top = rule_below_heads(rules, group, em_px);
    const auto within =
        std::count_if(rules.across.begin(), rules.across.end(), [&](const Box& rule) {
          return rule.y0 > group.front().y0 + em_px && rule.y1 < group.front().y1 - em_px &&
                 rule.x0 < group.front().x0 && rule.x1 > group.front().x1;
        });
    const bool leaders = std::any_of(words.begin(), words.end(), [&](const Word& word) {
      return is_dots(word.text) && word.text.size() > 2 && word.box.y0 > group.front().y0 &&
             word.box.y1 < group.front().y1;
    });
    if (!top || leaders || within >= kLeastRules) continue;  // a grid
    const LinedColumns columns(group, *top, em_px);
    std::vector<int> bounds;     // of rows
    std::vector<double> labels;  // words of the first column, a row
    size_t cells = 0, full = 0, crossed = 0, beside = 0;
    const int foot = group.front().y1;
    for (const WordRow& row : rows) {
      const int middle = (row.box.y0 + row.box.y1) / 2;
      if (middle < top->y1 || middle > foot) continue;
      const auto own = columns.read(row);
      crossed += own.empty();
      if (own.empty()) continue;
      for (size_t c = 0; c < own.size(); ++c) {
        cells += !own[c].empty();
        full += columns.is_full(c, own[c]);
      }
      beside += std::count_if(own.begin(), own.end(), [](auto& cell) { return !cell.empty(); }) > 1;
      if (!own[0].empty()) labels.push_back(double(own[0].size()));
      if (!own[0].empty() || bounds.empty()) bounds.push_back(row.box.y0 - 1);
    }
    if (bounds.size() < kLeastRows || labels.empty() || crossed > 0 || full * 2 > cells ||
        median(labels) > kMostWords || beside < kLeastRows)
      continue;
    bounds.front() = std::min(bounds.front(), top->y1);
    bounds.push_back(foot);
    int over_heads = heads_between ? group.front().y0 : 0;
    for (const Box& rule : rules.across)
      if (!heads_between && rule.y1 < top->y0 - em_px / 2 && rule.y1 > top->y0 - kHead * em_px &&
          std::abs(rule.x0 - top->x0) < em_px && std::abs(rule.x1 - top->x1) < em_px)
        over_heads = rule.y1;
    if (over_heads > 0) bounds.insert(bounds.begin(), over_heads);
    RuledTable table;
    table.box = {columns.bound(0), bounds.front(), columns.bound(columns.size()), bounds.back()};
    table.rows = int(bounds.size()) - 1;
    table.columns = int(columns.size());
    for (int r = 0; r < table.rows; ++r)
      for (int c = 0; c < table.columns; ++c) {
        GridCell cell;
        cell.row = r;
        cell.column = c;
        cell.box = {columns.bound(size_t(c)), bounds[size_t(r)], columns.bound(size_t(c) + 1),
                    bounds[size_t(r) + 1]};
        table.cells.push_back(cell);
      }
    tables.push_back(std::move(table));
  }
  return tables;
}

}  // namespace docspec
