#include "cli/engine/formula_views.h"

#include <algorithm>
#include <cmath>
#include <string>
#include <utility>

namespace docspec {
namespace {

/// The formulas of a reading, by which two readings are alike.
std::string formulas_of(const ReadFormula& formula) {
  return formula.latex;
}
std::string formulas_of(const std::vector<ReadPart>& line) {
  std::string out;
  for (const ReadPart& part : line)
    if (part.formula) out += "$" + part.text;
  return out;
}

bool came_to_end(const ReadFormula& formula) {
  return !formula.latex.empty();
}
bool came_to_end(const std::vector<ReadPart>& line) {
  return !line.empty();
}

/// The least lead of a token of its formulas.
double least_lead(const ReadFormula& formula) {
  return formula.least_margin;
}
double least_lead(const std::vector<ReadPart>& line) {
  double least = HUGE_VAL;
  for (const ReadPart& part : line)
    if (part.formula) least = std::min(least, part.least_margin);
  return least;
}

/// The readings of one box.
template <class Reading>
class Views {
 public:
  void add(Reading reading) { readings_.push_back(std::move(reading)); }

  /// How many readings are like the first one on which most agree.
  size_t most() const { return votes(best()); }
  Reading take() { return std::move(readings_[best()]); }

 private:
  size_t votes(size_t of) const {
    return size_t(std::count_if(readings_.begin(), readings_.end(), [&](const Reading& other) {
      return came_to_end(other) && formulas_of(other) == formulas_of(readings_[of]);
    }));
  }
  size_t best() const {
    size_t best = 0;
    for (size_t i = 1; i < readings_.size(); ++i) {
      const auto rank = [&](size_t k) { return std::pair(votes(k), least_lead(readings_[k])); };
      if (rank(i) > rank(best)) best = i;
    }
    return best;
  }

  std::vector<Reading> readings_;
};

/// `read` is asked for boxes and the size of their letters. The sizes were chosen on formulas set
/// by TeX: 56 of 100 displayed ones right as read once, 62 with the nearer two sizes, 63 with the
/// farther two, 64 with all.
template <class Reading, class Read>
std::vector<Reading> most_agreed(std::span<const Box> boxes, double em_px, const Read& read) {
  constexpr double kSure = 1;  // lead
  constexpr double kSizes[][2] = {{1.14, 0.87}, {1.07, 0.93}};
  std::vector<Reading> out = read(boxes, em_px);
  std::vector<std::pair<size_t, Views<Reading>>> doubted;
  for (size_t i = 0; i < out.size(); ++i) {
    if (came_to_end(out[i]) && least_lead(out[i]) >= kSure) continue;
    doubted.emplace_back(i, Views<Reading>());
    doubted.back().second.add(out[i]);
  }
  for (const auto& sizes : kSizes) {
    std::vector<Box> again;
    std::vector<Views<Reading>*> views;
    for (auto& [i, view] : doubted)
      if (view.most() < 2) again.push_back(boxes[i]), views.push_back(&view);
    if (again.empty()) break;
    for (const double size : sizes) {
      std::vector<Reading> readings = read(std::span<const Box>(again), em_px * size);
      for (size_t k = 0; k < views.size(); ++k) views[k]->add(std::move(readings[k]));
    }
  }
  for (auto& [i, view] : doubted) out[i] = view.take();
  return out;
}

}  // namespace

std::vector<ReadFormula> FormulaViews::read(const PageImage& page, std::span<const Box> boxes,
                                            double em_px) const {
  return most_agreed<ReadFormula>(boxes, em_px, [&](std::span<const Box> some, double size) {
    return reader_->read(page, some, size);
  });
}

std::vector<std::vector<ReadPart>> FormulaViews::read_lines(const PageImage& page,
                                                            std::span<const Box> boxes,
                                                            double em_px) const {
  using Line = std::vector<ReadPart>;
  return most_agreed<Line>(boxes, em_px, [&](std::span<const Box> some, double size) {
    return reader_->read_lines(page, some, size);
  });
}

}  // namespace docspec
