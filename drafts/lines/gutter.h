#pragma once

#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "core/page/draft.h"

namespace docspec {

/// The white between two columns of running text, from side to side in pixels.
struct Gutter {
  int x0 = 0, x1 = 0;

  /// Whether two neighbours of a row stand in different columns. A heading that runs across has a
  /// blank there, but a narrower one, and not right before the edge of the right column.
  bool parts(const Box& left, const Box& right) const;
};

/// The gutter of a page whose upright words stand in two columns of running text; nothing for one
/// column, three, or a table.
std::optional<Gutter> find_gutter(std::span<const Word> words);

/// All the gutters of a page.
class Gutters {
 public:
  Gutters() = default;
  Gutters(std::optional<Gutter> one) {  // NOLINT: one gutter is a list of one
    if (one) all_.push_back(*one);
  }
  explicit Gutters(std::vector<Gutter> all) : all_(std::move(all)) {}

  bool parts(const Box& left, const Box& right) const;
  const std::vector<Gutter>& all() const { return all_; }  ///< from left to right

  /// Rules that part columns: thin boxes, one below the other where a rule tilts.
  void set_rules(std::span<const Box> rules) { rules_.assign(rules.begin(), rules.end()); }
  const std::vector<Box>& rules() const { return rules_; }
  /// Whether a rule stands between two neighbours of a row.
  bool ruled(const Box& left, const Box& right) const;

  /// White between frames that parts columns, too: thin boxes.
  void set_walls(std::vector<Box> walls) { walls_ = std::move(walls); }
  const std::vector<Box>& walls() const { return walls_; }

 private:
  std::vector<Gutter> all_;
  std::vector<Box> rules_, walls_;
};

/// Where the lines that OCR found (Word::line) end beside others in many rows below each other, as
/// in columns of a newspaper a letter apart: a thin box for each row, in pixels of the frame.
std::vector<Box> column_edges(std::span<const Word> words);

/// The gutters between three columns and more of about the same width, each with lines of running
/// text as wide as the column; else that between two; else those of columns nearer than an em.
Gutters find_gutters(std::span<const Word> words);

}  // namespace docspec
