#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "core/letters/words/word_alignment.h"
#include "core/page/draft.h"
#include "core/page/page_image.h"

namespace docspec {

/// A word of a source, made ready: its ligatures resolved, what cannot be believed of it found.
struct PageWord {
  std::string text;   ///< as it is to stand in the text
  Box box;            ///< pixels of the page
  std::string doubt;  ///< why it cannot be believed, a few words; "" = it can
  bool space_after = true;
  double confidence = 1;  ///< OCR's; 1 of a text layer
  std::string font = {};  ///< "" = not known
};

/// The words of a source without doubles (bold by overprinting), leaders and those off the page.
/// Doubt falls on codes without a character, letters that each stand twice, fonts of OCR layers,
/// turned words, and words without ink under them (`image` may be nullptr: not looked at).
std::vector<PageWord> page_words(std::span<const Word> words, const PageImage* image);

/// Whether something darker or lighter than its ground stands in the box.
bool has_ink(const PageImage& image, const Box& box);

/// One or more words without blanks between them.
struct PageToken {
  AlignedWord aligned;
  std::string text;
  std::string doubt;
  Box box;
  double confidence = 1;   ///< the least of its words
  std::string font;        ///< of its first word
  std::vector<int> words;  ///< indices of PageWords
  size_t line = 0;         ///< of the selection, from top
  bool inside = true;      ///< in the block itself, not around it
  size_t cell = SIZE_MAX;  ///< of a table, where it is known
};

/// The order of a source's words: sorted, which a text layer needs, or the source's own, which OCR
/// has made from lines that may be tilted.
enum class WordOrder { by_place, own };

/// The words whose middles are in `box` grown by `margin_px`, line by line in reading order.
std::vector<PageToken> tokens_in(std::span<const PageWord> words, const Box& box, int margin_px,
                                 WordOrder order = WordOrder::by_place);

/// All words, or those of which `own` has the indices, in the source's own order.
std::vector<PageToken> all_tokens(std::span<const PageWord> words);
std::vector<PageToken> all_tokens(std::span<const PageWord> words, std::span<const int> own);

}  // namespace docspec
