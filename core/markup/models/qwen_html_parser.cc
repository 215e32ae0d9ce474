#include "core/markup/models/qwen_html_parser.h"

#include <algorithm>
#include <cctype>
#include <string>

#include "core/markup/base/html_tree.h"
#include "core/markup/base/latex.h"
#include "core/markup/base/table.h"

namespace docspec {
namespace {

template <size_t N>
constexpr bool contains(const std::string_view (&list)[N], std::string_view name) {
  return std::find(std::begin(list), std::end(list), name) != std::end(list);
}

constexpr std::string_view kInline[] = {"b",    "i",   "u",   "s",    "em",  "strong", "span",
                                        "sub",  "sup", "a",   "code", "br",  "small",  "mark",
                                        "font", "del", "ins", "var",  "big", "tt",     "label"};
constexpr std::string_view kBlocks[] = {
    "html",   "head",   "body",    "h1",         "h2",     "h3",    "h4",      "h5",
    "h6",     "p",      "ol",      "ul",         "li",     "table", "thead",   "tbody",
    "tfoot",  "tr",     "td",      "th",         "div",    "img",   "pre",     "caption",
    "header", "footer", "section", "blockquote", "figure", "style", "article", "figcaption",
    "hr",     "center", "col",     "colgroup",   "main",   "aside", "nav"};

// The name of the tag that `text[at] == '<'` opens or closes, lower case; "" when it is no tag.
std::string tag_name(std::string_view text, size_t at) {
  std::string name;
  size_t i = at + 1;
  if (i < text.size() && text[i] == '/') ++i;
  for (; i < text.size() && std::isalnum(uint8_t(text[i])); ++i)
    name += char(std::tolower(uint8_t(text[i])));
  const bool ends =
      i >= text.size() || text[i] == '>' || text[i] == '/' || std::isspace(uint8_t(text[i]));
  return ends && (contains(kInline, name) || contains(kBlocks, name)) ? name : "";
}

// An HTML parser swallows what looks like a tag; a page's own "<int>" or "a <b" is text. What is no
// tag of a document gets its "<" escaped; a known tag cut off by the end is dropped.
std::string protect_text(std::string_view text) {
  std::string out;
  for (size_t i = 0; i < text.size(); ++i) {
    if (text[i] != '<') {
      out += text[i];
    } else if (tag_name(text, i).empty()) {
      const std::string_view rest = text.substr(i);
      if (rest == "<" || rest == "</") break;
      out += "&lt;";
    } else if (text.find('>', i) == std::string_view::npos && text.find('<', i + 1) == text.npos) {
      break;
    } else {
      out += '<';
    }
  }
  return out;
}

PointBox read_box(const HtmlNode& node, const PageFrame& frame) {
  const auto box = data_bbox(node);
  return box ? frame.to_points(*box) : PointBox{};
}

// Text of a <pre>: white space as it is.
std::string raw_text(const HtmlNode& node) {
  std::string out = node.tag == "br" ? "\n" : node.text;
  for (const HtmlNode& child : node.children) out += raw_text(child);
  return out;
}

std::string to_html(const HtmlNode& node) {
  if (node.tag.empty()) return escape_html(node.text);
  std::string out = "<" + node.tag;
  for (const char* key : {"colspan", "rowspan"})
    if (const std::string value = node.attribute(key); !value.empty())
      out += std::string(" ") + key + "=\"" + escape_html(value) + "\"";
  out += ">";
  if (node.tag == "br" || node.tag == "img") return out;
  for (const HtmlNode& child : node.children) out += to_html(child);
  return out + "</" + node.tag + ">";
}

class HtmlReader {
 public:
  explicit HtmlReader(const PageFrame& frame) : frame_(frame) {}

  std::vector<Block> read(std::string_view html) {
    visit_children(parse_html(protect_text(html)), PointBox{});
    return std::move(blocks_);
  }

 private:
  Block& add(RegionKind kind, std::string text, const PointBox& box) {
    Block& block = blocks_.emplace_back();
    block.id = block.order = int(blocks_.size()) - 1;
    block.kind = kind;
    block.text = std::move(text);
    block.box_pt = box;
    return block;
  }

  // Text that stood directly in a container, with that container's box.
  void flush(const PointBox& box) {
    HtmlNode node;
    node.text = std::move(loose_);
    loose_.clear();
    if (const std::string text = inner_text(node); !text.empty()) add(RegionKind::text, text, box);
  }

  void visit_children(const HtmlNode& node, const PointBox& box) {
    for (const HtmlNode& child : node.children) {
      const bool loose = child.tag.empty() || contains(kInline, child.tag);
      if (loose && !has_blocks(child)) {
        loose_ += inner_with_edges(child);
        continue;
      }
      flush(box);
      visit(child, box);
    }
    flush(box);
  }

  // Inline text keeps the blanks at its edges: they part it from its neighbours.
  static std::string inner_with_edges(const HtmlNode& node) {
    return node.tag.empty() ? node.text : raw_text(node);
  }

