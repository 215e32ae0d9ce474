#include "core/decode/stage.h"

#include <ATen/ATen.h>

#include <algorithm>

#include "core/decode/registry.h"
#include "core/error.h"
#include "core/model/prompt_set.h"
#include "core/model/vlm.h"
#include "core/text/tokenizer.h"
#include "core/text_size.h"

namespace docspec {
namespace {

/// One job to be: what the model is shown and asked, and what is known of the answer.
struct Scope {
  const Region* region = nullptr;  ///< nullptr = the page
  PageImage image;                 ///< the page or its crop, at the model's size of letters
  std::string_view question;       ///< a stage name of the family's prompts
  std::vector<const Draft*> drafts;
};

/// The family's question for a region of this kind.
std::string_view question_of(RegionKind kind) {
  if (kind == RegionKind::table) return "table";
  return kind == RegionKind::formula ? "formula" : "text";
}

/// Crops keep a margin of a third of a text line: a box may cut ascenders.
PageImage crop_of(const PageImage& page, const Region& region) {
  const int margin_px = std::max(4, int(page.dpi() / 24));
  return page.crop(pad(region.box, margin_px, page.width_px(), page.height_px()));
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
  block.box_pt =
      page.to_points(region ? region->box : Box{0, 0, page.width_px(), page.height_px()});
  block.text = draft.text;
  if (block.kind == RegionKind::table) block.html = draft.text;
  if (block.kind == RegionKind::formula) block.latex = draft.text;
  block.source = draft.source;
  return block;
}

std::vector<Scope> region_scopes(const StageEngine& engine, const StageInput& input) {
  std::vector<Scope> scopes;
  const double scale = text_scale(input.drafts, engine.vlm.prompts().text_px());
  for (const Region& region : input.regions) {
    Scope scope{&region, {}, question_of(region.kind), {}};
    for (const Draft& draft : input.drafts)
      if (draft.region == region.id && !draft.text.empty()) scope.drafts.push_back(&draft);
    if (region.kind == RegionKind::picture || scope.drafts.empty()) continue;
    try {
      scope.image = scaled(crop_of(*input.image, region), scale);
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

/// The drafts of a scope as the model would write them, each by itself. What a crop's plain prompt
/// answers is text as it stands; tables and pages come in the model's markup.
std::vector<DraftTokens> tokens_of(const StageEngine& engine, const StageInput& input,
                                   const Scope& scope, const PageFrame& frame) {
  std::vector<DraftTokens> out;
  for (const Draft* draft : scope.drafts) {
    const bool plain = scope.question == "text" || scope.question == "formula";
    const Block block = block_of(*draft, region_of(*draft, input.regions), *input.image);
    const std::string text = plain ? draft->text : engine.dialect.render_block(block, frame);
    // Text from a document must not turn into special tokens.
    out.push_back({draft->source, engine.vlm.tokenizer().encode(text, false)});
  }
  return out;
}

Job make_job(Stage stage, const StageEngine& engine, const StageInput& input, const Scope& scope,
             DecodeStats& stats) {
  const PageImage& image = scope.image;
  const std::string& question = engine.vlm.prompts().question(scope.question);
  JobLabel label{input.image->page(), stage == Stage::page ? "page" : "region", {}};
  if (scope.region) label.region = scope.region->id;
  Prefilled prefilled;
  std::vector<int32_t> prompt;
  if (engine.decode.before_pass) engine.decode.before_pass();
  {
    const PhaseTimer timer(stats, "prefill");
    prompt = engine.vlm.prompt_ids(&image, question);
    prefilled = engine.vlm.prefill(&image, prompt);
  }
  const PhaseTimer timer(stats, "drafts");
  Job job(std::move(label), std::move(prompt), std::move(prefilled.cache), engine.generation.limits,
          engine.generation.processor);
  if (engine.explain) job.keep_refusals();
  if (!engine.proposers.empty()) {
    const auto drafts = tokens_of(engine, input, scope, model_frame(engine.vlm, image));
    const auto& stops = engine.generation.limits.stop_ids;
    const ProposerInput known{drafts, stops.empty() ? -1 : stops[0]};
    for (const Spec& spec : engine.proposers) job.add(make_proposer(spec, known));
  }
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
    for (const Block& block :
         engine.dialect.parse_page(draft.text, model_frame(engine.vlm, scope.image)))
      if (block.html) {
        draft.text = *block.html;
        break;
      }
  return draft;
}

}  // namespace

PageImage view_of(const Vlm& vlm, const PageImage& page, std::span<const Draft> drafts) {
  return scaled(page, text_scale(drafts, vlm.prompts().text_px()));
}

PageFrame model_frame(const Vlm& vlm, const PageImage& image) {
  const PatchGrid grid = vlm.image_processor().grid(image.width_px(), image.height_px());
  const int patch = int(vlm.image_processor().config().patch);
  return {image.width_px() * 72 / image.dpi(), image.height_px() * 72 / image.dpi(),
          int(grid.w) * patch, int(grid.h) * patch};
}

StageResult run_stage(Stage stage, const StageEngine& engine, const StageInput& input) {
  std::vector<Scope> scopes;
  if (stage == Stage::region) {
    scopes = region_scopes(engine, input);
  } else {
    Scope& page = scopes.emplace_back(
        Scope{nullptr, view_of(engine.vlm, *input.image, input.drafts), "page", {}});
    for (const Draft& draft : input.drafts)
      if (!draft.text.empty()) page.drafts.push_back(&draft);
  }
  StageResult result;
  for (const Scope& scope : scopes)
    result.jobs.push_back(make_job(stage, engine, input, scope, result.stats));
  result.stats += decode(engine.vlm.language_model(), engine.ops, engine.verifier, nullptr,
                         result.jobs, engine.decode);
  for (size_t i = 0; i < scopes.size(); ++i)
    result.drafts.push_back(draft_of(engine, scopes[i], result.jobs[i]));
  return result;
}

}  // namespace docspec
