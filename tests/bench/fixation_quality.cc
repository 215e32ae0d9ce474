// What a model reads with parts of its visual tokens: texts of held-out regions by pruning policy.
// See README.md; tests/bench/fixation makes the pages and works out the errors.
//
//   docspec_fixation_quality MODEL PAGES.tiff DRAFTS.json POLICY... > TEXTS.json
//   POLICY: a value of --prune, or fastv:keep=K,full=L | h2o:keep=K | first:keep=K | probe
#include <ATen/ATen.h>
#include <ATen/Parallel.h>

#include <iostream>
#include <nlohmann/json.hpp>

#include "core/base/json_file.h"
#include "core/decode/registry.h"
#include "core/decode/verify/exact_verifier.h"
#include "core/document/drafts_json.h"
#include "core/input/document_reader.h"
#include "core/markup/registry.h"
#include "core/model/checkpoint/checkpoint.h"
#include "core/model/families/registry.h"
#include "core/model/prompt_set.h"
#include "core/read/stage.h"
#include "tests/bench/eviction_selectors.h"

using namespace docspec;
using nlohmann::json;

namespace {

constexpr double kDpi = 150;  // as tests/bench/fixation writes them

std::vector<SpecForm> policies() {
  std::vector<SpecForm> out = forms(selectors());
  out.push_back({"fastv", "keep=0.05,full=1"});
  out.push_back({"h2o", "keep=0.05"});
  out.push_back({"first", "keep=0.05"});
  out.push_back({"probe"});
  return out;
}

std::unique_ptr<FocalSelector> selector_of(const Spec& spec, const SelectorInput& input,
                                           Probe::Mass& mass) {
  if (spec.name == "probe") return std::make_unique<Probe>(mass, input);
  if (spec.name == "fastv")
    return std::make_unique<FastV>(spec.number("keep", 0, 1), size_t(spec.integer("full", 1, 99)),
                                   input);
  if (spec.name == "h2o") return std::make_unique<H2o>(spec.number("keep", 0, 1), input);
  if (spec.name == "first") return std::make_unique<FirstLayer>(spec.number("keep", 0, 1), input);
  return make_selector(spec, input);
}

}  // namespace

int main(int argc, char** argv) try {
  if (argc < 5) throw std::runtime_error("MODEL PAGES.tiff DRAFTS.json POLICY...");
  at::set_num_threads(1);
  const auto ops = make_cpu_ops();
  const Vlm vlm = load_vlm(argv[1], {.dtype = "f32", .share = DOCSPEC_SOURCE_DIR "/share"}, *ops);
  const auto dialect = make_dialect(vlm.prompts().dialect());
  const auto verifier = make_exact_verifier();
  const DraftsFile drafts = parse_drafts_json(read_file(argv[3]), argv[3]);
  const auto pages =
      open_document(std::make_shared<InputBytes>(InputBytes{argv[2], read_file(argv[2])}), "");
  json out = json::array();
  for (int i = 4; i < argc; ++i) {
    const Spec spec = parse_spec("POLICY", argv[i], policies());
    StageEngine engine{vlm,
                       *ops,
                       *dialect,
                       *verifier,
                       {},
                       read_generation(Checkpoint(argv[1]).json("generation_config.json"),
                                       vlm.prompts(), vlm.tokenizer(), 400),
                       {}};
    Probe::Mass mass;
    if (spec.name != "off")
      engine.selector = [&](const SelectorInput& input) { return selector_of(spec, input, mass); };
    json texts = json::array();
    DecodeStats stats;
    for (const PageDrafts& page : drafts.pages) {
      const PageImage image = pages->raster(page.page, kDpi, int64_t{1} << 40).image;
      const StageResult result =
          run_stage(Stage::region, engine, {&image, page.regions, page.drafts});
      for (const Draft& draft : result.drafts)
        texts.push_back({page.page, *draft.region, draft.text});
      stats += result.stats;
    }
    const json counts = to_json(stats);
    out.push_back({{"policy", argv[i]},
                   {"texts", texts},
                   {"tokens", stats.output_tokens},
                   {"keys_seen", stats.all_visual_keys == 0
                                     ? 1.0
                                     : double(stats.visual_keys) / double(stats.all_visual_keys)},
                   {"run_again", stats.guarded_passes},
                   {"passes", stats.passes}});
    if (spec.name == "probe") {
      json& probe = out.back()["probe"];
      probe["rows"] = mass.rows / mass.visual;
      for (size_t layer = 0; layer < mass.all.size(); ++layer) {
        probe["prior"].push_back(mass.prior[layer] / mass.all[layer]);
        probe["most"].push_back(mass.most[layer] / mass.all[layer]);
      }
      std::cerr << probe.dump() << '\n';
    }
    std::cerr << argv[i] << ' ' << stats.output_tokens << " tokens\n";
  }
  std::cout << out.dump(-1, ' ', false, json::error_handler_t::replace) << '\n';
} catch (const std::exception& e) {
  std::cerr << "docspec_fixation_quality: " << e.what() << '\n';
  return 1;
}
