#pragma once

#include <memory>
#include <vector>

#include "core/document/drafter.h"

namespace docspec {

/// Drafts from the words of the PDF's text layer (PageInput::text_layer).
std::unique_ptr<Drafter> make_text_layer_drafter();

/// Mends what PDFs do to words of an upright page: bullets of symbol fonts, large initials, entries
/// of a list of contents without a leader.
void mend_words(std::vector<Word>& words);

/// Takes the fonts from words that nobody sees, where nearly all are in type of one width: programs
/// of OCR that tell no fonts apart write so, and it is no code.
void forget_typed_fonts(std::vector<Word>& words);

}  // namespace docspec
