#pragma once

#include <string>
#include <vector>

#include "core/document/drafter.h"
#include "drafts/lines/text_lines.h"

namespace docspec {

/// One row of lines at the top or bottom, `from` and `to` counted from that edge of the page.
struct MarginRow {
  std::vector<int> lines;
  int from = 0, to = 0;
  double size_px = 0;
  size_t chars = 0;
  bool number = false, imprint = false, prose = false, stays = false, centred = false;
  bool owner = false;       ///< says at the foot whose the copy is
  bool only_number = true;  ///< and nothing else
  bool page_named = false;  ///< "Page 3"
  bool mid_page = false;    ///< in the middle of the page or of its text
  bool of_text = true;      ///< in the font of most of the page's letters, or in none that is known
  bool flush_right = false;   ///< and not as wide as half the text
  bool dated = false;         ///< "October 2023"
  bool print_mark = false;    ///< one line is a date in numbers or an address
  bool printed = false;       ///< and the others are such or numbers
  bool own_font = false;      ///< smaller than the text, in a font that the text has not
  bool at_both_ends = false;  ///< two lines, one at each edge of the text, with white between them;
                              ///< or a number at one edge and words in the middle
  bool edge_number = false;   ///< a number has a line to itself at an edge of the text
  bool bar_number = false;    ///< ends in a bar and a number: "Harbours | 3.5."
  bool tabs = false;          ///< the page's number after the names of the report's parts
  bool title = false;         ///< one bold line in the middle
};

constexpr size_t kShortRow = 60;  ///< letters of a header further in

/// What both margins of a page are told by.
struct PageText {
  Box box;               ///< of upright lines
  size_t on_side = 0;    ///< lines that are not
  size_t letters = 0;    ///< bytes of all words
  std::string font;      ///< of most of them
  bool listing = false;  ///< some of its lines are code

  PageText(std::span<const Word> words, const std::vector<TextLine>& lines);
};

/// The outermost rows of a page at its top or bottom.
struct MarginRows {
  std::vector<MarginRow> rows;  ///< from the edge, five at most and one more
  std::vector<int> gaps;  ///< of white between all rows of the page but the outermost and the next

  MarginRows(const PageInput& page, const std::vector<TextLine>& lines, const PageText& text,
             double body_px, bool top);
};

}  // namespace docspec
