// Images seen beside the passes, on a device that is late with them.
#include "core/read/image_encoding.h"

#include <ATen/ATen.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <stdexcept>

#include "core/base/error.h"
#include "tests/support/later_ops.h"
#include "tests/support/real_stages.h"

namespace docspec {
namespace {

class SeenBeside : public RealStages {
 protected:
  /// Doubtful drafts of three regions that the model takes.
  std::vector<Draft> doubts() const {
    std::vector<Draft> drafts;
    for (const int region : {4, 9, 12})
      drafts.push_back({region, "tesseract", "Some words of text.", 0.4, {}});
    return drafts;
  }

  /// What `stage` reads with `ops`, plainly, at most `batch` jobs alive.
  StageResult read(Stage stage, const Ops& ops, size_t batch, int new_tokens = 24) {
    const Scene& page = scene(0);
    stage_ops_ = &ops;
    StageEngine plain = engine(1, {});
    plain.decode.max_batch = batch;
    plain.generation.limits.max_new_tokens = new_tokens;
    return run_stage(stage, plain, {&page.image, page.regions, doubts()});
  }
};

std::vector<Ids> outputs(const StageResult& result) {
  std::vector<Ids> out;
  for (const Job& job : result.jobs) out.emplace_back(job.output().begin(), job.output().end());
  return out;
}

TEST_F(SeenBeside, NeverChangesTheIds) {
  for (uint32_t kind = 0; kind < 6; ++kind) scene(kind);  // the truth is of images seen at once
  for (uint32_t seed = 0; seed < 8; ++seed) {
    const LaterOps later(*ops_, seed * seed);
    stage_ops_ = &later;
    expect_same_ids(seed);
    EXPECT_EQ(later.most_alive, 1u);
  }
}

TEST_F(SeenBeside, PassesGoOnAndNoMoreThanOneImageIsAhead) {
  const LaterOps later(*ops_, 3);
  const auto read_late = outputs(read(Stage::region, later, 64));
  EXPECT_EQ(later.most_alive, 1u);
  // The first image is waited for; the others are asked for before each pass until they are there,
  // the third from the one on before which it was begun. A job's first token is judged, too.
  EXPECT_EQ(later.events.substr(0, 15),
            "swdr"
            "srrrdr"
            "srrrd");
  EXPECT_EQ(std::count(later.events.begin(), later.events.end(), 'w'), 1);
  EXPECT_EQ(read_late, outputs(read(Stage::region, *ops_, 64)));
}

TEST_F(SeenBeside, TheImageOfAJobWithoutAPlaceIsSeenMeanwhile) {
  const LaterOps later(*ops_, 1000);
  const auto one_by_one = outputs(read(Stage::region, later, 1));
  EXPECT_EQ(later.most_alive, 1u);
  const size_t second = later.events.find('s', 1);
  EXPECT_EQ(later.events.substr(second - 1, 3), "rsr") << "begun with the first job's first pass";
  EXPECT_EQ(std::count(later.events.begin(), later.events.end(), 'w'), 3) << later.events;
  EXPECT_EQ(one_by_one, outputs(read(Stage::region, *ops_, 1)));
}

/// The same device, but what it is asked for is done at once.
struct AtOnce : LaterOps {
  using LaterOps::LaterOps;
  bool asynchronous() const override { return false; }
};

TEST_F(SeenBeside, WhereNothingGoesOnBesideNoImageIsSeenBeforeItsJobHasAPlace) {
  const AtOnce now(*ops_, 0);
  const LaterOps later(*ops_, 0);
  EXPECT_EQ(read(Stage::adaptive, now, 1).jobs.size(), 1u) << "the page ends before its regions";
  EXPECT_EQ(std::count(now.events.begin(), now.events.end(), 's'), 1);
  EXPECT_EQ(read(Stage::adaptive, later, 1).jobs.size(), 1u);
  EXPECT_EQ(std::count(later.events.begin(), later.events.end(), 's'), 2);
  EXPECT_EQ(later.events.back(), 'x') << "given up with the page";
}

TEST_F(SeenBeside, WhatVisionThrowsComesWhenItsRowsAreWanted) {
  DecodeStats stats;
  const PageImage sliver(1, 1, 900, 72);
  const ImageEncoding seen(vlm_, *ops_, {&sliver}, stats);
  EXPECT_TRUE(seen.work().done());
  try {
    seen.rows(stats);
    FAIL();
  } catch (const Error& e) {
    EXPECT_EQ(e.code(), ExitCode::input_file);
  }
}

TEST_F(SeenBeside, AnImageThatCannotBeSeenFailsTheStageOnlyWhereItIsRead) {
  LaterOps later(*ops_, 0);
  later.on_aside = [n = 0]() mutable {
    if (n++ == 1) throw std::runtime_error("no memory for this image");
  };
  EXPECT_EQ(read(Stage::adaptive, later, 1).jobs.size(), 1u) << "ahead, and never wanted";
  LaterOps again(*ops_, 0);
  again.on_aside = [n = 0]() mutable {
    if (n++ == 1) throw std::runtime_error("no memory for this image");
  };
  EXPECT_THROW(read(Stage::region, again, 1), std::runtime_error);
}

TEST_F(SeenBeside, CountsWhatTheHostSpendsAndWaitsForAsVision) {
  const LaterOps later(*ops_, 1000);
  DecodeStats stats;
  const PageImage image = oracle_.page(0);
  const ImageEncoding seen(vlm_, later, {&image}, stats);
  const double begun = stats.ms("vision");
  EXPECT_TRUE(at::equal(seen.rows(stats).rows, this->seen(0).rows));
  EXPECT_GT(stats.ms("vision"), begun);
}

}  // namespace
}  // namespace docspec
