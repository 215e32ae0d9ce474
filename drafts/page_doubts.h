#pragma once

#include <span>
#include <string>
#include <vector>

#include "core/page/draft.h"
#include "core/page/page_glyphs.h"

namespace docspec {

/// Why the drafts of a page may not be what it says, in words for its status; empty = no reason.
/// Lines that OCR wrote and that are no words, two and more.
std::string doubt_of_rubble(const std::vector<Draft>& drafts);

/// OCR is not sure of a quarter of its text, displayed formulas aside.
std::string doubt_of_unsure_text(const std::vector<Draft>& drafts);

/// Formulas in a font like Word's that does not tell its letters: it maps signs with ink to blanks,
/// or indices to "!", "#" and others, as Quartz does with those that have no code point.
std::string doubt_of_letters(std::span<const Word> words, const PageGlyphs& glyphs);

/// Pieces of tall brackets stand in the text of a text layer: a matrix or a formula of several rows
/// fell into lines.
std::string doubt_of_brackets(const std::vector<Draft>& drafts);

/// Formulas show that they were torn: letters without a code point, several rows within an index,
/// an index that stands as a formula of its own behind another one.
std::string doubt_of_formulas(const std::vector<Draft>& drafts);

/// A third of the text stands in short pieces side by side, as in a drawing, a poster or a map: the
/// order in which they are written is a guess.
std::string doubt_of_scattered_text(const PageDrafts& page);

}  // namespace docspec
