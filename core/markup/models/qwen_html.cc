#include "core/markup/models/qwen_html.h"

#include <algorithm>
#include <utility>

#include "core/markup/base/html_tree.h"
#include "core/markup/base/table.h"
#include "core/markup/models/qwen_html_parser.h"

namespace docspec {
namespace {

constexpr std::string_view kOpen = "```html\n<html><body>\n", kClose = "\n</body></html>\n```";
constexpr std::string_view kBetween = " \n ";  // between blocks, as the model writes it

// Quotes stay as they are inside text: the model writes them plain.
std::string escape_text(std::string_view text, bool keep_lines) {
  std::string out = escape_html(text, false);
  for (size_t at = 0; !keep_lines && (at = out.find('\n', at)) != std::string::npos; at += 4)
    out.replace(at, 1, "<br>");
  return out;
}

// Opens `tag` with the block's box (none when the frame has no pixels or the block no box).
std::string open_tag(const std::string& tag, const Block& block, const PageFrame& frame) {
  if (frame.width_px <= 0 || frame.height_px <= 0 || block.box_pt == PointBox{})
    return "<" + tag + ">";
  const Box box = frame.to_frame(block.box_pt);
  return "<" + tag + " data-bbox=\"" + std::to_string(box.x0) + " " + std::to_string(box.y0) + " " +
         std::to_string(box.x1) + " " + std::to_string(box.y1) + "\">";
}

std::string table_html(const Block& block, const PageFrame& frame) {
  const auto table = block.html ? parse_html_table(*block.html) : std::nullopt;
  const Table shown = table.value_or(Table{{{TableCell{block.text, 1, 1, false}}}});
  return open_tag("table", block, frame) +
         render_html_table(shown).substr(std::string_view("<table>").size());
}

class QwenHtml : public Dialect {
 public:
  std::string render_block(const Block& block, const PageFrame& frame) const override {
    const auto wrap = [&](const std::string& tag) {
      return open_tag(tag, block, frame) + escape_text(block.text, false) + "</" + tag + ">";
    };
    const auto image = [&] { return open_tag("img", block, frame); };
    switch (block.kind) {
      case RegionKind::title:
        return wrap("h1");
      case RegionKind::section_header:
        return wrap("h" + std::to_string(std::clamp(block.level.value_or(2), 2, 6)));
      case RegionKind::list_item:
        return wrap("li");
      case RegionKind::table:
        return table_html(block, frame);
      case RegionKind::picture:
        return open_tag("div class=\"image\"", block, frame) + image() +
               (block.text.empty() ? "" : "<p>" + escape_text(block.text, false) + "</p>") +
               "</div>";
      case RegionKind::formula:
        return open_tag("div class=\"formula\"", block, frame) + image() + "<div>" +
               escape_text(block.latex.value_or(block.text), true) + "</div></div>";
      case RegionKind::code:
        return open_tag("pre", block, frame) + escape_text(block.text, true) + "</pre>";
      default:
        return wrap("p");
    }
  }

  std::string render_page(const std::vector<Block>& blocks, const PageFrame& frame) const override {
    std::string out(kOpen), list;
    for (size_t i = 0; i < blocks.size(); ++i) {
      if (i > 0) out += kBetween;
      const std::string wanted = blocks[i].kind == RegionKind::list_item ? list_tag(blocks[i]) : "";
      if (list.empty() && !wanted.empty()) out += "<" + (list = wanted) + ">";
      out += render_block(blocks[i], frame);
      const bool goes_on = i + 1 < blocks.size() && blocks[i + 1].kind == RegionKind::list_item;
      if (!list.empty() && !goes_on) out += "</" + std::exchange(list, "") + ">";
    }
    return out += kClose;
  }

  std::vector<Block> parse_page(std::string_view text, const PageFrame& frame) const override {
    return parse_qwen_html(text, frame);
  }

 private:
  static std::string list_tag(const Block& item) {
    return !item.text.empty() && item.text[0] >= '0' && item.text[0] <= '9' ? "ol" : "ul";
  }
};

/// The same with boxes in thousandths of the image.
class Qwen3Html : public QwenHtml {
 public:
  std::string render_block(const Block& block, const PageFrame& frame) const override {
    return QwenHtml::render_block(block, thousandths(frame));
  }
  std::string render_page(const std::vector<Block>& blocks, const PageFrame& frame) const override {
    return QwenHtml::render_page(blocks, thousandths(frame));
  }
  std::vector<Block> parse_page(std::string_view text, const PageFrame& frame) const override {
    return QwenHtml::parse_page(text, thousandths(frame));
  }

 private:
  static PageFrame thousandths(PageFrame frame) {
    if (frame.width_px > 0 && frame.height_px > 0) frame.width_px = frame.height_px = 1000;
    return frame;
  }
};

}  // namespace

std::unique_ptr<Dialect> make_qwen_html_dialect() {
  return std::make_unique<QwenHtml>();
}

std::unique_ptr<Dialect> make_qwen3_html_dialect() {
  return std::make_unique<Qwen3Html>();
}

}  // namespace docspec
