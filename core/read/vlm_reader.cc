#include "core/read/vlm_reader.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "core/base/error.h"
#include "core/base/stopwatch.h"
#include "core/document/page_blocks.h"
#include "core/letters/words/word_check.h"
#include "core/markup/formats/markdown.h"
#include "core/model/prompt_set.h"
#include "core/model/vlm.h"
#include "core/read/crop_view.h"
#include "core/read/model_layout.h"
#include "core/read/page_reading.h"
#include "core/read/page_verdict.h"
#include "core/read/runaway_detector.h"
#include "core/read/scope.h"
#include "core/text/printable.h"
#include "core/text/tokenizer.h"

namespace docspec {
namespace {

std::vector<Block> model_blocks(const StageEngine& engine, const ImageSize& view,
                                std::string_view text) {
  std::vector<Block> blocks =
      engine.dialect.parse_page(without_controls(text), model_frame(engine.vlm, view));
  for (size_t i = 0; i < blocks.size(); ++i) {
    blocks[i].id = blocks[i].order = int(i);
    blocks[i].source = engine.vlm.info().family;
    blocks[i].markdown_text = true;
  }
  return blocks;
}

CropView crops_of(const Vlm& vlm, const DraftedPage& drafted, const PageDrafts& drafts) {
  return CropView(vlm.prompts(), *drafted.image, drafted.skew, drafts);
}

/// Whether the model was trained for pages, and for pages with this many visual tokens.
bool reads_whole(const Vlm& vlm, const ImageSize& view) {
  return vlm.prompts().asks("page") &&
         vlm.image_processor().visual_tokens(view.width_px, view.height_px) <=
             vlm.prompts().page_tokens();
}

}  // namespace

VlmReader::VlmReader(const StageEngine& engine, VlmReaderOptions options)
    : engine_(engine),
      options_(std::move(options)),
      scheduler_(engine.vlm.language_model(), options_.most_pages, engine.decode.max_batch) {}

std::optional<ReadingStats> VlmReader::document_stats(const DocumentState& state) const {
  const auto& document = static_cast<const VlmDocumentState&>(state);
  return ReadingStats{options_.exactness, engine_.vlm.info().dtype, document.page_stats,
                      document.region_stats};
}

Task<void> VlmReader::read(DocumentState& state, const DraftedPage& drafted, Page& page) {
  if (options_.witness && drafted.blank) {  // a model would invent text
    page.level = PageLevel::draft;
    page.coverage = 1;
    co_return;
  }
  if (!drafted.image)  // what a model would see cannot be drawn: the drafts become the result
    throw Error(ExitCode::partial, "the page cannot be rendered, so the model has not read it");
  start_ocr(drafted);
  BatchSlot slot(scheduler_);
  PageReading reading(*this, static_cast<VlmDocumentState&>(state), drafted, page, slot, 1);
  const std::vector<Stage> stages = stages_for(reading.view);
  if (engine_.vlm.prompts().asks("layout")) co_await find_regions(reading);
  if (options_.bench) {
    read_plain(stages.back(), reading);
    reading.slot.restart_clock();
  }
  for (const Stage stage : stages) {
    co_await run_one(stage, stage == stages.back(), reading);
    if (reading.cut) break;
  }
  co_await add_left_out(reading);
  settle(reading);
  if (options_.bench) keep_bench(reading);
  set_letters(reading);
}

/// Runs a stage of the page and takes its results. `last`: the text of the stage is that of the
/// page.
Task<void> VlmReader::run_one(Stage stage, bool last, PageReading& reading) {
  std::optional<CropView> crops;
  if (stage == Stage::region) crops.emplace(crops_of(engine_.vlm, reading.drafted, reading.drafts));
  const StageInput input = crops ? reading.input(crops->image(), crops->drafts())
                                 : reading.input(*reading.drafted.image, reading.drafts);
  const StageResult result = co_await run_stage(reading.slot, stage, reading.page_engine, input);
  count(stage, last, result, reading);
  if (stage != Stage::page) take_regions(result, crops ? &*crops : nullptr, reading);
  if (stage != Stage::region) co_await take_page(result, reading);
}

/// Asks a model that finds regions for those of the page. If its answer has none, docspec's stay.
Task<void> VlmReader::find_regions(PageReading& reading) {
  const StageInput input{&*reading.drafted.image, {}, {}, nullptr, &reading.texts};
  const StageResult result =
      co_await run_stage(reading.slot, Stage::layout, reading.page_engine, input);
  count(Stage::layout, false, result, reading);
  auto regions =
      regions_of_layout(result.drafts[0].text, reading.drafts.width_px, reading.drafts.height_px);
  if (result.jobs[0].end() == JobEnd::stop && !regions.empty())
    reading.drafts = with_regions(reading.drafts, std::move(regions));
}

/// The baseline of a bench: plain decoding of what the last stage reads. Its passes are not padded,
/// which would slow it, and the time limit of the page does not count it.
void VlmReader::read_plain(Stage last, PageReading& reading) const {
  if (options_.threads) options_.threads->wait_until_no_draft();
  const bool region = last == Stage::region;
  StageEngine plain = reading.page_engine;
  plain.proposers = {};
  plain.selector = {};
  plain.decode.pass.padded = false;
  plain.decode.before_pass = engine_.decode.before_pass;
  plain.page_limit = {};
  const DraftedPage& drafted = reading.drafted;
  const CropView crops = crops_of(engine_.vlm, drafted, reading.drafts);
  const PageDrafts& shown = region ? crops.drafts() : reading.drafts;
  const StageResult result = run_stage(region ? Stage::region : Stage::page, plain,
                                       {region ? &crops.image() : &*drafted.image, shown.regions,
                                        shown.drafts, nullptr, nullptr, reading.em_px});
  BenchPage& bench = reading.bench;
  bench.baseline = result.stats;
  for (const Job& job : result.jobs) {
    const auto output = job.output();
    bench.baseline_ids.insert(bench.baseline_ids.end(), output.begin(), output.end());
    const auto margins = job.margins();
    bench.baseline_margins.insert(bench.baseline_margins.end(), margins.begin(), margins.end());
  }
}

/// Reads the regions of `rest` without an accepted result. They are not traced or counted: ids and
/// counts are those before the witness.
Task<PageDrafts> VlmReader::read_alone(PageReading& reading, PageDrafts rest) const {
  PageDrafts unread = rest;
  std::erase_if(unread.regions, [&](const Region& region) {
    return std::any_of(rest.drafts.begin(), rest.drafts.end(), [&](const Draft& draft) {
      return draft.source == "verified" && draft.region == region.id;
    });
  });
  if (unread.regions.empty()) co_return rest;
  const CropView crops = crops_of(engine_.vlm, reading.drafted, unread);
  const StageInput input{&crops.image(), crops.drafts().regions, crops.drafts().drafts, nullptr,
                         &reading.texts};
  const StageResult result =
      co_await run_stage(reading.slot, Stage::region, reading.page_engine, input);
  const PageDrafts read =
      crops.whole(with_region_results(crops.drafts(), result, &reading.texts).drafts);
  for (const Draft& draft : read.drafts) {
    if (draft.source != "verified") continue;
    std::erase_if(rest.drafts, [&](const Draft& d) { return d.region == draft.region; });
    rest.drafts.push_back(draft);
  }
  co_return rest;
}

/// Cuts a runaway text. The blocks become the text up to the last point where model and drafts
/// agree, then the regions that it lacks, read alone; the failure says why. Returns false if the
/// text is not a runaway.
Task<bool> VlmReader::cut_runaway(PageReading& reading, const StageResult& result) const {
  const DraftedPage& drafted = reading.drafted;
  Page& page = reading.page;
  const auto output = result.jobs[0].output();
  const auto runaway = find_runaway(output, reading.texts.ids(drafted.drafts.drafts));
  if (!runaway) co_return false;
  if (runaway->keep > 0)
    page.blocks = model_blocks(engine_, reading.view,
                               engine_.vlm.tokenizer().decode(output.first(runaway->keep), true));
  const bool any_kept = !page.blocks.empty();
  PageDrafts rest = not_in(page.blocks, reading.drafts);
  const size_t missing = rest.regions.size();
  rest = co_await read_alone(reading, std::move(rest));
  PageBlocks added = page_blocks(rest);
  page.level = any_verified(rest)         ? PageLevel::region
               : missing == 0 && any_kept ? PageLevel::vlm
                                          : added.level;
  for (Block& block : added.blocks) page.blocks.push_back(std::move(block));
  number_blocks(page.blocks);
  reading.cut = true;
  fall_back(page,
            fmt::format("the model's text {}: cut after {} tokens, where the drafts last agree; "
                        "{} missing region{} read or drafted",
                        runaway->why, runaway->keep, missing, missing == 1 ? "" : "s"));
  co_return true;
}

/// The engine with the time limit of the pages of a slot.
StageEngine VlmReader::with_page_limit(const BatchSlot& slot, size_t pages) const {
  StageEngine engine = engine_;
  if (!options_.page_timeout) return engine;
  engine.page_limit = [this, &slot, pages] {
    if (slot.seconds() > *options_.page_timeout * double(pages))
      throw Error(ExitCode::partial,
                  fmt::format("took longer than {:g} s to decode; raise --page-timeout",
                              *options_.page_timeout));
  };
  engine.decode.before_pass = [this, limit = engine.page_limit] {
    if (engine_.decode.before_pass) engine_.decode.before_pass();
    limit();
  };
  return engine;
}

/// Adds the counts of a stage to those of run, document, page and bench, hands its jobs to on_job
/// and keeps the ids for the bench. `last`: the text of the stage is that of the page. The time of
/// layout and of regions that only help the page stage is extra time in the bench.
void VlmReader::count(Stage stage, bool last, const StageResult& result, PageReading& reading) {
  const auto add = [&](const DecodeStats& stats, bool region) {
    const bool extra = region && !(last && stage == Stage::region);
    (region ? region_stats_ : page_stats_) += stats;
    (region ? reading.document.region_stats : reading.document.page_stats) += stats;
    (extra ? reading.bench.region : reading.bench.run) += stats;
    for (const auto& [phase, ms] : stats.phase_ms) {
      reading.page.timings_ms[(region ? "region " : "page ") + phase] += ms;
      if (extra) reading.bench.region_ms += ms;
    }
  };
  add(result.stats, stage == Stage::region || stage == Stage::layout);
  if (stage == Stage::adaptive) add(result.region_stats, true);
  for (const Job& job : result.jobs)
    if (options_.on_job) options_.on_job(job);
  if (!last) return;
  if (options_.letters != LetterRule::model)
    for (const Job& job : result.jobs) {
      const auto words = read_words(engine_.vlm.tokenizer(), job.output(), job.margins());
      reading.words.insert(reading.words.end(), words.begin(), words.end());
    }
  const size_t jobs = stage == Stage::region ? result.jobs.size() : 1;  // else job 0 is the page
  for (size_t i = 0; i < jobs; ++i) {
    const auto output = result.jobs[i].output();
    reading.bench.run_ids.insert(reading.bench.run_ids.end(), output.begin(), output.end());
  }
}

/// The stages of a page. It is read by its regions alone if the model has no page question, or was
/// trained for fewer visual tokens than the page has.
std::vector<Stage> VlmReader::stages_for(const ImageSize& view) const {
  return reads_whole(engine_.vlm, view) ? options_.stages : std::vector{Stage::region};
}

/// Accepted region results replace their drafts; if most of them are refused, the page is rejected
/// (a later page stage decides anew). `crops`: the view that the stage has read, if not the page
/// itself.
void VlmReader::take_regions(const StageResult& result, const CropView* crops,
                             PageReading& reading) const {
  TokenizedTexts* witness = options_.witness ? &reading.texts : nullptr;
  RegionResults read =
      with_region_results(crops ? crops->drafts() : reading.drafts, result, witness);
  reading.drafts = crops ? crops->whole(read.drafts) : std::move(read.drafts);
  if (2 * read.refused > read.read)
    reading.rejection = fmt::format(
        "the model's text of {} of {} regions is not what the page says", read.refused, read.read);
}

/// Cuts a runaway; any other text of the page stage becomes the blocks of the page if it is
/// accepted.
Task<void> VlmReader::take_page(const StageResult& result, PageReading& reading) const {
  if (options_.witness && co_await cut_runaway(reading, result)) co_return;
  const std::string& text = result.drafts[0].text;
  reading.rejection = rejection_reason(result.jobs[0], text, reading.drafted.drafts.drafts);
  if (reading.rejection.empty()) accept(text, reading);
}

/// The text becomes the blocks of the page.
void VlmReader::accept(std::string_view text, PageReading& reading) const {
  reading.page.coverage = word_coverage(reading.drafted.drafts.drafts, text);
  reading.page.blocks = model_blocks(engine_, reading.view, text);
  take_places(reading.drafts, reading.page.blocks);
  reading.page.level = PageLevel::vlm;
}

/// Regions that the text of a page leaves out, such as a whole column, are read alone and put in
/// their places. What the model says there but the page's text has already, and OCR that the model
/// does not confirm, are not added.
Task<void> VlmReader::add_left_out(PageReading& reading) const {
  Page& page = reading.page;
  if (!options_.witness || reading.cut || page.level != PageLevel::vlm) co_return;
  PageDrafts rest = left_out(page.blocks, reading.drafts, reading.drafts);
  if (rest.regions.empty()) co_return;
  rest = co_await read_alone(reading, std::move(rest));
  std::erase_if(rest.drafts, [](const Draft& draft) {
    return draft.source != "verified" && draft.source != "text-layer";
  });
  rest = left_out(page.blocks, rest, reading.drafts);
  const size_t count = rest.regions.size();
  if (count == 0) co_return;
  put_in_place(rest, reading.drafts, page.blocks);
  page.coverage = word_coverage(reading.drafted.drafts.drafts, text_of(page.blocks));
  fall_back(page, fmt::format("the model's text leaves out {} region{}, which {} read alone", count,
                              count == 1 ? "" : "s", count == 1 ? "was" : "were"));
}

/// Sets status, level and coverage of the page. If the text of the page stage is rejected, the page
/// keeps region results or drafts: no page is lost. A text that was cut has set its blocks.
void VlmReader::settle(PageReading& reading) const {
  Page& page = reading.page;
  const PageDrafts& drafts = reading.drafts;
  if (page.level == PageLevel::vlm && !reading.cut) return;
  if (!reading.cut) {
    set_blocks_from_drafts(drafts, page);
    if (any_verified(drafts)) page.level = PageLevel::region;
    if (reading.rejection.empty() && !any_verified(drafts) && !drafts.regions.empty())
      reading.rejection = "no region result of the model could stand";
    if (!reading.rejection.empty()) fall_back(page, reading.rejection);
  }
  page.coverage = word_coverage(reading.drafted.drafts.drafts, text_of(page.blocks));
}

/// Loads the engine that reads words again while the model reads the first page of which they may
/// be needed: it takes longer than all words of a page.
void VlmReader::start_ocr(const DraftedPage& drafted) {
  if (ocr_started_ || options_.bench || !options_.ocr || !drafted.text_layer_trusted) return;
  if (options_.letters != LetterRule::automatic) return;
  ocr_started_ = true;
  ocr_start_ = std::async(std::launch::async, [ocr = options_.ocr] { prepare_to_read(*ocr); });
}

/// Gives the page the letters of its sources, now that ids, traces and bench are final.
void VlmReader::set_letters(PageReading& reading) {
  if (options_.letters == LetterRule::model) return;
  if (ocr_start_.valid()) ocr_start_.get();
  const DraftedPage& drafted = reading.drafted;
  Page& page = reading.page;
  const Stopwatch spent;
  const PageSources sources = {
      drafted.drafts.dpi,     drafted.text_layer, drafted.text_layer_trusted,
      &*drafted.image,        options_.ocr,       drafted.drafts.drafts,
      drafted.drafts.regions, reading.words,      &engine_.vlm.prompts().surety()};
  if (const auto share = share_where_ocr_read(options_.letters, sources)) {
    set_blocks_from_drafts(drafted.drafts, page);
    page.coverage = 1;
    fall_back(page, fmt::format("only {:.0f} % of the words are both the model's and OCR's; OCR, "
                                "which is surer, stands for the page",
                                100 * *share));
  } else {
    reconcile(options_.letters, sources, page);
  }
  page.timings_ms["letters"] = spent.ms();
  if (count_letters(page).differences() > 0)
    page.coverage = word_coverage(drafted.drafts.drafts, text_of(page.blocks));
}

void VlmReader::keep_bench(PageReading& reading) {
  Document alone;
  alone.pages = {reading.page};
  reading.bench.markdown = render_markdown(alone, {}, nullptr);
  bench_pages_.push_back(std::move(reading.bench));
}

}  // namespace docspec
