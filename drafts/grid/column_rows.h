#pragma once

#include <climits>
#include <span>
#include <vector>

#include "core/page/draft.h"

namespace docspec {

/// The upright words of a page at one height, from left to right.
struct WordRow {
  std::vector<const Word*> words;
  Box box;
};

/// The rows of a page's words; `words` must outlive them.
std::vector<WordRow> word_rows(std::span<const Word> words);

/// How the words of a row lie in columns.
struct ColumnRow {
  int y0 = INT_MAX, y1 = INT_MIN;
  int label = INT_MAX;                          ///< left edge; INT_MAX = none
  std::vector<std::vector<const Word*>> cells;  ///< by column
  const Word* first = nullptr;                  ///< of the label
  bool crossed = false;                         ///< text goes on from one column into the next

  bool has_label() const { return label != INT_MAX; }
  /// How many columns have something.
  size_t values() const;
};

/// Columns with white between them, and labels at their left.
class ColumnSpans {
 public:
  /// `columns`: from left to right; `em_px`: size of the body text.
  ColumnSpans(std::vector<Box> columns, double em_px);

  size_t size() const { return columns_.size(); }
  const Box& operator[](size_t c) const { return columns_[c]; }
  /// The middles of the white between the columns.
  const std::vector<int>& middles() const { return middles_; }
  Box box() const;

  /// The column at x; -1 left of all, size() right of all.
  int at(int x) const;
  ColumnRow read(const WordRow& row) const;

 private:
  std::vector<Box> columns_;
  std::vector<int> middles_;
  double em_px_;
};

}  // namespace docspec
