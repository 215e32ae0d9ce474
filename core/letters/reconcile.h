#pragma once

#include <optional>
#include <span>
#include <string_view>

#include "core/document/document.h"
#include "core/document/drafter.h"
#include "core/letters/surety.h"
#include "core/letters/words/read_words.h"
#include "core/page/draft.h"

namespace docspec {

/// Whose letters a page gets after a model has read it (--letters). automatic: those of the text
/// layer where they can be trusted; document: those of the text layer wherever it can be aligned.
enum class LetterRule { automatic, model, document };

/// The rule called "auto", "model" or "document".
LetterRule letter_rule(std::string_view name);

/// The other readings of a page that its letters are compared with; valid during the call only.
struct PageSources {
  double dpi = 0;                    ///< of the boxes of words: pixels of the upright page
  std::span<const Word> layer;       ///< the PDF's text layer, in the file's order
  bool layer_trusted = false;        ///< the page's layer lies on its ink and is readable
  const PageImage* image = nullptr;  ///< at `dpi`; nullptr = the layer cannot be checked by its ink
  Drafter* ocr = nullptr;            ///< reads the boxes of words that differ; nullptr = none does
  std::span<const Draft> drafts = {};    ///< of a scan: those of OCR have its words
  std::span<const Region> regions = {};  ///< of which they are drafts
  std::span<const ReadWord> read = {};   ///< the model's words with its margins, in its own order
  const SuretyByOcr* surety = nullptr;   ///< of the model; nullptr = not measured
};

/// Compares the blocks of `page` with the words that stand there on the page. Letters inside words,
/// numbers and punctuation become those of the layer; order, kinds, lists, cells, emphasis, joined
/// hyphenations and formulas stay. Words that the model left out are put in their place within
/// their block; words that have no room on the page are taken out, others that the layer does not
/// have are marked. Block::words says what was done. Formulas are left alone.
///
/// A block that says what another one has said of the same words of the page is taken out. On pages
/// with a text layer, pictures become no larger than what they show: see trim_pictures().
///
/// A layer is believed font by font, where it proves right: OCR reads the boxes of numbers that
/// differ and of a sample of the other words. Where it once sides with the model, only words of the
/// font stand that it confirms one by one. Without OCR the model must have written half of the
/// font's words. Blocks that no model has written keep their letters.
///
/// Where no layer can be used, the words of OCR take its place: of two readings the surer one
/// stands, by OCR's confidence and the model's margin. A number of which neither is sure is marked.
void reconcile(LetterRule rule, const PageSources& sources, Page& page);

/// The share of words that model and OCR both read, where it is so small that OCR, as the surer
/// one, should stand for the whole page: the model has invented or left out much. Else nothing.
std::optional<double> share_where_ocr_read(LetterRule rule, const PageSources& sources);

/// Words of a page whose readings differ, and what stands.
struct LetterCounts {
  size_t words = 0;      ///< that were compared
  size_t replaced = 0;   ///< letters of the document or of OCR stand
  size_t inserted = 0;   ///< the model had left them out
  size_t removed = 0;    ///< the model had written them where the page has no room
  size_t unfounded = 0;  ///< only the model has them; kept
  size_t refused = 0;    ///< the other reading is not believed; the model's stands
  size_t doubtful = 0;   ///< numbers of which no reading is sure

  size_t differences() const { return replaced + inserted + removed + unfounded + refused; }
  LetterCounts& operator+=(const LetterCounts& more);
};
LetterCounts count_letters(const Page& page);

}  // namespace docspec
