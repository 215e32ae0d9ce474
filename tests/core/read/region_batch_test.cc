// Regions of a page go through the model together: passes do not grow with their number.
#include "core/decode/registry.h"
#include "tests/support/real_stages.h"

namespace docspec {
namespace {

constexpr int kRegions = 40;

/// A page with 40 regions of one line each, for models that read regions.
class RegionBatch : public RealStages {
 protected:
  explicit RegionBatch(const std::string& model) : RealStages(model) {
    for (int i = 0; i < kRegions; ++i) {
      const int x = 10 + 95 * (i % 4), y = 10 + 40 * (i / 4);
      regions_.push_back({i, i, RegionKind::text, {x, y, x + 60 + 2 * (i % 10), y + 30}});
      Draft& draft = drafts_.emplace_back();
      draft.region = i;
      draft.source = "tesseract";
      draft.text = "something is there";
    }
    const PageImage small = oracle_.page(0);
    for (int y = 0; y < image_.height_px(); ++y)
      for (int x = 0; x < image_.width_px() * 3; ++x)
        image_.row(y)[x] = small.row((y + 5 * (x / 300)) %
                                     small.height_px())[(x + y / 40 * 51) % (3 * small.width_px())];
  }

  StageResult read(std::span<const Region> regions, std::span<const Spec> specs) {
    StageEngine with = engine(1, specs);
    with.generation.limits.stop_ids = stops_;
    with.generation.limits.max_new_tokens = 10;  // one region a pass would be too slow
    return run_stage(Stage::region, with, {&image_, regions, drafts_});
  }

  /// Lets answers end at tokens that some of them have, so that their lengths differ, and drafts be
  /// the answers.
  void expect_passes_of_the_longest() {
    const StageResult endless = read(regions_, {});
    ASSERT_EQ(endless.jobs.size(), size_t(kRegions));
    for (size_t i = 0; i < 4; ++i) stops_.push_back(endless.jobs[i].output()[3 + i]);
    const StageResult plain = read(regions_, {});
    std::vector<size_t> lengths;
    for (size_t i = 0; i < plain.jobs.size(); ++i) {
      lengths.push_back(plain.jobs[i].output().size());
      if (!plain.drafts[i].text.empty()) drafts_[i].text = plain.drafts[i].text;
    }
    const size_t longest =
        size_t(std::max_element(lengths.begin(), lengths.end()) - lengths.begin());
    ASSERT_LT(*std::min_element(lengths.begin(), lengths.end()), lengths[longest]);
    const auto specs = parse_spec_list("--propose", "window", forms(proposers()));
    for (const auto& proposers : {std::vector<Spec>(), specs}) {
      const StageResult page = read(regions_, proposers);
      const StageResult alone = read(std::span(&regions_[longest], 1), proposers);
      ASSERT_EQ(page.jobs.size(), size_t(kRegions));
      ASSERT_EQ(alone.jobs.size(), 1u);
      EXPECT_GT(alone.stats.forwards, 0);
      EXPECT_LE(page.stats.forwards, 3 * alone.stats.forwards)
          << (proposers.empty() ? "plain" : "with drafts");
      RecordProperty(proposers.empty() ? "plain" : "drafts",
                     std::to_string(page.stats.forwards) + " passes, the longest region alone " +
                         std::to_string(alone.stats.forwards));
      for (size_t i = 0; i < page.jobs.size(); ++i) {
        const auto ids = page.jobs[i].output(), truth = plain.jobs[i].output();
        EXPECT_TRUE(std::ranges::equal(ids, truth)) << "region " << i;
      }
    }
  }

  PageImage image_{1, 400, 420, 72};
  std::vector<Region> regions_;
  std::vector<Draft> drafts_;
  std::vector<int32_t> stops_;
};

class RegionBatchOnPaddleOcr : public RegionBatch {
 protected:
  RegionBatchOnPaddleOcr() : RegionBatch("paddleocr_vl/hub") {}
};

TEST_F(RegionBatchOnPaddleOcr, FortyRegionsTakeAtMostThreeTimesThePassesOfTheLongest) {
  expect_passes_of_the_longest();
}

class RegionBatchOnGlmOcr : public RegionBatch {
 protected:
  RegionBatchOnGlmOcr() : RegionBatch("glm_ocr/hub") {}
};

TEST_F(RegionBatchOnGlmOcr, FortyRegionsTakeAtMostThreeTimesThePassesOfTheLongest) {
  expect_passes_of_the_longest();
}

}  // namespace
}  // namespace docspec
