#include "core/markup/models/chandra_html.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <string>
#include <utility>

#include "core/markup/base/html_tree.h"
#include "core/markup/base/latex.h"
#include "core/markup/base/table.h"
#include "core/text/trim.h"

namespace docspec {
namespace {

/// In what the versions differ.
struct ChandraForm {
  int steps;       // the coordinate of the right and lower edge
  bool bracketed;  // boxes are written [x0, y0, x1, y1], else x0 y0 x1 y1
};
constexpr ChandraForm kChandra1{1024, true}, kChandra2{1000, false};

/// The first label of a kind is the one that is written.
constexpr std::pair<std::string_view, RegionKind> kChandraLabels[] = {
    {"Text", RegionKind::text},
    {"Section-Header", RegionKind::section_header},
    {"Caption", RegionKind::caption},
    {"Footnote", RegionKind::footnote},
    {"Equation-Block", RegionKind::formula},
    {"List-Group", RegionKind::list_item},
    {"Page-Header", RegionKind::page_header},
    {"Page-Footer", RegionKind::page_footer},
    {"Image", RegionKind::picture},
    {"Figure", RegionKind::picture},
    {"Table", RegionKind::table},
    {"Form", RegionKind::table},
    {"Table-Of-Contents", RegionKind::table},
    {"Code-Block", RegionKind::code},
    {"Complex-Block", RegionKind::text},
    {"Chemical-Block", RegionKind::text},
    {"Diagram", RegionKind::picture},
    {"Bibliography", RegionKind::text},
};

PageFrame chandra_frame(const PageFrame& frame, const ChandraForm& form) {
  return {frame.width_pt, frame.height_pt, form.steps, form.steps};
}

std::string_view chandra_label(RegionKind kind) {
  if (kind == RegionKind::title) return "Section-Header";
  for (const auto& [label, known] : kChandraLabels)
    if (known == kind) return label;
  return "Text";
}

/// Text with formulas between dollars; paragraphs and lines as lines.
void append_text(const HtmlNode& node, std::string& out) {
  if (node.tag.empty()) {
    for (const char c : node.text) {
      const bool blank = std::isspace(uint8_t(c)) != 0;
      if (!blank)
        out += c;
      else if (!out.empty() && out.back() != ' ' && out.back() != '\n')
        out += ' ';
    }
    return;
  }
  if (node.tag == "br") {
    out += '\n';
  } else if (node.tag == "math") {
    out += '$' + bare_latex(inner_text(node)) + '$';
  } else {
    for (const HtmlNode& child : node.children) append_text(child, out);
    if (node.tag == "p" || node.tag == "li" || node.tag == "tr") out += '\n';
  }
}

std::string text_of(const HtmlNode& node) {
  std::string out;
  append_text(node, out);
  return trimmed(out);
}

const HtmlNode* find(const HtmlNode& node, std::string_view tag) {
  if (node.tag == tag) return &node;
  for (const HtmlNode& child : node.children)
    if (const HtmlNode* found = find(child, tag)) return found;
  return nullptr;
}

void collect(const HtmlNode& node, std::string_view tag, std::vector<const HtmlNode*>& out) {
  if (node.tag == tag) return out.push_back(&node);
  for (const HtmlNode& child : node.children) collect(child, tag, out);
}

/// The element with all below it, attributes of cells kept.
std::string html_with_math(const HtmlNode& node) {
  if (node.tag.empty()) return escape_html(node.text);
  if (node.tag == "math") return escape_html("$" + bare_latex(inner_text(node)) + "$");
  std::string out = "<" + node.tag;
  for (const char* key : {"colspan", "rowspan"})
    if (const std::string value = node.attribute(key); !value.empty())
      out += fmt::format(" {}=\"{}\"", key, escape_html(value));
  out += ">";
  if (node.tag == "br") return out;
  for (const HtmlNode& child : node.children) out += html_with_math(child);
  return out + "</" + node.tag + ">";
}

class ChandraReader {
 public:
  /// `steps`: the page in the model's steps.
  explicit ChandraReader(const PageFrame& steps) : steps_(steps) {}

  std::vector<Block> read(const HtmlNode& body) {
    visit(body);
    return std::move(blocks_);
  }

 private:
  /// Divisions with a label are blocks; what stands outside them is text.
  void visit(const HtmlNode& node) {
    for (const HtmlNode& child : node.children) {
      const std::string label = child.attribute("data-label");
      if (label == "Blank-Page") continue;
      const bool holds = label.empty() && find_labelled(child);
      if (holds)
        visit(child);
      else
        add_block(child, label, box_of(child));
    }
  }

  PointBox box_of(const HtmlNode& node) const {
    const auto box = data_bbox(node);
    return box ? steps_.to_points(*box) : PointBox{};
  }

  static bool find_labelled(const HtmlNode& node) {
    return std::any_of(node.children.begin(), node.children.end(), [](const HtmlNode& child) {
      return !child.attribute("data-label").empty() || find_labelled(child);
    });
  }

  Block& add(RegionKind kind, std::string text, const PointBox& box) {
    Block& block = blocks_.emplace_back();
    block.id = block.order = int(blocks_.size()) - 1;
    block.kind = kind;
    block.text = std::move(text);
    block.box_pt = box;
    return block;
  }

