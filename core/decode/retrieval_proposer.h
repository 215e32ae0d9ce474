#pragma once

#include <memory>

#include "core/decode/phrase_layer.h"
#include "core/decode/proposer.h"

namespace docspec {

struct RetrievalOptions {
  int32_t least_match = 2;
  size_t depth = 10;  ///< tokens of a phrase; [double] found no gain beyond
};

/// Target-side retrieval of [double]: phrases in the target's own tree, so that the pass that
/// refuses another draft still yields several tokens. Three layers: the prior (texts the user
/// owns), history (earlier pages and the output) and branches that were refused elsewhere. Unlike
/// the published code: longest match and latest occurrence, one running index, short phrases at a
/// text's end. `prior` may be nullptr.
std::unique_ptr<Proposer> make_retrieval_proposer(std::shared_ptr<const PhraseLayer> prior,
                                                  std::span<const std::vector<int32_t>> earlier,
                                                  const RetrievalOptions& options);

}  // namespace docspec
