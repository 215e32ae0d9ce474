#pragma once

#include <functional>
#include <span>
#include <vector>

#include "core/document/drafter.h"
#include "core/page/ink_map.h"
#include "drafts/grid/ruling_lines.h"
#include "drafts/lines/text_lines.h"

namespace docspec {

/// Whether a line is of running text: long, or of many words.
bool is_prose(const TextLine& line);

/// What is drawn in a box besides words and `rules`, as the length of its edges in points: curves,
/// slanted lines, heads of arrows, marks; a table has hardly any. Needs PageInput::image.
double free_strokes(const PageInput& page, const Box& box, const RulingLines& rules);

/// Whether so many curves, slanted lines and marks are drawn in a box that it is no table.
bool is_freely_drawn(const PageInput& page, const Box& box, const RulingLines& rules);

/// Whether so much is drawn among words in rows that they label a drawing: circles, arrows, boxes.
/// A table with a rule across it is none, nor is any on a scan. Needs PageInput::image.
bool is_drawing(const PageInput& page, const Box& table, const RulingLines& rules);

/// Drawings of a page with fonts whose frames and boxes look like the rules of a table, but few of
/// its cells hold words, and many curves, slanted lines and marks are drawn in it. Running text at
/// their upper edge is a title and stays out; other running text is in no drawing. Needs
/// PageInput::image.
std::vector<Box> find_framed_drawings(const PageInput& page, const std::vector<TextLine>& lines);

/// Whether a line begins as the caption of a figure does.
bool names_figure(const TextLine& line, std::span<const Word> words);

/// Whether lines stand in rows side by side, as the cells of a table do, and take a part of the
/// room as text does.
bool are_cells(const Box& box, const std::vector<TextLine>& lines);

/// Joins pictures that overlap or touch where `may` allows the box of both.
void join_pictures(std::vector<Box>& pictures, int near_px,
                   const std::function<bool(const Box&)>& may);

/// What is drawn on a page besides its words. Needs PageInput::image.
InkMap ink_between_words(const PageInput& page);

/// Drawings of a scan, without captions: large pieces of strokes on paper with no line of prose
/// among them, and what is drawn and written beside. `ink`: of the page without its words.
std::vector<Box> find_drawings(const PageInput& page, const std::vector<TextLine>& lines,
                               const InkMap& ink);

}  // namespace docspec
