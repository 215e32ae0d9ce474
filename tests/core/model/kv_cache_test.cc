#include "core/model/kv_cache.h"

#include <ATen/ATen.h>
#include <gtest/gtest.h>

#include <array>
#include <numeric>
#include <random>

#include "core/ops/ops.h"
#include "tests/support/kernel_ops.h"

namespace docspec {
namespace {

constexpr int64_t kLayers = 2, kHeads = 3, kDim = 16;

/// A cache beside the plain list of rows that it must hold.
class KvCacheLaws : public ::testing::TestWithParam<bool> {
 protected:
  KvCacheLaws()
      : ops(GetParam() ? make_kernel_ops() : make_cpu_ops()),
        cache(*ops, kLayers, kHeads, kDim, at::empty({0})) {}

  /// A pass of `rows` random rows.
  void append(int64_t rows) {
    cache.begin_pass(rows);
    pass.clear();
    for (int64_t layer = 0; layer < kLayers; ++layer) {
      const at::Tensor k = at::randn({rows, kHeads, kDim}), v = at::randn({rows, kHeads, kDim});
      append_rows(k, v, std::array{cache.rows(layer)});
      pass.push_back(at::stack({k, v}));  // [2, rows, heads, dim]
    }
  }
  void commit(const std::vector<int32_t>& rows) {
    cache.commit(rows);
    for (int64_t layer = 0; layer < kLayers; ++layer)
      for (const int32_t row : rows)
        wanted[size_t(layer)].push_back(pass[size_t(layer)].select(1, row));
  }
  void expect_rows() {
    ASSERT_EQ(cache.length(), int64_t(wanted[0].size()));
    if (cache.length() == 0) return;
    for (int64_t layer = 0; layer < kLayers; ++layer) {
      const at::Tensor rows = at::stack(wanted[size_t(layer)], 2);  // [2, heads, length, dim]
      for (const int side : {0, 1}) {
        const at::Tensor whole = whole_cache(cache.rows(layer), side);
        EXPECT_EQ(whole.size(1) % kAttentionBlock, 0);
        EXPECT_TRUE(at::equal(whole.narrow(1, 0, cache.length()), rows[side]));
        EXPECT_TRUE(whole.isfinite().all().item<bool>());
      }
    }
  }

  const std::unique_ptr<Ops> ops;
  LayeredKvCache cache;
  std::vector<at::Tensor> pass;
  std::vector<std::vector<at::Tensor>> wanted{kLayers};
};

INSTANTIATE_TEST_SUITE_P(Caches, KvCacheLaws, ::testing::Values(false, true),
                         [](const auto& info) { return info.param ? "paged" : "whole"; });

TEST_P(KvCacheLaws, HoldsTheCommittedRowsOfAnyPasses) {
  std::mt19937 rng(12);
  at::manual_seed(12);
  for (int step = 0; step < 60; ++step) {  // grows over several blocks
    const auto rows = int32_t(1 + rng() % 20);
    append(rows);
    std::vector<int32_t> path{0};
    for (int32_t row = 1; row < rows; ++row)
      if (rng() % 2) path.push_back(row);
    if (rng() % 8 == 0) path.clear();
    commit(path);
  }
  expect_rows();
}

TEST_P(KvCacheLaws, DroppedRowsAreForgottenButNeverTheImage) {
  cache.visual_begin = 1;
  cache.visual_end = 3;
  append(9);
  commit({0, 1, 2, 3, 4, 5, 6, 7, 8});
  append(4);  // not committed: goes with the rest
  cache.drop(4);
  for (auto& layer : wanted) layer.resize(5);
  expect_rows();
  append(2);
  commit({0, 1});
  expect_rows();
  EXPECT_THROW(cache.drop(5), std::invalid_argument);
  EXPECT_THROW(cache.drop(-1), std::invalid_argument);
  cache.drop(4);
  EXPECT_EQ(cache.length(), 3);
}

TEST_P(KvCacheLaws, APassWithoutCommitLeavesNothing) {
  append(5);
  commit({0, 1, 2, 3, 4});
  append(300);  // grows the cache
  append(2);
  commit({0, 1});
  expect_rows();
}

TEST_P(KvCacheLaws, PagesFollowUse) {
  append(200);
  std::vector<int32_t> all(200);
  std::iota(all.begin(), all.end(), 0);
  commit(all);
  const size_t pages = GetParam() ? 2 : 0;
  EXPECT_EQ(cache.pages().size(), pages);
  append(100);  // not committed: its page goes with the next pass
  EXPECT_EQ(cache.pages().size(), pages + pages / 2);
  append(3);
  EXPECT_EQ(cache.pages().size(), pages);
  commit({0, 2});
  expect_rows();
}

TEST_P(KvCacheLaws, RefusesWhatIsNoPathAndStaysAsItWas) {
  append(4);
  commit({0, 2});
  append(4);
  for (const std::vector<int32_t>& rows :
       {std::vector<int32_t>{0, 4}, {0, 2, 1}, {1, 1}, {-1}, {2, 1}})
    EXPECT_THROW(cache.commit(rows), std::invalid_argument);
  expect_rows();
  commit({0, 1, 3});
  expect_rows();
}

}  // namespace
}  // namespace docspec
