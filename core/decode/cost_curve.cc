#include "core/decode/cost_curve.h"

#include <ATen/ATen.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "core/base/sha256.h"
#include "core/base/stopwatch.h"
#include "core/base/user_cache.h"
#include "core/model/draft_tree.h"
#include "core/model/language_model.h"

namespace docspec {
namespace {

using nlohmann::json;

constexpr size_t kRows[] = {1, 8, 16, 24, 32, 48, 64, 96, 128};
constexpr int kRounds = 6;        ///< the fastest one counts: other load only adds time
constexpr double kLongMs = 2000;  ///< after this time two rounds are enough

std::vector<CostCurve::Point> built_in() {
  std::vector<CostCurve::Point> points;
  for (const size_t rows : kRows)
    points.push_back({rows, 1 + std::max(0.0, double(rows) - 8) / 16});
  return points;
}

std::string file_of(const std::string& key) {
  return "cost-" + sha256_hex(key).substr(0, 16) + ".json";
}

}  // namespace

CostCurve::CostCurve() : points_(built_in()) {}

CostCurve::CostCurve(std::vector<Point> points) : points_(std::move(points)), measured_(true) {
  std::sort(points_.begin(), points_.end(),
            [](const Point& a, const Point& b) { return a.rows < b.rows; });
  for (size_t i = 1; i < points_.size(); ++i)
    points_[i].ms = std::max(points_[i].ms, points_[i - 1].ms);
  if (points_.empty()) *this = CostCurve();
}

double CostCurve::cost(size_t rows) const {
  for (const Point& point : points_)
    if (rows <= point.rows) return point.ms;
  const Point& last = points_.back();
  const Point& first = points_.front();
  const double slope =
      last.rows > first.rows ? (last.ms - first.ms) / double(last.rows - first.rows) : 0;
  return last.ms + slope * double(rows - last.rows);
}

size_t CostCurve::most_rows(size_t jobs) const {
  if (fixed > 0) return fixed;
  return std::max<size_t>(8, 256 / std::max<size_t>(jobs, 2));
}

std::vector<size_t> CostCurve::allocate_rows(std::span<const DraftTree* const> trees) const {
  std::vector<size_t> keep(trees.size(), 1);
  std::vector<std::pair<float, size_t>> rows;  // (score, tree); scores of a tree descend
  for (size_t t = 0; t < trees.size(); ++t)
    for (size_t row = 1; row < trees[t]->rows(); ++row)
      rows.emplace_back(trees[t]->score()[row], t);
  std::stable_sort(rows.begin(), rows.end(),
                   [](const auto& a, const auto& b) { return a.first > b.first; });
  size_t best = 0;
  if (fixed > 0) {
    best = fixed > trees.size() ? std::min(rows.size(), fixed - trees.size()) : 0;
  } else {
    double gain = double(trees.size());
    double most = gain / cost(trees.size());
    for (size_t n = 0; n < rows.size(); ++n) {
      gain += rows[n].first;
      const double rate = gain / cost(trees.size() + n + 1);
      if (rate > most) most = rate, best = n + 1;
    }
  }
  for (size_t n = 0; n < best; ++n) ++keep[rows[n].second];
  return keep;
}

CostCurve measure_cost_curve(const LanguageModel& lm, KvCache& cache,
                             const ForwardOptions& options) {
  std::vector<CostCurve::Point> points;
  for (const size_t rows : kRows) points.push_back({rows, 0});
  const Stopwatch all;
  // Round by round, so that a short load spoils only one measurement of each point.
  for (int round = 0; round < kRounds && (round < 2 || all.ms() < kLongMs); ++round)
    for (CostCurve::Point& point : points) {
      DraftTree chain(0);
      for (size_t row = 1; row < point.rows; ++row)
        chain.add(int32_t(row - 1), 0, 0, 1, point.rows);
      const SequenceInput job{&chain, &cache, nullptr};
      const Stopwatch pass;
      // Never committed: the next pass drops its rows. The copy waits until a GPU is done.
      lm.forward(std::span(&job, 1), options).narrow(1, 0, 1).to(at::kCPU);
      const double ms = pass.ms();
      if (round == 0 || ms < point.ms) point.ms = ms;
    }
  return CostCurve(std::move(points));
}

std::optional<CostCurve> load_cost_curve(const std::string& key) {
  const json kept = json::parse(read_cache(file_of(key)).value_or(""), nullptr, false);
  if (!kept.is_object() || kept.value("key", json()) != json(key)) return std::nullopt;
  std::vector<CostCurve::Point> points;
  for (const json& point : kept.value("points", json::array())) {
    if (!point.is_array() || point.size() != 2 || !point[0].is_number_unsigned() ||
        !point[1].is_number() || point[0] == 0 || !(point[1].get<double>() > 0))
      return std::nullopt;
    points.push_back({point[0].get<size_t>(), point[1].get<double>()});
  }
  if (points.empty()) return std::nullopt;
  return CostCurve(std::move(points));
}

void save_cost_curve(const std::string& key, const CostCurve& curve) {
  json points = json::array();
  for (const auto& point : curve.points()) points.push_back({point.rows, point.ms});
  write_cache(file_of(key), json{{"key", key}, {"points", points}}.dump() + "\n");
}

}  // namespace docspec
