#pragma once

#include <cstddef>
#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace docspec {

class DraftTree;
class KvCache;
class LanguageModel;
struct ForwardOptions;

/// The cost of a pass as a function of its rows, and the choice of rows by it. It changes proposals
/// only.
class CostCurve {
 public:
  struct Point {
    size_t rows = 1;
    double ms = 1;
  };

  /// A built-in shape until one is measured: that of bf16 linear layers on a CPU, where eight rows
  /// cost as much as one, and sixteen one and a half times as much.
  CostCurve();
  /// Measured points; made ascending and monotone.
  explicit CostCurve(std::vector<Point> points);

  /// Milliseconds of a pass. A step function, because matrix products handle rows in groups.
  double cost(size_t rows) const;
  /// Largest tree that is built for one of `jobs` jobs, before `allocate_rows` decides.
  size_t most_rows(size_t jobs) const;
  /// Number of rows to keep of each tree of one pass: the best rows over all trees, as many as give
  /// the most emitted tokens per millisecond, and at least one per tree. The trees are those of
  /// build_tree.
  std::vector<size_t> allocate_rows(std::span<const DraftTree* const> trees) const;

  const std::vector<Point>& points() const { return points_; }
  bool measured() const { return measured_; }

  size_t fixed = 0;  ///< --max-nodes: rows of a pass over all jobs; 0 = by the curve

 private:
  std::vector<Point> points_;
  bool measured_ = false;
};

/// Measures passes after the rows that `cache` holds, and leaves the cache unchanged.
CostCurve measure_cost_curve(const LanguageModel& lm, KvCache& cache,
                             const ForwardOptions& options);

/// The curve that is stored under `key` in the user's cache; nullopt if there is none or it cannot
/// be read.
std::optional<CostCurve> load_cost_curve(const std::string& key);
/// Stores a curve; a folder that cannot be written is not an error.
void save_cost_curve(const std::string& key, const CostCurve& curve);

}  // namespace docspec
