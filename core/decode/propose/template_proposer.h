#pragma once

#include <memory>

#include "core/decode/align/draft_aligner.h"
#include "core/decode/align/proposer.h"

namespace docspec {

class Tokenizer;

/// A proposer of markup as the model has written it before on this page. It learns which tags,
/// marks and line breaks (tokens without a symbol, see SymbolReader) followed which, and adds the
/// text that the drafts have after them: "</td><td>" and the next cell, the mark of a list and the
/// next item. OCR drafts have no markup. Proposes nothing without a tokenizer.
std::unique_ptr<Proposer> make_template_proposer(std::shared_ptr<DraftAligner> aligner,
                                                 const Tokenizer* tokenizer);

}  // namespace docspec
