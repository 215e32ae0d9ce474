#pragma once

#include <memory>
#include <vector>

#include "core/decode/align/proposer.h"

namespace docspec {

struct WindowOptions {
  size_t window = 3;           ///< n: tokens of the output that must match
  size_t max_candidates = 32;  ///< per step
  size_t max_suffix = 256;     ///< tokens of one candidate
  int32_t stop_token = -1;     ///< proposed where a draft ends; -1 = none
  /// If nothing matches: shorter windows down to one token, at most this many tokens from where a
  /// draft was last accepted; 0 = never.
  size_t reach = 0;
};

/// The paper's rule ([hsd-doc] 3.2): wherever a draft contains the last n tokens of the output, it
/// proposes what follows there. While the output is shorter than n, the window is as long as the
/// output, and the heads of all drafts are proposed too. Many matches are ranked by their distance
/// from where the draft was last accepted; a quarter of the candidates are the longest suffixes.
std::unique_ptr<Proposer> make_window_proposer(std::vector<DraftTokens> drafts,
                                               const WindowOptions& options);

}  // namespace docspec
