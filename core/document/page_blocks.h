#pragma once

#include <string_view>
#include <vector>

#include "core/document/document.h"
#include "core/page/draft.h"

namespace docspec {

/// Blocks of one page and where their text came from.
struct PageBlocks {
  std::vector<Block> blocks;           ///< in reading order, ids and order 0..n-1
  PageLevel level = PageLevel::draft;  ///< text_layer when each text came from it, else draft
};

/// The drafts of a page as its result. Each region gets its best draft (replay, then the text
/// layer, then any other in the order given). Pictures have no text, headings have a level, tables
/// are HTML. A paragraph that continues in the next column is one block, with the box of its first
/// part. Text of page-wide drafts is used only if no region has any. Throws nothing.
PageBlocks page_blocks(const PageDrafts& drafts);

/// A region with the text of `draft` as a block: pictures have no text, headings the level that
/// their number tells, formulas LaTeX without delimiters. nullptr = no text.
Block make_block(const Region& region, const Draft* draft, double dpi);

/// Gives a block the text of a draft and its marks.
void take_text(Block& block, const Draft& draft);

/// Whether any of the drafts has text.
bool has_text(const PageDrafts& drafts);

/// Whether most words of the drafts, and more than a chart's labels, stand in pictures without a
/// caption, whose text is not written.
bool stands_in_pictures(const PageDrafts& drafts);

/// Makes page_blocks(drafts) the page's blocks and level.
void set_blocks_from_drafts(const PageDrafts& drafts, Page& page);

/// Whether a heading's number is a letter and digits after it: "A.1 Data" is part of appendix A.
bool is_part_of_appendix(std::string_view text);

/// Level of a heading by its text: 1 for a Title; a Section-header has 2, or one more than the
/// parts of its number ("3.1 Data" -> 3), at most 6.
int heading_level(RegionKind kind, std::string_view text);

}  // namespace docspec
