#include "core/markup/dots_json.h"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "core/markup/dots_json_parser.h"
#include "core/markup/latex.h"
#include "core/markup/table.h"

namespace docspec {
namespace {

/// Length of the mark that opens a list item, its blank included; 0 = none.
size_t marker(std::string_view line) {
  const size_t digits = line.find_first_not_of("0123456789");
  const bool numbered = digits != line.npos && digits > 0 && digits <= 3 &&
                        (line[digits] == '.' || line[digits] == ')') &&
                        line.substr(digits + 1).starts_with(' ');
  if (numbered) return digits + 2;
  return line.starts_with("- ") || line.starts_with("* ") ? 2 : 0;
}

/// A text as it stands in the answer: with the marks of its kind.
std::string marked_text(const Block& block) {
  switch (block.kind) {
    case RegionKind::title:
      return "# " + block.text;
    case RegionKind::section_header:
      return std::string(size_t(std::clamp(block.level.value_or(2), 1, 6)), '#') + " " + block.text;
    case RegionKind::list_item:
      return marker(block.text) > 0 ? block.text : "- " + block.text;
    case RegionKind::formula:
      return "$$" + block.latex.value_or(block.text) + "$$";
    case RegionKind::table: {
      const auto table = block.html ? parse_html_table(*block.html) : std::nullopt;
      return table ? render_html_table(*table) : block.text;
    }
    default:
      return block.text;
  }
}

std::string quoted(const std::string& text) {
  return nlohmann::json(text).dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
}

/// Takes "## " off; the number of marks.
size_t take_hashes(std::string& text) {
  const size_t hashes = std::min(text.find_first_not_of('#'), text.size());
  if (hashes == 0 || hashes > 6 || !std::string_view(text).substr(hashes).starts_with(' '))
    return 0;
  text.erase(0, text.find_first_not_of(' ', hashes));
  return hashes;
}

/// An item each, with the lines that belong to it.
std::vector<std::string> list_items(const std::string& text) {
  std::vector<std::string> items;
  for (size_t from = 0; from <= text.size();) {
    const size_t end = std::min(text.find('\n', from), text.size());
    const std::string line = text.substr(from, end - from);
    if (items.empty() || marker(line) > 0)
      items.push_back(line);
    else
      items.back() += "\n" + line;
    from = end + 1;
  }
  for (std::string& item : items)
    if (item.starts_with("- ") || item.starts_with("* ")) item.erase(0, 2);
  return items;
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
    if (block.kind != RegionKind::picture) out += ", \"text\": " + quoted(marked_text(block));
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
    for (size_t i = 0; i < blocks.size(); ++i) blocks[i].id = blocks[i].order = int(i);
    return blocks;
  }

 private:
  static void add(DotsItem item, const PageFrame& frame, std::vector<Block>& blocks) {
    Block block;
    block.kind = region_kind(item.category).value_or(RegionKind::text);
    if (item.text.empty() && block.kind != RegionKind::picture) return;
    if (item.box) block.box_pt = frame.to_points(*item.box);
    block.text = std::move(item.text);
    if (block.kind == RegionKind::table) return add_tables(block, blocks);
    if (block.kind == RegionKind::list_item) {
      for (std::string& one : list_items(block.text)) {
        blocks.push_back(block);
        blocks.back().text = std::move(one);
      }
      return;
    }
    if (block.kind == RegionKind::title || block.kind == RegionKind::section_header) {
      const size_t level = take_hashes(block.text);
      if (level > 0 && block.kind == RegionKind::section_header) block.level = int(level);
    } else if (block.kind == RegionKind::formula) {
      const std::string latex = bare_latex(block.text);
      if (latex.find("$$") == latex.npos) block.latex = block.text = latex;
    }
    blocks.push_back(std::move(block));
  }

  /// The tables of one element, text around them as blocks of their own.
  static void add_tables(const Block& element, std::vector<Block>& blocks) {
    constexpr std::string_view kClose = "</table>";
    std::string_view rest = element.text;
    while (rest.find_first_not_of(" \t\r\n") != rest.npos) {
      const bool open = rest.starts_with("<table");
      const size_t close = rest.find(kClose);
      const size_t length = !open                ? std::min(rest.find("<table"), rest.size())
                            : close == rest.npos ? rest.size()
                                                 : close + kClose.size();
      Block& block = blocks.emplace_back(element);
      block.text = std::string(rest.substr(0, length));
      rest.remove_prefix(length);
      if (const auto table = open ? parse_html_table(block.text) : std::nullopt) {
        block.html = render_html_table(*table);
        block.text = table_words(*table);
      } else if (block.text.find_first_not_of(" \t\r\n") == std::string::npos) {
        blocks.pop_back();
      } else if (length < element.text.size()) {
        block.kind = RegionKind::text;  // a caption or note inside the element
      }
    }
  }
};

}  // namespace

std::unique_ptr<Dialect> make_dots_json_dialect() {
  return std::make_unique<DotsJson>();
}

}  // namespace docspec
