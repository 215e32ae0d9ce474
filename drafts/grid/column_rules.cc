#include "drafts/grid/column_rules.h"

#include <algorithm>
#include <cctype>
#include <cstdlib>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "drafts/grid/cell_text.h"
#include "drafts/grid/column_rows.h"
#include "drafts/grid/table_columns.h"

namespace docspec {
namespace {

bool holds_digit(const std::vector<const Word*>& cell) {
  return std::any_of(cell.begin(), cell.end(),
                     [](const Word* word) { return count_digits(word->text) > 0; });
}

/// "1,234", "$ 12", "(5)", and no year or date.
bool is_amount(const std::vector<const Word*>& cell) {
  std::string text;
  for (const Word* word : cell) text += word->text;
  const bool date =
      std::any_of(text.begin(), text.end(), [](char c) { return std::isalpha(uint8_t(c)) != 0; });
  return !date && is_numeric(text) && text.find_first_of("$,.%(") != text.npos;
}

/// Whether a row is a label and numbers that are no years, as those that a sum adds up.
bool is_summand(const ColumnRow& row) {
  constexpr std::string_view kDash = "\u2013";
  size_t numbers = 0;
  for (const auto& cell : row.cells) {
    if (cell.empty()) continue;
    const std::string& text = cell.back()->text;
    const bool year = text.size() == 4 && (text.starts_with("19") || text.starts_with("20"));
    const bool number = is_numeric(text) && std::isdigit(uint8_t(text[0])) != 0 && !year;
    if (!number && text != kDash) return false;
    ++numbers;
  }
  return row.has_label() && numbers > 1;
}

/// The table whose columns are the rules of one height.
class RuledColumns {
 public:
  RuledColumns(std::vector<Box> rules, const std::vector<Box>& across,
               const std::vector<WordRow>& rows, double em)
      : columns_(std::move(rules), em),
        across_(across),
        rows_(rows),
        em_(em),
        rule_(columns_.box()) {}

  std::optional<RuledTable> read() {
    if (!read_heads() || !read_body()) return std::nullopt;
    add_upper_heads();
    return table();
  }

 private:
  /// The lines of the heads right above the rules, or above the items where the rules are those of
  /// a sum: each column has one, and few are amounts.
  bool read_heads() {
    constexpr double kNear = 0.8, kSmall = 0.7;  // em; labels of drawings are small
    constexpr size_t kMostLines = 4, kMostWords = 6;
    const bool sum = has_sum();
    int bottom = rule_.y0;
    size_t lines = 0;
    std::vector<size_t> words(columns_.size(), 0), amounts(columns_.size(), 0);
    for (size_t r = rows_.size(); r-- > 0;) {
      if ((rows_[r].box.y0 + rows_[r].box.y1) / 2 > rule_.y0) continue;
      const ColumnRow row = columns_.read(rows_[r]);
      if (row.values() == 0) continue;
      if (bottom - row.y1 > kNear * em_ || row.crossed || parts_at(row.y1, bottom) ||
          lines == kMostLines)
        break;
      if (sum && lines == 0 && row.y1 - row.y0 > kSmall * em_ && is_summand(row)) {
        bottom = row.y0;
        rule_.y0 = rule_.y1 = row.y0 - 1;
        continue;
      }
      for (size_t c = 0; c < columns_.size(); ++c) {
        words[c] += row.cells[c].size();
        amounts[c] += is_amount(row.cells[c]);
      }
      bottom = row.y0;
      ++lines;
    }
    head_top_ = bottom;
    const auto all_named = std::all_of(
        words.begin(), words.end(), [&](size_t count) { return count > 0 && count <= kMostWords; });
    const auto money =
        std::count_if(amounts.begin(), amounts.end(), [](size_t n) { return n > 0; });
    return all_named && size_t(money) * 2 <= columns_.size();
  }

  /// Whether a number stands right below each of the rules.
  bool has_sum() const {
    for (const WordRow& own : rows_) {
      const ColumnRow row = columns_.read(own);
      if ((own.box.y0 + own.box.y1) / 2 < rule_.y1 || row.values() == 0) continue;
      return row.y0 - rule_.y1 < em_ &&
             std::all_of(row.cells.begin(), row.cells.end(), holds_digit);
    }
    return false;
  }

