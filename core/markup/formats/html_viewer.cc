#include "core/markup/formats/html_viewer.h"

#include <fmt/format.h>

#include <algorithm>

#include "core/base/base64.h"
#include "core/base/error.h"
#include "core/base/sha256.h"
#include "core/markup/base/html_tree.h"
#include "core/markup/base/table.h"
#include "core/markup/formats/docspec_json.h"
#include "core/markup/formats/viewer_differences.h"
#include "core/markup/formats/viewer_page.h"
#include "core/text/unicode.h"

namespace docspec {
namespace {

constexpr std::string_view kJsonOpen = "<script type=\"application/json\" id=\"docspec\">";
constexpr std::string_view kJsonClose = "</script>";

std::string attributes(const Page& page, const Block& block) {
  return fmt::format(" data-block=\"{}-{}\" title=\"{} {}\"", page.page, block.id, block.order + 1,
                     name(block.kind));
}

/// The page's image as an address that needs no other file.
std::string picture_address(const std::string& picture) {
  const char* const type = picture.starts_with("\x89PNG") ? "png" : "webp";
  return fmt::format("data:image/{};base64,{}", type, to_base64(picture));
}

/// The paper: the page's image and over it a rectangle a block, in points.
std::string paper(const Page& page) {
  std::string out = fmt::format("<div class=\"paper\" style=\"--w:{:.1f};--h:{:.1f}\">",
                                page.width_pt, page.height_pt);
  if (!page.picture.empty())
    out += fmt::format("<img decoding=\"async\" alt=\"page {}\" data-src=\"{}\">", page.page,
                       picture_address(page.picture));
  out += fmt::format("<svg viewBox=\"0 0 {:.1f} {:.1f}\" aria-hidden=\"true\">", page.width_pt,
                     page.height_pt);
  for (const Block& block : page.blocks) {
    const PointBox& box = block.box_pt;
    out += fmt::format("<rect x=\"{:.1f}\" y=\"{:.1f}\" width=\"{:.1f}\" height=\"{:.1f}\"{}/>",
                       box.x0, box.y0, std::max(0.0, box.x1 - box.x0),
                       std::max(0.0, box.y1 - box.y0), attributes(page, block));
  }
  return out + difference_rects(page) + "</svg></div>\n";
}

/// A part of the page's image; the script sets its address when that image is there.
std::string crop(const Page& page, const Block& block) {
  if (page.picture.empty()) return "";
  const PointBox& b = block.box_pt;
  return fmt::format(
      "<svg viewBox=\"{:.1f} {:.1f} {:.1f} {:.1f}\" width=\"{:.0f}\"><image width=\"{:.1f}\" "
      "height=\"{:.1f}\" preserveAspectRatio=\"none\"/></svg>",
      b.x0, b.y0, std::max(1.0, b.x1 - b.x0), std::max(1.0, b.y1 - b.y0),
      1.3 * std::max(1.0, b.x1 - b.x0), page.width_pt, page.height_pt);
}

std::string with_breaks(const std::string& text) {
  std::string out = escape_html(text);
  for (size_t at = 0; (at = out.find('\n', at)) != std::string::npos; at += 4)
    out.replace(at, 1, "<br>");
  return out;
}

std::string element(const std::string& tag, const std::string& type, const Page& page,
                    const Block& block, const std::string& inner) {
  const bool first = &block == &page.blocks.front();  // one stop of the Tab key a page
  return "<" + tag + (type.empty() ? "" : " class=\"" + type + "\"") + attributes(page, block) +
         (first ? " tabindex=\"0\">" : " tabindex=\"-1\">") + inner + "</" + tag + ">\n";
}

std::string block_html(const Page& page, const Block& block) {
  const auto make = [&](const char* tag, const char* type, const std::string& inner) {
    return element(tag, type, page, block, inner);
  };
  const std::string text = with_breaks(block.text);
  switch (block.kind) {
    case RegionKind::title:
    case RegionKind::section_header: {
      const int usual = block.kind == RegionKind::title ? 1 : 2;
      const std::string tag = "h" + std::to_string(std::clamp(block.level.value_or(usual), 1, 6));
      return make(tag.c_str(), "", text);
    }
    case RegionKind::list_item:
      return make("li", "", text);
    case RegionKind::table: {
      const auto table = block.html ? parse_html_table(*block.html) : std::nullopt;
      return make("div", "table", table ? render_html_table(*table) : text);
    }
    case RegionKind::picture:
      return make("figure", "", crop(page, block) + (text.empty() ? "" : "<br>" + text));
    case RegionKind::formula:
      return block.latex ? make("pre", "formula", escape_html(*block.latex))
                         : make("figure", "formula", crop(page, block));
    case RegionKind::code:
      return make("pre", "", escape_html(block.text));
    case RegionKind::caption:
      return make("p", "caption", text);
    case RegionKind::footnote:
      return make("p", "footnote", text);
    case RegionKind::page_header:
    case RegionKind::page_footer:
      return make("p", "furniture", text);
    default:
      return make("p", "", text);
  }
}

std::string page_html(const Page& page) {
  std::string out =
      fmt::format("<section id=\"page-{0}\" aria-label=\"page {0}\" tabindex=\"-1\">\n",
                  page.page) +
      paper(page) + "<div class=\"text\">\n";
  if (page.status != PageStatus::ok)
    out += fmt::format("<p class=\"note\">page {}: {} ({}): {}</p>\n", page.page, name(page.status),
                       name(page.level), escape_html(page.failure ? page.failure->message : ""));
  bool in_list = false;
  for (const Block& block : page.blocks) {
    const bool item = block.kind == RegionKind::list_item;
    if (item != in_list) out += item ? "<ul>\n" : "</ul>\n";
    in_list = item;
    out += block_html(page, block) + difference_notes(page, block);
  }
  return out + (in_list ? "</ul>\n" : "") + "</div>\n</section>\n";
}

/// The title of a page in the list of pages: its first heading, else its first text.
std::string label(const Page& page) {
  constexpr size_t kMost = 80;
  const auto heads = [](const Block& block) {
    return block.kind == RegionKind::title || block.kind == RegionKind::section_header;
  };
  auto block = std::find_if(page.blocks.begin(), page.blocks.end(), heads);
  if (block == page.blocks.end())
    block = std::find_if(page.blocks.begin(), page.blocks.end(),
                         [](const Block& b) { return !b.text.empty(); });
  std::string text = block == page.blocks.end() ? "" : block->text;
  text = text.substr(0, std::min(text.find('\n'), kMost));
  text.resize(text.size() - incomplete_tail(text));
  return text.empty() ? "(no text)" : escape_html(text);
}

std::string page_list(const Document& document) {
  std::string out = "<nav id=\"list\" aria-label=\"Pages\"><ol>\n";
  for (const Page& page : document.pages)
    out += fmt::format(
        "<li><a href=\"#page-{0}\"><b>{0}</b><span>{1}</span>{2}</a></li>\n", page.page,
        label(page),
        page.status == PageStatus::ok ? "" : fmt::format("<i>{}</i>", name(page.status)));
  return out + "</ol></nav>\n";
}

constexpr std::string_view kTools =
    R"(<div class="search"><span id="found" class="soft" role="status"></span>
<input type="search" id="search" placeholder="Search" aria-label="Search the text"></div>
<details class="keys"><summary>Keys</summary><dl>
<dt>/</dt><dd>search; Enter: next place</dd>
<dt>&larr; &rarr;</dt><dd>page before, page after</dd>
<dt>j k</dt><dd>next block, block before; the arrows &darr; &uarr; do the same from a block</dd>
<dt>n N</dt><dd>next difference of model and page, the one before</dd>
<dt>Enter</dt><dd>keep the block marked, as a click does</dd>
<dt>Esc</dt><dd>mark nothing</dd></dl></details>
)";

/// JSON as a script element can hold it: on one line, and without what would end or comment out the
/// element. JSON reads "<\\/" as "</".
std::string within_script(std::string_view json) {
  std::string out;
  for (size_t at = 0; at < json.size(); ++at) {
    if (json[at] == '\n') {  // those within strings are escaped: this one only indents
      at = std::min(json.find_first_not_of(" \n", at), json.size()) - 1;
    } else if (json.substr(at, 2) == "</") {
      out += "<\\";
    } else if (json.substr(at, 4) == "<!--") {
      out += "\\u003c";
    } else {
      out += json[at];
    }
  }
  return out;
}

/// SHA-256 of a script element's text, as a policy names it.
std::string script_digest(std::string_view element) {
  const size_t from = element.find('>') + 1;
  const std::string hex = sha256_hex(element.substr(from, element.rfind("</script>") - from));
  std::string bytes;
  for (size_t i = 0; i < hex.size(); i += 2)
    bytes += char(std::stoi(hex.substr(i, 2), nullptr, 16));
  return "'sha256-" + to_base64(bytes) + "'";
}

/// The policy of the page: a browser runs the viewer's own scripts and loads images of the file.
/// Text of a document that became code by a fault of docspec's would not run either.
std::string content_policy() {
  return fmt::format(
      "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; base-uri 'none'; "
      "form-action 'none'; img-src data:; style-src 'unsafe-inline'; script-src {} {}\">\n",
      script_digest(viewer_script()), script_digest(difference_script()));
}

class HtmlFormat : public OutputFormat {
 public:
  std::string render(const Document& document, const RenderOptions& options) const override {
    const std::string title = escape_html(document.source_file);
    std::string out = "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n" +
                      content_policy() +
                      "<meta name=\"viewport\" content=\"width=device-width\">\n<title>" + title +
                      "</title>\n" + std::string(viewer_style()) + std::string(difference_style()) +
                      "</head>\n<body>\n<a class=\"skip\" href=\"#pages\">Skip to the pages</a>\n"
                      "<header class=\"top\"><button id=\"menu\" aria-expanded=\"false\" "
                      "aria-controls=\"list\">Pages</button><b>" +
                      title +
                      fmt::format("</b><span class=\"soft\">{} of {} pages</span>\n",
                                  document.pages.size(), document.source_pages) +
                      std::string(kTools) + "</header>\n<div class=\"columns\">\n" +
                      page_list(document) + "<main id=\"pages\" tabindex=\"-1\">\n";
    for (const Page& page : document.pages) out += page_html(page);
    out += "</main>\n</div>\n";
    const std::string json = within_script(make_json_format()->render(document, options));
    return out + std::string(kJsonOpen) + json + std::string(kJsonClose) + "\n" +
           std::string(viewer_script()) + std::string(difference_script()) + "</body>\n</html>\n";
  }

  Document parse(std::string_view text) const override {
    const size_t from = text.find(kJsonOpen);
    const size_t to = from == text.npos ? text.npos : text.find(kJsonClose, from);
    if (to == text.npos) throw Error(ExitCode::input_file, "docspec HTML: holds no docspec/1 JSON");
    const size_t begin = from + kJsonOpen.size();
    return make_json_format()->parse(text.substr(begin, to - begin));
  }
};

}  // namespace

std::unique_ptr<OutputFormat> make_html_format() {
  return std::make_unique<HtmlFormat>();
}

}  // namespace docspec
