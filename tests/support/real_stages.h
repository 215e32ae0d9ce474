#pragma once

#include <optional>

#include "core/markup/registry.h"
#include "core/read/stage.h"
#include "tests/support/real_engine.h"

namespace docspec {

/// Both stages on the tiny real engine, over random pages, regions and draft texts.
class RealStages : public RealEngine {
 protected:
  using RealEngine::RealEngine;
  using RegionIds = std::map<std::optional<int>, Ids>;

  /// A page and what plain decoding, one job at a time, makes of it.
  struct Scene {
    PageImage image;
    std::vector<Region> regions;
    std::map<Stage, RegionIds> truth;
  };

  /// One of a few pages (made and decoded plainly on first use) at one of two penalties.
  const Scene& scene(uint32_t kind);

  /// Drafts of the regions and of the page: empty, garbage bytes, what the model will say (whole,
  /// edited), what it says of other pages, special tokens' names and broken UTF-8, twice or not at
  /// all, in any order.
  std::vector<Draft> random_drafts(std::mt19937& rng, const Scene& scene, const Scene& other);

  /// Ids by region of one stage.
  RegionIds ids(Stage stage, const StageEngine& engine, const StageInput& input);

  /// The law: in both stages, whatever the drafts, the batch and the row budget, and in whatever
  /// order drafts and regions come, ids are those of plain decoding alone.
  void expect_same_ids(uint32_t seed);

  StageEngine engine(double penalty, std::span<const Spec> proposers);
  std::string text(const Ids& ids) const;

  std::unique_ptr<Dialect> dialect_ = make_dialect(vlm_.prompts().dialect());
  std::unique_ptr<Verifier> exact_ = make_exact_verifier();
  const Ops* stage_ops_ = ops_.get();  ///< of the stage; the model has its own
  std::map<uint32_t, Scene> scenes_;
  DocumentMemory memory_;
  std::map<Stage, DecodeStats> stage_stats_;
};

}  // namespace docspec
