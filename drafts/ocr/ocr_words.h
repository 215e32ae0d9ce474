#pragma once

#include <span>
#include <vector>

#include "core/document/drafter.h"
#include "core/page/draft.h"
#include "core/page/page_image.h"

namespace docspec {

/// Why the text of a page is not to be relied on when OCR is not sure of its words.
inline constexpr const char* kIllegible =
    "OCR is not sure of most words: handwriting, an unknown script, or letters too small or "
    "damaged";

inline constexpr const char* kUneven =
    "its lines are uneven, as in handwriting or old print, which OCR reads with errors; a model "
    "may "
    "do better";
inline constexpr const char* kVietnamese =
    "its language seems to be Vietnamese, most of whose letters PP-OCR lacks; apt-get install "
    "tesseract-ocr-vie and name the language";

/// The words of all drafts, one after the other.
std::vector<Word> words_of(std::span<const Draft> drafts);

/// The words that an engine reads in lines of a page, each line a region of its own.
std::vector<Word> read_lines(Drafter& engine, const PageInput& page, std::span<const Box> lines);

/// Restores the bullets of list items: OCR reads them as "*", "¢", "e" and the like. They are
/// recognised by their shape, or by a usual misreading with a capital letter after it.
/// `line_starts`: indices of the first words of lines.
void restore_bullets(std::vector<Word>& words, std::span<const size_t> line_starts);

/// Cuts words that are far higher than those of their line to the heights of these, and words that
/// reach into the next one: specks were taken for a part of them. The first word of a line may be
/// an initial. `line_starts`: as above.
void cut_grown_words(std::vector<Word>& words, std::span<const size_t> line_starts);

/// Takes the blank from between words of one line that Chinese or Japanese writes without one:
/// where two such characters meet and the gap is less than half their height. Likewise between
/// Korean syllables, which Tesseract parts, where the gap is less than Korean's blank. Lines as
/// above.
void close_cjk_gaps(std::vector<Word>& words, std::span<const size_t> line_starts);

/// Joins a stop or comma of Chinese that stands alone with the word before it in its line: it has
/// its blank within itself.
void join_cjk_stops(std::vector<Word>& line);

/// Mends letters that look like others: the "l" of an elision before its apostrophe, small capitals
/// within words of capitals, and "≤" and "√" for the small "s" and the tick after a receipt's
/// prices. `words`: with their lines.
void mend_letters(std::vector<Word>& words);

/// Marks the words of lines whose strokes are clearly thicker than those of most words of the page:
/// bold ones, which OCR does not tell. `line_lengths`: words of each line, from the first word on.
/// The boxes are pixels of `image`.
void mark_heavy(std::vector<Word>& words, std::span<const size_t> line_lengths,
                const PageImage& image);

/// Whether words are Vietnamese, by the letters ư and ơ, which no other language has. PP-OCR leaves
/// most letters out that bear two marks.
bool is_vietnamese(std::span<const Word> words);

}  // namespace docspec
