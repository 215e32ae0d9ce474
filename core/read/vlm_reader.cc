#include "core/read/vlm_reader.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <utility>

#include "core/base/error.h"
#include "core/document/page_blocks.h"
#include "core/markup/formats/markdown.h"
#include "core/model/prompt_set.h"
#include "core/model/vlm.h"
#include "core/read/crop_view.h"
#include "core/read/page_verdict.h"
#include "core/read/runaway_detector.h"
#include "core/text/tokenizer.h"

namespace docspec {
namespace {

std::vector<Block> model_blocks(const StageEngine& engine, const ImageSize& view,
                                std::string_view text) {
  std::vector<Block> blocks = engine.dialect.parse_page(text, model_frame(engine.vlm, view));
  for (size_t i = 0; i < blocks.size(); ++i) {
    blocks[i].id = blocks[i].order = int(i);
    blocks[i].source = engine.vlm.info().family;
    blocks[i].markdown_text = true;
  }
  return blocks;
}

CropView crops_of(const Vlm& vlm, const DraftedPage& drafted, const PageDrafts& known) {
  return CropView(vlm.prompts(), *drafted.image, drafted.skew, known);
}

/// Whether the model was trained for pages of as many visual tokens.
bool reads_whole(const Vlm& vlm, const ImageSize& view) {
  return vlm.image_processor().visual_tokens(view.width_px, view.height_px) <=
         vlm.prompts().page_tokens();
}

}  // namespace

VlmReader::VlmReader(const StageEngine& engine, VlmReaderOptions options)
    : engine_(engine),
      options_(std::move(options)),
      scheduler_(engine.vlm.language_model(), options_.pages, engine.decode.max_batch) {}

std::string VlmReader::stats_json(const DocumentState& state) const {
  const auto& document = static_cast<const VlmDocumentState&>(state);
  const nlohmann::json json = {{"exactness", options_.exactness},
                               {"dtype", engine_.vlm.info().dtype},
                               {"page", to_json(document.pages)},
                               {"region", to_json(document.regions)}};
  return json.dump();
}

/// The baseline: a plain decode of the same scope, its passes unpadded so that it is not slowed.
void VlmReader::read_plain(StageEngine plain, Stage stage, const DraftedPage& drafted,
                           BenchPage& bench) {
  plain.proposers = {};
  plain.selector = {};
  plain.decode.pass.padded = false;
  const CropView crops = crops_of(engine_.vlm, drafted, drafted.drafts);
  const bool region = stage == Stage::region;
  const PageDrafts& known = region ? crops.drafts() : drafted.drafts;
  const StageResult result = run_stage(
      stage, plain, {region ? &crops.image() : &*drafted.image, known.regions, known.drafts});
  bench.baseline = result.stats;
  for (const Job& job : result.jobs) {
    const auto output = job.output();
    bench.baseline_ids.insert(bench.baseline_ids.end(), output.begin(), output.end());
    const auto margins = job.margins();
    bench.baseline_margins.insert(bench.baseline_margins.end(), margins.begin(), margins.end());
  }
}

/// Regions of `rest` read alone where no stage has read them yet. Not traced or counted: ids and
/// figures are those before the witness.
Task<PageDrafts> VlmReader::read_alone(BatchSlot& slot, const StageEngine& engine,
                                       const DraftedPage& drafted, PageDrafts rest) const {
  PageDrafts unread = rest;
  std::erase_if(unread.regions, [&](const Region& region) {
    return std::any_of(rest.drafts.begin(), rest.drafts.end(), [&](const Draft& draft) {
      return draft.source == "verified" && draft.region == region.id;
    });
  });
  if (unread.regions.empty()) co_return rest;
  unread.drafts = drafted.drafts.drafts;
  const CropView crops = crops_of(engine_.vlm, drafted, unread);
  const StageInput input{&crops.image(), crops.drafts().regions, crops.drafts().drafts};
  const StageResult result = co_await run_stage(slot, Stage::region, engine, input);
  const PageDrafts read =
      crops.whole(with_region_results(crops.drafts(), result, &engine_.vlm).drafts);
  for (const Draft& draft : read.drafts) {
    if (draft.source != "verified") continue;
    std::erase_if(rest.drafts, [&](const Draft& d) { return d.region == draft.region; });
    rest.drafts.push_back(draft);
  }
  co_return rest;
}

/// Why the page's text ran away, where it did; `page` then holds what is left: the text up to the
/// last agreed point and the regions that are not in it.
Task<std::optional<std::string>> VlmReader::judge_page(BatchSlot& slot, const StageEngine& engine,
                                                       const DraftedPage& drafted,
                                                       const StageResult& result,
                                                       const PageDrafts& known, Page& page) const {
  const auto output = result.jobs[0].output();
  const auto away = find_runaway(output, ids_of(engine_.vlm, drafted.drafts.drafts));
  if (!away) co_return std::nullopt;
  if (away->keep > 0)
    page.blocks =
        model_blocks(engine_, view_size(engine_.vlm, *drafted.image, drafted.drafts.drafts),
                     engine_.vlm.tokenizer().decode(output.first(away->keep), true));
  PageDrafts rest = not_in(page.blocks, known);
  const size_t regions = rest.regions.size();
  rest = co_await read_alone(slot, engine, drafted, std::move(rest));
  PageBlocks more = page_blocks(rest);
  page.level = any_verified(rest) ? PageLevel::region : regions == 0 ? PageLevel::vlm : more.level;
  for (Block& block : more.blocks) page.blocks.push_back(std::move(block));
  for (size_t i = 0; i < page.blocks.size(); ++i) page.blocks[i].id = page.blocks[i].order = int(i);
  co_return fmt::format(
      "the model's text {}: cut after {} tokens, where the drafts last agree; {} region{} read "
      "alone",
      away->why, away->keep, regions, regions == 1 ? "" : "s");
}

/// The engine for one page: its passes end when the page takes too long.
StageEngine VlmReader::timed(const BatchSlot& slot) const {
  StageEngine engine = engine_;
  if (options_.page_timeout)
    engine.decode.before_pass = [this, &slot] {
      if (engine_.decode.before_pass) engine_.decode.before_pass();
      if (slot.seconds() > *options_.page_timeout)
        throw Error(ExitCode::partial,
                    fmt::format("took longer than {:g} s to decode; raise --page-timeout",
                                *options_.page_timeout));
    };
  return engine;
}

/// `last`: the stage's text is the page's, so that its time is no extra of the bench.
void VlmReader::count(Stage stage, bool last, const StageResult& result, VlmDocumentState& document,
                      Page& page, BenchPage& bench) {
  const auto add = [&](const DecodeStats& stats, bool region) {
    const bool beside = region && !(last && stage == Stage::region);
    (region ? region_stats_ : stats_) += stats;
    (region ? document.regions : document.pages) += stats;
    (beside ? bench.region : bench.run) += stats;
    for (const auto& [phase, ms] : stats.phase_ms) {
      page.timings_ms[(region ? "region " : "page ") + phase] += ms;
      if (beside) bench.region_ms += ms;
    }
  };
  add(result.stats, stage == Stage::region);
  if (stage == Stage::adaptive) add(result.region_stats, true);
}

Task<void> VlmReader::read(DocumentState& state, const DraftedPage& drafted, Page& page) {
  auto& document = static_cast<VlmDocumentState&>(state);
  BatchSlot slot(scheduler_);
  const StageEngine engine = timed(slot);
  if (options_.witness && drafted.blank) {  // a model would invent text
    page.level = PageLevel::draft;
    page.coverage = 1;
    co_return;
  }
  BenchPage bench;
  bench.input = state.input;
  bench.page = page.page;
  for (const auto& [phase, ms] : drafted.timings_ms)
    (phase == "raster" ? bench.raster_ms : bench.draft_ms) += ms;
  const ImageSize view = view_size(engine_.vlm, *drafted.image, drafted.drafts.drafts);
  std::vector<Stage> stages = options_.stages;
  if (!reads_whole(engine_.vlm, view)) stages = {Stage::region};
  if (options_.bench) {
    if (options_.threads) options_.threads->wait_until_no_draft();
    read_plain(engine, stages.back() == Stage::region ? Stage::region : Stage::page, drafted,
               bench);
  }

  PageDrafts known = drafted.drafts;
  std::string why;
  for (const Stage stage : stages) {
    std::optional<CropView> crops;
    if (stage == Stage::region) crops.emplace(crops_of(engine_.vlm, drafted, known));
    const PageDrafts& shown = crops ? crops->drafts() : known;
    const StageInput input{crops ? &crops->image() : &*drafted.image, shown.regions, shown.drafts,
                           &document.memory};
    const StageResult result = co_await run_stage(slot, stage, engine, input);
    for (const Job& job : result.jobs)
      if (options_.on_job) options_.on_job(job);
    const bool last = stage == stages.back();
    count(stage, last, result, document, page, bench);
    if (stage != Stage::page) {
      const Vlm* witness = options_.witness ? &engine_.vlm : nullptr;
      RegionResults read = with_region_results(shown, result, witness);
      known = crops ? crops->whole(read.drafts) : std::move(read.drafts);
      if (2 * read.refused > read.read)
        why = fmt::format("the model's text of {} of {} regions is not what the page says",
                          read.refused, read.read);
    }
    const size_t jobs = stage == Stage::region ? result.jobs.size() : 1;
    for (size_t i = 0; last && i < jobs; ++i)
      bench.run_ids.insert(bench.run_ids.end(), result.jobs[i].output().begin(),
                           result.jobs[i].output().end());
    if (stage == Stage::region) continue;
    if (options_.witness) {
      const auto away = co_await judge_page(slot, engine, drafted, result, known, page);
      if (away) {
        page.status = PageStatus::fallback;
        page.failure = Failure{ExitCode::partial, *away};
        break;
      }
    }
    why = rejection_reason(result.jobs[0], result.drafts[0].text, drafted.drafts.drafts);
    if (!why.empty()) continue;
    page.coverage = word_coverage(drafted.drafts.drafts, result.drafts[0].text);
    page.blocks = model_blocks(engine_, view, result.drafts[0].text);
    page.level = PageLevel::vlm;
  }
  if (page.level != PageLevel::vlm && page.status != PageStatus::fallback)
    fall_back(drafted, known, why, page);
  else if (page.status == PageStatus::fallback)
    page.coverage = word_coverage(drafted.drafts.drafts, text_of(page.blocks));
  if (!options_.bench) co_return;
  Document alone;
  alone.pages = {page};
  bench.markdown = render_markdown(alone, {}, nullptr);
  bench_pages_.push_back(std::move(bench));
}

void VlmReader::fall_back(const DraftedPage& drafted, const PageDrafts& known, std::string why,
                          Page& page) const {
  set_blocks_from_drafts(known, page);
  page.coverage = word_coverage(drafted.drafts.drafts, text_of(page.blocks));
  if (any_verified(known)) page.level = PageLevel::region;
  if (why.empty() && !any_verified(known) && !known.regions.empty())
    why = "no region result of the model could stand";
  if (why.empty()) return;
  page.status = PageStatus::fallback;
  page.failure = Failure{ExitCode::partial, why};
}

}  // namespace docspec
