#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "core/base/error.h"
#include "drafts/replay/replay_formats.h"

namespace docspec {
namespace {

using Json = nlohmann::json;

/// PP-StructureV3's labels (PP-DocLayout_plus-L) as categories; the rest is text.
RegionKind kind_of(const std::string& label) {
  static const std::pair<const char*, RegionKind> kLabels[] = {
      {"doc_title", RegionKind::title},
      {"paragraph_title", RegionKind::section_header},
      {"table", RegionKind::table},
      {"formula", RegionKind::formula},
      {"image", RegionKind::picture},
      {"figure", RegionKind::picture},
      {"chart", RegionKind::picture},
      {"seal", RegionKind::picture},
      {"header_image", RegionKind::page_header},
      {"footer_image", RegionKind::page_footer},
      {"figure_title", RegionKind::caption},
      {"table_title", RegionKind::caption},
      {"chart_title", RegionKind::caption},
      {"figure_table_chart_title", RegionKind::caption},
      {"footnote", RegionKind::footnote},
      {"vision_footnote", RegionKind::caption},
      {"header", RegionKind::page_header},
      {"footer", RegionKind::page_footer},
      {"number", RegionKind::page_footer},
      {"algorithm", RegionKind::code}};
  for (const auto& [known, kind] : kLabels)
    if (label == known) return kind;
  return RegionKind::text;
}

/// The table itself of a whole HTML page.
std::string table_of(const std::string& html) {
  const size_t from = html.find("<table"), to = html.rfind("</table>");
  return from == html.npos || to == html.npos || to < from ? html
                                                           : html.substr(from, to + 8 - from);
}

}  // namespace

DraftsFile parse_pp_structure(std::string_view text, const std::string& name) {
  try {
    Json json = Json::parse(text);
    if (json.contains("res")) json = json.at("res");
    DraftsFile file;
    file.source_file = json.value("input_path", name);
    PageDrafts page;
    const Json index = json.value("page_index", Json());
    page.page = index.is_number_integer() ? index.get<int>() + 1 : 1;
    page.width_px = int(json.value("width", 0.0));
    page.height_px = int(json.value("height", 0.0));
    Box all;
    for (const Json& block : json.at("parsing_res_list")) {
      const Json& b = block.at("block_bbox");
      Region region;
      region.id = region.order = int(page.regions.size());
      region.kind = kind_of(block.at("block_label").get<std::string>());
      region.box = {
          int(std::lround(b.at(0).get<double>())), int(std::lround(b.at(1).get<double>())),
          int(std::lround(b.at(2).get<double>())), int(std::lround(b.at(3).get<double>()))};
      all = unite(all, region.box);
      std::string content = block.value("block_content", "");
      if (region.kind == RegionKind::table) content = table_of(content);
      if (region.kind == RegionKind::picture && content.find("<img") != content.npos) content = "";
      if (!content.empty()) page.drafts.push_back({region.id, "replay", content, 1, {}});
      page.regions.push_back(std::move(region));
    }
    // Older files do not have the image's size: the farthest box is used instead.
    if (page.width_px <= 0) page.width_px = std::max(1, all.x1);
    if (page.height_px <= 0) page.height_px = std::max(1, all.y1);
    file.pages.push_back(std::move(page));
    return file;
  } catch (const Json::exception& e) {
    throw Error(ExitCode::input_file, name + ": not the *_res.json of PP-StructureV3: " + e.what());
  }
}

}  // namespace docspec
