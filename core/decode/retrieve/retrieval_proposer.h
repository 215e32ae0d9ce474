#pragma once

#include <memory>

#include "core/decode/align/proposer.h"
#include "core/decode/retrieve/ngram_datastore.h"

namespace docspec {

/// Target-side retrieval of [double]: phrases of the datastore join the target's own tree, so that
/// a pass that rejects another draft still yields several tokens. `prior` may be nullptr.
std::unique_ptr<Proposer> make_retrieval_proposer(std::shared_ptr<const SuffixIndex> prior,
                                                  std::span<const std::vector<int32_t>> earlier,
                                                  const RetrievalOptions& options);

}  // namespace docspec
