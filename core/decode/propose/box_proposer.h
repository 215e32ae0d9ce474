#pragma once

#include <memory>

#include "core/decode/align/draft_aligner.h"
#include "core/decode/align/proposer.h"

namespace docspec {

class Tokenizer;

/// A proposer of the box with which a layout markup opens its next region. It corrects drafted
/// boxes as the model has corrected those before on this page: per side by the offsets between the
/// written and the drafted boxes, and by the edges that the model has aligned others to. A drafted
/// box is a few pixels off, and each wrong number costs a pass, which are most passes on pages of
/// short regions. After the box it proposes the text of the draft. Proposes nothing if drafts have
/// no boxes, or without a tokenizer.
std::unique_ptr<Proposer> make_box_proposer(std::shared_ptr<DraftAligner> aligner,
                                            const Tokenizer* tokenizer);

}  // namespace docspec