  /// Whether a rule lies over some of the columns between two heights.
  bool parts_at(int y0, int y1) const {
    return std::any_of(across_.begin(), across_.end(), [&](const Box& rule) {
      return rule.y0 >= y0 - 2 && rule.y1 < y1 - 2 && covered(rule).first >= 0;
    });
  }

  /// The first and last column that a rule covers from edge to edge; -1 where it covers none.
  std::pair<int, int> covered(const Box& rule) const {
    int first = -1, last = -1;
    for (int c = 0; c < int(columns_.size()); ++c) {
      const Box& own = columns_[size_t(c)];
      if (std::abs(own.x0 - rule.x0) < em_) first = c;
      if (std::abs(own.x1 - rule.x1) < em_) last = c;
    }
    return first >= 0 && last >= first ? std::pair(first, last) : std::pair(-1, -1);
  }

  bool read_body() {
    constexpr double kFar = 2.5;  // em
    constexpr size_t kMostLabels = 4, kMostWords = 4, kLeastRows = 2;
    int bottom = rule_.y1;
    size_t labels = 0, values = 0, digits = 0, words = 0, labelled = 0, rows = 0;
    std::vector<ColumnRow> open;  // labels alone, which belong to the table if values follow
    for (const WordRow& own : rows_) {
      if ((own.box.y0 + own.box.y1) / 2 < rule_.y1) continue;
      ColumnRow row = columns_.read(own);
      if (!row.has_label() && row.values() == 0) continue;
      if (row.y0 - bottom > kFar * em_) break;
      if (row.crossed && body_.empty() && !row.has_label()) {  // "(in millions)" over all columns
        note_ = {rule_.x0, row.y0, rule_.x1, row.y1};
        bottom = row.y1;
        continue;
      }
      if (row.crossed) break;
      bottom = row.y1;
      if (row.values() == 0) {
        if (++labels > kMostLabels) break;
        open.push_back(std::move(row));
        continue;
      }
      labels = 0;
      for (const auto& cell : row.cells) {
        values += !cell.empty();
        digits += holds_digit(cell);
        words += cell.size();
      }
      labelled += row.has_label() || !open.empty();
      ++rows;
      body_.insert(body_.end(), open.begin(), open.end());
      open.clear();
      body_.push_back(std::move(row));
    }
    return rows >= kLeastRows && digits * 2 > values && words <= kMostWords * values &&
           (labelled * 10 >= rows * 6) && one_phrase_each();
  }

  /// Whether hardly any cell holds two phrases: those would be columns of their own. A sign of
  /// money may stand apart from its number.
  bool one_phrase_each() const {
    size_t all = 0, torn = 0;
    for (const ColumnRow& row : body_)
      for (const auto& cell : row.cells) {
        all += !cell.empty();
        for (size_t k = 1; k < cell.size(); ++k)
          if (cell[k]->box.x0 - cell[k - 1]->box.x1 > kPhraseGapEm * em_ &&
              count_digits(cell[k - 1]->text) > 0 && count_digits(cell[k]->text) > 0) {
            ++torn;
            break;
          }
      }
    return torn * 10 <= all;
  }

  /// The rules above the heads, each under a head of several columns, from the lowest to the
  /// highest.
  void add_upper_heads() {
    constexpr double kNear = 1.2;  // em
    for (auto rule = across_.rbegin(); rule != across_.rend(); ++rule) {
      const auto [first, last] = covered(*rule);
      const bool beside = !upper_.empty() && upper_.back().rule.y0 - rule->y0 < em_ / 3;
      const bool near = std::abs(head_top_ - rule->y1) < em_;
      if (first < 0 || rule->y0 >= rule_.y0 - em_ / 2 || !(beside || near)) continue;
      Box text;
      for (const WordRow& row : rows_)
        for (const Word* word : row.words) {
          const int middle = (word->box.x0 + word->box.x1) / 2;
          if (middle > rule->x0 && middle < rule->x1 && word->box.y1 <= rule->y0 + em_ / 3 &&
              rule->y0 - word->box.y1 < kNear * em_)
            text = unite(text, word->box);
        }
      if (text.empty() || text.x0 < rule->x0 - em_ || text.x1 > rule->x1 + em_) continue;
      upper_.push_back({*rule, first, last});
      head_top_ = std::min(head_top_, text.y0);
    }
  }

