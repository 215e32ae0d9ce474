// The CUDA attention kernels' own code, run on the host thread by thread, against the ATen
// reference. What a GPU does differently (barriers, exp to the last bit) is for
// tests/gpu/ops_test.cc.
#include <ATen/ATen.h>
#include <gtest/gtest.h>

#include <numeric>
#include <random>
#include <set>

#include "core/model/draft_tree.h"
#include "core/ops/attention_weights.h"
#include "core/ops/ops.h"
#include "cuda/start_up_check.h"
#include "cuda/tile_attention.cuh"
#include "cuda/tree_attention.cuh"

namespace docspec {
namespace {

using namespace cuda;

constexpr int kDim = 16, kWideDim = 256, kHeads = 6, kKvHeads = 2;

DraftTree random_tree(std::mt19937& rng, size_t rows, bool chain) {
  DraftTree tree(1);
  while (tree.rows() < rows) {
    std::vector<int32_t> path(chain ? rows : 1 + rng() % 6);
    for (int32_t& token : path) token = int32_t(rng() % (chain ? 1000 : 3));
    tree.insert(path, 0, 1, rows);
  }
  return tree;
}

/// Jobs of a pass with their caches.
struct Scene {
  std::vector<DraftTree> trees;
  std::vector<int64_t> prefixes;
  std::vector<at::Tensor> keys, values;  ///< [kv_heads, capacity, dim]
  std::vector<std::vector<at::Tensor>> pages;
  std::vector<std::vector<Slots>> slots;
  std::vector<int32_t> roots = std::vector<int32_t>(100, -1), zeros = std::vector<int32_t>(100, 0);
  bool apart = false;  ///< AttentionRows::apart, of all jobs
  at::Tensor q;
  at::ScalarType type = at::kFloat;  ///< of the caches
  int64_t dim = kDim;                ///< of heads: kDim or kWideDim

