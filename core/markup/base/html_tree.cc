#include "core/markup/base/html_tree.h"

#include <gumbo.h>

#include <algorithm>
#include <cctype>
#include <charconv>
#include <iterator>

namespace docspec {
namespace {

// Deeper nesting than any page has. What gumbo needs grows with the square of the depth, and the
// recursion below must end.
constexpr int kMaxDepth = 200;

/// Elements without content, and those that end where the next of their kind begins: none of these
/// makes a tree deep by itself.
constexpr std::string_view kFlat[] = {"area",  "base", "br",   "col",   "embed",  "hr",    "img",
                                      "input", "li",   "link", "meta",  "option", "p",     "source",
                                      "td",    "th",   "tr",   "track", "wbr",    "tbody", "thead"};

/// A tag that `rest` begins with: "<table", "</td"; its name in lower case, "" where it is none.
struct TagStart {
  std::string name;
  bool closes = false;
};

TagStart tag_start(std::string_view rest) {
  TagStart tag;
  rest.remove_prefix(1);
  tag.closes = rest.starts_with('/');
  if (tag.closes) rest.remove_prefix(1);
  for (const char c : rest.substr(0, 12)) {
    if (!std::isalnum(static_cast<unsigned char>(c))) break;
    tag.name += char(std::tolower(static_cast<unsigned char>(c)));
  }
  if (!tag.name.empty() && std::isdigit(static_cast<unsigned char>(tag.name[0]))) tag.name.clear();
  if (std::find(std::begin(kFlat), std::end(kFlat), tag.name) != std::end(kFlat)) tag.name.clear();
  return tag;
}

/// `html` without the tags that would nest deeper than kMaxDepth, their text kept: a model that
/// repeats itself, or a hostile file, may open tags without end.
std::string without_deep_tags(std::string_view html) {
  std::string out;
  out.reserve(html.size());
  int depth = 0, beyond = 0;
  while (!html.empty()) {
    const size_t text = std::min(html.find('<'), html.size());
    out += html.substr(0, text);
    html.remove_prefix(text);
    if (html.empty()) break;
    const TagStart tag = tag_start(html);
    const size_t end = tag.name.empty() ? 0 : html.find('>');
    if (end == html.npos) break;  // a tag without an end is no text
    bool keep = true;
    if (!tag.name.empty() && tag.closes) {
      keep = beyond == 0;
      (keep ? depth : beyond) -= keep ? depth > 0 : 1;
    } else if (!tag.name.empty()) {
      keep = depth < kMaxDepth;
      ++(keep ? depth : beyond);
    }
    if (keep) out += html.substr(0, end + 1);
    html.remove_prefix(end + 1);
  }
  return out;
}

HtmlNode convert(const GumboNode& node, int depth) {
  HtmlNode out;
  if (node.type == GUMBO_NODE_TEXT || node.type == GUMBO_NODE_WHITESPACE ||
      node.type == GUMBO_NODE_CDATA) {
    out.text = node.v.text.text;
    return out;
  }
  if (node.type != GUMBO_NODE_ELEMENT && node.type != GUMBO_NODE_TEMPLATE) return out;
  const GumboElement& element = node.v.element;
  out.tag = gumbo_normalized_tagname(element.tag);
  if (out.tag.empty()) {
    GumboStringPiece name = element.original_tag;
    gumbo_tag_from_original_text(&name);
    out.tag.assign(name.data ? name.data : "", name.data ? name.length : 0);
  }
  for (unsigned i = 0; i < element.attributes.length; ++i) {
    const auto* attribute = static_cast<const GumboAttribute*>(element.attributes.data[i]);
    out.attributes[attribute->name] = attribute->value;
  }
  if (depth >= kMaxDepth) return out;
  for (unsigned i = 0; i < element.children.length; ++i) {
    const auto& child = *static_cast<const GumboNode*>(element.children.data[i]);
    if (child.type != GUMBO_NODE_COMMENT) out.children.push_back(convert(child, depth + 1));
  }
  return out;
}

const HtmlNode* find_body(const HtmlNode& node) {
  if (node.tag == "body") return &node;
  for (const HtmlNode& child : node.children)
    if (const HtmlNode* body = find_body(child)) return body;
  return nullptr;
}

void collect_text(const HtmlNode& node, std::string& out) {
  if (node.tag == "br") {
    while (!out.empty() && out.back() == ' ') out.pop_back();
    out += '\n';
    return;
  }
  for (char c : node.text) {
    const bool blank = c == ' ' || c == '\t' || c == '\n' || c == '\r' || c == '\f';
    if (!blank) {
      out += c;
    } else if (!out.empty() && out.back() != ' ' && out.back() != '\n') {
      out += ' ';
    }
  }
  for (const HtmlNode& child : node.children) collect_text(child, out);
}

}  // namespace

std::string HtmlNode::attribute(const std::string& key) const {
  const auto it = attributes.find(key);
  return it == attributes.end() ? "" : it->second;
}

HtmlNode parse_html(std::string_view html) {
  const std::string flat = without_deep_tags(html);
  GumboOutput* output = gumbo_parse_with_options(&kGumboDefaultOptions, flat.data(), flat.size());
  HtmlNode root = convert(*output->root, 0);
  gumbo_destroy_output(&kGumboDefaultOptions, output);
  const HtmlNode* body = find_body(root);
  return body ? *body : HtmlNode{.tag = "body", .text = {}, .attributes = {}, .children = {}};
}

std::string inner_text(const HtmlNode& node) {
  std::string out;
  collect_text(node, out);
  while (!out.empty() && (out.back() == ' ' || out.back() == '\n')) out.pop_back();
  return out;
}

std::optional<Box> data_bbox(const HtmlNode& node) {
  const std::string value = node.attribute("data-bbox");
  int sides[4] = {}, found = 0;
  for (const char *at = value.data(), *end = at + value.size(); at < end && found < 4;) {
    const auto [next, error] = std::from_chars(at, end, sides[found]);
    found += error == std::errc();
    at = next == at ? at + 1 : next;
  }
  return found == 4 ? std::optional(Box{sides[0], sides[1], sides[2], sides[3]}) : std::nullopt;
}

std::string escape_html(std::string_view text, bool quotes) {
  std::string out;
  out.reserve(text.size());
  for (char c : text) {
    switch (c) {
      case '&':
        out += "&amp;";
        break;
      case '<':
        out += "&lt;";
        break;
      case '>':
        out += "&gt;";
        break;
      case '"':
        out += quotes ? "&quot;" : "\"";
        break;
      default:
        out += c;
    }
  }
  return out;
}

}  // namespace docspec
