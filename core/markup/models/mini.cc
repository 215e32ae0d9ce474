#include "core/markup/models/mini.h"

#include <algorithm>

#include "core/markup/base/marked_text.h"
#include "core/markup/base/table.h"
#include "core/text/trim.h"

namespace docspec {
namespace {

bool furniture(RegionKind kind) {
  return kind == RegionKind::page_header || kind == RegionKind::page_footer ||
         kind == RegionKind::picture;
}

/// "12. " or "3) " at the start of a line.
bool numbered(std::string_view line) {
  const size_t digits = line.find_first_not_of("0123456789");
  return digits != std::string_view::npos && digits > 0 && digits <= 3 &&
         (line[digits] == '.' || line[digits] == ')') && line.substr(digits + 1).starts_with(" ");
}

std::string table_markup(const Block& block) {
  const auto table = block.html ? parse_html_table(*block.html) : std::nullopt;
  if (!table) return block.text;
  std::string text = render_table(*table);
  while (text.ends_with('\n')) text.pop_back();
  return text;
}

std::vector<std::string> lines_of(std::string_view text) {
  std::vector<std::string> lines;
  while (true) {
    const size_t end = text.find('\n');
    lines.emplace_back(text.substr(0, end));
    if (end == std::string_view::npos) return lines;
    text.remove_prefix(end + 1);
  }
}

class MiniDialect : public Dialect {
 public:
  std::string render_block(const Block& block, const PageFrame&) const override {
    if (furniture(block.kind)) return "";
    if (block.kind == RegionKind::table) return table_markup(block);
    const std::string text = one_line(with_brackets(block));
    switch (block.kind) {
      case RegionKind::title:
        return "# " + text;
      case RegionKind::section_header:
        return "## " + text;
      case RegionKind::list_item:
        return numbered(block.text) ? text : "- " + text;
      default:
        return text;
    }
  }

  std::string render_page(const std::vector<Block>& blocks, const PageFrame& frame) const override {
    std::string out;
    bool item = false;
    for (const Block& block : blocks) {
      const std::string text = render_block(block, frame);
      if (text.empty()) continue;
      const bool this_item = block.kind == RegionKind::list_item;
      if (!out.empty()) out += item && this_item ? "\n" : "\n\n";
      item = this_item;
      out += text;
    }
    return out;
  }

  std::vector<Block> parse_page(std::string_view text, const PageFrame& frame) const override {
    std::vector<Block> blocks;
    std::vector<std::string> pipes, plain;
    const auto add = [&](RegionKind kind, std::string words) {
      Block block;
      block.kind = kind;
      block.box_pt = {0, 0, frame.width_pt, frame.height_pt};
      block.text = with_dollars(words);
      blocks.push_back(std::move(block));
    };
    const auto flush = [&] {
      if (const auto table = parse_pipe_table(pipes)) {
        add(RegionKind::table, "");
        blocks.back().html = render_html_table(*table);
      } else {
        plain.insert(plain.begin(), pipes.begin(), pipes.end());
      }
      pipes.clear();
      std::string words;
      for (const std::string& line : plain) words += (words.empty() ? "" : " ") + line;
      if (!words.empty()) add(RegionKind::text, std::move(words));
      plain.clear();
    };
    for (const std::string& line : lines_of(text)) {
      if (!line.starts_with("|") && !pipes.empty()) flush();
      if (line.find_first_not_of(" \t\r") == std::string::npos) {
        flush();
      } else if (line.starts_with("# ")) {
        flush();
        add(RegionKind::title, line.substr(2));
      } else if (line.starts_with("## ")) {
        flush();
        add(RegionKind::section_header, line.substr(3));
      } else if (line.starts_with("- ") ||
                 line.starts_with("* ")) {  // the model sometimes writes the mark that it saw
        flush();
        add(RegionKind::list_item, line.substr(2));
      } else if (numbered(line)) {
        flush();
        add(RegionKind::list_item, line);
      } else if (line.starts_with("|")) {
        if (!plain.empty()) flush();
        pipes.push_back(line);
      } else {
        plain.push_back(line);
      }
    }
    flush();
    return blocks;
  }
};

}  // namespace

std::unique_ptr<Dialect> make_mini_dialect() {
  return std::make_unique<MiniDialect>();
}

}  // namespace docspec
