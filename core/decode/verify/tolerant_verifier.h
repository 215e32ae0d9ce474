#pragma once

#include <memory>

#include "core/decode/verify/verifier.h"

namespace docspec {

/// Descends to the best proposed token u* while log p(u^) / log p(u*) >= tau, where u^ is the
/// target's argmax ([hsd-doc] eq. 7). Ids are compared first, because both logarithms may round to
/// 0. tau is in (0, 1]; with 1 it is the exact rule. Approximate: the text after a tolerated token
/// depends on the drafts.
std::unique_ptr<Verifier> make_tolerant_verifier(double tau);

/// The rule of the public port of [hsd-doc] (oar-ocr): p(u*) / p(u^) >= tau. Approximate.
std::unique_ptr<Verifier> make_prob_ratio_verifier(double tau);

}  // namespace docspec
