#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/page/draft.h"

namespace docspec {

/// Words that stand on one baseline without a wide gap: a line of a column, a cell of a table.
struct TextLine {
  std::vector<int> words;  ///< indices, from left to right
  Box box;
  double size_px = 0;  ///< font size
  bool bold = false, mono = false, italic = false;
  bool small_capitals = false;  ///< half of its letters
  bool rough_size = false;      ///< estimated by OCR or from the box: good to a quarter
  int quarter_turns = 0;
  size_t chars = 0;

  double middle() const { return (box.y0 + box.y1) / 2.0; }
};

/// Groups words into lines. A gap of more than one em ends a line unless the lines above and below
/// run across it (wide word spaces of justified text); so does the gutter between two columns, how
/// narrow it is, and each of `rules`, which run down between columns. Each word is in exactly one
/// line.
std::vector<TextLine> group_lines(std::span<const Word> words, double dpi,
                                  std::span<const Box> rules = {});

/// Where a box of turned text comes to lie when the page is turned upright for it.
Box turned_upright(const Box& box, int quarter_turns);

/// Share of the heights that two boxes have in common, of the lower one.
double row_overlap(const Box& a, const Box& b);

/// Whether a word of code begins with the sign of a comment that runs to the end of its line.
bool opens_comment(std::string_view word);

/// Fills in what follows from the words of a line.
void summarise(TextLine& line, std::span<const Word> words, double dpi);

/// The right edge of a column from those of its lines, of which there is one: a line that found no
/// place to break does not move it.
int column_edge(std::vector<int> edges, double em);

/// Lines and words of `boxes` that share a row (their heights overlap by half), top to bottom.
std::vector<std::vector<int>> group_rows(std::span<const Box> boxes);
std::vector<std::vector<int>> group_rows(std::span<const TextLine> lines);

/// Width of a letter of words from OCR; 0 if the font gives it or there are too few letters.
double letter_px(const Word& word);

/// Width of a letter where OCR's words are of letters that are all as wide, as those of receipts
/// and typewriters: half of the words have letters within a few hundredths. 0 where they are not.
double typed_letter_px(std::span<const Word> words);

/// Whether three lines, each -1 if there is none, follow each other at one pitch.
bool evenly_set(const std::vector<TextLine>& lines, int first, int second, int third);

}  // namespace docspec
