#include "core/markup/models/olmocr.h"

#include <algorithm>
#include <string>

#include "core/markup/base/marked_text.h"
#include "core/markup/base/table.h"
#include "core/markup/formats/markdown.h"
#include "core/text/trim.h"

namespace docspec {
namespace {

constexpr std::string_view kFence = "---";
constexpr std::string_view kKeys[] = {
    "primary_language:", "is_rotation_valid:", "rotation_correction:", "is_table:", "is_diagram:"};
constexpr std::string_view kFrontMatter =
    "---\nprimary_language: en\nis_rotation_valid: True\nrotation_correction: 0\n"
    "is_table: False\nis_diagram: False\n---\n";

/// Takes the next line off `text`, without its line feed.
std::string_view take_line(std::string_view& text) {
  const size_t end = text.find('\n');
  const std::string_view line = text.substr(0, end);
  text.remove_prefix(end == text.npos ? text.size() : end + 1);
  return line;
}

/// A line of the front matter; the last line of a cut-off answer may be a part of one.
bool front_line(std::string_view line, bool last) {
  return std::any_of(std::begin(kKeys), std::end(kKeys), [&](std::string_view key) {
    return line.starts_with(key) || (last && key.starts_with(line));
  });
}

std::string_view without_front_matter(std::string_view text) {
  std::string_view rest = text;
  if (const std::string_view open = take_line(rest); open != kFence)
    return rest.empty() && kFence.starts_with(open) ? "" : text;
  while (!rest.empty()) {
    std::string_view next = rest;
    const std::string_view line = take_line(next);
    const bool last = next.empty();
    if (line == kFence || (last && kFence.starts_with(line))) return next;
    if (!front_line(line, last)) return rest;  // the fence is missing: this is text of the page
    rest = next;
  }
  return rest;
}

/// \[ ... \] on lines of their own become $$ ... $$, which the Markdown parser knows.
std::string with_dollars(std::string_view text) {
  std::string out;
  bool inside = false;
  while (!text.empty()) {
    std::string line(take_line(text));
    const bool opens = !inside && line.starts_with("\\[");
    if (opens) line.replace(0, 2, "$$");
    inside = inside || opens;
    if (inside && line.ends_with("\\]")) {
      line.resize(line.size() - 2);
      line += opens || line.empty() ? "$$" : "\n$$";
      inside = false;
    }
    out += line + "\n";
  }
  return out;
}

class OlmOcr : public Dialect {
 public:
  std::string render_block(const Block& block, const PageFrame& frame) const override {
    switch (block.kind) {
      case RegionKind::page_header:
      case RegionKind::page_footer:
        return "";
      case RegionKind::title:
        return "# " + one_line(block.text);
      case RegionKind::section_header:
        return std::string(size_t(std::clamp(block.level.value_or(2), 1, 6)), '#') + " " +
               one_line(block.text);
      case RegionKind::table: {
        const auto table = block.html ? parse_html_table(*block.html) : std::nullopt;
        return table ? render_html_table(*table) : block.text;
      }
      case RegionKind::formula:
        return block.latex ? "\\[\n" + *block.latex + "\n\\]" : block.text;
      case RegionKind::picture:
        return block.text.empty() ? "" : "![" + one_line(block.text) + "](page.png)";
      case RegionKind::list_item:
        return block.markdown_text || starts_with_mark(block.text) ? with_brackets(block)
                                                                   : "- " + with_brackets(block);
      case RegionKind::code:
        return markdown_->render_block(block, frame);
      default:
        return with_brackets(block);
    }
  }

  std::string render_page(const std::vector<Block>& blocks, const PageFrame& frame) const override {
    std::string out(kFrontMatter);
    bool first = true, item = false;
    for (const Block& block : blocks) {
      const std::string text = render_block(block, frame);
      if (text.empty()) continue;
      const bool this_item = block.kind == RegionKind::list_item;
      if (!first) out += item && this_item ? "\n" : "\n\n";
      out += text;
      item = this_item;
      first = false;
    }
    return out;
  }

  std::vector<Block> parse_page(std::string_view text, const PageFrame& frame) const override {
    return markdown_->parse_page(with_dollars(without_front_matter(text)), frame);
  }

 private:
  static bool starts_with_mark(std::string_view text) {
    return text.starts_with("- ") || text.starts_with("* ") ||
           (!text.empty() && text[0] >= '0' && text[0] <= '9');
  }

  std::unique_ptr<Dialect> markdown_ = make_markdown_dialect();
};

}  // namespace

std::unique_ptr<Dialect> make_olmocr_dialect() {
  return std::make_unique<OlmOcr>();
}

}  // namespace docspec
