#pragma once

#include <span>
#include <vector>

#include "core/page/draft.h"
#include "core/page/page_image.h"

namespace docspec {

/// Gives the bullets of list items back their sign: OCR reads them as "*", "¢", "e" and the like.
/// They are known by their shape, or by a usual misreading with a capital letter behind it.
/// `line_starts`: indices of the first words of lines.
void restore_bullets(std::vector<Word>& words, std::span<const size_t> line_starts);

/// Cuts words that are far higher than those of their line to the heights of these, and words that
/// reach into the next one: specks were taken for a part of them. The first word of a line may be
/// an initial. `line_starts`: as above.
void cut_grown_words(std::vector<Word>& words, std::span<const size_t> line_starts);

/// Marks the words of lines whose strokes are clearly thicker than those of most words of the page:
/// bold ones, which OCR does not tell. `line_lengths`: words of each line, from the first word on.
/// The boxes are pixels of `image`.
void mark_heavy(std::vector<Word>& words, std::span<const size_t> line_lengths,
                const PageImage& image);

}  // namespace docspec
