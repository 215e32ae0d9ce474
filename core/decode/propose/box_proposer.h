#pragma once

#include <memory>

#include "core/decode/align/draft_aligner.h"
#include "core/decode/align/proposer.h"

namespace docspec {

class Tokenizer;

/// The box that a layout markup opens its next region with, corrected as the model has corrected
/// the drafts' boxes on this page so far: per side the offsets between the boxes it wrote and those
/// that were drafted for them, and the edges it has aligned others to. A drafted box is a few
/// pixels off, and each wrong number costs a pass: on pages of short regions most of them. Behind
/// the box the draft goes on. Proposes nothing where drafts have no boxes, or without a tokenizer.
std::unique_ptr<Proposer> make_box_proposer(std::shared_ptr<DraftAligner> aligner,
                                            const Tokenizer* tokenizer);

}  // namespace docspec
