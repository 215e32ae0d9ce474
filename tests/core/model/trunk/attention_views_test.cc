// Visual fixation within one pass, on a committed random checkpoint: by bits, in f32.
#include "core/model/trunk/attention_views.h"

#include <ATen/ATen.h>
#include <gtest/gtest.h>

#include <numeric>
#include <random>

#include "core/model/draft_tree.h"
#include "core/model/families/registry.h"
#include "tests/support/files.h"
#include "tests/support/oracle_case.h"
#include "tests/support/same_bits.h"

namespace docspec {
namespace {

/// On our own kernels and on ATen's.
class PassViews : public testing::TestWithParam<std::unique_ptr<Ops> (*)()> {
 protected:
  static constexpr int kPage = 3;

  Prefilled prefill() const {
    const PageImage image = oracle_.page(kPage);
    return vlm_.prefill(&image, vlm_.prompt_ids(&image, oracle_.question()));
  }
  int64_t visual() const {
    const PageImage image = oracle_.page(kPage);
    return vlm_.image_processor().visual_tokens(image.width_px(), image.height_px());
  }
  size_t layers() const { return size_t(vlm_.language_model().layer_count()); }

  at::Tensor forward(KvCache& cache, const DraftTree& tree, const Fixation* fixation) {
    const SequenceInput job{&tree, &cache, fixation, &sight_};
    return vlm_.language_model().forward(std::span(&job, 1), {});
  }
  at::Tensor forward(const DraftTree& tree, const Fixation* fixation) {
    const Prefilled prompt = prefill();
    return forward(*prompt.cache, tree, fixation);
  }
  /// Focal from layer 0 on: all that follows sees what it chose.
  Fixation first_layer_chooses(int64_t keep) const {
    Fixation out{std::vector<LayerView>(layers(), {.all = false}), keep, true, {}};
    out.layers[0] = {.choose = true};
    return out;
  }
  static DraftTree tree(unsigned seed, size_t rows) {
    std::mt19937 rng(seed);
    DraftTree tree(int32_t(rng() % 500));
    while (tree.rows() < rows) {
      std::vector<int32_t> path(1 + rng() % 6);
      for (int32_t& token : path) token = int32_t(rng() % 4);
      tree.insert(path, 0, 1, rows);
    }
    return tree;
  }

