#pragma once

#include <memory>

#include "core/decode/align/draft_aligner.h"
#include "core/decode/align/proposer.h"

namespace docspec {

class Tokenizer;

/// Markup as the model has written it before on this page: which tags, marks and line breaks
/// (tokens without a symbol, see SymbolReader) followed which, with what the drafts say behind
/// them:
/// "</td><td>" and the next cell, a list's mark and the next item. OCR drafts have none of it.
/// Proposes nothing without a tokenizer.
std::unique_ptr<Proposer> make_template_proposer(std::shared_ptr<DraftAligner> aligner,
                                                 const Tokenizer* tokenizer);

}  // namespace docspec