  /// Heights at which the rows of the body end where drawn lines show it: shades and rules from
  /// end to end.
  std::vector<int> drawn_ends() const {
    std::vector<int> ends;
    const int left = label_edge(), right = rule_.x1;
    for (const Box& rule : across_)
      if (rule.y0 > rule_.y1 && rule.y1 < body_.back().y1 &&
          std::min(rule.x1, right) - std::max(rule.x0, left) > 0.8 * (right - left))
        ends.push_back((rule.y0 + rule.y1) / 2);
    return ends;
  }

  int label_edge() const {
    int edge = rule_.x0;
    for (const ColumnRow& row : body_) edge = std::min(edge, row.label);
    return edge;
  }

  /// Whether a label goes on with the one above it.
  bool goes_on(const ColumnRow& above, const ColumnRow& row, const std::vector<int>& ends) const {
    const auto first = uint8_t(row.has_label() ? row.first->text[0] : 0);
    if (!row.has_label() || row.y0 - above.y1 > (std::islower(first) != 0 ? 0.9 : 0.5) * em_)
      return false;
    if (above.values() > 0 && row.values() > 0) return false;
    const int between = (above.y1 + row.y0) / 2;
    const bool drawn = std::any_of(ends.begin(), ends.end(),
                                   [&](int y) { return std::abs(y - between) < em_ / 2; });
    const bool shaded = ends.size() * 3 >= body_.size();
    return !drawn && (shaded || first == '(' || std::islower(first) != 0);
  }

  RuledTable table() const {
    std::vector<int> levels;  // of the rules of the heads, from the top
    for (const UpperHead& head : upper_) levels.push_back(head.rule.y0);
    levels.push_back(rule_.y0);
    std::sort(levels.begin(), levels.end());
    std::vector<int> kept;
    for (int y : levels)
      if (kept.empty() || y - kept.back() > em_ / 2) kept.push_back(y);
    RuledTable out;
    out.columns = int(columns_.size()) + 1;
    const int left = label_edge(), right = rule_.x1 + int(em_ / 2);
    std::vector<int> xs{left};
    xs.push_back((rule_.x0 + std::min(rule_.x0, label_end())) / 2);
    xs.insert(xs.end(), columns_.middles().begin(), columns_.middles().end());
    xs.push_back(right);
    const int top = head_top_ - 1;
    const auto level_of = [&](int y) {
      size_t k = 0;
      while (k + 1 < kept.size() && y - kept[k] > em_ / 2) ++k;
      return int(k);
    };
    // A column's head begins below the rule above it.
    std::vector<int> free_from(columns_.size(), 0);
    const auto add_head = [&](int first, int last, int level) {
      int from = free_from[size_t(first)];
      for (int c = first; c <= last; ++c) from = std::max(from, free_from[size_t(c)]);
      if (from > level) return;
      const int y0 = from == 0 ? top : kept[size_t(from) - 1];
      out.cells.push_back({from,
                           first + 1,
                           level - from + 1,
                           last - first + 1,
                           {xs[size_t(first) + 1], y0, xs[size_t(last) + 2], kept[size_t(level)]}});
      for (int c = first; c <= last; ++c) free_from[size_t(c)] = level + 1;
    };
    for (auto head = upper_.rbegin(); head != upper_.rend(); ++head)
      add_head(head->first, head->last, level_of(head->rule.y0));
    for (int c = 0; c < int(columns_.size()); ++c) add_head(c, c, int(kept.size()) - 1);
    out.cells.push_back({0, 0, int(kept.size()), 1, {xs[0], top, xs[1], rule_.y0}});
    int row = int(kept.size()), y = rule_.y0;
    const auto add_row = [&](int end, bool whole) {
      if (whole) {
        out.cells.push_back({row, 0, 1, 1, {xs[0], y, xs[1], end}});
        out.cells.push_back({row, 1, 1, int(columns_.size()), {xs[1], y, right, end}});
      } else {
        for (int c = 0; c < out.columns; ++c)
          out.cells.push_back({row, c, 1, 1, {xs[size_t(c)], y, xs[size_t(c) + 1], end}});
      }
      y = end;
      ++row;
    };
    if (!note_.empty()) add_row((note_.y1 + body_.front().y0) / 2, true);
    const std::vector<int> ends = drawn_ends();
    for (size_t r = 0; r < body_.size(); ++r) {
      if (r + 1 < body_.size() && goes_on(body_[r], body_[r + 1], ends)) continue;
      add_row(r + 1 < body_.size() ? (body_[r].y1 + body_[r + 1].y0) / 2 : body_[r].y1 + 1, false);
    }
    out.rows = row;
    out.box = {left, top, right, y};
    sort_cells(out.cells);
    return out;
  }