  const test::OracleCase oracle_{test::oracle_folder("qwen2_5_vl/nested")};
  const std::unique_ptr<Ops> ops_ = GetParam()();
  const Vlm vlm_ = load_vlm(oracle_.model(), {"f32", "cpu", DOCSPEC_SOURCE_DIR "/share"}, *ops_);
  VisualAttentionStats sight_;
};

INSTANTIATE_TEST_SUITE_P(Ops, PassViews, testing::Values(make_cpu_ops, make_aten_ops));

TEST_P(PassViews, KeepingEveryVisualRowChangesNoBit) {
  const DraftTree rows = tree(1, 14);
  const at::Tensor full = forward(rows, nullptr);
  for (const bool each : {true, false}) {
    Fixation all = first_layer_chooses(visual());
    all.each = each;
    EXPECT_TRUE(same_bits(forward(rows, &all), full)) << each;
    EXPECT_EQ(sight_.keys, sight_.all_keys);
  }
}

TEST_P(PassViews, WhereAllLayersAreFocalNoBitChanges) {
  const DraftTree rows = tree(2, 9);
  const Fixation focal{
      std::vector<LayerView>(layers(), {.record_weights = true, .choose = true}), 1, true, {}};
  EXPECT_TRUE(same_bits(forward(rows, &focal), forward(rows, nullptr)));
}

TEST_P(PassViews, APromptWithoutImageHasNothingToFixate) {
  const std::vector<int32_t> prompt = {5, 9, 300, 7};
  const Prefilled a = vlm_.prefill(nullptr, prompt), b = vlm_.prefill(nullptr, prompt);
  const DraftTree rows = tree(3, 8);
  const Fixation none = first_layer_chooses(4);
  EXPECT_TRUE(same_bits(forward(*a.cache, rows, &none), forward(*b.cache, rows, nullptr)));
  EXPECT_EQ(sight_.all_keys, 0);
}

TEST_P(PassViews, KeepingNothingRunsAndChangesWhatIsRead) {
  const DraftTree rows = tree(4, 8);
  const Fixation blind = first_layer_chooses(0);
  const at::Tensor out = forward(rows, &blind);
  EXPECT_TRUE(out.isfinite().all().item<bool>());
  EXPECT_FALSE(same_bits(out, forward(rows, nullptr)));
  EXPECT_EQ(sight_.keys * int64_t(layers()), sight_.all_keys)
      << "layer 0 sees all, the others none";
}

TEST_P(PassViews, ARowsChoiceIsItsOwn) {
  const DraftTree rows = tree(5, 20);
  const Fixation few = first_layer_chooses(3);
  const at::Tensor all = forward(rows, &few);
  const std::vector<std::vector<int32_t>> chosen = sight_.chosen;
  ASSERT_EQ(chosen.size(), rows.rows());
  for (size_t last = 1; last < rows.rows(); last += 4) {
    // Rows behind `last` were siblings or came later: without them nothing changes.
    DraftTree fewer = rows;
    fewer.truncate(last + 1);
    EXPECT_TRUE(same_bits(forward(fewer, &few), all.narrow(0, 0, int64_t(last) + 1))) << last;
    EXPECT_EQ(sight_.chosen[last], chosen[last]);
  }
}

TEST_P(PassViews, InCommonEachRowSeesWhatAnyChose) {
  const DraftTree rows = tree(6, 20);
  Fixation each = first_layer_chooses(3), common = each;
  common.each = false;
  const at::Tensor alone = forward(rows, &each);
  const int64_t keys = sight_.keys;
  EXPECT_FALSE(same_bits(forward(rows, &common), alone));
  EXPECT_GT(sight_.keys, keys);
  const DraftTree one(7);
  EXPECT_TRUE(same_bits(forward(one, &each), forward(one, &common))) << "one row has no siblings";
}

TEST_P(PassViews, LayersBeforeTheFirstFocalOneSeeWhatTheyAreGiven) {
  const DraftTree rows = tree(7, 6);
  std::vector<int32_t> every(size_t(visual()), 0), some = {0, 2, 5};
  std::iota(every.begin(), every.end(), 0);
  Fixation given{std::vector<LayerView>(layers(), {.all = false, .rows = &every}), 2, true, {}};
  EXPECT_TRUE(same_bits(forward(rows, &given), forward(rows, nullptr)));
  for (LayerView& layer : given.layers) layer.rows = &some;
  EXPECT_FALSE(same_bits(forward(rows, &given), forward(rows, nullptr)));
  EXPECT_EQ(sight_.keys, int64_t(layers() * rows.rows() * some.size()));
}

TEST_P(PassViews, JoinedRowsAreSeenBesideTheChoice) {
  const DraftTree one(9);
  Fixation few = first_layer_chooses(2);
  forward(one, &few);
  const int64_t keys = sight_.keys;
  const std::vector<int32_t> chosen = sight_.chosen[0];
  const int32_t other = chosen[0] == 0 ? (chosen[1] == 1 ? 2 : 1) : 0;
  few.joined = {other};
  forward(one, &few);
  EXPECT_EQ(sight_.keys, keys + int64_t(layers()) - 1);
  EXPECT_EQ(sight_.chosen[0], chosen);
}

TEST_P(PassViews, WeightsAreTheShareOfAttentionOnTheImage) {
  const DraftTree rows = tree(8, 5);
  const Fixation look{std::vector<LayerView>(layers(), {.record_weights = true}), 1, true, {}};
  EXPECT_TRUE(same_bits(forward(rows, &look), forward(rows, nullptr)));
  forward(rows, &look);
  ASSERT_EQ(sight_.weights.size(), layers());
  for (const std::vector<float>& layer : sight_.weights) {
    ASSERT_EQ(layer.size(), rows.rows() * size_t(visual()));
    for (size_t row = 0; row < rows.rows(); ++row) {
      const auto first = layer.begin() + std::ptrdiff_t(row * size_t(visual()));
      const double share = std::accumulate(first, first + std::ptrdiff_t(visual()), 0.0);
      EXPECT_GT(share, 0);
      EXPECT_LT(share, 1);
    }
  }
}

TEST_P(PassViews, AFixationOfAnotherModelIsRefused) {
  const Fixation other{std::vector<LayerView>(layers() + 1), 1, true, {}};
  EXPECT_THROW(forward(tree(9, 2), &other), std::invalid_argument);
}

}  // namespace
}  // namespace docspec
