#include "tests/support/real_stages.h"

#include <ATen/ATen.h>

#include <algorithm>

#include "core/decode/registry.h"

namespace docspec {
namespace {

constexpr uint32_t kPages = 3;
constexpr Stage kStages[] = {Stage::region, Stage::page};

/// `small` again and again, begun at another place for each page.
PageImage tiled(const PageImage& small, uint32_t page) {
  PageImage image(int(page) + 1, 170 + 20 * int(page), 200 + 16 * int(page), 72);
  for (int y = 0; y < image.height_px(); ++y)
    for (int x = 0; x < image.width_px() * 3; ++x)
      image.row(y)[x] = small.row((y + 7 * int(page)) %
                                  small.height_px())[(x + 33 * int(page)) % (3 * small.width_px())];
  return image;
}

/// Regions of each kind; some no model can read: a figure, a sliver, one outside the page.
std::vector<Region> some_regions() {
  return {{4, 0, RegionKind::title, {10, 10, 160, 40}},
          {7, 1, RegionKind::text, {10, 50, 160, 110}},
          {8, 2, RegionKind::picture, {10, 110, 160, 140}},
          {9, 3, RegionKind::table, {10, 130, 160, 190}},
          {11, 4, RegionKind::text, {500, 160, 590, 230}},
          {12, 5, RegionKind::formula, {60, 100, 120, 140}}};
}

std::string garbage(std::mt19937& rng) {
  std::string out(rng() % 120, ' ');
  for (char& c : out) c = char(rng());
  return out;
}

std::string edited(std::mt19937& rng, std::string text) {
  for (size_t edits = 1 + rng() % 4; edits > 0 && !text.empty(); --edits) {
    const size_t at = rng() % text.size();
    switch (rng() % 3) {
      case 0:
        text[at] = char('a' + rng() % 26);
        break;
      case 1:
        text.erase(at, 1 + rng() % 3);
        break;
      default:
        text.insert(at, 1, char('a' + rng() % 26));
    }
  }
  return text;
}

std::string poisoned(std::mt19937& rng, std::string text) {
  const std::string poison[] = {"<|im_end|>",    "<|endoftext|>",  "<|image_pad|>",
                                "<|imgpad|>",    "<|vision_end|>", "\xff\xfe",
                                "\xed\xa0\x80",  "\xf0\x9f\x98",   "<table><tr><td>",
                                "</div></body>", "\\begin{",       std::string(3, '\0')};
  for (size_t k = 1 + rng() % 3; k > 0; --k)
    text.insert(rng() % (text.size() + 1), poison[rng() % std::size(poison)]);
  return text;
}

}  // namespace

StageEngine RealStages::engine(double penalty, std::span<const Spec> proposers) {
  StageEngine engine{vlm_, *stage_ops_, *dialect_, *exact_, proposers, {}, {}};
  engine.generation.limits.max_new_tokens = 24;
  for (const std::string& stop : vlm_.prompts().stop())
    engine.generation.limits.stop_ids.push_back(vlm_.tokenizer().encode(stop)[0]);
  engine.generation.processor.repetition_penalty = penalty;
  return engine;
}

std::string RealStages::text(const Ids& ids) const {
  return vlm_.tokenizer().decode(ids, true);
}

RealStages::RegionIds RealStages::ids(Stage stage, const StageEngine& engine,
                                      const StageInput& input) {
  const StageResult result = run_stage(stage, engine, input);
  stage_stats_[stage] += result.stats;
  RegionIds out;
  for (const Job& job : result.jobs)
    out[job.label().region] = Ids(job.output().begin(), job.output().end());
  return out;
}

const RealStages::Scene& RealStages::scene(uint32_t kind) {
  const auto [it, fresh] = scenes_.try_emplace(kind);
  Scene& scene = it->second;
  if (!fresh) return scene;
  scene.image = tiled(oracle_.page(0), kind % kPages);
  scene.regions = some_regions();
  std::vector<Draft> drafts;
  for (const Region& region : scene.regions) {
    Draft& draft = drafts.emplace_back();
    draft.region = region.id;
    draft.text = "something is there";
  }
  StageEngine plain = engine(kind < kPages ? 1 : 1.3, {});
  plain.decode.max_batch = 1;
  for (const Stage stage : kStages)
    scene.truth[stage] = ids(stage, plain, {&scene.image, scene.regions, drafts});
  return scene;
}

std::vector<Draft> RealStages::random_drafts(std::mt19937& rng, const Scene& scene,
                                             const Scene& other) {
  std::vector<Draft> out;
  const auto add = [&](std::optional<int> region, const Ids& truth, const Ids& foreign) {
    for (size_t k = rng() % 4; k > 0; --k) {
      Draft& draft = out.emplace_back();
      draft.region = region;
      draft.source = rng() % 2 ? "tesseract" : "text-layer";
      draft.confidence = double(rng() % 100) / 100;
      const std::string said = text(rng() % 2 ? truth : foreign);
      const std::string kinds[] = {"",   garbage(rng),      text(truth),
                                   said, edited(rng, said), poisoned(rng, said)};
      draft.text = kinds[rng() % std::size(kinds)];
      if (rng() % 4 == 0) out.push_back(Draft(draft));
    }
  };
  const auto of = [](const Scene& s, Stage stage, std::optional<int> region) {
    const auto it = s.truth.at(stage).find(region);
    return it == s.truth.at(stage).end() ? Ids{} : it->second;
  };
  for (const Region& region : scene.regions)
    add(region.id, of(scene, Stage::region, region.id), of(other, Stage::region, region.id));
  add(std::nullopt, of(scene, Stage::page, {}), of(other, Stage::page, {}));
  std::shuffle(out.begin(), out.end(), rng);
  return out;
}

void RealStages::expect_same_ids(uint32_t seed) {
  SCOPED_TRACE("seed " + std::to_string(seed));
  std::mt19937 rng(seed);
  const uint32_t kind = rng() % (2 * kPages);
  const Scene& here = scene(kind);
  const Scene& there = scene(rng() % (2 * kPages));
  std::vector<Region> regions = here.regions;
  std::vector<Draft> drafts = random_drafts(rng, here, there);
  const std::string propose =
      rng() % 4 ? any_propose(rng) : "window:n=" + std::to_string(1 + rng() % 3);
  const auto specs = parse_spec_list("--propose", propose, forms(proposers()));
  SCOPED_TRACE(propose);
  StageEngine drafted = engine(kind < kPages ? 1 : 1.3, specs);
  for (const size_t batch : {size_t(1), size_t(64)}) {
    drafted.decode.max_batch = batch;
    drafted.decode.cost.fixed = rng() % 2 ? 0 : 1 + rng() % 200;
    const StageInput input{&here.image, regions, drafts, &memory_};
    for (const Stage stage : kStages)
      for (const auto& [region, found] : ids(stage, drafted, input))
        EXPECT_EQ(found, here.truth.at(stage).at(region))
            << "region " << region.value_or(-1) << " batch " << batch;
    for (const auto& [region, found] : ids(Stage::adaptive, drafted, input)) {
      Ids truth = here.truth.at(region ? Stage::region : Stage::page).at(region);
      if (region) truth.resize(std::min(truth.size(), found.size()));  // the page may end it
      EXPECT_EQ(found, truth) << "adaptive, region " << region.value_or(-1) << " batch " << batch;
    }
    std::shuffle(drafts.begin(), drafts.end(), rng);
    std::shuffle(regions.begin(), regions.end(), rng);
  }
}

}  // namespace docspec
