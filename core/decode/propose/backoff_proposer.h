#pragma once

#include <memory>
#include <vector>

#include "core/decode/align/proposer.h"

namespace docspec {

/// Matches windows of `window` tokens of the output. If none matches, it tries shorter ones down to
/// a single token, at most `reach` tokens from where a draft was last accepted.
std::unique_ptr<Proposer> make_backoff_proposer(std::vector<DraftTokens> drafts, size_t window,
                                                size_t reach, int32_t stop_token);

}  // namespace docspec
