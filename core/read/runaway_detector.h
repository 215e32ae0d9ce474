#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace docspec {

using TokenIds = std::vector<int32_t>;

/// The place at which a finished output stopped reading the page.
struct Runaway {
  size_t keep = 0;  ///< tokens up to the last agreed point
  std::string why;  ///< "repeats 7 tokens 40 times from token 310"
};

/// Checks a finished output against the drafts. It is a runaway if it repeats a group of up to 64
/// tokens for more than 64 tokens, at least four times, and more than twice as long as any draft
/// does; or if it has more than twice the tokens of the drafts plus 256. A pure function of ids:
/// the same for plain and speculative decoding. Costs 64 comparisons per token.
std::optional<Runaway> find_runaway(std::span<const int32_t> output,
                                    std::span<const TokenIds> drafts);

/// End of the last four tokens of output[0, before) that occur in this order in a draft; 0 if there
/// are none.
size_t last_agreed(std::span<const int32_t> output, std::span<const TokenIds> drafts,
                   size_t before);

}  // namespace docspec
