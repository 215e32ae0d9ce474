// The CUDA kernel that draws tokens, run on the host thread by thread: against its definition in
// whole numbers, bit for bit, and against the host's distribution and draw.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <numeric>
#include <random>

#include "core/decode/sample/sampling.h"
#include "cuda/accept.cuh"

namespace docspec {
namespace {

using namespace cuda;

int32_t drawn(const std::vector<float>& row, const RowSampling& how) {
  int32_t token = -1;
  run_on_host(DrawRow{row.data(), &how, &token, int(row.size())}, 1, 1);
  return token;
}

/// What DrawRow is to give, by sorting.
int32_t defined(const std::vector<float>& row, const RowSampling& how) {
  const double top = *std::max_element(row.begin(), row.end());
  const auto weight = [&](int32_t i) {
    return uint64_t(std::exp((double(row[size_t(i)]) - top) / how.temperature) * DrawRow::kUnits +
                    0.5);
  };
  std::vector<int32_t> order(row.size());
  std::iota(order.begin(), order.end(), 0);
  const auto at = [&](size_t place) { return row[size_t(order[place])]; };
  std::stable_sort(order.begin(), order.end(),
                   [&](int32_t a, int32_t b) { return row[size_t(a)] > row[size_t(b)]; });
  size_t kept = row.size();
  if (how.top_k > 0 && size_t(how.top_k) < kept) {
    kept = size_t(how.top_k);
    while (kept < row.size() && at(kept) == at(size_t(how.top_k) - 1)) ++kept;
  }
  const auto sum = [&] {
    uint64_t all = 0;
    for (const int32_t i : order) all += weight(i);
    return all;
  };
  order.resize(kept);
  if (how.top_p < 1) {
    const double wanted = std::max(1.0, std::ceil(how.top_p * double(sum())));
    uint64_t above = 0;
    for (kept = 0; kept < order.size() && double(above) < wanted; ++kept)
      above += weight(order[kept]);
    order.resize(kept);
  }
  const uint64_t all = sum();
  uint64_t left = std::min(uint64_t(how.uniform * double(all)), all - 1);
  std::sort(order.begin(), order.end());
  for (const int32_t i : order) {
    if (left < weight(i)) return i;
    left -= weight(i);
  }
  return -1;
}

/// f of many rows and settings; those of f's result above 0 are counted.
int over_cases(const std::function<int32_t(const std::vector<float>&, const RowSampling&)>& f) {
  std::mt19937 rng(14);
  std::normal_distribution<float> normal;
  int counted = 0;
  for (const size_t vocab : {1, 5, 256, 257, 1000, 2049})
    for (int round = 0; round < 100; ++round) {
      std::vector<float> row(vocab);
      for (float& x : row) x = normal(rng) * (round % 3 == 0 ? 8 : 2);
      if (round % 4 == 1)
        for (float& x : row) x = std::trunc(x);  // ties
      if (round % 7 == 2 && vocab > 4) std::fill_n(row.begin() + 1, vocab / 2, -INFINITY);
      counted += f(row, {std::array{1.0, 0.2, 1e-3, 30.0}[rng() % 4],
                         std::array{1.0, 0.9, 0.5, 1e-9, 0.999}[rng() % 5],
                         std::array<int64_t, 5>{0, 1, 3, 50, int64_t(vocab)}[rng() % 5],
                         double(rng()) / 4294967296.0}) > 0;
    }
  return counted;
}

TEST(CudaDrawKernel, DrawsAsItIsDefined) {
  EXPECT_GT(over_cases([](const std::vector<float>& row, const RowSampling& how) {
              const int32_t token = drawn(row, how);
              EXPECT_EQ(token, defined(row, how))
                  << row.size() << ' ' << how.temperature << ' ' << how.top_p << ' ' << how.top_k;
              return token;
            }),
            300);
}

/// Tokens are those of the host's distribution and draw, but where a number falls on the edge of
/// two.
TEST(CudaDrawKernel, DrawsAsTheHost) {
  over_cases([](const std::vector<float>& row, const RowSampling& how) {
    const Distribution distribution =
        sampling_distribution(row, {how.temperature, how.top_p, how.top_k, 0});
    const int32_t token = drawn(row, how);
    const double before = std::accumulate(distribution.begin(), distribution.begin() + token, 0.0);
    EXPECT_GT(distribution[size_t(token)], 0);
    EXPECT_GE(how.uniform, before - 1e-9);
    EXPECT_LE(how.uniform, before + distribution[size_t(token)] + 1e-9);
    return token;
  });
}

TEST(CudaDrawKernel, GivesTheFirstIdWhereARowHasNoDistribution) {
  for (const float nothing : {-INFINITY, NAN, INFINITY})
    for (const double top_p : {1.0, 0.5})
      for (const int64_t top_k : {0, 3})
        EXPECT_EQ(drawn(std::vector<float>(300, nothing), {1, top_p, top_k, 0.7}), 0) << nothing;
  std::vector<float> row(300, 1);
  row[200] = NAN;
  EXPECT_EQ(drawn(row, {1, 0.9, 7, 0.7}), 0);
}

/// Phases of a block, each at most one reading of the row.
struct CountedDraw : DrawRow {
  int* phases = nullptr;
  bool phase(int n, const ThreadBlock& block, int thread, Shared& shared, Thread& own) const {
    *phases = n + 1;
    return DrawRow::phase(n, block, thread, shared, own);
  }
};

TEST(CudaDrawKernel, ReadsARowAFewTimes) {
  const std::vector<float> row(1000, 1);
  const RowSampling how{1, 0.9, 50, 0.5};
  int32_t token = 0;
  int phases = 0;
  CountedDraw kernel;
  kernel.logits = row.data();
  kernel.settings = &how;
  kernel.token = &token;
  kernel.vocab = 1000;
  kernel.phases = &phases;
  run_on_host(kernel, 1, 1);
  RecordProperty("phases", phases);
  EXPECT_LE(phases, 43);  // 669 where each of 65 rounds found one bit
}

}  // namespace
}  // namespace docspec
