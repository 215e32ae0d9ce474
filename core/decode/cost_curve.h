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

/// What a pass costs as a function of its rows, and which rows pay. It steers proposals only.
class CostCurve {
 public:
  struct Point {
    size_t rows = 1;
    double ms = 1;
  };

  /// A built-in shape until one is measured: that of bf16 linears on a CPU, eight rows for the
  /// price of one, sixteen for one and a half.
  CostCurve();
  /// Measured points; made ascending and monotone.
  explicit CostCurve(std::vector<Point> points);

  /// Milliseconds of a pass; products come in groups of rows, so a step function.
  double cost(size_t rows) const;
  /// Rows that one of `jobs` trees may grow to before `cut` decides.
  size_t most_rows(size_t jobs) const;
  /// Rows to keep of each tree of one pass: the best ones over all trees, as many as give the most
  /// emitted tokens a millisecond; at least one a tree. Trees are as build_tree makes them.
  std::vector<size_t> allocate_rows(std::span<const DraftTree* const> trees) const;

  const std::vector<Point>& points() const { return points_; }
  bool measured() const { return measured_; }

  size_t fixed = 0;  ///< --max-nodes: rows of a pass over all jobs; 0 = by the curve

 private:
  std::vector<Point> points_;
  bool measured_ = false;
};

/// Times passes behind what `cache` holds and leaves it as it is.
CostCurve measure_cost_curve(const LanguageModel& lm, KvCache& cache,
                             const ForwardOptions& options);

/// The curve kept under `key` in the user's cache folder ($XDG_CACHE_HOME/docspec, else
/// ~/.cache/docspec); nothing when there is none or it cannot be read.
std::optional<CostCurve> load_cost_curve(const std::string& key);
/// Keeps a curve; a folder that cannot be written is no error.
void save_cost_curve(const std::string& key, const CostCurve& curve);

}  // namespace docspec
