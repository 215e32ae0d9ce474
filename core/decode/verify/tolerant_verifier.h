#pragma once

#include <memory>

#include "core/decode/verify/verifier.h"

namespace docspec {

/// Descends to the best proposed token u* while log p(u^) / log p(u*) >= tau, u^ the target's
/// argmax
/// ([hsd-doc] eq. 7). Ids are compared first, because both logs may round to 0. tau in (0, 1]; at 1
/// it is the exact rule. Approximate: what follows a tolerated token depends on the drafts.
std::unique_ptr<Verifier> make_tolerant_verifier(double tau);

/// The rule of the public port of [hsd-doc] (oar-ocr): p(u*) / p(u^) >= tau. Approximate.
std::unique_ptr<Verifier> make_prob_ratio_verifier(double tau);

}  // namespace docspec