  int add(std::mt19937& rng, int64_t prefix, size_t rows, bool chain, std::vector<Slots> seen) {
    trees.push_back(random_tree(rng, rows, chain));
    prefixes.push_back(prefix);
    slots.push_back(std::move(seen));
    const int64_t capacity = (prefix + int64_t(rows)) / kAttentionBlock * kAttentionBlock + 128;
    keys.push_back(at::randn({kKvHeads, capacity, dim}).to(type));
    values.push_back(at::randn({kKvHeads, capacity, dim}).to(type));
    pages.push_back(pages_of(keys.back(), values.back()));
    return int(trees.size()) - 1;
  }
  std::vector<AttentionRows> rows() const {
    std::vector<AttentionRows> out;
    for (size_t j = 0; j < trees.size(); ++j)
      out.push_back({prefixes[j], trees[j].parent(), trees[j].depth(), slots[j], pages[j]});
    for (AttentionRows& one : out) {
      if (!apart) break;
      one.parent = std::span(roots).first(one.parent.size());
      one.depth = std::span(zeros).first(one.depth.size());
      one.apart = true;
    }
    return out;
  }
  TableUse use() const { return type == at::kBFloat16 ? TableUse::tiles : TableUse::paths; }
  void make_queries() {
    int64_t rows = 0;
    for (const DraftTree& tree : trees) rows += int64_t(tree.rows());
    q = at::randn({rows, kHeads, dim});
  }
  float scale() const { return 1 / std::sqrt(float(dim)); }
};

struct Result {
  at::Tensor out, log_sum;
};

template <int kDim>
Result attend_with_heads(const Scene& scene, int rows) {
  const bool bf16 = scene.type == at::kBFloat16;
  AttentionTables tables(scene.rows(), kHeads / kKvHeads, scene.use());
  if (rows > 0) tables.pad(rows);
  const TableView view = tables.view();
  const CacheLayer layer(0, kKvHeads, kDim);
  const int64_t cells = int64_t(tables.rows) * kHeads * tables.splits;
  at::Tensor top = at::full({cells}, std::nanf("")), sum = top.clone(),
             values = at::full({cells, kDim}, std::nanf(""));
  const Parts parts{top.mutable_data_ptr<float>(), sum.mutable_data_ptr<float>(),
                    values.mutable_data_ptr<float>(), tables.splits};
  Result result{at::full({tables.rows, kHeads, kDim}, std::nanf("")),
                at::zeros({tables.rows, kHeads})};
  const auto* q = scene.q.const_data_ptr<float>();
  const int tasks = int(tables.tasks.size());
  if (bf16) {
    run_on_host(TreeAttention<kDim, Bfloat16>{view, layer, q, scene.scale(), kHeads, kKvHeads,
                                              tables.part, parts},
                tasks, kKvHeads);
    run_on_host(TileAttention<kDim>{view, layer, q, scene.scale(), kHeads, kKvHeads, parts},
                int(tables.tile_tasks.size()), kKvHeads);
  } else {
    run_on_host(TreeAttention<kDim, float>{view, layer, q, scene.scale(), kHeads, kKvHeads,
                                           tables.part, parts},
                tasks, kKvHeads);
  }
  run_on_host(MergeParts<kDim>{parts, view, result.out.mutable_data_ptr<float>(),
                               result.log_sum.mutable_data_ptr<float>(), kHeads},
              tables.rows, kHeads);
  return result;
}

/// The kernels' attention, bf16 caches in tiles where a job may be; with empty rows up to `rows`.
Result attend_on_host(const Scene& scene, int rows = 0) {
  return scene.dim == kDim ? attend_with_heads<kDim>(scene, rows)
                           : attend_with_heads<kWideDim>(scene, rows);
}

at::Tensor attend_by_aten(Scene scene, AttentionWeights* attention_weights = nullptr) {
  const auto ops = make_aten_ops();
  const std::vector<AttentionRows> rows = scene.rows();
  const auto plan = ops->plan(rows, {}, scene.q);
  std::vector<CacheRows> caches;
  for (size_t j = 0; j < scene.keys.size(); ++j)
    caches.push_back({&scene.keys[j], &scene.values[j]});
  return ops->attention(scene.q, caches, *plan, attention_weights);
}

double distance(const at::Tensor& a, const at::Tensor& b) {
  return (a - b).abs().max().item<double>();
}

Slots every(int64_t step, int64_t prefix) {
  Slots out;
  for (int64_t i = 0; i < prefix; i += step) out.push_back(i);
  return out;
}

/// Chains and trees, without and with committed keys, some seen by all rows or by each its own.
Scene ragged_scene(at::ScalarType type, int64_t dim = kDim) {
  std::mt19937 rng(3);
  at::manual_seed(3);
  Scene scene;
  scene.type = type;
  scene.dim = dim;
  scene.add(rng, 0, 1, true, {});
  scene.add(rng, 255, 3, true, {});
  scene.add(rng, 600, 21, false, {});
  scene.add(rng, 300, 9, false, {every(3, 300)});
  std::vector<Slots> own;
  for (int row = 0; row < 7; ++row) own.push_back(every(2 + row, 540));
  scene.add(rng, 540, 7, false, own);
  if (dim == kDim) {  // wide heads would take long on the host
    scene.add(rng, 256, 300, true, {});
    scene.add(rng, 900, 90, false, {every(2, 900)});
  }
  scene.add(rng, 1000, 30, false, {});
  scene.make_queries();
  return scene;
}

TEST(CudaAttentionKernels, AttendAsTheReferenceOverRaggedJobs) {
  for (const int64_t dim : {kDim, kWideDim}) {
    const Scene scene = ragged_scene(at::kFloat, dim);
    EXPECT_LT(distance(attend_on_host(scene).out, attend_by_aten(scene)), 1e-5) << dim;
  }
}

TEST(CudaAttentionKernels, AttendInTilesOverBf16CachesAsTheReference) {
  for (const int64_t dim : {kDim, kWideDim}) {
    Scene scene = ragged_scene(at::kBFloat16, dim);
    const Result result = attend_on_host(scene);
    EXPECT_LT(distance(result.out, attend_by_aten(scene)), 2e-2) << dim;
    // What is left where the queries are bf16, too, is the weights' rounding.
    scene.q = (scene.q * scene.scale()).to(at::kBFloat16).to(at::kFloat) / scene.scale();
    EXPECT_LT(distance(attend_on_host(scene).out, attend_by_aten(scene)), 6e-3) << dim;
  }
}

/// The rest of a prompt behind one of many rows: its keys go through tiles, too.
TEST(CudaAttentionKernels, ALongChainHasFarKeysAndAttendsAsTheReference) {
  std::mt19937 rng(11);
  at::manual_seed(11);
  Scene scene;
  scene.type = at::kBFloat16;
  scene.add(rng, 512, 400, true, {});
  scene.make_queries();
  const AttentionTables tables(scene.rows(), kHeads / kKvHeads, scene.use());
  EXPECT_FALSE(tables.tile_tasks.empty());
  EXPECT_LE(tables.tasks.size(), 400u * ((kNear + kTileKeys) / kNearSplit + 1))
      << "of a row, 256 near keys and less than a tile more are no tile's";
  EXPECT_LT(distance(attend_on_host(scene).out, attend_by_aten(scene)), 2e-2);
}

TEST(CudaAttentionKernels, PartsMeetInTheNumbersOfTheNextProduct) {
  Scene scene = ragged_scene(at::kFloat);
  const AttentionTables tables(scene.rows(), kHeads / kKvHeads);
  at::manual_seed(12);
  const int64_t rows = tables.rows, cells = rows * kHeads * tables.splits;
  at::Tensor top = at::randn({cells}), sum = at::rand({cells}) + 1,
             values = at::randn({cells, kDim}), log_sum = at::empty({rows, kHeads});
  const Parts parts{top.mutable_data_ptr<float>(), sum.mutable_data_ptr<float>(),
                    values.mutable_data_ptr<float>(), tables.splits};
  const auto merged = [&](at::ScalarType type, auto number) {
    using T = decltype(number);
    at::Tensor out = at::empty({rows, kHeads, kDim}, type);
    run_on_host(MergeParts<kDim, T>{parts, tables.view(), static_cast<T*>(out.mutable_data_ptr()),
                                    log_sum.mutable_data_ptr<float>(), kHeads},
                int(rows), kHeads);
    return out;
  };
  EXPECT_TRUE(
      at::equal(merged(at::kBFloat16, Bfloat16()), merged(at::kFloat, float()).to(at::kBFloat16)));
}

TEST(CudaAttentionKernels, TheStartUpCheckReachesBothKernels) {
  const CheckedTree tree;
  const AttentionTables tables(std::vector<AttentionRows>{{tree.kPrefix, tree.parent, tree.depth}},
                               6, TableUse::tiles);
  EXPECT_FALSE(tables.tile_tasks.empty());
  EXPECT_FALSE(tables.tasks.empty());
  EXPECT_LE(tree.kPrefix + int64_t(tree.parent.size()), tree.kSlots);
}

TEST(CudaAttentionKernels, LeaveEmptyRowsEmptyAndTheOthersAsTheyAre) {
  for (const auto type : {at::kFloat, at::kBFloat16}) {
    const Scene scene = ragged_scene(type);
    const int64_t rows = scene.q.size(0);
    const Result padded = attend_on_host(scene, 512), wanted = attend_on_host(scene);
    EXPECT_TRUE(at::equal(padded.out.narrow(0, 0, rows), wanted.out));
    EXPECT_TRUE(at::equal(padded.log_sum.narrow(0, 0, rows), wanted.log_sum));
    EXPECT_EQ(padded.out.size(0), 512);
    EXPECT_TRUE(padded.out.narrow(0, rows, 512 - rows).eq(0).all().item<bool>());
  }
}

/// What was recorded of one pass may be played for another only where all sizes are equal. Tables
/// of a page's passes need no memory of a cache.
std::vector<size_t> table_sizes(std::mt19937& rng, size_t jobs, size_t rows, TableUse use) {
  std::vector<DraftTree> trees;
  std::vector<AttentionRows> all;
  std::vector<std::vector<at::Tensor>> pages;
  for (size_t job = 0; job < jobs; ++job)
    trees.push_back(random_tree(rng, 1 + (rows - jobs) / jobs, rng() % 3 == 0));
  for (size_t job = 0; job < jobs; ++job) {
    const auto prefix = int64_t(rng() % 8000);
    pages.emplace_back(size_t(prefix) / kPage + 1, at::empty({1}));
    all.push_back({prefix, trees[job].parent(), trees[job].depth(), {}, pages.back()});
  }
  AttentionTables tables(all, 6, use);
  tables.pad(256);
  return {tables.jobs.size(),       tables.ints.size(),   tables.tasks.size(),
          tables.tile_tasks.size(), tables.pages.size(),  tables.split_count.size(),
          tables.job_of_row.size(), size_t(tables.splits)};
}

TEST(CudaAttentionKernels, PassesOfAsManyRowsHaveTablesOfOneSizeThroughoutAPage) {
  for (const TableUse use : {TableUse::tiles, TableUse::paths})
    for (const size_t jobs : {1, 4}) {
      std::set<std::vector<size_t>> all;
      for (const size_t bucket : {8, 16, 32, 64, 128, 256}) {
        std::mt19937 rng(4);
        std::set<std::vector<size_t>> seen;
        const size_t least = bucket == 8 ? jobs : bucket / 2 + jobs;
        for (int pass = 0; pass < 60; ++pass)
          seen.insert(table_sizes(rng, jobs, least + rng() % (bucket - least + 1), use));
        EXPECT_EQ(seen.size(), 1u) << bucket << ' ' << jobs;
        all.insert(seen.begin(), seen.end());
      }
      EXPECT_EQ(all.size(), 6u);  // a recorded pass a bucket
    }
}

/// Type of the caches, size of heads.
class CudaAttentionBits : public ::testing::TestWithParam<std::pair<at::ScalarType, int64_t>> {};
INSTANTIATE_TEST_SUITE_P(Caches, CudaAttentionBits,
                         ::testing::Values(std::pair{at::kFloat, kDim},
                                           std::pair{at::kBFloat16, kDim},
                                           std::pair{at::kFloat, kWideDim},
                                           std::pair{at::kBFloat16, kWideDim}));

TEST_P(CudaAttentionBits, OfAJobAreTheSameAloneAndBesideOthers) {
  const auto [type, dim] = GetParam();
  const Scene scene = ragged_scene(type, dim);
  const at::Tensor out = attend_on_host(scene).out;
  int64_t first = 0;
  for (size_t j = 0; j < scene.trees.size(); ++j) {
    Scene alone;
    alone.type = scene.type;
    alone.dim = scene.dim;
    alone.trees = {scene.trees[j]};
    alone.prefixes = {scene.prefixes[j]};
    alone.slots = {scene.slots[j]};
    alone.pages = {scene.pages[j]};
    const auto rows = int64_t(scene.trees[j].rows());
    alone.q = scene.q.narrow(0, first, rows);
    EXPECT_TRUE(at::equal(attend_on_host(alone).out, out.narrow(0, first, rows))) << j;
    first += rows;
  }
}

/// Windows: each row names the keys that it sees, rows of the pass too.
TEST_P(CudaAttentionBits, OfRowsApartAreThoseOfTheRowAlone) {
  std::mt19937 rng(8);
  at::manual_seed(8);
  Scene scene;
  std::tie(scene.type, scene.dim) = GetParam();
  scene.apart = true;
  std::vector<Slots> seen;
  for (int row = 0; row < 20; ++row) {
    seen.push_back(every(1, 400));
    for (int64_t at = 600 + row; at < 700 + row; ++at) seen.back().push_back(at);
  }
  scene.add(rng, 700, 20, false, seen);
  scene.make_queries();
  const at::Tensor out = attend_on_host(scene).out;
  EXPECT_LT(distance(out, attend_by_aten(scene)), scene.type == at::kFloat ? 1e-5 : 2e-2);
  for (int64_t row = 0; row < 20; row += 6) {
    Scene alone = scene;
    alone.trees = {DraftTree(1)};
    alone.prefixes = {700 + row};
    alone.slots = {{seen[size_t(row)]}};
    alone.q = scene.q.narrow(0, row, 1);
    EXPECT_TRUE(at::equal(attend_on_host(alone).out[0], out[row])) << row;
  }
}

TEST_P(CudaAttentionBits, OfATreeRowAreThoseOfItsPathRunLinearly) {
  std::mt19937 rng(5);
  at::manual_seed(5);
  // At 573 and 830 rows of one tree have different numbers of far keys.
  for (const int64_t prefix : {250, 511, 573, 830}) {
    Scene scene;
    std::tie(scene.type, scene.dim) = GetParam();
    scene.add(rng, prefix, 24, false, {});
    scene.make_queries();
    const at::Tensor out = attend_on_host(scene).out;
    for (int32_t row = 0; row < 24; row += 5) {
      Slots path;
      for (int32_t r = row; r >= 0; r = scene.trees[0].parent()[size_t(r)])
        path.insert(path.begin(), prefix + r);
      Scene linear;
      linear.type = scene.type;
      linear.dim = scene.dim;
      linear.add(rng, prefix + int64_t(path.size()) - 1, 1, true, {});
      linear.keys[0] = scene.keys[0].clone();
      linear.values[0] = scene.values[0].clone();
      const at::Tensor from = at::tensor(path, at::kLong);
      for (size_t side = 0; side < 2; ++side) {
        at::Tensor& to = side == 0 ? linear.keys[0] : linear.values[0];
        const at::Tensor& source = side == 0 ? scene.keys[0] : scene.values[0];
        to.narrow(1, prefix, int64_t(path.size())).copy_(source.index_select(1, from));
      }
      linear.pages[0] = pages_of(linear.keys[0], linear.values[0]);
      linear.q = scene.q.narrow(0, row, 1);
      EXPECT_TRUE(at::equal(attend_on_host(linear).out[0], out[row])) << prefix << ' ' << row;
    }
  }
}

template <class T>
void expect_looks(at::ScalarType type) {
  std::mt19937 rng(7);
  at::manual_seed(7);
  Scene scene;
  scene.type = type;
  scene.add(rng, 300, 11, false, {});
  scene.make_queries();
  if (type == at::kBFloat16)
    scene.q = (scene.q * scene.scale()).to(type).to(at::kFloat) / scene.scale();
  AttentionWeights attention_weights{{{40, 290}}, {}};
  attend_by_aten(scene, &attention_weights);
  const Result result = attend_on_host(scene);
  const AttentionTables tables(scene.rows(), kHeads / kKvHeads, scene.use());
  at::Tensor out = at::full({11, 250}, std::nanf(""));
  run_on_host(LookedAt<kDim, T>{tables.view(), CacheLayer(0, kKvHeads, kDim), 0,
                                scene.q.const_data_ptr<float>(), scene.scale(),
                                result.log_sum.const_data_ptr<float>(), kHeads, kKvHeads, 40, 290,
                                out.mutable_data_ptr<float>()},
              2, 11);
  EXPECT_LT(distance(out, attention_weights.weights[0]), 1e-6);
}

TEST(CudaAttentionKernels, LookAsTheReference) {
  expect_looks<float>(at::kFloat);
  expect_looks<Bfloat16>(at::kBFloat16);
}

}  // namespace
}  // namespace docspec