  void add_block(const HtmlNode& node, const std::string& label, const PointBox& box) {
    const auto* known = std::find_if(std::begin(kChandraLabels), std::end(kChandraLabels),
                                     [&](const auto& entry) { return entry.first == label; });
    RegionKind kind = known == std::end(kChandraLabels) ? RegionKind::text : known->second;
    if (const HtmlNode* table = find(node, "table")) return add_table(node, *table, box);
    if (kind == RegionKind::table) kind = RegionKind::text;  // none there
    if (kind == RegionKind::list_item) return add_items(node, box);
    if (kind == RegionKind::picture) {
      const HtmlNode* image = find(node, "img");
      const std::string text = text_of(node);
      add(kind, text.empty() && image ? image->attribute("alt") : text, box);
      return;
    }
    const std::string text = text_of(node);
    if (text.empty()) return;
    if (kind == RegionKind::formula) {
      const HtmlNode* math = find(node, "math");
      const std::string latex = bare_latex(math ? inner_text(*math) : text);
      add(kind, latex, box).latex = latex;
      return;
    }
    add_heading_or_text(node, kind, text, box);
  }

  void add_heading_or_text(const HtmlNode& node, RegionKind kind, const std::string& text,
                           const PointBox& box) {
    for (int level = 1; level <= 6; ++level)
      if (find(node, fmt::format("h{}", level))) {
        kind = level == 1 ? RegionKind::title : RegionKind::section_header;
        add(kind, text, box).level = level;
        return;
      }
    add(kind, text, box);
  }

  /// Words next to the table, which a form may have, stand before it.
  void add_table(const HtmlNode& node, const HtmlNode& table, const PointBox& box) {
    if (const std::string beside = text_of(without(node, table)); !beside.empty())
      add(RegionKind::text, beside, PointBox{});
    const auto cells = parse_html_table(html_with_math(table));
    if (!cells) return;
    add(RegionKind::table, table_words(*cells), box).html = render_html_table(*cells);
  }

  static HtmlNode without(const HtmlNode& node, const HtmlNode& part) {
    HtmlNode out{node.tag, node.text, node.attributes, {}};
    if (&node == &part) return {};
    for (const HtmlNode& child : node.children)
      if (&child != &part) out.children.push_back(without(child, part));
    return out;
  }

  void add_items(const HtmlNode& node, const PointBox& box) {
    std::vector<const HtmlNode*> items;
    collect(node, "li", items);
    for (const HtmlNode* item : items)
      if (const std::string text = text_of(*item); !text.empty())
        add(RegionKind::list_item, text, items.size() == 1 ? box : PointBox{});
    if (items.empty())
      if (const std::string text = text_of(node); !text.empty()) add(RegionKind::text, text, box);
  }

  const PageFrame steps_;
  std::vector<Block> blocks_;
};

std::string lines_of(const std::string& text) {
  std::string out = escape_html(text, false);
  for (size_t at = 0; (at = out.find('\n', at)) != std::string::npos; at += 4)
    out.replace(at, 1, "<br>");
  return out;
}

class ChandraHtml : public Dialect {
 public:
  explicit ChandraHtml(const ChandraForm& form) : form_(form) {}

  std::string render_block(const Block& block, const PageFrame& frame) const override {
    std::string open = "<div";
    if (!(block.box_pt == PointBox{}) && frame.width_pt > 0 && frame.height_pt > 0) {
      const Box box = chandra_frame(frame, form_).to_frame(block.box_pt);
      open += form_.bracketed
                  ? fmt::format(" data-bbox=\"[{}, {}, {}, {}]\"", box.x0, box.y0, box.x1, box.y1)
                  : fmt::format(" data-bbox=\"{} {} {} {}\"", box.x0, box.y0, box.x1, box.y1);
    }
    return fmt::format("{} data-label=\"{}\">{}</div>", open, chandra_label(block.kind),
                       inner(block));
  }

  std::string render_page(const std::vector<Block>& blocks, const PageFrame& frame) const override {
    std::string out;
    for (const Block& block : blocks) out += (out.empty() ? "" : "\n") + render_block(block, frame);
    return out;
  }

  std::vector<Block> parse_page(std::string_view text, const PageFrame& frame) const override {
    return ChandraReader(chandra_frame(frame, form_)).read(parse_html(text));
  }

 private:
  static std::string inner(const Block& block) {
    switch (block.kind) {
      case RegionKind::title:
      case RegionKind::section_header: {
        const int level = block.kind == RegionKind::title ? 1 : block.level.value_or(2);
        return fmt::format("<h{0}>{1}</h{0}>", std::clamp(level, 1, 6), lines_of(block.text));
      }
      case RegionKind::table:
        if (const auto table = block.html ? parse_html_table(*block.html) : std::nullopt)
          return render_html_table(*table);
        break;
      case RegionKind::formula:
        return "<math display=\"block\">" + escape_html(block.latex.value_or(block.text), false) +
               "</math>";
      case RegionKind::list_item:
        return "<ul><li>" + lines_of(block.text) + "</li></ul>";
      case RegionKind::picture:
        return "<img alt=\"" + escape_html(block.text) + "\"/>";
      case RegionKind::code:
        return "<pre>" + escape_html(block.text, false) + "</pre>";
      default:
        break;
    }
    return "<p>" + lines_of(block.text) + "</p>";
  }

  const ChandraForm form_;
};

}  // namespace

std::unique_ptr<Dialect> make_chandra_html_dialect() {
  return std::make_unique<ChandraHtml>(kChandra1);
}
std::unique_ptr<Dialect> make_chandra2_html_dialect() {
  return std::make_unique<ChandraHtml>(kChandra2);
}

}  // namespace docspec
