#include <algorithm>
#include <cmath>
#include <sstream>

#include "core/base/error.h"
#include "core/markup/base/html_tree.h"
#include "drafts/replay/replay_formats.h"
#include "drafts/text/region_text.h"

namespace docspec {
namespace {

bool has_class(const HtmlNode& node, const std::string& name) {
  std::istringstream classes(node.attribute("class"));
  for (std::string one; classes >> one;)
    if (one == name) return true;
  return false;
}

/// The numbers after `key` in a title ("bbox 1 2 3 4; x_wconf 95").
std::vector<double> property(const HtmlNode& node, const std::string& key) {
  std::istringstream parts(node.attribute("title"));
  for (std::string part; std::getline(parts, part, ';');) {
    std::istringstream words(part);
    std::string name;
    if (!(words >> name) || name != key) continue;
    std::vector<double> values;
    for (double value; words >> value;) values.push_back(value);
    return values;
  }
  return {};
}

Box box_of(const HtmlNode& node) {
  const std::vector<double> b = property(node, "bbox");
  if (b.size() != 4) return {};
  return {int(std::lround(b[0])), int(std::lround(b[1])), int(std::lround(b[2])),
          int(std::lround(b[3]))};
}

/// The regions and words of one ocr_page.
class HocrPageReader {
 public:
  explicit HocrPageReader(PageDrafts& page) : page_(page) {}

  void read(const HtmlNode& node) {
    if (has_class(node, "ocrx_word") || has_class(node, "ocr_word")) return add_word(node);
    if (has_class(node, "ocr_photo") || has_class(node, "ocr_image"))
      add_region(RegionKind::picture, box_of(node));
    const bool paragraph = has_class(node, "ocr_par");
    if (paragraph) add_region(RegionKind::text, box_of(node));
    if (has_class(node, "ocr_caption") && !page_.regions.empty())
      page_.regions.back().kind = RegionKind::caption;
    for (const HtmlNode& child : node.children) read(child);
  }

  void finish() { page_.drafts = region_drafts(page_.regions, words_, page_.dpi, "replay"); }

 private:
  void add_region(RegionKind kind, const Box& box) {
    const int id = int(page_.regions.size());
    if (!box.empty()) page_.regions.push_back({id, id, kind, box, 1});
  }
  void add_word(const HtmlNode& node) {
    Word word;
    for (char c : inner_text(node))
      if (uint8_t(c) > 0x20) word.text += c;
    word.box = box_of(node);
    const auto confidence = property(node, "x_wconf");
    if (!confidence.empty()) word.confidence = std::clamp(confidence[0] / 100, 0.0, 1.0);
    if (!word.text.empty() && !word.box.empty()) words_.push_back(std::move(word));
  }

  PageDrafts& page_;
  std::vector<Word> words_;
};

void find_pages(const HtmlNode& node, std::vector<PageDrafts>& pages) {
  if (!has_class(node, "ocr_page")) {
    for (const HtmlNode& child : node.children) find_pages(child, pages);
    return;
  }
  PageDrafts& page = pages.emplace_back();
  const Box box = box_of(node);
  const auto number = property(node, "ppageno");
  page.page = number.empty() ? int(pages.size()) : int(number[0]) + 1;
  page.width_px = std::max(1, box.x1);
  page.height_px = std::max(1, box.y1);
  const auto dpi = property(node, "scan_res");
  page.dpi = dpi.empty() || dpi[0] < 20 ? 200 : dpi[0];
  HocrPageReader reader(page);
  reader.read(node);
  reader.finish();
}

}  // namespace

DraftsFile parse_hocr(std::string_view html, const std::string& name) {
  DraftsFile file{name, "", {}};
  find_pages(parse_html(html), file.pages);
  if (file.pages.empty())
    throw Error(ExitCode::input_file,
                name + ": HTML without an ocr_page; hOCR is what tesseract IN OUT hocr writes");
  return file;
}

}  // namespace docspec
