#include "core/decode/prune/fixation_selector.h"

#include <gtest/gtest.h>

#include <random>

#include "core/decode/prune/visual_shares.h"

namespace docspec {
namespace {

using Layers = std::vector<size_t>;

const std::vector<double> kShares = {.05, .10, .12, .30, .45, .44, .20, .50, .48, .40};
constexpr double kThreeOfTen = 0.3;

TEST(FocalLayers, AreTheWorkedExampleOfThePaper) {
  EXPECT_EQ(focal_layers(kShares, kThreeOfTen, 0), (Layers{4, 7, 8}));
  EXPECT_EQ(focal_layers(kShares, kThreeOfTen, 1), (Layers{4, 7, 9}));
  EXPECT_EQ(focal_layers(kShares, kThreeOfTen, 2), (Layers{1, 4, 7}));
  EXPECT_EQ(focal_layers(kShares, kThreeOfTen, 5), (Layers{1, 7})) << "only two fit";
}

TEST(FocalLayers, AreCountedInWholeNumbers) {
  EXPECT_EQ(focal_layers(std::vector<double>(100, 1), 0.29, 0).size(), 29u);
  EXPECT_EQ(focal_layers(kShares, 0.05, 1), Layers{7}) << "at least one";
  EXPECT_EQ(focal_layers(std::vector<double>(6, 1), 0.34, 1), (Layers{0, 2})) << "ties: the first";
}

TEST(KeptRows, AreRoundedUpWithoutTheErrorOfFloats) {
  EXPECT_EQ(kept_rows(0.07, 100), 7);
  EXPECT_EQ(kept_rows(0.05, 4096), 205);
  EXPECT_EQ(kept_rows(0.25, 4), 1);
  EXPECT_EQ(kept_rows(0, 4096), 0);
  EXPECT_EQ(kept_rows(1, 4096), 4096);
}

FixationOptions options(double keep, int64_t warm_up = 3) {
  FixationOptions out;
  out.keep = keep;
  out.focal = kThreeOfTen;
  out.warm_up = warm_up;
  out.least = 1;
  return out;
}

constexpr int64_t kVisual = 8;

/// A pass over `rows` rows in which each layer looked at random.
VisualAttentionStats random_sight(std::mt19937& rng, size_t rows) {
  VisualAttentionStats visual_stats{rows, {}, {}};
  std::uniform_real_distribution<float> weight(0, 0.1f);
  for (size_t layer = 0; layer < kShares.size(); ++layer) {
    visual_stats.weights.emplace_back();
    for (size_t i = 0; i < rows * kVisual; ++i) visual_stats.weights.back().push_back(weight(rng));
  }
  return visual_stats;
}

TEST(FixationSelector, InheritsBeforeTheFirstFocalLayerAndChoosesInEach) {
  const auto selector =
      make_fixation_selector(options(0.25), {int64_t(kShares.size()), kShares, {{kVisual}}});
  const Fixation* first = selector->fixation(0, {});
  ASSERT_NE(first, nullptr);
  EXPECT_EQ(first->keep, 2);
  EXPECT_TRUE(first->layers[0].choose) << "nothing was looked at yet: the first layer finds out";

  VisualAttentionStats visual_stats{3, {{0, 1}, {2, 3}, {4, 7}}, {}};
  selector->committed(0, std::vector<int32_t>{0, 2}, visual_stats);
  const Fixation* next = selector->fixation(0, {});
  for (size_t layer = 0; layer < kShares.size(); ++layer) {
    const LayerView& view = next->layers[layer];
    const bool focal = layer == 4 || layer == 7 || layer == 9;
    EXPECT_EQ(view.all, focal) << layer;
    EXPECT_EQ(view.choose, focal) << layer;
    ASSERT_EQ(view.rows != nullptr, layer < 4) << layer;
    if (view.rows) {
      EXPECT_EQ(*view.rows, (std::vector<int32_t>{4, 7})) << "of the row with the bonus token";
    }
  }
}

TEST(FixationSelector, WithoutInheritanceTheFirstLayerChoosesInEachStep) {
  FixationOptions anew = options(0.25);
  anew.inherit = false;
  const auto selector =
      make_fixation_selector(anew, {int64_t(kShares.size()), kShares, {{kVisual}}});
  for (int step = 0; step < 3; ++step) {
    const Fixation* next = selector->fixation(0, {});
    for (size_t layer = 0; layer < kShares.size(); ++layer) {
      EXPECT_EQ(next->layers[layer].choose, layer == 0 || layer == 4 || layer == 7 || layer == 9);
      EXPECT_EQ(next->layers[layer].rows, nullptr);
    }
    selector->committed(0, std::vector<int32_t>{0}, {1, {{1, 2}}, {}});
  }
}

TEST(FixationSelector, WarmUpCountsAcceptedRowsNotPassesOrRefusedRows) {
  std::mt19937 rng(4);
  // The same three accepted rows, one a pass or all in one pass among refused ones.
  const VisualAttentionStats tree = random_sight(rng, 5);
  const std::vector<int32_t> accepted = {0, 2, 4};
  const SelectorInput input{int64_t(kShares.size()), {}, {{kVisual}}};
  const auto slow = make_fixation_selector(options(0.25), input);
  const auto fast = make_fixation_selector(options(0.25), input);
  for (const int32_t row : accepted) {
    EXPECT_TRUE(slow->fixation(0, {})->layers[5].record_weights) << "still warming up";
    VisualAttentionStats one{1, {}, {}};
    for (size_t layer = 0; layer < kShares.size(); ++layer) {
      const auto weights = looked_at(tree, layer, row);
      one.weights.emplace_back(weights.begin(), weights.end());
    }
    slow->committed(0, std::vector<int32_t>{0}, one);
  }
  fast->fixation(0, {});
  fast->committed(0, accepted, tree);
  const Fixation *a = slow->fixation(0, {}), *b = fast->fixation(0, {});
  size_t focal = 0;
  for (size_t layer = 0; layer < kShares.size(); ++layer) {
    EXPECT_EQ(a->layers[layer].choose, b->layers[layer].choose) << layer;
    EXPECT_FALSE(a->layers[layer].record_weights);
    focal += a->layers[layer].choose;
    if (a->layers[layer].rows) {
      EXPECT_EQ(*a->layers[layer].rows, *b->layers[layer].rows);
    }
  }
  EXPECT_EQ(focal, 3u);
}

TEST(FixationSelector, SeesEverythingWhileItWarmsUp) {
  const auto selector =
      make_fixation_selector(options(0.25), {int64_t(kShares.size()), {}, {{kVisual}}});
  for (const LayerView& view : selector->fixation(0, {})->layers) {
    EXPECT_TRUE(view.all);
    EXPECT_FALSE(view.choose);
  }
}

TEST(FixationSelector, LeavesSmallImagesAlone) {
  FixationOptions some = options(0.25);
  some.least = 9;
  const auto selector =
      make_fixation_selector(some, {int64_t(kShares.size()), kShares, {{kVisual}, {9}, {0}}});
  EXPECT_EQ(selector->fixation(0, {}), nullptr);
  EXPECT_NE(selector->fixation(1, {}), nullptr);
  EXPECT_EQ(selector->fixation(2, {}), nullptr);
}

TEST(FixationSelector, JoinsTheDraftsRowsWhereThePriorIsOn) {
  for (const bool on : {true, false}) {
    FixationOptions prior = options(0.25);
    prior.prior = on;
    SelectorJob job{kVisual};
    job.prior = [](std::span<const int32_t> output) {
      return std::vector<int32_t>{int32_t(output.size())};
    };
    const auto selector = make_fixation_selector(prior, {int64_t(kShares.size()), kShares, {job}});
    const Fixation* next = selector->fixation(0, std::vector<int32_t>{5, 5, 5});
    EXPECT_EQ(next->joined, on ? std::vector<int32_t>{3} : std::vector<int32_t>{});
    EXPECT_TRUE(next->layers[0].choose) << "the model itself has not looked yet";
  }
}

}  // namespace
}  // namespace docspec
