#include <ATen/ATen.h>
#include <gtest/gtest.h>

#include <map>
#include <random>
#include <string>

#include "core/model/draft_tree.h"
#include "core/model/families/registry.h"
#include "core/ops/ops.h"
#include "tests/support/files.h"
#include "tests/support/oracle_case.h"
#include "tests/support/same_bits.h"

namespace docspec {
namespace {

struct Case {
  const char *folder, *dtype;
  int pages;
};

/// The laws of a packed pass, on committed random checkpoints, with and without recurrent layers,
/// by bits: in f32 always, in bf16 where the self-check found a number of rows at which a row's
/// bits are its own.
class Qwen2DecoderLaws : public testing::TestWithParam<Case> {
 protected:
  static void SetUpTestSuite() { ops = make_cpu_ops(); }
  static void TearDownTestSuite() {
    models.clear();
    oracles.clear();
    ops.reset();
  }
  void SetUp() override {
    const auto& [folder, dtype, pages] = GetParam();
    oracle = &oracles.try_emplace(folder, test::oracle_folder(folder)).first->second;
    const std::string name = std::string(folder) + dtype;
    if (!models.contains(name))
      models.emplace(name,
                     load_vlm(oracle->model(), {dtype, "cpu", DOCSPEC_SOURCE_DIR "/share"}, *ops));
    vlm = &models.at(name);
    if (in_bf16() && !vlm->language_model().batch_invariant())
      GTEST_SKIP() << "this machine's bf16 products depend on the number of rows";
  }
  static bool in_bf16() { return std::string_view(GetParam().dtype) == "bf16"; }

  static Prefilled prefill(int page) {
    const PageImage image = oracle->page(page % GetParam().pages);
    return vlm->prefill(&image, vlm->prompt_ids(&image, oracle->question()));
  }
  static at::Tensor forward(std::span<const SequenceInput> jobs) {
    return vlm->language_model().forward(jobs, {});
  }
  static at::Tensor forward(KvCache& cache, const DraftTree& tree) {
    const SequenceInput job{&tree, &cache, nullptr};
    return forward(std::span(&job, 1));
  }
  static DraftTree random_tree(unsigned seed, size_t rows) {
    std::mt19937 rng(seed);
    DraftTree tree(int32_t(rng() % 500));
    while (tree.rows() < rows) {
      std::vector<int32_t> path(1 + rng() % 9);
      for (int32_t& token : path) token = int32_t(rng() % 4);
      tree.insert(path, 0, 1, rows);
    }
    return tree;
  }
  static std::vector<int32_t> path_rows(const DraftTree& tree, int32_t row) {
    std::vector<int32_t> rows;
    for (; row >= 0; row = tree.parent()[size_t(row)]) rows.insert(rows.begin(), row);
    return rows;
  }

