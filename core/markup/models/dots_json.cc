#include "core/markup/models/dots_json.h"

#include <nlohmann/json.hpp>

#include "core/markup/base/marked_text.h"
#include "core/markup/models/dots_json_parser.h"

namespace docspec {
namespace {

std::string quoted(const std::string& text) {
  return nlohmann::json(text).dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
}

class DotsJson : public Dialect {
 public:
  std::string render_block(const Block& block, const PageFrame& frame) const override {
    std::string out = "{";
    if (frame.width_px > 0 && frame.height_px > 0 && !(block.box_pt == PointBox{})) {
      const Box box = frame.to_frame(block.box_pt);
      out += "\"bbox\": [" + std::to_string(box.x0) + ", " + std::to_string(box.y0) + ", " +
             std::to_string(box.x1) + ", " + std::to_string(box.y1) + "], ";
    }
    const RegionKind kind = block.kind == RegionKind::code ? RegionKind::text : block.kind;
    out += "\"category\": " + quoted(std::string(name(kind)));
    if (block.kind != RegionKind::picture)
      out += ", \"text\": " + quoted(with_marks(block, "$$", "$$"));
    return out + "}";
  }

  std::string render_page(const std::vector<Block>& blocks, const PageFrame& frame) const override {
    std::string out = "[";
    for (size_t i = 0; i < blocks.size(); ++i)
      out += (i > 0 ? ", " : "") + render_block(blocks[i], frame);
    return out + "]";
  }

  std::vector<Block> parse_page(std::string_view text, const PageFrame& frame) const override {
    std::vector<Block> blocks;
    for (DotsItem& item : scan_dots_json(text)) add(std::move(item), frame, blocks);
    number_blocks(blocks);
    return blocks;
  }

 private:
  static void add(DotsItem item, const PageFrame& frame, std::vector<Block>& blocks) {
    Block block;
    block.kind = region_kind(item.category).value_or(RegionKind::text);
    if (item.text.empty() && block.kind != RegionKind::picture) return;
    if (item.box) block.box_pt = frame.to_points(*item.box);
    block.text = std::move(item.text);
    add_element(std::move(block), "$$", blocks);
  }
};

}  // namespace

std::unique_ptr<Dialect> make_dots_json_dialect() {
  return std::make_unique<DotsJson>();
}

}  // namespace docspec
