#pragma once

#include <span>
#include <vector>

#include "core/document/drafter.h"
#include "drafts/grid/ruling_lines.h"
#include "drafts/lines/text_blocks.h"
#include "drafts/margins/page_margins.h"

namespace docspec {

/// A block, a table or a picture while the page is put together.
struct Piece {
  TextBlock lines;
  Box box;
  RegionKind kind = RegionKind::text;
  Place place = Place::body;
  int inside = -1;                   ///< the picture that this text is printed on
  std::vector<TextBlock> rows = {};  ///< of an algorithm
  std::vector<GridCell> cells = {};
};

/// Where the authors of a paper end who stand side by side over its two columns: right above the
/// line "Abstract" of one of these, if no piece lies across that height; 0 where there are none.
int authors_end(const std::vector<Piece>& pieces, const std::vector<TextLine>& lines,
                std::span<const Word> words);

/// Indices of pieces in reading order: headers, the body by XY-cut, footers; text on a picture
/// follows the picture. No column goes on below one of the `rules`, nor below the height `part_at`,
/// 0 = none. The columns begin at the right where most of the page's `words` do. `walls`: as for
/// reading_order.
std::vector<int> order_pieces(const std::vector<Piece>& pieces, const RulingLines& rules, double em,
                              int part_at, std::span<const Word> words,
                              std::span<const Box> walls = {});

/// The paragraphs of a piece, parted where one that runs around a picture would hold its corner.
std::vector<TextBlock> text_parts(const Piece& piece, const std::vector<Piece>& pieces,
                                  const std::vector<TextLine>& lines, std::span<const Word> words);

}  // namespace docspec
