// Reference sliding window (Unlimited-OCR), on a committed random checkpoint whose window is 24: by
// bits.
#include <ATen/ATen.h>
#include <gtest/gtest.h>

#include <numeric>
#include <random>

#include "core/model/draft_tree.h"
#include "core/model/families/registry.h"
#include "core/ops/ops.h"
#include "tests/support/files.h"
#include "tests/support/oracle_case.h"
#include "tests/support/same_bits.h"

namespace docspec {
namespace {

using Ids = std::vector<int32_t>;

struct Engine {
  const char* dtype;
  std::unique_ptr<Ops> (*make)();
};

class Window : public testing::TestWithParam<Engine> {
 protected:
  static constexpr int64_t kWindow = 24;

  Prefilled prefill() const {
    const PageImage image = oracle_.page(0);
    return vlm_.prefill(&image, vlm_.prompt_ids(&image, oracle_.question()));
  }
  at::Tensor forward(KvCache& cache, const DraftTree& tree) const {
    const SequenceInput job{&tree, &cache, nullptr};
    return vlm_.language_model().forward(std::span(&job, 1), {});
  }
  at::Tensor step(KvCache& cache, int32_t token) const {
    return test::step(vlm_.language_model(), cache, token);
  }
  static Ids random_ids(unsigned seed, size_t count) {
    std::mt19937 rng(seed);
    Ids out(count);
    for (int32_t& id : out) id = int32_t(rng() % 500);
    return out;
  }
  /// Branches of up to 40 tokens: deeper than the window.
  static DraftTree deep_tree(unsigned seed) {
    DraftTree tree(7);
    for (unsigned branch = 0; branch < 4; ++branch) {
      Ids path = random_ids(seed, 9 * branch);
      const Ids own = random_ids(100 + 10 * seed + branch, 40 - 9 * branch);
      path.insert(path.end(), own.begin(), own.end());
      tree.insert(path, 0, 1, 200);
    }
    return tree;
  }

