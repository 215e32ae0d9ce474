#pragma once

#include <memory>
#include <span>
#include <vector>

#include "core/decode/align/proposer.h"

namespace docspec {

struct AutomatonOptions {
  size_t least_match = 2;   ///< tokens that must agree
  size_t max_suffix = 128;  ///< tokens of one candidate
};

/// A proposer that finds the longest suffix of the output in the drafts, in the output itself and
/// in `earlier` texts (other pages of the document). It proposes what followed the last occurrence,
/// and what followed the longest shorter suffix elsewhere. Without drafts it is the `history`
/// proposer.
std::unique_ptr<Proposer> make_automaton_proposer(std::span<const DraftTokens> drafts,
                                                  std::span<const std::vector<int32_t>> earlier,
                                                  bool takes_drafts,
                                                  const AutomatonOptions& options);

}  // namespace docspec
