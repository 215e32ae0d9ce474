#include "core/read/stage.h"

#include <ATen/ATen.h>

#include <algorithm>
#include <optional>
#include <utility>

#include "core/base/error.h"
#include "core/decode/align/draft_aligner.h"
#include "core/decode/draft_model/draft_model_session.h"
#include "core/decode/draft_model/mtp_session.h"
#include "core/decode/prune/layout_prior.h"
#include "core/decode/registry.h"
#include "core/model/prompt_set.h"
#include "core/model/vlm.h"
#include "core/ops/stoppable_ops.h"
#include "core/page/even_light.h"
#include "core/page/specks.h"
#include "core/page/text_size.h"
#include "core/read/image_encoding.h"
#include "core/read/scope.h"
#include "core/text/tokenizer.h"

namespace docspec {
namespace {

/// The input of a draft model for this scope.
DraftModelInput model_input_of(const Job& job, const StageEngine& engine, const Scope& scope) {
  DraftModelInput draft_input;
  draft_input.image = &scope.image;
  // Glyphs of the scope's image have shown_px already: the quotient is what is left to scale.
  draft_input.scale = [em_px = scope.em_px,
                       shown_px = engine.vlm.prompts().text_px()](double text_px) {
    return text_scale(em_px, text_px) / text_scale(em_px, shown_px);
  };
  draft_input.stage = scope.question;
  for (const Draft* draft : scope.drafts)
    draft_input.text += (draft_input.text.empty() ? "" : "\n") + draft->text;
  draft_input.prompt = job.prompt_ids();
  draft_input.generation = &engine.generation;
  draft_input.vocab_size = engine.vlm.language_model().vocab_size();
  draft_input.stream = job.stream();
  draft_input.draws =
      engine.generation.sampling.on() && engine.verifier.reads_draft_distributions();
  return draft_input;
}

/// The drafts of a job's answer, as proposers and selector use them.
struct ScopeDrafts {
  std::vector<DraftTokens> drafts;
  ProposerInput input;  ///< refers to them
  SelectorJob selector_job;
};

/// Box on the page of each token of each draft.
std::vector<std::vector<Box>> boxes_of(const StageEngine& engine, const Scope& scope,
                                       const DraftAligner& aligner) {
  std::vector<std::vector<Box>> boxes;
  for (size_t i = 0; i < scope.drafts.size(); ++i) {
    const Draft& draft = *scope.drafts[i];
    const auto ids = aligner.draft(uint32_t(i)).ids();
    const Region* region = region_of(draft, scope.input->regions);
    boxes.push_back(token_boxes(ids, draft.words, engine.vlm.tokenizer()));
    if (draft.words.empty() && region) boxes.back().assign(ids.size(), region->box);
  }
  return boxes;
}

/// The input of a selector for a job: its visual rows, and the prior, which predicts the place of
/// the next words from the drafts. No prior without drafts, or if the visual rows of the model do
/// not form a grid. It is computed when it is first used: few runs need it.
SelectorJob selector_job(const StageEngine& engine, const Scope& scope,
                         const ProposerInput& proposer_input) {
  const ImageProcessor& processor = engine.vlm.image_processor();
  const int width = scope.image.width_px(), height = scope.image.height_px();
  const PatchGrid patches = processor.grid(width, height);
  const int64_t merge = processor.config().merge;
  const VisualGrid grid{scope.frame, patches.h / merge, patches.w / merge};
  SelectorJob job{engine.vlm.visual_tokens(scope.images())};
  if (!scope.next_pages.empty() || proposer_input.drafts.empty() ||
      grid.rows * grid.columns != job.visual)
    return job;
  job.prior = [&engine, &scope, grid, aligner = proposer_input.aligner,
               prior = std::optional<LayoutPrior>()](std::span<const int32_t> output) mutable {
    if (!prior) prior.emplace(aligner, boxes_of(engine, scope, *aligner), grid);
    return prior->rows_after(output);
  };
  return job;
}

/// Returns nothing if neither proposers nor a selector need it.
ScopeDrafts scope_drafts(const StageEngine& engine, const Scope& scope) {
  ScopeDrafts out;
  if (engine.proposers.empty() && !engine.selector) return out;
  const auto add = [&](const Scope& page) {
    const PageFrame frame = frame_of(engine, page);
    for (const Draft* draft : page.drafts)
      out.drafts.push_back(tokens_of(engine, page, frame, *draft));
    if (page.drafts.empty()) return;
    if (page.region) {
      for (const Draft* draft : page.drafts) {
        Draft plain;
        plain.region = draft->region;
        plain.source = draft->source;
        plain.text = with_plain_quotes(draft->text);
        if (plain.text != draft->text) out.drafts.push_back(tokens_of(engine, page, frame, plain));
      }
      return;
    }
    const StageInput& input = *page.input;
    const PageDrafts drafts{input.image->page(),
                            input.image->width_px(),
                            input.image->height_px(),
                            input.image->dpi(),
                            {input.regions.begin(), input.regions.end()},
                            {input.drafts.begin(), input.drafts.end()}};
    for (const std::string& text : written_pages(engine.dialect, frame, drafts))
      out.drafts.push_back({page.drafts[0]->source, input.texts->ids(text)});
  };
  if (engine.page_drafts) {
    add(scope);
    for (const Scope& page : scope.next_pages) add(page);
  }
  const auto& stops = engine.generation.limits.stop_ids;
  out.input = {out.drafts, stops.empty() ? -1 : stops[0], &engine.vlm.tokenizer(), nullptr, {}};
  out.input.aligner = std::make_shared<DraftAligner>(out.drafts, out.input.tokenizer);
  out.selector_job = selector_job(engine, scope, out.input);
  return out;
}

SelectorInput selector_input(const StageEngine& engine, std::vector<SelectorJob> jobs) {
  return {engine.vlm.language_model().layer_count(), engine.vlm.prompts().visual_shares(),
          std::move(jobs)};
}

/// Whether the model's MTP layer is among the proposers.
bool names_mtp(const StageEngine& engine) {
  return std::any_of(engine.proposers.begin(), engine.proposers.end(),
                     [](const Spec& spec) { return spec.name == "mtp"; });
}

/// The model's MTP layer in a job whose cache keeps hidden rows.
DraftModel mtp_draft_model(const StageEngine& engine, LayeredKvCache& cache, const Job& job,
                           RopePositions positions, const at::Tensor& visual) {
  const auto sessions = [&engine, &cache, prompt = job.prompt_ids(), positions, visual](
                            const DraftModelInput& input, std::vector<DraftInput>) {
    return make_mtp_session(*engine.vlm.mtp_layer(), cache, {prompt.begin(), prompt.end()},
                            positions, visual, input);
  };
  return {"mtp", sessions, *engine.mtp_gate, [](std::string_view) {}};
}

/// Prefills a job, adds its proposers and samples its first token.
Job make_job(const StageEngine& engine, const Scope& scope, const ScopeDrafts& drafts,
             ImageEncoding& image, DecodeStats& stats) {
  const StageInput& input = *scope.input;
  const std::string& question = engine.vlm.prompts().question(scope.question);
  const std::string what(scope.region ? "region" : scope.question);
  JobLabel label{input.image->page(), what, {}};
  if (scope.region) label.region = scope.region->whole.value_or(scope.region->id);
  if (scope.region && scope.region->whole) label.part = scope.region->id;
  std::vector<int32_t> prompt =
      engine.vlm.prompt_ids(engine.vlm.visual_tokens(scope.images()), question);
  const VisualRows& visual = image.rows(stats);
  std::optional<PhaseTimer> timer;
  timer.emplace(stats, "prefill");
  const bool uses_mtp = engine.mtp_gate && engine.vlm.mtp_layer() && names_mtp(engine);
  const ProductCheck limit(engine.page_limit);
  Prefilled prefilled = engine.vlm.prefill_encoded(&visual, prompt, uses_mtp);
  LayeredKvCache& cache = *prefilled.cache;  // the job will own it
  timer.emplace(stats, "drafts");
  Job job(std::move(label), std::move(prompt), std::move(prefilled.cache), engine.generation.limits,
          engine.generation.processor);
  if (engine.explain) job.keep_refusals();
  job.sample(engine.generation.sampling);
  if (!engine.proposers.empty()) {
    ProposerInput proposer_input = drafts.input;
    proposer_input.draft_models = engine.draft_models;
    // Only now: pages that are read in parallel add theirs while this one waits.
    if (input.memory) proposer_input.earlier = input.memory->outputs;
    std::optional<DraftModelInput> draft_input;
    std::optional<DraftModel> mtp;
    if (uses_mtp) {
      mtp.emplace(mtp_draft_model(engine, cache, job, std::move(prefilled.positions), visual.rows));
      proposer_input.mtp = &*mtp;
    }
    if (uses_mtp || !engine.draft_models.empty())
      proposer_input.draft_model_input = &draft_input.emplace(model_input_of(job, engine, scope));
    for (const Spec& spec : engine.proposers) job.add(make_proposer(spec, proposer_input));
    if (input.memory) job.share(input.memory->acceptance_model);
  }
  timer.emplace(stats, "prefill");  // on a GPU start() waits for the end of the prefill
  start(job, engine.ops, prefilled.logits);
  return job;
}

/// Moves the counts of the page's job to `stats` and those of its regions' jobs to `region_stats`.
/// The forwards were common and are counted for the page.
void split_counts(StageResult& result) {
  const auto phases = std::exchange(result.stats.phase_ms, {});
  const int64_t forwards = result.stats.forwards;
  result.stats = result.jobs[0].stats();
  result.stats.phase_ms = phases;
  result.stats.forwards = forwards;
  for (size_t i = 1; i < result.jobs.size(); ++i) result.region_stats += result.jobs[i].stats();
}

/// Prefills and decodes a job for each scope. The cache of a job is freed when it ends, that of the
/// first job not before the cost curve was measured after it. If the device works asynchronously,
/// the next image is encoded while jobs are decoded, one image at a time.
class ScopeDecoder {
 public:
  /// All arguments outlive the decoder.
  ScopeDecoder(BatchSlot& slot, Stage stage, const StageEngine& engine,
               std::span<const Scope> scopes, StageResult& result)
      : batch_slot_(slot),
        adaptive_(stage == Stage::adaptive),
        engine_(engine),
        scopes_(scopes),
        result_(result) {}

