#include "core/read/stage.h"

#include <ATen/ATen.h>

#include <algorithm>
#include <optional>
#include <utility>

#include "core/base/error.h"
#include "core/decode/align/draft_aligner.h"
#include "core/decode/draft_model/draft_model_session.h"
#include "core/decode/prune/layout_prior.h"
#include "core/decode/registry.h"
#include "core/model/prompt_set.h"
#include "core/model/vlm.h"
#include "core/page/even_light.h"
#include "core/page/specks.h"
#include "core/page/text_size.h"
#include "core/read/crop_view.h"
#include "core/read/image_encoding.h"
#include "core/text/tokenizer.h"

namespace docspec {
namespace {

/// One job to be: what the model is shown and asked, and what is known of the answer.
struct Scope {
  const Region* region = nullptr;  ///< nullptr = the page
  Box frame;                       ///< what the image shows, in pixels of the page's raster
  PageImage image;                 ///< the page or its crop, at the model's size of letters
  double em_px = 0;                ///< of its letters in the page's raster; 0 = unknown
  std::string_view question;       ///< a stage name of the family's prompts
  std::vector<const Draft*> drafts;
};

/// The family's question for a region of this kind.
std::string_view question_of(RegionKind kind) {
  if (kind == RegionKind::table) return "table";
  return kind == RegionKind::formula ? "formula" : "text";
}

/// Crops keep a margin: a box may cut ascenders. Lines of a region end where the next ones begin.
Box crop_box(const PageImage& page, const Region& region) {
  const int margin_px = crop_margin_px(page);
  Box box = pad(region.box, margin_px, page.width_px(), page.height_px());
  if (region.whole) box.y0 = region.box.y0, box.y1 = region.box.y1;
  return box;
}

Box whole(const PageImage& page) {
  return {0, 0, page.width_px(), page.height_px()};
}

const Region* region_of(const Draft& draft, std::span<const Region> regions) {
  for (const Region& region : regions)
    if (draft.region == region.id) return &region;
  return nullptr;
}

/// The draft as a block of the page; text of a page-wide draft has the page as its box.
Block block_of(const Draft& draft, const Region* region, const PageImage& page) {
  Block block;
  block.kind = region ? region->kind : RegionKind::text;
  block.box_pt = page.to_points(region ? region->box : whole(page));
  block.text = draft.text;
  if (block.kind == RegionKind::table) block.html = draft.text;
  if (block.kind == RegionKind::formula) block.latex = draft.text;
  block.source = draft.source;
  return block;
}

/// Whether reading a region alone may pay: what is known of it was read with little confidence. A
/// text layer is never in doubt.
bool doubtful(const Scope& scope) {
  constexpr double kSure = 0.8;
  return std::all_of(scope.drafts.begin(), scope.drafts.end(),
                     [](const Draft* draft) { return draft->confidence < kSure; });
}

double page_em_px(std::span<const Draft> drafts) {
  std::vector<const Draft*> all;
  for (const Draft& draft : drafts) all.push_back(&draft);
  return text_em_px(all);
}

double view_scale(const Vlm& vlm, const PageImage& page, double em_px) {
  const double longest = vlm.prompts().longest_px();
  const double most = longest > 0 ? longest / std::max(page.width_px(), page.height_px()) : 1e9;
  return std::min(text_scale(em_px, vlm.prompts().text_px()), most);
}

PageFrame frame_of(const StageEngine& engine, const Scope& scope) {
  return model_frame(engine.vlm,
                     {scope.image.width_px(), scope.image.height_px(), scope.image.dpi()});
}

Scope page_scope(const StageEngine& engine, const StageInput& input) {
  const double em_px = page_em_px(input.drafts);
  Scope page{nullptr,
             whole(*input.image),
             scaled(*input.image, view_scale(engine.vlm, *input.image, em_px)),
             em_px,
             "page",
             {}};
  for (const Draft& draft : input.drafts)
    if (!draft.text.empty()) page.drafts.push_back(&draft);
  return page;
}

/// Letters of a title are twice as large as the page's: each region has a scale of its own, the
/// page's where no word of it is long enough to say.
std::vector<Scope> region_scopes(const StageEngine& engine, const StageInput& input) {
  std::vector<Scope> scopes;
  const double usual_em_px = page_em_px(input.drafts);
  for (const Region& region : input.regions) {
    Scope scope{&region, crop_box(*input.image, region), {}, 0, question_of(region.kind), {}};
    for (const Draft& draft : input.drafts)
      if (draft.region == region.id && !draft.text.empty()) scope.drafts.push_back(&draft);
    if (region.kind == RegionKind::picture || scope.drafts.empty()) continue;
    const double em_px = text_em_px(scope.drafts);
    scope.em_px = em_px > 0 ? em_px : usual_em_px;
    try {
      scope.image = scaled(input.image->crop(scope.frame),
                           text_scale(scope.em_px, engine.vlm.prompts().text_px()));
      engine.vlm.image_processor().grid(scope.image.width_px(), scope.image.height_px());
    } catch (const Error&) {
      continue;  // a sliver the model cannot take: the page stage has its draft
    } catch (const std::invalid_argument&) {
      continue;  // a box outside the page
    }
    scopes.push_back(std::move(scope));
  }
  return scopes;
}

/// A draft as the model would write it in this scope. What a crop's plain prompt answers is text as
/// it stands; tables and pages come in the model's markup.
DraftTokens tokens_of(const StageEngine& engine, const StageInput& input, const Scope& scope,
                      const PageFrame& frame, const Draft& draft) {
  const bool plain = scope.question == "text" || scope.question == "formula";
  const Block block = block_of(draft, region_of(draft, input.regions), *input.image);
  const std::string text = plain ? draft.text : engine.dialect.render_block(block, frame);
  // Text from a document must not turn into special tokens.
  return {draft.source, engine.vlm.tokenizer().encode(text, false)};
}

/// What a draft model is shown of this scope.
DraftModelInput model_input_of(const Job& job, const StageEngine& engine, const Scope& scope) {
  DraftModelInput draft_input;
  draft_input.image = &scope.image;
  draft_input.scale = [em_px = scope.em_px, shown_px = engine.vlm.prompts().text_px()](double text_px) {
    return text_scale(em_px, text_px) / text_scale(em_px, shown_px);
  };
  draft_input.stage = scope.question;
  for (const Draft* draft : scope.drafts)
    draft_input.text += (draft_input.text.empty() ? "" : "\n") + draft->text;
  draft_input.prompt = job.prompt_ids();
  draft_input.generation = &engine.generation;
  draft_input.vocab_size = engine.vlm.language_model().vocab_size();
  draft_input.stream = job.stream();
  draft_input.draws = engine.generation.sampling.on() && engine.verifier.reads_draft_laws();
  return draft_input;
}

/// What is known of a job's answer before it is decoded.
struct Known {
  std::vector<DraftTokens> drafts;
  ProposerInput input;  ///< refers to them
  SelectorJob selector_job;
};

/// Where each token of each draft stands on the page.
std::vector<std::vector<Box>> boxes_of(const StageEngine& engine, const StageInput& input,
                                       const Scope& scope, const DraftAligner& aligner) {
  std::vector<std::vector<Box>> boxes;
  for (size_t i = 0; i < scope.drafts.size(); ++i) {
    const Draft& draft = *scope.drafts[i];
    const auto ids = aligner.draft(uint32_t(i)).ids();
    const Region* region = region_of(draft, input.regions);
    boxes.push_back(token_boxes(ids, draft.words, engine.vlm.tokenizer()));
    if (draft.words.empty() && region) boxes.back().assign(ids.size(), region->box);
  }
  return boxes;
}

/// Where the drafts say that the next words stand; nothing where the model's visual rows are no
/// grid. Worked out when it is first asked for: few runs do.
SelectorJob selector_job(const StageEngine& engine, const StageInput& input, const Scope& scope,
                         const ProposerInput& known) {
  const ImageProcessor& processor = engine.vlm.image_processor();
  const int width = scope.image.width_px(), height = scope.image.height_px();
  const PatchGrid patches = processor.grid(width, height);
  const int64_t merge = processor.config().merge;
  const VisualGrid grid{scope.frame, patches.h / merge, patches.w / merge};
  SelectorJob job{processor.visual_tokens(width, height)};
  if (known.drafts.empty() || grid.rows * grid.columns != job.visual) return job;
  job.prior = [&engine, &input, &scope, grid, aligner = known.aligner,
               prior = std::optional<LayoutPrior>()](std::span<const int32_t> output) mutable {
    if (!prior) prior.emplace(aligner, boxes_of(engine, input, scope, *aligner), grid);
    return prior->rows_after(output);
  };
  return job;
}

/// Nothing is known where nobody asks.
Known known_of(const StageEngine& engine, const StageInput& input, const Scope& scope) {
  Known known;
  if (engine.proposers.empty() && !engine.selector) return known;
  const PageFrame frame = frame_of(engine, scope);
  if (engine.page_drafts)
    for (const Draft* draft : scope.drafts)
      known.drafts.push_back(tokens_of(engine, input, scope, frame, *draft));
  const auto& stops = engine.generation.limits.stop_ids;
  known.input = {known.drafts, stops.empty() ? -1 : stops[0], &engine.vlm.tokenizer(), nullptr, {}};
  known.input.aligner = std::make_shared<DraftAligner>(known.drafts, known.input.tokenizer);
  if (input.memory) known.input.earlier = input.memory->pages;
  known.selector_job = selector_job(engine, input, scope, known.input);
  return known;
}

SelectorInput selector_input(const StageEngine& engine, std::vector<SelectorJob> jobs) {
  return {engine.vlm.language_model().layer_count(), engine.vlm.prompts().visual_shares(),
          std::move(jobs)};
}

/// A job with what speaks at each of its steps, its first token taken.
Job make_job(const StageEngine& engine, const StageInput& input, const Scope& scope,
             const Known& known, ImageEncoding& seen, DecodeStats& stats) {
  const std::string& question = engine.vlm.prompts().question(scope.question);
  JobLabel label{input.image->page(), scope.region ? "region" : "page", {}};
  if (scope.region) label.region = scope.region->whole.value_or(scope.region->id);
  std::vector<int32_t> prompt = engine.vlm.prompt_ids(&scope.image, question);
  const VisualRows& visual = seen.rows(stats);
  std::optional<PhaseTimer> timer;
  timer.emplace(stats, "prefill");
  Prefilled prefilled = engine.vlm.prefill_encoded(&visual, prompt);
  timer.emplace(stats, "drafts");
  Job job(std::move(label), std::move(prompt), std::move(prefilled.cache), engine.generation.limits,
          engine.generation.processor);
  if (engine.explain) job.keep_refusals();
  job.sample(engine.generation.sampling);
  if (!engine.proposers.empty()) {
    ProposerInput proposer_input = known.input;
    proposer_input.draft_models = engine.draft_models;
    std::optional<DraftModelInput> draft_input;
    if (!engine.draft_models.empty()) proposer_input.scene = &draft_input.emplace(model_input_of(job, engine, scope));
    proposer_input.target = {&engine.vlm.language_model(), &engine.ops, &job.cache(),
                   selector_input(engine, {known.selector_job})};
    for (const Spec& spec : engine.proposers) job.add(make_proposer(spec, proposer_input));
    if (input.memory) job.share(input.memory->acceptance_model);
  }
  timer.emplace(stats, "prefill");  // a GPU has done it when the first token is there
  start(job, engine.ops, prefilled.logits);
  return job;
}

/// A job's output as the next stage reads it.
Draft draft_of(const StageEngine& engine, const Scope& scope, const Job& job) {
  Draft draft;
  draft.source = "verified";
  draft.text = engine.vlm.tokenizer().decode(job.output(), true);
  if (!scope.region) return draft;
  draft.region = scope.region->id;
  if (scope.region->kind == RegionKind::table)  // the answer is markup: its table is the draft
    for (const Block& block : engine.dialect.parse_page(draft.text, frame_of(engine, scope)))
      if (block.html) {
        draft.text = *block.html;
        break;
      }
  return draft;
}

/// What the page's job did goes to `stats`, what those of its regions did to `region_stats`; the
/// passes were common and stay with the page.
void split_counts(StageResult& result) {
  const auto phases = std::exchange(result.stats.phase_ms, {});
  const int64_t forwards = result.stats.forwards;
  result.stats = result.jobs[0].stats();
  result.stats.phase_ms = phases;
  result.stats.forwards = forwards;
  for (size_t i = 1; i < result.jobs.size(); ++i) result.region_stats += result.jobs[i].stats();
}

/// Prefills and decodes a job for each scope; a job's cache goes with its end. The page's job goes
/// on without regions that are still unread when it ends. Where the device sees beside the passes,
/// the next scope's image is seen while jobs are decoded, one at a time, and its job waits for it.
Task<void> decode_scopes(BatchSlot& slot, Stage stage, const StageEngine& engine,
                         const StageInput& input, std::span<const Scope> scopes,
                         StageResult& result) {
  const bool adaptive = stage == Stage::adaptive;
  std::vector<Job>& jobs = result.jobs;
  jobs.reserve(scopes.size());  // proposers know where their job's cache is
  const auto next_stats = [&]() -> DecodeStats& {
    return adaptive && !jobs.empty() ? result.region_stats : result.stats;
  };
  std::optional<ImageEncoding> ahead;  // the image of the scope behind those that have jobs
  const auto all_read = [&] {
    return jobs.size() == scopes.size() || (adaptive && !jobs.empty() && jobs[0].done());
  };
  const auto see_next = [&] {
    if (ahead || all_read()) return;
    if (engine.decode.before_pass) engine.decode.before_pass();
    ahead.emplace(engine.vlm, engine.ops, scopes[jobs.size()].image, next_stats());
  };
  see_next();
  std::vector<Known> known;
  known.reserve(scopes.size());
  {
    const PhaseTimer timer(result.stats, "drafts");
    for (const Scope& scope : scopes) known.push_back(known_of(engine, input, scope));
  }
  const auto next_job = [&]() -> std::optional<Job> {
    if (all_read()) return std::nullopt;
    see_next();
    const bool decoding = !std::ranges::all_of(jobs, &Job::done);
    if (decoding && !ahead->work().done()) return std::nullopt;
    const size_t i = jobs.size();
    Job job = make_job(engine, input, scopes[i], known[i], *ahead, next_stats());
    ahead.reset();
    if (i > 0 && job.done()) job.release_cache();  // its first token ended it
    return job;
  };
  co_await slot.until(ahead->work());
  jobs.push_back(*next_job());
  DecodeOptions options = engine.decode;
  options.max_batch = std::max<size_t>(1, options.max_batch);
  if (engine.cost && !engine.proposers.empty()) options.cost = engine.cost(jobs[0].cache());
  options.next_job = next_job;
  if (engine.ops.asynchronous())
    options.before_pass = [&] {
      see_next();
      if (engine.decode.before_pass) engine.decode.before_pass();
    };
  options.on_end = [&](size_t i) {
    if (adaptive && i == 0)  // what the regions still had to say comes too late
      for (Job& other : jobs) other.drop();
    if (adaptive && i > 0 && jobs[i].end() == JobEnd::stop && engine.page_drafts)
      jobs[0].add_draft(tokens_of(engine, input, scopes[0], frame_of(engine, scopes[0]),
                                  draft_of(engine, scopes[i], jobs[i])));
    jobs[i].release_cache();
  };
  std::vector<SelectorJob> selector_jobs;
  for (const Known& scope : known) selector_jobs.push_back(scope.selector_job);
  const auto selector =
      engine.selector ? engine.selector(selector_input(engine, std::move(selector_jobs))) : nullptr;
  result.stats += co_await decode(slot, engine.ops, engine.verifier, selector.get(), jobs, options);
  for (size_t i = 0; i < jobs.size(); ++i) {
    result.drafts.push_back(draft_of(engine, scopes[i], jobs[i]));
    jobs[i].release_cache();
  }
}

}  // namespace

ImageSize view_size(const Vlm& vlm, const PageImage& page, std::span<const Draft> drafts) {
  return scaled_size(page, view_scale(vlm, page, page_em_px(drafts)));
}

PageFrame model_frame(const Vlm& vlm, const ImageSize& image) {
  const PatchGrid grid = vlm.image_processor().grid(image.width_px, image.height_px);
  const int patch = int(vlm.image_processor().config().patch);
  return {image.width_px * 72 / image.dpi, image.height_px * 72 / image.dpi, int(grid.w) * patch,
          int(grid.h) * patch};
}

void DocumentMemory::add_page(std::span<const int32_t> output) {
  pages.emplace_back(output.begin(), output.end());
  if (pages.size() > kPages) pages.erase(pages.begin());
}

Task<StageResult> run_stage(BatchSlot& slot, Stage stage, const StageEngine& engine,
                            const StageInput& given) {
  StageInput input = given;
  PageImage even;
  if (engine.vlm.prompts().even_light()) {
    even = evenly_lit(without_specks(*given.image));
    input.image = &even;
  }
  std::vector<Scope> scopes;
  if (stage != Stage::region) scopes.push_back(page_scope(engine, input));
  if (stage != Stage::page)
    for (Scope& scope : region_scopes(engine, input))
      if (stage == Stage::region || doubtful(scope)) scopes.push_back(std::move(scope));

  StageResult result;
  if (!scopes.empty()) co_await decode_scopes(slot, stage, engine, input, scopes, result);
  if (stage == Stage::adaptive) split_counts(result);
  if (input.memory && !scopes.empty() && !scopes[0].region)
    input.memory->add_page(result.jobs[0].output());
  co_return result;
}

StageResult run_stage(Stage stage, const StageEngine& engine, const StageInput& input) {
  BatchScheduler scheduler(engine.vlm.language_model(), 1, engine.decode.max_batch);
  BatchSlot slot(scheduler);
  return run_stage(slot, stage, engine, input).run();
}

}  // namespace docspec
