#include "core/vlm_reader.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>
#include <sstream>
#include <utility>

#include "core/error.h"
#include "core/markup/markdown.h"
#include "core/model/prompt_set.h"
#include "core/model/vlm.h"
#include "core/page_blocks.h"

namespace docspec {
namespace {

/// Below this share of the drafts' words a model has not read this page.
constexpr double kLeastCoverage = 0.2;
constexpr size_t kLeastWords = 5;  ///< with fewer there is little to judge by

size_t count_words(std::span<const Draft> drafts) {
  size_t words = 0;
  for (const Draft& draft : drafts) {
    std::istringstream in(draft.text);
    for (std::string word; in >> word;) ++words;
  }
  return words;
}

/// Why a finished text cannot stand as the page's, "" when it can.
std::string fault(const Job& job, const std::string& text, std::span<const Draft> drafts) {
  if (job.end() == JobEnd::dropped) return "not finished when the page was";
  if (job.end() == JobEnd::length)
    return fmt::format("the model's text was cut off at the limit of {} tokens",
                       job.output().size());
  const size_t words = count_words(drafts);
  if (text.find_first_not_of(" \t\r\n") == std::string::npos)
    return words > 0 ? "the model wrote nothing" : "";
  const double coverage = word_coverage(drafts, text);
  if (words >= kLeastWords && coverage < kLeastCoverage)
    return fmt::format("the model's text holds {:.0f} % of the page's drafted words",
                       100 * coverage);
  return "";
}

/// Region results where they can stand, drafts elsewhere.
PageDrafts with_region_results(const PageDrafts& drafted, const StageResult& regions) {
  PageDrafts out = drafted;
  for (size_t i = 0; i < regions.drafts.size(); ++i) {
    if (!regions.drafts[i].region) continue;
    std::vector<Draft> same;
    for (const Draft& draft : drafted.drafts)
      if (draft.region == regions.drafts[i].region) same.push_back(draft);
    if (!fault(regions.jobs[i], regions.drafts[i].text, same).empty()) continue;
    std::erase_if(out.drafts, [&](const Draft& d) { return d.region == regions.drafts[i].region; });
    out.drafts.push_back(regions.drafts[i]);
  }
  return out;
}

bool any_verified(const PageDrafts& drafts) {
  return std::any_of(drafts.drafts.begin(), drafts.drafts.end(),
                     [](const Draft& draft) { return draft.source == "verified"; });
}

void take_blocks(Page& page, const PageDrafts& drafts) {
  PageBlocks result = page_blocks(drafts);
  page.blocks = std::move(result.blocks);
  page.level = any_verified(drafts) ? PageLevel::region : result.level;
}

std::vector<Block> model_blocks(const StageEngine& engine, const PageImage& view,
                                const Draft& text) {
  std::vector<Block> blocks = engine.dialect.parse_page(text.text, model_frame(engine.vlm, view));
  for (size_t i = 0; i < blocks.size(); ++i) {
    blocks[i].id = blocks[i].order = int(i);
    blocks[i].source = engine.vlm.info().family;
    blocks[i].markdown_text = true;
  }
  return blocks;
}

/// Whether the model was trained for pages of as many visual tokens.
bool reads_whole(const Vlm& vlm, const PageImage& view) {
  const ImageProcessor& processor = vlm.image_processor();
  const PatchGrid grid = processor.grid(view.width_px(), view.height_px());
  return processor.visual_tokens(grid) <= vlm.prompts().page_tokens();
}

}  // namespace

double word_coverage(std::span<const Draft> drafts, std::string_view text) {
  std::map<std::string, int> there;
  std::istringstream in{std::string(text)};
  for (std::string word; in >> word;) ++there[word];
  size_t words = 0, found = 0;
  for (const Draft& draft : drafts) {
    std::istringstream draft_in(draft.text);
    for (std::string word; draft_in >> word; ++words)
      if (const auto it = there.find(word); it != there.end() && it->second-- > 0) ++found;
  }
  return words == 0 ? 1 : double(found) / double(words);
}

VlmReader::VlmReader(const StageEngine& engine, VlmReaderOptions options)
    : engine_(engine), options_(std::move(options)) {}

std::string VlmReader::take_stats_json() {
  const nlohmann::json json = {{"exactness", options_.exact ? "exact" : "approximate"},
                               {"page", to_json(std::exchange(document_, {}))},
                               {"region", to_json(std::exchange(document_regions_, {}))}};
  return json.dump();
}

/// The baseline: a plain decode of the same scope, its passes unpadded so that it is not slowed.
void VlmReader::read_plain(Stage stage, const DraftedPage& drafted, BenchPage& bench) {
  StageEngine plain = engine_;
  plain.proposers = {};
  plain.decode.pass.padded = false;
  const PageDrafts& known = drafted.drafts;
  const StageResult result =
      run_stage(stage, plain, {&*drafted.image, known.regions, known.drafts});
  bench.baseline = result.stats;
  for (const Job& job : result.jobs) {
    const auto output = job.output();
    bench.baseline_ids.insert(bench.baseline_ids.end(), output.begin(), output.end());
    const auto margins = job.margins();
    bench.baseline_margins.insert(bench.baseline_margins.end(), margins.begin(), margins.end());
  }
}

/// `last`: the stage's text is the page's, so that its time is no extra of the bench.
void VlmReader::count(Stage stage, bool last, const StageResult& result, Page& page,
                      BenchPage& bench) {
  const auto add = [&](const DecodeStats& stats, bool region) {
    const bool beside = region && !(last && stage == Stage::region);
    (region ? region_stats_ : stats_) += stats;
    (region ? document_regions_ : document_) += stats;
    (beside ? bench.region : bench.run) += stats;
    for (const auto& [phase, ms] : stats.phase_ms) {
      page.timings_ms[(region ? "region " : "page ") + phase] += ms;
      if (beside) bench.region_ms += ms;
    }
  };
  add(result.stats, stage == Stage::region);
  if (stage == Stage::adaptive) add(result.region_stats, true);
}

void VlmReader::read(const DraftedPage& drafted, Page& page) {
  BenchPage bench;
  bench.input = input_;
  bench.page = page.page;
  for (const auto& [phase, ms] : drafted.timings_ms)
    (phase == "raster" ? bench.raster_ms : bench.draft_ms) += ms;
  const PageImage view = view_of(engine_.vlm, *drafted.image, drafted.drafts.drafts);
  std::vector<Stage> stages = options_.stages;
  if (!reads_whole(engine_.vlm, view)) stages = {Stage::region};
  if (options_.bench) {
    if (options_.threads) options_.threads->wait_until_no_draft();
    read_plain(stages.back() == Stage::region ? Stage::region : Stage::page, drafted, bench);
  }

  PageDrafts known = drafted.drafts;
  std::string why;
  for (const Stage stage : stages) {
    const StageResult result =
        run_stage(stage, engine_, {&*drafted.image, known.regions, known.drafts, &memory_});
    for (const Job& job : result.jobs)
      if (options_.on_job) options_.on_job(job);
    const bool last = stage == stages.back();
    count(stage, last, result, page, bench);
    if (stage != Stage::page) known = with_region_results(known, result);
    const size_t jobs = stage == Stage::region ? result.jobs.size() : 1;
    for (size_t i = 0; last && i < jobs; ++i)
      bench.run_ids.insert(bench.run_ids.end(), result.jobs[i].output().begin(),
                           result.jobs[i].output().end());
    if (stage == Stage::region) continue;
    why = fault(result.jobs[0], result.drafts[0].text, drafted.drafts.drafts);
    if (!why.empty()) continue;
    page.coverage = word_coverage(drafted.drafts.drafts, result.drafts[0].text);
    page.blocks = model_blocks(engine_, view, result.drafts[0]);
    page.level = PageLevel::vlm;
  }
  if (page.level != PageLevel::vlm) fall_back(page, known, why);
  if (!options_.bench) return;
  Document alone;
  alone.pages = {page};
  bench.markdown = render_markdown(alone, {}, nullptr);
  bench_pages_.push_back(std::move(bench));
}

void VlmReader::fall_back(Page& page, const PageDrafts& known, std::string why) const {
  take_blocks(page, known);
  if (why.empty() && !any_verified(known) && !known.regions.empty())
    why = "no region result of the model could stand";
  if (why.empty()) return;
  page.status = PageStatus::fallback;
  page.failure = Failure{ExitCode::partial, why};
}

}  // namespace docspec
