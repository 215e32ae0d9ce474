#pragma once

#include <functional>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/registry.h"
#include "core/base/spec.h"
#include "core/decode/align/proposer.h"
#include "core/decode/draft_model/draft_model_session.h"
#include "core/decode/prune/focal_selector.h"
#include "core/decode/verify/verifier.h"

namespace docspec {

class DraftAligner;
class Tokenizer;
struct DraftModel;
class DraftGate;

/// The facts about a job that its proposers may use.
struct ProposerInput {
  std::span<const DraftTokens> drafts;   ///< a set: the order may change speed, never the output
  int32_t stop_token = -1;               ///< proposed where a draft ends; -1 = none
  const Tokenizer* tokenizer = nullptr;  ///< nullptr = ids are compared, not texts
  /// Shared by the proposers of the job; nullptr = each has its own.
  std::shared_ptr<DraftAligner> aligner = {};
  /// Outputs of other pages of the document, oldest first.
  std::span<const std::vector<int32_t>> earlier = {};
  std::span<const DraftModel> draft_models = {};       ///< loaded for the run
  const DraftModel* mtp = nullptr;                     ///< the target's own layer in this job
  const DraftModelInput* draft_model_input = nullptr;  ///< what they are shown of the job
};

/// A draft model of the run, loaded once. The references must outlive its proposers.
struct DraftModel {
  std::string folder;  ///< as the user named it
  MakeDraftModelSession sessions;
  DraftGate& gate;
  std::function<void(std::string_view why)>
      failed;  ///< called for each job that goes on without it
};

using MakeVerifier = std::unique_ptr<Verifier> (*)(const Spec&);
using MakeProposer = std::unique_ptr<Proposer> (*)(const Spec&, const ProposerInput&);
using MakeSelector = std::unique_ptr<FocalSelector> (*)(const Spec&, const SelectorInput&);

/// `--verify`, `--propose` and `--prune`: a new rule is a header, a source, an entry in
/// registry.cc.
std::span<const Entry<MakeVerifier>> verifiers();
std::span<const Entry<MakeProposer>> proposers();
std::span<const Entry<MakeSelector>> selectors();
/// Step proposers that `--draft` names: sources of their own rather than rules over page drafts.
std::span<const Entry<MakeProposer>> draft_proposers();

/// Builds what a parsed choice names (a proposer: of either table). Throws Error(usage) for a
/// setting out of range. A selector is nullptr for "off", a proposer for "mtp" without such a
/// layer.
std::unique_ptr<Verifier> make_verifier(const Spec& spec);
std::unique_ptr<Proposer> make_proposer(const Spec& spec, const ProposerInput& input);
std::unique_ptr<FocalSelector> make_selector(const Spec& spec, const SelectorInput& input);
/// `--propose mtp`: the target's own layer for further tokens; nullptr where the job has none.
std::unique_ptr<Proposer> make_mtp(const Spec& spec, const ProposerInput& input);
/// Throws Error(usage) for a setting out of range of a choice in draft_proposers().
void check_draft(const Spec& spec);

}  // namespace docspec