  /// The right edge of the longest label, or of a head without a rule over what stands after them.
  int label_end() const {
    int end = label_edge();
    for (const WordRow& row : rows_)
      for (const Word* word : row.words)
        if (row.box.y0 >= head_top_ && row.box.y1 <= body_.back().y1 &&
            columns_.at((word->box.x0 + word->box.x1) / 2) < 0)
          end = std::max(end, word->box.x1);
    return end;
  }

  struct UpperHead {
    Box rule;
    int first, last;  // columns
  };

  const ColumnSpans columns_;
  const std::vector<Box>& across_;
  const std::vector<WordRow>& rows_;
  const double em_;
  Box rule_;  // around the rules of the columns; above the items where they are those of a sum
  Box note_;
  int head_top_ = 0;
  std::vector<ColumnRow> body_;
  std::vector<UpperHead> upper_;
};

/// Rules of one height that are parted by gaps as between columns.
std::vector<std::vector<Box>> rules_in_rows(const std::vector<Box>& across, double em) {
  constexpr int kLevel = 2;                         // pixels
  constexpr double kLeastGap = 0.15, kMostGap = 4;  // em
  constexpr size_t kLeastColumns = 2;
  std::vector<std::vector<Box>> rows;
  std::vector<Box> sorted = across;
  std::sort(sorted.begin(), sorted.end(), [](const Box& a, const Box& b) { return a.y0 < b.y0; });
  for (size_t from = 0; from < sorted.size();) {
    size_t to = from;
    while (to < sorted.size() && sorted[to].y0 - sorted[from].y0 <= kLevel) ++to;
    std::vector<Box> row(sorted.begin() + std::ptrdiff_t(from),
                         sorted.begin() + std::ptrdiff_t(to));
    std::sort(row.begin(), row.end(), [](const Box& a, const Box& b) { return a.x0 < b.x0; });
    std::vector<Box> run;
    const auto end = [&] {
      if (run.size() >= kLeastColumns) rows.push_back(run);
      run.clear();
    };
    for (const Box& rule : row) {
      const int gap = run.empty() ? 0 : rule.x0 - run.back().x1;
      if (!run.empty() && (gap < kLeastGap * em || gap > kMostGap * em)) end();
      run.push_back(rule);
    }
    end();
    from = to;
  }
  return rows;
}

/// Whether a rule was typed, as a row of underscores to write on.
bool is_typed(const Box& rule, std::span<const Word> words) {
  constexpr std::string_view kLine = "___";
  return std::any_of(words.begin(), words.end(), [&](const Word& word) {
    return word.text.find(kLine) != std::string::npos && rule.y1 > word.box.y0 &&
           rule.y0 < word.box.y1 + word.box.height() / 2 &&
           2 * (std::min(rule.x1, word.box.x1) - std::max(rule.x0, word.box.x0)) > rule.width();
  });
}

}  // namespace

std::vector<RuledTable> find_tables_by_column_rules(const RulingLines& rules,
                                                    std::span<const Word> words, double em_px) {
  const std::vector<WordRow> rows = word_rows(words);
  std::vector<Box> drawn = rules.across;
  std::erase_if(drawn, [&](const Box& rule) { return is_typed(rule, words); });
  std::vector<RuledTable> tables;
  for (std::vector<Box>& columns : rules_in_rows(drawn, em_px)) {
    Box all;
    for (const Box& rule : columns) all = unite(all, rule);
    const bool inside = std::any_of(tables.begin(), tables.end(), [&](const RuledTable& table) {
      return all.y0 <= table.box.y1 + int(em_px) && all.y0 >= table.box.y0 &&
             all.x0 < table.box.x1 && all.x1 > table.box.x0;
    });
    const bool of_grid = std::any_of(rules.down.begin(), rules.down.end(), [&](const Box& rule) {
      return rule.x0 > all.x0 - int(em_px) && rule.x1 < all.x1 + int(em_px) &&
             rule.y0 < all.y1 + 2 && rule.y1 > all.y0 - 2;
    });
    if (inside || of_grid) continue;
    if (auto table = RuledColumns(std::move(columns), drawn, rows, em_px).read())
      tables.push_back(std::move(*table));
  }
  return tables;
}

}  // namespace docspec
