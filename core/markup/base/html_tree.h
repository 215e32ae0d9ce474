#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/page/page_image.h"

namespace docspec {

/// One node of parsed HTML: an element (tag not empty, lower case) or a text (tag empty, entities
/// decoded). A value: the parser's own tree is gone when it is returned.
struct HtmlNode {
  std::string tag;
  std::string text;
  std::map<std::string, std::string> attributes;
  std::vector<HtmlNode> children;

  /// The attribute's value, or "" when absent.
  std::string attribute(const std::string& key) const;
};

/// Parses a fragment as browsers do (HTML5 rules: never fails, closes what is open) and returns the
/// <body> element. Source: gumbo-parser.
HtmlNode parse_html(std::string_view html);

/// Text of a node and all below it; <br> gives "\n", white space runs are folded to one blank.
std::string inner_text(const HtmlNode& node);

/// The first four whole numbers of the attribute data-bbox, as models write boxes; nothing where
/// there are fewer. Their unit is the model's.
std::optional<Box> data_bbox(const HtmlNode& node);

/// `text` with & < > as entities, and " too unless `quotes` is false (inside text, as models
/// write).
std::string escape_html(std::string_view text, bool quotes = true);

}  // namespace docspec
