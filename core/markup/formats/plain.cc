#include "core/markup/formats/plain.h"

namespace docspec {
namespace {

class PlainDialect : public Dialect {
 public:
  std::string render_block(const Block& block, const PageFrame&) const override {
    return block.html.value_or(block.latex.value_or(block.text));
  }
  std::string render_page(const std::vector<Block>& blocks, const PageFrame& frame) const override {
    std::string out;
    for (const Block& block : blocks) {
      const std::string text = render_block(block, frame);
      if (!text.empty()) out += (out.empty() ? "" : "\n\n") + text;
    }
    return out;
  }
  std::vector<Block> parse_page(std::string_view text, const PageFrame& frame) const override {
    const auto from = text.find_first_not_of(" \t\r\n");
    if (from == std::string_view::npos) return {};
    const auto to = text.find_last_not_of(" \t\r\n");
    Block block;
    block.box_pt = {0, 0, frame.width_pt, frame.height_pt};
    block.text = std::string(text.substr(from, to - from + 1));
    return {block};
  }
};

}  // namespace

std::unique_ptr<Dialect> make_plain_dialect() {
  return std::make_unique<PlainDialect>();
}

}  // namespace docspec
