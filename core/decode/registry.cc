#include "core/decode/registry.h"

#include <algorithm>

#include "core/decode/automaton_proposer.h"
#include "core/decode/backoff_proposer.h"
#include "core/decode/cursor_proposer.h"
#include "core/decode/draft_source.h"
#include "core/decode/draft_thread.h"
#include "core/decode/exact_verifier.h"
#include "core/decode/model_proposer.h"
#include "core/decode/phrase_store.h"
#include "core/decode/retrieval_proposer.h"
#include "core/decode/sampling_verifier.h"
#include "core/decode/template_proposer.h"
#include "core/decode/tolerant_verifier.h"
#include "core/decode/window_proposer.h"
#include "core/error.h"

namespace docspec {
namespace {

constexpr double kLeastTau = 1e-6;

constexpr Entry<MakeVerifier> kVerifiers[] = {
    {"exact", "every token equals greedy decoding", "hsd-doc", true,
     [](const Spec&) { return make_exact_verifier(); }},
    {"tolerant", "takes a draft token whose log-probability is near the best one's", "hsd-doc",
     false,
     [](const Spec& spec) { return make_tolerant_verifier(spec.number("tau", kLeastTau, 1)); },
     "tau=0.75"},
    {"prob-ratio", "takes a draft token whose probability is near the best one's", "oar-ocr", false,
     [](const Spec& spec) { return make_prob_ratio_verifier(spec.number("tau", kLeastTau, 1)); },
     "tau=0.75"},
    {"follow", "draws the next token and follows it in the drafts; the rule at --temperature > 0",
     "", true, [](const Spec&) { return make_follow_verifier(); }},
    {"token", "takes each token of a drawn draft with min(1, p/q)", "speculative-sampling", true,
     [](const Spec&) { return make_token_verifier(); }},
    {"block", "takes the longest prefix of a drawn draft by joint ratios", "block-verification",
     true, [](const Spec&) { return make_block_verifier(); }},
    {"restart", "as block, then again from where it ended with the next draft",
     "block-verification", true, [](const Spec&) { return make_restart_verifier(); }},
};

std::shared_ptr<DraftAligner> aligner_of(const ProposerInput& input) {
  if (input.aligner) return input.aligner;
  return std::make_shared<DraftAligner>(input.drafts, input.tokenizer);
}

template <bool kTakesDrafts>
std::unique_ptr<Proposer> make_automaton(const Spec& spec, const ProposerInput& input) {
  AutomatonOptions options;
  options.least_match = size_t(spec.integer("match", 1, 64));
  options.max_suffix = size_t(spec.integer("suffix", 1, 4096));
  return make_automaton_proposer(input.drafts, input.earlier, kTakesDrafts, options);
}

std::shared_ptr<const PhraseLayer> prior_of(const Spec& spec, const ProposerInput& input) {
  const std::string& path = spec.text("store");
  if (path.empty()) return nullptr;
  if (!input.tokenizer) throw Error(ExitCode::internal, spec.name + ": a store needs a tokenizer");
  return load_store(path, *input.tokenizer);
}

std::unique_ptr<Proposer> make_retrieval(const Spec& spec, const ProposerInput& input) {
  return make_retrieval_proposer(
      prior_of(spec, input), input.earlier,
      {int32_t(spec.integer("match", 1, 64)), size_t(spec.integer("depth", 1, 1024))});
}

WeightOptions weight_options(const Spec& spec, size_t variants) {
  constexpr std::pair<std::string_view, WeightRule> kRules[] = {
      {"equal", WeightRule::equal},     {"tabed", WeightRule::match_kl},
      {"kl", WeightRule::kl},           {"tv", WeightRule::tv},
      {"inverse", WeightRule::inverse}, {"softmax-inverse", WeightRule::softmax_inverse},
      {"boost", WeightRule::boost}};
  WeightOptions out;
  out.window = size_t(spec.integer("window", 0, 1'000'000));
  out.steps = variants <= 2 ? 10 : variants == 3 ? 5 : 4;  // 11, 21, 35 points
  std::string known;
  for (const auto& [name, rule] : kRules) {
    out.rule = rule;
    if (name == spec.text("weights")) return out;
    known += (known.empty() ? "" : ", ") + std::string(name);
  }
  throw Error(ExitCode::usage,
              spec.axis + ": weights=" + spec.text("weights") + ": must be one of " + known);
}

/// What a spec of a draft model says.
struct ModelSettings {
  std::vector<DraftInput> inputs;
  ModelDraftOptions options;
  size_t phrases = 0;
  bool ahead = false;
};

ModelSettings model_settings(const Spec& spec) {
  ModelSettings out;
  out.inputs = parse_inputs(spec.axis, spec.text("inputs"));
  out.options.passes = size_t(spec.integer("gamma", 1, 64));
  out.options.width = size_t(spec.integer("width", 1, 3));
  out.options.weights = weight_options(spec, out.inputs.size());
  out.phrases = size_t(spec.integer("phrases", 0, 1024));
  out.ahead = spec.integer("ahead", 0, 1) == 1;
  return out;
}

std::unique_ptr<Proposer> make_model(const Spec& spec, const ProposerInput& input) {
  ModelSettings settings = model_settings(spec);
  const auto model = std::find_if(input.draft_models.begin(), input.draft_models.end(),
                                  [&](const auto& m) { return m.folder == spec.text("DIR"); });
  if (model == input.draft_models.end() || !input.scene)
    throw Error(ExitCode::internal, spec.axis + " model: was not loaded");
  const Generation& generation = *input.scene->generation;
  if (input.scene->draws)
    settings.options.chance =
        std::make_shared<CounterDraftChance>(generation.sampling.seed, input.scene->stream);
  settings.options.vocab_size = input.scene->vocab_size;
  settings.options.stop_ids = generation.limits.stop_ids;
  std::unique_ptr<LayeredStore> store;
  if (settings.phrases > 0)
    store = std::make_unique<LayeredStore>(prior_of(spec, input), input.earlier,
                                           RetrievalOptions{2, settings.phrases});
  RunBeside beside;
  if (settings.ahead)
    beside = [&thread = model->thread](std::function<void()> task) {
      return thread.run(std::move(task));
    };
  return make_model_proposer(make_draft_source(model->vlm, *input.scene, settings.inputs),
                             std::move(store), settings.options, std::move(beside), model->failed);
}

constexpr Entry<MakeProposer> kProposers[] = {
    {"window", "what follows the last n tokens of the output in any draft", "hsd-doc", true,
     [](const Spec& spec, const ProposerInput& input) {
       WindowOptions options;
       options.window = size_t(spec.integer("n", 1, 16));
       options.max_candidates = size_t(spec.integer("candidates", 1, 1024));
       options.max_suffix = size_t(spec.integer("suffix", 1, 4096));
       options.stop_token = input.stop_token;
       return make_window_proposer({input.drafts.begin(), input.drafts.end()}, options);
     },
     "n=3,candidates=32,suffix=256"},
    {"cursor", "goes on in each draft behind an error, by edit distance over matching keys", "",
     true,
     [](const Spec& spec, const ProposerInput& input) {
       return make_cursor_proposer(aligner_of(input), input.stop_token,
                                   size_t(spec.integer("suffix", 1, 4096)));
     },
     "suffix=128"},
    {"backoff", "shorter windows where none of n tokens matches, near the cursor", "", true,
     [](const Spec& spec, const ProposerInput& input) {
       return make_backoff_proposer({input.drafts.begin(), input.drafts.end()},
                                    size_t(spec.integer("n", 1, 16)),
                                    size_t(spec.integer("reach", 1, 100000)), input.stop_token);
     },
     "n=3,reach=64"},
    {"automaton", "what followed the longest match in drafts, output and other pages, latest first",
     "sam-decoding", true, make_automaton<true>, "match=2,suffix=128"},
    {"template", "markup as this page has it so far, with what the drafts say behind it", "", true,
     [](const Spec&, const ProposerInput& input) {
       return make_template_proposer(aligner_of(input), input.tokenizer);
     }},
    {"history", "as automaton, but from the output and other pages alone", "sam-decoding", true,
     make_automaton<false>, "match=2,suffix=128"},
    {"retrieval", "phrases from a store you built, earlier pages, the output and refused branches",
     "double", true, make_retrieval, "store=,match=2,depth=10"},
};

constexpr Entry<MakeProposer> kDraftProposers[] = {
    {"model", "a small model of the same tokenizer drafts; its settings are in docspec(1)",
     "tabed, double", true, make_model,
     "DIR,gamma=5,width=1,inputs=image,weights=tabed,window=0,phrases=0,store=,ahead=0"},
    {"retrieval", "as in --propose", "double", true, make_retrieval, "store=,match=2,depth=10"},
};

constexpr Entry<MakeSelector> kSelectors[] = {
    {"off", "every pass attends to all visual rows", "", true,
     [](const Spec&) { return std::unique_ptr<FocalSelector>(); }},
};

template <typename Make>
const Entry<Make>& entry(std::span<const Entry<Make>> table, const Spec& spec) {
  const auto* found = find(table, spec.name);
  if (!found)
    throw Error(ExitCode::usage, spec.axis + ": no '" + spec.name + "'; known: " + names(table));
  return *found;
}

}  // namespace

std::span<const Entry<MakeVerifier>> verifiers() {
  return kVerifiers;
}
std::span<const Entry<MakeProposer>> proposers() {
  return kProposers;
}
std::span<const Entry<MakeSelector>> selectors() {
  return kSelectors;
}
std::span<const Entry<MakeProposer>> draft_proposers() {
  return kDraftProposers;
}

std::unique_ptr<Verifier> make_verifier(const Spec& spec) {
  return entry(verifiers(), spec).make(spec);
}

std::unique_ptr<Proposer> make_proposer(const Spec& spec, const ProposerInput& input) {
  if (const auto* found = find(draft_proposers(), spec.name); found && spec.axis == "--draft")
    return found->make(spec, input);
  return entry(proposers(), spec).make(spec, input);
}

void check_draft(const Spec& spec) {
  if (spec.name == "model") model_settings(spec);
}

std::unique_ptr<FocalSelector> make_selector(const Spec& spec) {
  return entry(selectors(), spec).make(spec);
}

}  // namespace docspec
