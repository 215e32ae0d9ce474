#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace docspec {

using TokenIds = std::vector<int32_t>;

/// Where a finished output stopped reading the page.
struct Runaway {
  size_t keep = 0;  ///< tokens up to the last agreed point
  std::string why;  ///< "repeats 7 tokens 40 times from token 310"
};

/// The drafts as a witness against a finished output. It runs away when it repeats a group of up to
/// 64 tokens for longer than 64 tokens, four times at least, and more than twice as long as any
/// draft does; or when it has over twice the drafts' tokens and 256 more. A pure function of ids:
/// the same for plain and speculative decoding. Cost: 64 comparisons a token.
std::optional<Runaway> find_runaway(std::span<const int32_t> output,
                                    std::span<const TokenIds> drafts);

/// The end of the last four tokens of output[0, before) that stand so in a draft; 0 without any.
size_t last_agreed(std::span<const int32_t> output, std::span<const TokenIds> drafts,
                   size_t before);

}  // namespace docspec
