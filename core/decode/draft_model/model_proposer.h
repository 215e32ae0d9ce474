#pragma once

#include <functional>
#include <memory>
#include <string_view>
#include <vector>

#include "core/decode/align/proposer.h"
#include "core/decode/draft_model/draft_model_session.h"
#include "core/decode/draft_model/variant_weights.h"
#include "core/decode/retrieve/ngram_datastore.h"
#include "core/decode/sample/random_source.h"

namespace docspec {

class DraftGate;

struct ModelDraftOptions {
  size_t passes = 5;  ///< passes of the draft model per round (gamma)
  /// Greedy: the `width` likeliest tokens at each position of the chain. Sampled: number of chains.
  size_t width = 1;
  WeightOptions weights = {};
  /// Samples tokens and reports their distributions; nullptr = takes the likeliest ones.
  std::shared_ptr<DraftRandom> rng = {};
  int64_t vocab_size = 0;
  std::vector<int32_t> stop_ids = {};  ///< nothing is drafted after one
  /// Skips rounds in which drafting does not pay; nullptr = drafts in every round. Greedy only:
  /// sampled drafts must not depend on time.
  DraftGate* gate = nullptr;
  /// Name of source and rule in reports and in the acceptance model; a literal.
  std::string_view source = "draft-model";
};

/// A proposer in which a small model drafts chains of tokens ([tabed], [double]).
///
/// - Variants of its input form one batch. Tokens are drafted from the mixture of their
///   distributions, and the verifier is given that mixture. The weights are fixed for a round and
///   learnt from all verified positions of drafts.
/// - With a `store` (draft-side retrieval) each pass reads a retrieved phrase after the draft. It
///   keeps its own tokens as far as they agree with the phrase, and one more.
///
/// If the model throws, it proposes nothing more in this job: `failed` is called once with the
/// reason, and decoding goes on.
std::unique_ptr<Proposer> make_model_proposer(std::unique_ptr<DraftModelSession> session,
                                              std::unique_ptr<NgramDatastore> store,
                                              const ModelDraftOptions& options,
                                              std::function<void(std::string_view why)> failed);

}  // namespace docspec
