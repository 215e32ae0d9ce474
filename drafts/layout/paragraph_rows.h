#pragma once

#include <span>
#include <string>
#include <vector>

#include "drafts/lines/text_blocks.h"
#include "drafts/lines/text_lines.h"

namespace docspec {

/// One row of a block: segments of one baseline.
struct ParagraphRow {
  std::vector<int> lines;
  Box box;
  double middle() const { return (box.y0 + box.y1) / 2.0; }
};

/// The rows of a block, from the top.
std::vector<ParagraphRow> rows_of(const TextBlock& block, const std::vector<TextLine>& lines);

const std::string& first_word(const ParagraphRow& row, const std::vector<TextLine>& lines,
                              std::span<const Word> words);
const std::string& last_word(const ParagraphRow& row, const std::vector<TextLine>& lines,
                             std::span<const Word> words);

/// Whether a word ends a sentence or a clause.
bool ends_sentence(const std::string& word);

/// Where the text after a list marker starts.
int text_start(const ParagraphRow& row, const std::vector<TextLine>& lines,
               std::span<const Word> words);

/// The lower quartile of the distances of rows: that of lines in a paragraph, not of the gaps.
double line_pitch(const std::vector<ParagraphRow>& rows);

/// The words of a row without blanks.
std::string text_of(const ParagraphRow& row, const std::vector<TextLine>& lines,
                    std::span<const Word> words);

/// Whether a row begins with the raised number of a footnote.
bool opens_note(const ParagraphRow& row, const std::vector<TextLine>& lines,
                std::span<const Word> words);

/// Whether all of a row is in one font, and what follows in another: a heading above its paragraph.
bool is_set_off(const ParagraphRow& row, const ParagraphRow& next,
                const std::vector<TextLine>& lines, std::span<const Word> words);

/// Whether a row begins with a label in bold, "DATES:", "PLUS :", and the one before does not end
/// in bold.
bool opens_labelled(const ParagraphRow& row, const ParagraphRow& before,
                    const std::vector<TextLine>& lines, std::span<const Word> words);

/// Whether paragraphs hang: as many of the page's lines begin at `x`, where the second line
/// of one does, as where the first one does; half as many where that is its last line, too.
bool hang(int x, int first_x, bool last, const std::vector<TextLine>& lines, double em);

/// Where a block is a list of entries whose first lines begin at the left and the others further
/// right, as in a bibliography, whether each row is a first one; else nothing. Lines that come back
/// to the left do so where an entry ended. On a scan, and in a long list, the first rows may be the
/// end of another page's entry; a scan's left edge may tilt.
std::vector<bool> entry_starts(const std::vector<ParagraphRow>& rows, int left,
                               const std::vector<TextLine>& lines, std::span<const Word> words,
                               double em);

}  // namespace docspec
