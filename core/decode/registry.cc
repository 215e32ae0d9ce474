#include "core/decode/registry.h"

#include <fmt/format.h>

#include "core/base/error.h"
#include "core/decode/propose/automaton_proposer.h"
#include "core/decode/propose/backoff_proposer.h"
#include "core/decode/propose/box_proposer.h"
#include "core/decode/propose/cursor_proposer.h"
#include "core/decode/propose/template_proposer.h"
#include "core/decode/propose/window_proposer.h"
#include "core/decode/prune/fixation_selector.h"
#include "core/decode/retrieve/datastore_file.h"
#include "core/decode/retrieve/retrieval_proposer.h"
#include "core/decode/verify/exact_verifier.h"
#include "core/decode/verify/sampling_verifier.h"
#include "core/decode/verify/tolerant_verifier.h"

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

std::shared_ptr<const SuffixIndex> prior_of(const Spec& spec, const ProposerInput& input) {
  const std::string& path = spec.text("store");
  if (path.empty()) return nullptr;
  if (!input.tokenizer) throw Error(ExitCode::internal, spec.name + ": a store needs a tokenizer");
  return load_datastore(path, *input.tokenizer);
}

std::unique_ptr<Proposer> make_retrieval(const Spec& spec, const ProposerInput& input) {
  return make_retrieval_proposer(
      prior_of(spec, input), input.earlier,
      {int32_t(spec.integer("match", 1, 64)), size_t(spec.integer("depth", 1, 1024))});
}

FixationOptions fixation_options(const Spec& spec) {
  FixationOptions options;
  options.keep = spec.number("keep", 0, 1);
  options.focal = spec.number("focal", 0, 1);
  options.gap = spec.integer("gap", 0, 1000);
  options.warm_up = spec.integer("warmup", 1, 1000);
  options.each = spec.either("rows", "each", "union");
  options.inherit = spec.either("inherit", "on", "off");
  options.prior = spec.either("prior", "on", "off");
  options.guard = spec.number("guard", 0, 1e6);
  options.least = spec.integer("least", 1, 1'000'000'000);
  return options;
}

/// Settings of `--prune auto`: those that pay on this engine
/// (tests/bench/results/fixation-speed.json), guarded. How well a model reads with them is not
/// measured.
FixationOptions automatic_fixation() {
  FixationOptions options;
  options.inherit = false;
  options.guard = 1;
  options.least = 2048;
  return options;
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
    {"cursor", "goes on in each draft after an error, by edit distance over matching keys", "",
     true,
     [](const Spec& spec, const ProposerInput& input) {
       return make_cursor_proposer(aligner_of(input), input.stop_token,
                                   size_t(spec.integer("suffix", 1, 4096)));
     },
     "suffix=128", true},
    {"backoff", "shorter windows where none of n tokens matches, near the cursor", "", true,
     [](const Spec& spec, const ProposerInput& input) {
       return make_backoff_proposer({input.drafts.begin(), input.drafts.end()},
                                    size_t(spec.integer("n", 1, 16)),
                                    size_t(spec.integer("reach", 1, 100000)), input.stop_token);
     },
     "n=3,reach=64", true},
    {"automaton", "what followed the longest match in drafts, output and other pages, latest first",
     "sam-decoding", true, make_automaton<true>, "match=2,suffix=128", true},
    {"template", "markup as this page has it so far, with what the drafts say after it", "", true,
     [](const Spec&, const ProposerInput& input) {
       return make_template_proposer(aligner_of(input), input.tokenizer);
     },
     "", true},
    {"box", "the next region's box, corrected as the model has corrected the drafts' before", "",
     true,
     [](const Spec&, const ProposerInput& input) {
       return make_box_proposer(aligner_of(input), input.tokenizer);
     },
     "", true},
    {"mtp", "the model's own layer for further tokens, where the checkpoint has one", "glm-ocr",
     true, make_mtp, "tokens=4,pays=1", true},
    {"history", "as automaton, but from the output and other pages alone", "sam-decoding", true,
     make_automaton<false>, "match=2,suffix=128"},
    {"retrieval", "phrases from a store you built, earlier pages, the output and rejected branches",
     "double", true, make_retrieval, "store=,match=2,depth=10"},
};

constexpr Entry<MakeSelector> kSelectors[] = {
    {"off", "every pass attends to all visual rows", "", true,
     [](const Spec&, const SelectorInput&) { return std::unique_ptr<FocalSelector>(); }},
    {"fixation", "most layers attend to the visual rows that the model is looking at", "fastocr",
     false,
     [](const Spec& spec, const SelectorInput& input) {
       return make_fixation_selector(fixation_options(spec), input);
     },
     "keep=0.05,focal=0.1,gap=1,warmup=10,rows=each,inherit=on,prior=on,guard=0,least=512"},
    {"auto", "fixation, guarded, for images of 2048 visual tokens and more", "fastocr", false,
     [](const Spec&, const SelectorInput& input) {
       return make_fixation_selector(automatic_fixation(), input);
     }},
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

std::unique_ptr<Verifier> make_verifier(const Spec& spec) {
  return entry(verifiers(), spec).make(spec);
}

std::unique_ptr<Proposer> make_proposer(const Spec& spec, const ProposerInput& input) {
  if (const auto* found = find(draft_proposers(), spec.name); found && spec.axis == "--draft")
    return found->make(spec, input);
  return entry(proposers(), spec).make(spec, input);
}

std::unique_ptr<FocalSelector> make_selector(const Spec& spec, const SelectorInput& input) {
  return entry(selectors(), spec).make(spec, input);
}

}  // namespace docspec