  Task<void> run();

 private:
  bool all_started() const;
  DecodeStats& next_stats();
  void encode_next_image();
  void tokenize_drafts();
  std::optional<Job> next_job();
  void handle_end(size_t i);
  DecodeOptions options();

  BatchSlot& batch_slot_;
  const bool adaptive_;  ///< scope 0 is the page, the others are regions that may help it
  const StageEngine& engine_;
  const std::span<const Scope> scopes_;
  StageResult& result_;
  std::vector<ScopeDrafts> drafts_;     ///< of each scope
  std::optional<ImageEncoding> image_;  ///< of the first scope without a job
};

/// Whether no more jobs will start: when the page's job has ended, its unread regions are left out.
bool ScopeDecoder::all_started() const {
  const std::vector<Job>& jobs = result_.jobs;
  return jobs.size() == scopes_.size() || (adaptive_ && !jobs.empty() && jobs[0].done());
}

/// The statistics that count the preparation of the next job.
DecodeStats& ScopeDecoder::next_stats() {
  return adaptive_ && !result_.jobs.empty() ? result_.region_stats : result_.stats;
}

void ScopeDecoder::encode_next_image() {
  if (image_ || all_started()) return;
  if (engine_.decode.before_pass) engine_.decode.before_pass();
  const ProductCheck limit(engine_.page_limit);
  image_.emplace(engine_.vlm, engine_.ops, scopes_[result_.jobs.size()].images(), next_stats());
}

void ScopeDecoder::tokenize_drafts() {
  const PhaseTimer timer(result_.stats, "drafts");
  drafts_.reserve(scopes_.size());
  for (const Scope& scope : scopes_) drafts_.push_back(scope_drafts(engine_, scope));
}

/// The next job, prefilled; nullopt while other jobs are decoded and its image is not encoded yet.
std::optional<Job> ScopeDecoder::next_job() {
  if (all_started()) return std::nullopt;
  encode_next_image();
  const bool decoding = !std::ranges::all_of(result_.jobs, &Job::done);
  if (decoding && !image_->work().done()) return std::nullopt;
  const size_t i = result_.jobs.size();
  Job job = make_job(engine_, scopes_[i], drafts_[i], *image_, next_stats());
  image_.reset();
  // Its first token may have ended it. options() needs the cache of job 0.
  if (i > 0 && job.done()) job.release();
  return job;
}

/// Called when job `i` has ended: the text of a region becomes a draft of the page that is still
/// being read.
void ScopeDecoder::handle_end(size_t i) {
  std::vector<Job>& jobs = result_.jobs;
  if (adaptive_ && i == 0)  // the page is complete: the regions are not needed any more
    for (Job& job : jobs) job.drop();
  if (adaptive_ && i > 0 && jobs[i].end() == JobEnd::stop && engine_.page_drafts)
    jobs[0].add_draft(tokens_of(engine_, scopes_[0], frame_of(engine_, scopes_[0]),
                                draft_of(engine_, scopes_[i], jobs[i])));
  jobs[i].release();
}

DecodeOptions ScopeDecoder::options() {
  DecodeOptions options = engine_.decode;
  options.max_batch = std::max<size_t>(1, options.max_batch);
  if (engine_.cost && !engine_.proposers.empty())
    options.cost = engine_.cost(result_.jobs[0].cache());
  options.next_job = [this] { return next_job(); };
  // With `adaptive` the page may end before its regions are needed; all other jobs are needed.
  options.max_joining = adaptive_ ? 1 : options.max_batch;
  options.on_end = [this](size_t i) { handle_end(i); };
  if (engine_.ops.asynchronous())
    options.before_pass = [this] {
      encode_next_image();
      if (engine_.decode.before_pass) engine_.decode.before_pass();
    };
  return options;
}

Task<void> ScopeDecoder::run() {
  std::vector<Job>& jobs = result_.jobs;
  jobs.reserve(scopes_.size());
  encode_next_image();
  tokenize_drafts();  // while the image is encoded
  co_await batch_slot_.until(image_->work());
  jobs.push_back(*next_job());
  std::vector<SelectorJob> selector_jobs;
  for (const ScopeDrafts& scope : drafts_) selector_jobs.push_back(scope.selector_job);
  const DecodeOptions decode_options = options();
  const auto selector = engine_.selector
                            ? engine_.selector(selector_input(engine_, std::move(selector_jobs)))
                            : nullptr;
  result_.stats += co_await decode(batch_slot_, engine_.ops, engine_.verifier, selector.get(), jobs,
                                   decode_options);
  for (size_t i = 0; i < jobs.size(); ++i) {
    result_.drafts.push_back(draft_of(engine_, scopes_[i], jobs[i]));
    jobs[i].release();
  }
}

/// Shows the image of `input` as the model was trained for it; `cleaned` holds it then.
void clean(const StageEngine& engine, StageInput& input, PageImage& cleaned) {
  if (!engine.vlm.prompts().even_light()) return;
  cleaned = evenly_lit(without_specks(*input.image));
  input.image = &cleaned;
}

}  // namespace

void DocumentMemory::add_page(std::span<const int32_t> output) {
  outputs.emplace_back(output.begin(), output.end());
  if (outputs.size() > kPages) outputs.erase(outputs.begin());
}

Task<StageResult> run_stage(BatchSlot& slot, Stage stage, const StageEngine& engine,
                            const StageInput& given) {
  StageInput input = given;
  TokenizedTexts texts(engine.vlm.tokenizer());
  if (!input.texts) input.texts = &texts;
  PageImage cleaned;
  clean(engine, input, cleaned);
  std::vector<Scope> scopes;
  if (stage == Stage::layout) scopes.push_back(layout_scope(engine, input));
  if (stage == Stage::page || stage == Stage::adaptive) scopes.push_back(page_scope(engine, input));
  if (stage == Stage::region || stage == Stage::adaptive)
    for (Scope& scope : region_scopes(engine, input))
      if (stage == Stage::region || low_confidence(scope)) scopes.push_back(std::move(scope));

  StageResult result;
  if (!scopes.empty()) {
    ScopeDecoder decoder(slot, stage, engine, scopes, result);
    co_await decoder.run();
  }
  if (stage == Stage::adaptive) split_counts(result);
  if (input.memory && (stage == Stage::page || stage == Stage::adaptive))
    input.memory->add_page(result.jobs[0].output());
  co_return result;
}

Task<StageResult> read_pages(BatchSlot& slot, const StageEngine& engine,
                             std::span<const StageInput> pages) {
  std::vector<StageInput> inputs(pages.begin(), pages.end());
  std::vector<PageImage> cleaned(pages.size());
  for (size_t i = 0; i < pages.size(); ++i) clean(engine, inputs[i], cleaned[i]);
  const std::vector<Scope> scopes{pages_scope(engine, inputs)};
  StageResult result;
  ScopeDecoder decoder(slot, Stage::page, engine, scopes, result);
  co_await decoder.run();
  if (pages[0].memory) pages[0].memory->add_page(result.jobs[0].output());
  co_return result;
}

StageResult run_stage(Stage stage, const StageEngine& engine, const StageInput& input) {
  BatchScheduler scheduler(engine.vlm.language_model(), 1, engine.decode.max_batch);
  BatchSlot slot(scheduler);
  return run_stage(slot, stage, engine, input).run();
}

}  // namespace docspec
