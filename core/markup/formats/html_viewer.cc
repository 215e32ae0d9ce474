#include "core/markup/formats/html_viewer.h"

#include <fmt/format.h>

#include <algorithm>

#include "core/base/base64.h"
#include "core/base/error.h"
#include "core/markup/base/html_tree.h"
#include "core/markup/base/table.h"
#include "core/markup/formats/docspec_json.h"
#include "core/markup/formats/viewer_differences.h"

namespace docspec {
namespace {

constexpr std::string_view kStyle = R"(<style>
:root { --line: #d8d8d4; --ink: #1d1d1b; --soft: #6b6b66; --on: #fff2b8; }
* { box-sizing: border-box; }
body { margin: 0; font: 16px/1.5 Georgia, 'Liberation Serif', serif; color: var(--ink); background: #f3f3f0; }
header.top { padding: .8em 1.5em; background: #fff; border-bottom: 1px solid var(--line); font-family: sans-serif; }
header.top b { margin-right: 1em; }
header.top span, .note, .furniture { color: var(--soft); font-size: .85em; }
section { display: grid; grid-template-columns: minmax(0, 1fr) minmax(0, 1fr); gap: 1.5em; padding: 1.2em 1.5em;
  border-bottom: 1px solid var(--line); align-items: start; }
.paper { position: sticky; top: 1em; }
.paper svg { width: 100%; height: auto; max-height: 96vh; background: #fff; box-shadow: 0 1px 5px #0003; display: block; }
.text { background: #fff; padding: 1.2em 1.6em; box-shadow: 0 1px 5px #0002; overflow-wrap: anywhere; }
rect { fill: transparent; stroke: #0a58ca; stroke-opacity: .35; stroke-width: .7; cursor: pointer; }
rect.on { fill: #ffd400; fill-opacity: .28; stroke-opacity: 1; }
[data-block] { cursor: pointer; border-radius: 3px; }
.on:not(rect) { background: var(--on); outline: 2px solid var(--on); }
h1, h2, h3, h4, h5, h6 { line-height: 1.25; margin: .9em 0 .4em; font-family: sans-serif; }
p, pre, table, figure, ul { margin: .6em 0; }
pre { font: 13px/1.4 monospace; background: #f6f6f4; padding: .7em; overflow-x: auto; white-space: pre-wrap; }
table { border-collapse: collapse; font-size: .9em; }
td, th { border: 1px solid var(--line); padding: .2em .5em; vertical-align: top; }
figure svg { max-width: 100%; max-height: 24em; border: 1px solid var(--line); }
.caption, .footnote { font-size: .88em; color: #444; }
@media (max-width: 800px) { section { grid-template-columns: 1fr; } .paper { position: static; } }
</style>
)";

constexpr std::string_view kScript = R"(<script>
const partners = id => document.querySelectorAll(`[data-block="${id}"]`);
const mark = (target, on) => { const el = target.closest('[data-block]');
  if (el) partners(el.dataset.block).forEach(p => p.classList.toggle('on', on)); };
document.addEventListener('mouseover', e => mark(e.target, true));
document.addEventListener('mouseout', e => mark(e.target, false));
document.addEventListener('click', e => { const el = e.target.closest('[data-block]'); if (!el) return;
  document.querySelectorAll('.on').forEach(p => p.classList.remove('on'));
  partners(el.dataset.block).forEach(p => { p.classList.add('on');
    if (p !== el) p.scrollIntoView({ block: 'center', behavior: 'smooth' }); }); history.replaceState(null, '', '#b' + el.dataset.block); });
const open = location.hash.slice(2);
if (open) partners(open).forEach(p => { p.classList.add('on'); p.scrollIntoView({ block: 'center' }); });
</script>
)";

constexpr std::string_view kJsonOpen = "<script type=\"application/json\" id=\"docspec\">";
constexpr std::string_view kJsonClose = "</script>";

std::string attributes(const Page& page, const Block& block) {
  return fmt::format(" data-block=\"{}-{}\" title=\"{} {}\"", page.page, block.id, block.order + 1,
                     name(block.kind));
}

/// The paper: the page's image with a rectangle a block, in points.
std::string paper(const Page& page) {
  std::string out = fmt::format(
      "<div class=\"paper\"><svg viewBox=\"0 0 {:.1f} {:.1f}\" role=\"img\" "
      "aria-label=\"page {}\">",
      page.width_pt, page.height_pt, page.page);
  if (!page.picture_jpeg.empty())
    out += fmt::format(
        "<image id=\"paper-{}\" width=\"{:.1f}\" height=\"{:.1f}\" preserveAspectRatio=\"none\" "
        "href=\"data:image/jpeg;base64,{}\"/>",
        page.page, page.width_pt, page.height_pt, to_base64(page.picture_jpeg));
  const auto rect = [&](const Block& block, const PointBox& box) {
    out += fmt::format("<rect x=\"{:.1f}\" y=\"{:.1f}\" width=\"{:.1f}\" height=\"{:.1f}\"{}/>",
                       box.x0, box.y0, std::max(0.0, box.x1 - box.x0),
                       std::max(0.0, box.y1 - box.y0), attributes(page, block));
  };
  for (const Block& block : page.blocks) rect(block, block.box_pt);
  return out + difference_rects(page) + "</svg></div>\n";
}

/// A part of the page's image, taken from the paper above.
std::string crop(const Page& page, const Block& block) {
  if (page.picture_jpeg.empty()) return "";
  const PointBox& b = block.box_pt;
  return fmt::format(
      "<svg viewBox=\"{:.1f} {:.1f} {:.1f} {:.1f}\" width=\"{:.0f}\"><use "
      "href=\"#paper-{}\"/></svg>",
      b.x0, b.y0, std::max(1.0, b.x1 - b.x0), std::max(1.0, b.y1 - b.y0),
      1.3 * std::max(1.0, b.x1 - b.x0), page.page);
}

std::string with_breaks(const std::string& text) {
  std::string out = escape_html(text);
  for (size_t at = 0; (at = out.find('\n', at)) != std::string::npos; at += 4)
    out.replace(at, 1, "<br>");
  return out;
}

std::string element(const std::string& tag, const std::string& type, const Page& page,
                    const Block& block, const std::string& inner) {
  return "<" + tag + (type.empty() ? "" : " class=\"" + type + "\"") + attributes(page, block) +
         ">" + inner + "</" + tag + ">\n";
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
      return make("div", "", table ? render_html_table(*table) : text);
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
      fmt::format("<section id=\"page-{}\">\n", page.page) + paper(page) + "<div class=\"text\">\n";
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

class HtmlFormat : public OutputFormat {
 public:
  std::string render(const Document& document, const RenderOptions& options) const override {
    const std::string title = escape_html(document.source_file);
    std::string out =
        "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n<meta "
        "name=\"viewport\" content=\"width=device-width\">\n<title>" +
        title + "</title>\n" + std::string(kStyle) + std::string(difference_style()) +
        "</head>\n<body>\n<header class=\"top\"><b>" + title +
        fmt::format(
            "</b><span>{} of {} pages · hover or click a block to find it on "
            "the page, and back</span></header>\n",
            document.pages.size(), document.source_pages);
    for (const Page& page : document.pages) out += page_html(page);
    std::string json = make_json_format()->render(document, options);
    // "</script>" inside a string would end the element; JSON reads "<\/" as "</".
    for (size_t at = 0; (at = json.find("</", at)) != std::string::npos; at += 3)
      json.replace(at, 2, "<\\/");
    for (size_t at = 0; (at = json.find("<!--", at)) != std::string::npos; at += 9)
      json.replace(at, 1, "\\u003c");
    return out + std::string(kJsonOpen) + json + std::string(kJsonClose) + "\n" +
           std::string(kScript) + std::string(difference_script()) + "</body>\n</html>\n";
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
