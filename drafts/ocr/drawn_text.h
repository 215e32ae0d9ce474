#pragma once

#include <span>
#include <string>
#include <vector>

#include "core/document/drafter.h"

namespace docspec {

/// Text that is drawn as shapes on a page with a text layer, as browsers print formulas.
struct DrawnText {
  struct Piece {
    Box box;
    /// The word of the layer that it follows or, where it stands at the start of a line, precedes;
    /// -1 = it is a line of its own.
    int word = -1;
    bool before = false;  ///< it stands before that word
    /// Its ink with what stands above and below it: the parts of fractions, limits of sums.
    Box ink = {};
  };
  std::vector<Piece> pieces;  ///< as high as one line
  int lines = 0;              ///< of the layer, that have such a piece behind a word
  std::vector<Box> higher;    ///< drawn formulas of several lines, each alone
};

/// Looks for dark ink as high as letters between and beside the upright words of the layer's lines,
/// with light around it. Where fewer than three lines have such a piece, only those between two
/// words of a line of text count: labels of a drawing stand alone. The ink in `known` is of words,
/// though higher than their boxes. Needs PageInput::image.
DrawnText find_drawn_text(const PageInput& page, std::span<const Box> known = {});

/// How many pieces in lines of text OCR read.
struct DrawnRead {
  int read = 0, unread = 0;
};

/// Puts what OCR read of each piece (`read`: drafts whose region is the piece's index) among the
/// words, in their font, where it is as sure as `least_sure`; a line of its own only where it reads
/// like a formula. `latex`: what a model read of each piece, which takes the place of OCR's text
/// where it is not empty.
DrawnRead add_drawn_text(std::vector<Word>& words, const std::vector<DrawnText::Piece>& pieces,
                         const std::vector<Draft>& read, double least_sure,
                         std::span<const std::string> latex = {});

}  // namespace docspec