  static bool has_blocks(const HtmlNode& node) {
    return std::any_of(node.children.begin(), node.children.end(), [](const HtmlNode& child) {
      return (!child.tag.empty() && !contains(kInline, child.tag)) || has_blocks(child);
    });
  }

  // A tag that holds one block's text; when other blocks hide inside they are kept apart.
  void leaf(const HtmlNode& node, RegionKind kind, const PointBox& box) {
    if (has_blocks(node)) {
      const size_t first = blocks_.size();
      visit_children(node, box);
      if (first < blocks_.size() && blocks_[first].kind == RegionKind::text)
        blocks_[first].kind = kind;
      return;
    }
    if (std::string text = inner_text(node); !text.empty()) add(kind, std::move(text), box);
  }

  void table(const HtmlNode& node, const PointBox& box) {
    const auto cells = parse_html_table(to_html(node));
    if (!cells) return visit_children(node, box);
    for (const HtmlNode& child : node.children)
      if (child.tag == "caption") leaf(child, RegionKind::caption, PointBox{});
    add(RegionKind::table, table_words(*cells), box).html = render_html_table(*cells);
  }

  // div class="image", "chart", "formula", ...: one block, or a container of blocks.
  void division(const HtmlNode& node, const PointBox& box) {
    const std::string kind = node.attribute("class");
    if (kind.find("formula") != std::string::npos && kind.find("chemical") == std::string::npos) {
      const std::string latex = bare_latex(inner_text(node));
      if (!latex.empty()) add(RegionKind::formula, latex, box).latex = latex;
      return;
    }
    for (const char* picture : {"image", "chart", "music", "chemical", "figure"})
      if (kind.find(picture) != std::string::npos) {
        const size_t at = blocks_.size();
        add(RegionKind::picture, "", box);
        visit_children(node, PointBox{});
        blocks_.erase(std::remove_if(blocks_.begin() + std::ptrdiff_t(at) + 1, blocks_.end(),
                                     [](const Block& block) {
                                       return block.kind == RegionKind::picture &&
                                              block.text.empty();
                                     }),
                      blocks_.end());
        // A caption or the text in the picture is the picture's own; a chart's table stays apart.
        if (blocks_.size() == at + 2 && blocks_[at + 1].kind == RegionKind::text) {
          blocks_[at].text = blocks_[at + 1].text;
          blocks_.pop_back();
        }
        for (size_t i = at; i < blocks_.size(); ++i) blocks_[i].id = blocks_[i].order = int(i);
        return;
      }
    visit_children(node, box);
  }

  void visit(const HtmlNode& node, const PointBox& outer) {
    const PointBox own = read_box(node, frame_);
    const PointBox box = own == PointBox{} ? outer : own;
    if (node.tag.size() == 2 && node.tag[0] == 'h' && node.tag[1] >= '1' && node.tag[1] <= '6') {
      const size_t first = blocks_.size();
      const int level = node.tag[1] - '0';
      leaf(node, level == 1 ? RegionKind::title : RegionKind::section_header, box);
      if (first < blocks_.size()) blocks_[first].level = level;
    } else if (node.tag == "p" || node.tag == "blockquote") {
      leaf(node, RegionKind::text, box);
    } else if (node.tag == "li") {
      leaf(node, RegionKind::list_item, own);
    } else if (node.tag == "ol" || node.tag == "ul") {
      visit_children(node, PointBox{});  // the list's box is not that of its items
    } else if (node.tag == "table") {
      table(node, box);
    } else if (node.tag == "pre") {
      if (std::string text = raw_text(node); !text.empty()) add(RegionKind::code, text, box);
    } else if (node.tag == "img") {
      add(RegionKind::picture, node.attribute("alt"), box);
    } else if (node.tag == "div" || node.tag == "figure") {
      division(node, box);
    } else if (node.tag != "style") {
      visit_children(node, box);
    }
  }

  const PageFrame& frame_;
  std::vector<Block> blocks_;
  std::string loose_;
};

/// Takes away the name of a tag that a truncated page ends in: "<", "</", "<h", "</p".
void drop_cut_tag(std::string& html) {
  const size_t open = html.rfind('<');
  if (open == html.npos) return;
  const size_t name = open + 1 + (html.compare(open + 1, 1, "/") == 0);
  if (std::all_of(html.begin() + ptrdiff_t(name), html.end(),
                  [](unsigned char c) { return std::isalnum(c); }))
    html.erase(open);
}

}  // namespace

std::vector<Block> parse_qwen_html(std::string_view text, const PageFrame& frame) {
  // ```html ... ``` around the page; either mark may be missing.
  std::string all(text);
  if (const size_t open = all.find("```html"); open != all.npos) {
    all.erase(open, 7);
    if (const size_t close = all.rfind("```"); close != all.npos && close >= open)
      all.erase(close, 3);
  } else if (const size_t end = all.find_last_not_of(" \n`"); end != all.npos) {
    if (all.size() - end > 3) all.erase(end + 1);
  }
  drop_cut_tag(all);
  return HtmlReader(frame).read(all);
}

}  // namespace docspec