  const test::OracleCase oracle_{test::oracle_folder("unlimited_ocr/hub_tied")};
  const std::unique_ptr<Ops> ops_ = GetParam().make();
  const Vlm vlm_ =
      load_vlm(oracle_.model(), {GetParam().dtype, "cpu", DOCSPEC_SOURCE_DIR "/share"}, *ops_);
};

INSTANTIATE_TEST_SUITE_P(Engines, Window,
                         testing::Values(Engine{"f32", make_cpu_ops}, Engine{"f32", make_aten_ops},
                                         Engine{"bf16", make_cpu_ops},
                                         Engine{"int8", make_cpu_ops}));

TEST_P(Window, ATreeRowHasTheBitsOfItsPathRunLinearly) {
  for (unsigned seed = 0; seed < 2; ++seed) {
    const DraftTree tree = deep_tree(seed);
    Prefilled packed = prefill();
    for (const int32_t id : random_ids(seed + 50, 15 * seed)) step(*packed.cache, id);
    const at::Tensor rows = forward(*packed.cache, tree);
    for (const auto leaf : {int32_t(tree.rows()) - 1, 40, 55}) {
      std::vector<int32_t> path;
      for (int32_t row = leaf; row >= 0; row = tree.parent()[size_t(row)]) path.push_back(row);
      Prefilled linear = prefill();
      for (const int32_t id : random_ids(seed + 50, 15 * seed)) step(*linear.cache, id);
      for (auto row = path.rbegin(); row != path.rend(); ++row)
        EXPECT_TRUE(same_bits(step(*linear.cache, tree.token()[size_t(*row)])[0], rows[*row]))
            << "seed " << seed << " row " << *row;
    }
  }
}

TEST_P(Window, CommitOfAPathIsACacheOfThatPath) {
  const DraftTree tree = deep_tree(4);
  std::vector<int32_t> path;
  for (auto row = int32_t(tree.rows()) - 1; row >= 0; row = tree.parent()[size_t(row)])
    path.insert(path.begin(), row);
  Prefilled packed = prefill(), linear = prefill();
  forward(*packed.cache, tree);
  packed.cache->commit(path);
  for (const int32_t row : path) step(*linear.cache, tree.token()[size_t(row)]);
  const DraftTree next = deep_tree(5);
  EXPECT_TRUE(same_bits(forward(*packed.cache, next), forward(*linear.cache, next)));
}

/// Of keys that lie behind the prompt and out of reach through all layers nothing is left.
TEST_P(Window, WhatLiesBeforeTheWindowIsNotSeen) {
  const int64_t reach = vlm_.language_model().layer_count() * (kWindow - 1) + 1;
  const Ids same = random_ids(1, size_t(reach));
  Prefilled a = prefill(), b = prefill();
  for (const int32_t id : random_ids(2, 40)) step(*a.cache, id);
  for (const int32_t id : random_ids(3, 40)) step(*b.cache, id);
  at::Tensor last_a, last_b;
  bool differed = false;
  for (const int32_t id : same) {
    last_a = step(*a.cache, id);
    last_b = step(*b.cache, id);
    differed = differed || !same_bits(last_a, last_b);
  }
  EXPECT_TRUE(differed) << "near tokens must be seen";
  EXPECT_TRUE(same_bits(last_a, last_b));
}

/// The prompt is seen however far it is: of two pages the same text leads elsewhere.
TEST_P(Window, ThePromptIsAlwaysSeen) {
  const PageImage other = oracle_.page(1);
  Prefilled a = prefill(), b = vlm_.prefill(&other, vlm_.prompt_ids(&other, oracle_.question()));
  at::Tensor last_a, last_b;
  for (const int32_t id : random_ids(4, 120)) {
    last_a = step(*a.cache, id);
    last_b = step(*b.cache, id);
  }
  EXPECT_FALSE(same_bits(last_a, last_b));
}

TEST_P(Window, ASequenceOfFiveThousandTokensIsTheSameInOnePassAndStepByStep) {
  if (GetParam().make == make_aten_ops) GTEST_SKIP() << "the reference takes minutes for it";
  constexpr size_t kChunk = 250;
  const Ids ids = random_ids(6, 5000);
  std::vector<int32_t> all(kChunk);
  std::iota(all.begin(), all.end(), 0);
  const Prefilled page = prefill();
  at::Tensor rows;
  for (size_t at = 0; at < ids.size(); at += kChunk) {
    rows = forward(*page.cache, test::chain(std::span(ids).subspan(at, kChunk)));
    if (at + kChunk < ids.size()) page.cache->commit(all);
  }
  for (size_t i = 0; i < 30; ++i)
    EXPECT_TRUE(same_bits(step(*page.cache, ids[ids.size() - kChunk + i])[0], rows[int64_t(i)]))
        << i;
}

/// A fixation narrows what is seen of the page; the window narrows the rest as before.
TEST_P(Window, KeepingEveryVisualRowChangesNoBit) {
  const DraftTree tree = deep_tree(2);
  Prefilled plain = prefill(), fixed = prefill();
  const int64_t visual = fixed.cache->visual_end - fixed.cache->visual_begin;
  const auto layers = size_t(vlm_.language_model().layer_count());
  const at::Tensor wanted = forward(*plain.cache, tree);
  for (const bool each : {true, false}) {
    Fixation all{std::vector<LayerView>(layers, {.all = false}), visual, each, {}};
    all.layers[0] = {.choose = true};
    VisualAttentionStats stats;
    const SequenceInput job{&tree, fixed.cache.get(), &all, &stats};
    EXPECT_TRUE(same_bits(vlm_.language_model().forward(std::span(&job, 1), {}), wanted)) << each;
    EXPECT_EQ(stats.keys, stats.all_keys);
  }
}

}  // namespace
}  // namespace docspec
