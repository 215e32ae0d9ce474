#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "core/document/document.h"

namespace docspec {

/// How the coordinates of a markup relate to the page: the image that the model saw.
struct PageFrame {
  double width_pt = 0, height_pt = 0;  ///< the page (or crop), points
  int width_px = 0, height_px = 0;  ///< the image after the model's resize; 0 = markup has no boxes

  /// A box of the page in pixels of the frame, rounded to nearest.
  Box to_frame(const PointBox& box) const;
  PointBox to_points(const Box& box) const;
};

/// The markup that a model writes: rendered to make drafts, parsed to make blocks.
class Dialect {
 public:
  virtual ~Dialect() = default;
  /// One block as the model would write it, without what separates blocks: a draft's text.
  virtual std::string render_block(const Block& block, const PageFrame& frame) const = 0;
  /// A whole page as the model would write it. parse_page(render_page(b)) gives b's categories,
  /// texts and (where the markup has boxes) boxes back.
  virtual std::string render_page(const std::vector<Block>& blocks,
                                  const PageFrame& frame) const = 0;
  /// Blocks of one page in reading order. Never throws and never loses text: truncated or broken
  /// markup is rescued, text outside any markup becomes a Text block.
  virtual std::vector<Block> parse_page(std::string_view text, const PageFrame& frame) const = 0;
};

enum class HeaderPolicy { drop, keep, comment };

/// How documents are written.
struct RenderOptions {
  HeaderPolicy headers = HeaderPolicy::drop;  ///< page headers and footers in Markdown
  bool page_marks = false;                    ///< an HTML comment with the page number
};

/// One output format (`-t NAME`).
class OutputFormat {
 public:
  virtual ~OutputFormat() = default;
  /// The whole document, UTF-8, ending in a newline.
  virtual std::string render(const Document& document, const RenderOptions& options) const = 0;
  /// Reads back what render wrote; used by tests of the format. Throws Error(input_file) if the
  /// text is not of this format.
  virtual Document parse(std::string_view text) const = 0;
};

}  // namespace docspec
