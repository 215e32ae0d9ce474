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
  /// Where nothing matches: shorter windows down to one token, at most so many tokens from where a
  /// draft was last accepted; 0 = never.
  size_t reach = 0;
};

/// The paper's rule ([hsd-doc] 3.2): wherever a draft holds the last n tokens of the output, what
/// follows there is proposed. While the output is shorter than n the window shrinks to it and the
/// heads of all drafts are proposed too. Many matches are ranked by how near they are to where the
/// draft was last accepted; a quarter of the places goes to the longest suffixes.
std::unique_ptr<Proposer> make_window_proposer(std::vector<DraftTokens> drafts,
                                               const WindowOptions& options);

}  // namespace docspec