  static std::unique_ptr<Ops> ops;
  static std::map<std::string, test::OracleCase> oracles;  // by folder
  static std::map<std::string, Vlm> models;                // by folder and dtype
  static inline const test::OracleCase* oracle = nullptr;  // of the running test
  static inline const Vlm* vlm = nullptr;
};
std::unique_ptr<Ops> Qwen2DecoderLaws::ops;
std::map<std::string, test::OracleCase> Qwen2DecoderLaws::oracles;
std::map<std::string, Vlm> Qwen2DecoderLaws::models;

INSTANTIATE_TEST_SUITE_P(
    Models, Qwen2DecoderLaws,
    testing::Values(Case{"qwen2_5_vl/nested", "f32", 4}, Case{"qwen2_5_vl/nested", "bf16", 4},
                    Case{"qwen2_5_vl/nested", "int8", 4}, Case{"qwen2_5_vl/nested", "int4", 4},
                    Case{"qwen3_5/nested", "f32", 2}, Case{"qwen3_5/hub_tied", "bf16", 2},
                    Case{"qwen3_5/nested", "int8", 2}));

TEST_P(Qwen2DecoderLaws, TheSelfCheckFindsRowsThatAreBitEqualHere) {
  EXPECT_TRUE(vlm->language_model().batch_invariant());
}

TEST_P(Qwen2DecoderLaws, ATreeRowHasTheBitsOfItsPathRunLinearly) {
  for (unsigned seed = 0; seed < 3; ++seed) {
    const DraftTree tree = random_tree(seed, 21);
    Prefilled packed = prefill(3);
    const at::Tensor rows = forward(*packed.cache, tree);
    for (int32_t leaf : {20, 13, 7}) {
      Prefilled linear = prefill(3);
      for (int32_t row : path_rows(tree, leaf)) {
        const at::Tensor one =
            test::step(vlm->language_model(), *linear.cache, tree.token()[size_t(row)]);
        EXPECT_TRUE(same_bits(one[0], rows[row])) << "seed " << seed << " row " << row;
      }
    }
  }
}

TEST_P(Qwen2DecoderLaws, AJobHasTheSameBitsAloneAndInABatch) {
  std::vector<DraftTree> trees;
  std::vector<Prefilled> batch;
  std::vector<SequenceInput> jobs;
  for (unsigned j = 0; j < 5; ++j) {
    trees.push_back(random_tree(10 + j, 1 + 6 * j));
    batch.push_back(prefill(int(j % 4)));
  }
  for (size_t j = 0; j < 5; ++j) jobs.push_back({&trees[j], batch[j].cache.get(), nullptr});
  const at::Tensor all = forward(jobs);
  int64_t first = 0;
  for (size_t j = 0; j < 5; ++j) {
    const auto rows = int64_t(trees[j].rows());
    Prefilled alone = prefill(int(j % 4));
    EXPECT_TRUE(same_bits(forward(*alone.cache, trees[j]), all.narrow(0, first, rows)))
        << "job " << j;
    first += rows;
  }
}

TEST_P(Qwen2DecoderLaws, CommitOfAPathIsACacheOfThatPath) {
  const DraftTree tree = random_tree(4, 30);
  for (int32_t leaf : {29, 17, 5}) {
    const std::vector<int32_t> path = path_rows(tree, leaf);
    Prefilled packed = prefill(1), linear = prefill(1);
    forward(*packed.cache, tree);
    packed.cache->commit(path);
    for (int32_t row : path)
      test::step(vlm->language_model(), *linear.cache, tree.token()[size_t(row)]);
    ASSERT_EQ(packed.cache->length(), linear.cache->length());
    const DraftTree next = random_tree(5, 9);
    EXPECT_TRUE(same_bits(forward(*packed.cache, next), forward(*linear.cache, next)));
  }
}

TEST_P(Qwen2DecoderLaws, AFreshPrefillHasTheBitsOfRowByRowDecoding) {
  std::vector<int32_t> ids(300);  // more than one chunk
  std::mt19937 rng(8);
  for (int32_t& id : ids) id = int32_t(rng() % 500);
  Prefilled whole = vlm->prefill(nullptr, ids);
  Prefilled steps = vlm->prefill(nullptr, std::span(ids).first(200));
  at::Tensor last;
  for (size_t i = 200; i < ids.size(); ++i)
    last = test::step(vlm->language_model(), *steps.cache, ids[i]);
  EXPECT_TRUE(same_bits(last, whole.logits));
  const DraftTree next = random_tree(6, 12);
  EXPECT_TRUE(same_bits(forward(*whole.cache, next), forward(*steps.cache, next)));
}

TEST_P(Qwen2DecoderLaws, AnUncommittedPassLeavesNoTrace) {
  Prefilled a = prefill(0), b = prefill(0);
  forward(*a.cache, random_tree(1, 40));
  const DraftTree tree = random_tree(2, 11);
  EXPECT_TRUE(same_bits(forward(*a.cache, tree), forward(*b.cache, tree)));
}

TEST_P(Qwen2DecoderLaws, AnUnpaddedPassIsCloseToThePaddedOne) {
  Prefilled a = prefill(2), b = prefill(2);
  const DraftTree tree(17);
  const SequenceInput job{&tree, a.cache.get(), nullptr};
  const at::Tensor plain = vlm->language_model().forward(std::span(&job, 1), {false});
  const double tolerance = in_bf16() ? 0.5 : 1e-4;  // of logits that reach 15
  EXPECT_LT((plain - forward(*b.cache, tree)).abs().max().item<float>(), tolerance);
}

TEST_P(Qwen2DecoderLaws, LogitsAreFinerThanBf16) {
  Prefilled start = prefill(0);
  EXPECT_EQ(start.logits.scalar_type(), at::kFloat);
  EXPECT_FALSE(at::equal(start.logits, start.logits.to(at::kBFloat16).to(at::kFloat)));
}

TEST_P(Qwen2DecoderLaws, RefusesPathsAndTokensThatAreNone) {
  Prefilled a = prefill(0);
  forward(*a.cache, random_tree(1, 5));
  EXPECT_THROW(a.cache->commit(std::vector<int32_t>{0, 5}), std::invalid_argument);
  EXPECT_THROW(a.cache->commit(std::vector<int32_t>{0, 2, 1}), std::invalid_argument);
  EXPECT_THROW(forward(*a.cache, DraftTree(100000)), std::invalid_argument);
  EXPECT_THROW(vlm->prefill(nullptr, {}), std::invalid_argument);
}

}  // namespace
}  // namespace docspec
