#pragma once

#include <memory>

#include "core/decode/align/proposer.h"
#include "core/decode/retrieve/layered_store.h"

namespace docspec {

/// Target-side retrieval of [double]: phrases of the layered store in the target's own tree, so
/// that the pass that refuses another draft still yields several tokens. `prior` may be nullptr.
std::unique_ptr<Proposer> make_retrieval_proposer(std::shared_ptr<const PhraseLayer> prior,
                                                  std::span<const std::vector<int32_t>> earlier,
                                                  const RetrievalOptions& options);

}  // namespace docspec
