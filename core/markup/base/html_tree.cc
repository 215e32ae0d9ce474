#include "core/markup/base/html_tree.h"

#include <gumbo.h>

namespace docspec {
namespace {

// Deeper nesting than any page has; gumbo itself does not limit it and the recursion below must
// end.
constexpr int kMaxDepth = 200;

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
  GumboOutput* output = gumbo_parse_with_options(&kGumboDefaultOptions, html.data(), html.size());
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
