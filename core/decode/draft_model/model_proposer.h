#pragma once

#include <functional>
#include <future>
#include <memory>
#include <string_view>
#include <vector>

#include "core/decode/align/proposer.h"
#include "core/decode/draft_model/draft_model_session.h"
#include "core/decode/draft_model/variant_weights.h"
#include "core/decode/retrieve/layered_store.h"
#include "core/decode/sample/random_source.h"

namespace docspec {

class DraftGate;

struct ModelDraftOptions {
  size_t passes = 5;  ///< of the draft model a round (gamma)
  /// Greedy tokens: the likeliest `width` at each place of the chain. Drawn ones: so many chains.
  size_t width = 1;
  WeightOptions weights = {};
  /// Draws tokens, and tells their distributions; nullptr = the likeliest ones.
  std::shared_ptr<DraftRandom> rng = {};
  int64_t vocab_size = 0;
  std::vector<int32_t> stop_ids = {};  ///< nothing is drafted behind one
  /// Leaves rounds without a draft where drafts do not pay; nullptr = drafts in each. Greedy tokens
  /// alone: what is drawn would depend on time.
  DraftGate* gate = nullptr;
};

/// Runs a task beside the target's pass: DraftThread::run.
using RunBeside = std::function<std::future<void>(std::function<void()> task)>;

/// A small model drafts chains of tokens ([tabed], [double]).
///
/// - Variants of its input are one batch; what is drafted, and what the verifier is told, is their
///   mixture by weights fixed for a round, learnt from all verified places of drafts.
/// - With a `store` each pass reads a retrieved phrase behind the draft and keeps its own tokens as
///   far as they agree, and one more: draft-side retrieval.
/// - With `beside` it drafts while the target verifies (the two modes of [double]): a draft that
///   is ready is proposed and gone on with beyond its end, meanwhile; without one the target's pass
///   goes ahead alone and what of the new draft it did not contradict is proposed next. The round
///   that is waited for is always the same, so timing changes nothing.
///
/// What the model throws ends its proposals for the job: `failed` is told, the page goes on.
std::unique_ptr<Proposer> make_model_proposer(std::unique_ptr<DraftModelSession> source,
                                              std::unique_ptr<LayeredStore> store,
                                              const ModelDraftOptions& options, RunBeside beside,
                                              std::function<void(std::string_view why)> failed);

}  // namespace docspec
