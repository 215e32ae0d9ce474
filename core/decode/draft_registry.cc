#include <algorithm>
#include <utility>

#include "core/base/error.h"
#include "core/decode/draft_model/draft_model_session.h"
#include "core/decode/draft_model/model_proposer.h"
#include "core/decode/registry.h"
#include "core/decode/retrieve/datastore_file.h"

namespace docspec {
namespace {

WeightOptions weight_options(const Spec& spec, size_t variants) {
  WeightOptions out;
  out.window = size_t(spec.integer("window", 0, 1'000'000));
  out.steps = variants <= 2 ? 10 : variants == 3 ? 5 : 4;  // 11, 21, 35 points
  const bool learnt = spec.either("weights", "tabed", "equal");
  out.rule = learnt ? WeightRule::tabed : WeightRule::equal;
  return out;
}

/// The settings of a draft model.
struct ModelSettings {
  std::vector<DraftInput> inputs;
  ModelDraftOptions options;
  size_t phrases = 0;
  bool gated = false;
};

ModelSettings model_settings(const Spec& spec) {
  ModelSettings out;
  out.inputs = parse_inputs(spec.axis, spec.text("inputs"));
  out.options.passes = size_t(spec.integer("gamma", 1, 64));
  out.options.width = size_t(spec.integer("width", 1, 3));
  out.options.weights = weight_options(spec, out.inputs.size());
  out.phrases = size_t(spec.integer("phrases", 0, 1024));
  out.gated = !spec.text("pays").empty() && spec.integer("pays", 0, 1) == 1;
  return out;
}

/// Fills in what the job says. `gated`: rounds in which drafting does not pay are skipped.
void set_job(ModelDraftOptions& options, const DraftModelInput& job, DraftGate& gate, bool gated) {
  if (job.draws)
    options.rng = std::make_shared<CounterDraftRandom>(job.generation->sampling.seed, job.stream);
  options.vocab_size = job.vocab_size;
  options.stop_ids = job.generation->limits.stop_ids;
  if (gated) options.gate = &gate;
}

std::unique_ptr<Proposer> make_model(const Spec& spec, const ProposerInput& input) {
  ModelSettings settings = model_settings(spec);
  const auto model = std::find_if(input.draft_models.begin(), input.draft_models.end(),
                                  [&](const auto& m) { return m.folder == spec.text("DIR"); });
  if (model == input.draft_models.end() || !input.draft_model_input)
    throw Error(ExitCode::internal, spec.axis + " model: was not loaded");
  set_job(settings.options, *input.draft_model_input, model->gate, settings.gated);
  std::unique_ptr<NgramDatastore> store;
  if (settings.phrases > 0) {
    const std::string& path = spec.text("store");
    store = std::make_unique<NgramDatastore>(
        path.empty() ? nullptr : load_datastore(path, *input.tokenizer), input.earlier,
        RetrievalOptions{2, settings.phrases});
  }
  return make_model_proposer(model->sessions(*input.draft_model_input, settings.inputs),
                             std::move(store), settings.options, model->failed);
}

constexpr Entry<MakeProposer> kDraftProposers[] = {
    {"model", "a small model of the same tokenizer drafts; its settings are in docspec(1)",
     "tabed, double", true, make_model,
     "DIR,gamma=5,width=1,inputs=image,weights=tabed,window=0,phrases=0,store=,pays="},
    {"retrieval", "as in --propose", "double", true,
     [](const Spec& spec, const ProposerInput& input) {
       return find(proposers(), spec.name)->make(spec, input);
     },
     "store=,match=2,depth=10"},
};

}  // namespace

std::span<const Entry<MakeProposer>> draft_proposers() {
  return kDraftProposers;
}

std::unique_ptr<Proposer> make_mtp(const Spec& spec, const ProposerInput& input) {
  ModelDraftOptions options;
  options.passes = size_t(spec.integer("tokens", 1, 64));
  options.source = "mtp";
  const bool gated = spec.integer("pays", 0, 1) == 1;
  if (!input.mtp || !input.draft_model_input) return nullptr;
  set_job(options, *input.draft_model_input, input.mtp->gate, gated);
  return make_model_proposer(input.mtp->sessions(*input.draft_model_input, {}), nullptr, options,
                             input.mtp->failed);
}

void check_draft(const Spec& spec) {
  if (spec.name == "model") model_settings(spec);
}

}  // namespace docspec
