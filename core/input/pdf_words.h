#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "core/input/pdf_links.h"
#include "core/page/draft.h"

namespace docspec {

/// The name of words in fonts without one, as Type 3 fonts are. Words without a font are OCR's.
inline constexpr const char* kNameless = "[none]";

/// Whether a font has no name; `font` as Poppler gives it.
bool is_nameless(std::string_view font);

/// Cuts an upright word where its font changes at a dash of one em, as in "Abstract—Today" with the
/// label alone in slanted letters, and returns what follows; its text is empty where there is no
/// such dash. `letters`: those of the word, which begin at its Word::places; `font` tells the name
/// of the font of the letter at an index.
Word cut_at_dash(Word& word, const std::vector<uint32_t>& letters,
                 const std::function<std::string(size_t)>& font);

/// Poppler gives each letter the height of its font. TeX's symbol fonts descend by lines, and those
/// of other programs ascend by lines: a minus or a bullet would be of two. Far taller boxes than
/// the page's others of their size keep their top, or their bottom. `glyphs`: heights in font sizes
/// where they are known, else 0. Where TeX did not write the file, boxes of fonts that are of two
/// lines throughout are cut to the letters, and fonts without a name get the size that their
/// letters tell.
void clip_tall_boxes(std::vector<Word>& words, const std::vector<double>& glyphs, double scale,
                     bool tex);

/// TeX prints "≠" as a stroke without width and "=". Makes them one sign.
void join_strokes(std::vector<Word>& words);

/// Bold letters are sometimes a text of which each piece is printed twice, a hair apart: "(In)(In)
/// (to)(to)". Poppler mixes the letters of both prints in its words, which are read as one
/// print here. Word::places holds where each letter begins, and is empty afterwards.
void join_double_prints(std::vector<Word>& words);

/// Bold letters are sometimes a text printed twice, and of the second print some programs write
/// pieces: "53" over "53.4". Removes words that lie within another one that holds their letters.
void drop_overprints(std::vector<Word>& words);

/// Chinese journals lay the dash that opens a word, "—她", over the dash of two ems that ends the
/// one before it, "铁木真——". Takes the second print away.
void drop_second_dashes(std::vector<Word>& words);

/// Takes away the soft hyphen at a word's end where its line goes on.
void drop_soft_hyphens(std::vector<Word>& words);

/// Gives the words in a link its address.
void mark_links(std::vector<Word>& words, const std::vector<PdfLink>& links, double scale);

}  // namespace docspec
