#pragma once

#include <memory>

#include "core/decode/verify/verifier.h"

namespace docspec {

/// Accepts the path along which every token is the target's argmax, ties to the lowest id: greedy
/// decoding, token by token ([hsd-doc] at tau = 1).
std::unique_ptr<Verifier> make_exact_verifier();

}  // namespace docspec
