#include <cmath>
#include <map>
#include <nlohmann/json.hpp>

#include "core/base/error.h"
#include "drafts/replay/replay_formats.h"

namespace docspec {
namespace {

using Json = nlohmann::json;

constexpr int kFrame = 1000;  // MinerU's boxes are thousandths of the page

std::string joined(const Json& item, const char* key, const char* between) {
  std::string out;
  if (!item.contains(key)) return out;
  const Json& value = item.at(key);
  if (value.is_string()) return value.get<std::string>();
  for (const Json& part : value)
    if (part.is_string()) out += (out.empty() ? "" : between) + part.get<std::string>();
  return out;
}

class MinerUReader {
 public:
  void read(const Json& item) {
    const std::string type = item.at("type");
    box_ = {0, 0, kFrame, kFrame};
    if (item.contains("bbox")) {
      const auto side = [&](size_t i) {
        return int(std::lround(item["bbox"].at(i).get<double>()));
      };
      box_ = {side(0), side(1), side(2), side(3)};
    }
    page_ = &page(item.value("page_idx", 0) + 1);
    if (type == "text") return add_text(item);
    if (type == "list") {
      for (const Json& entry : item.value("list_items", Json::array()))
        add(RegionKind::list_item, entry.get<std::string>());
      return;
    }
    if (type == "table") {
      add_if(RegionKind::caption, joined(item, "table_caption", " "));
      add(RegionKind::table, joined(item, "table_body", ""));
      return add_if(RegionKind::caption, joined(item, "table_footnote", " "));
    }
    if (type == "image" || type == "chart") {
      add(RegionKind::picture, "");
      add_if(RegionKind::caption, joined(item, (type + "_caption").c_str(), " "));
      return add_if(RegionKind::caption, joined(item, (type + "_footnote").c_str(), " "));
    }
    if (type == "code") {
      add_if(RegionKind::caption, joined(item, "code_caption", " "));
      return add(RegionKind::code, joined(item, "code_body", "\n"));
    }
    add(other(type), joined(item, "text", " "));
  }

  std::vector<PageDrafts> take() {
    std::vector<PageDrafts> pages;
    for (auto& [number, page] : pages_) pages.push_back(std::move(page));
    return pages;
  }

 private:
  static RegionKind other(const std::string& type) {
    if (type == "equation") return RegionKind::formula;
    if (type == "header") return RegionKind::page_header;
    if (type == "footer" || type == "page_number") return RegionKind::page_footer;
    return type == "page_footnote" ? RegionKind::footnote : RegionKind::text;
  }

  void add_text(const Json& item) {
    const int level = item.value("text_level", 0);
    add(level == 0   ? RegionKind::text
        : level == 1 ? RegionKind::title
                     : RegionKind::section_header,
        joined(item, "text", " "));
  }

  PageDrafts& page(int number) {
    PageDrafts& page = pages_[number];
    page.page = number;
    page.width_px = page.height_px = kFrame;
    return page;
  }
  void add_if(RegionKind kind, const std::string& text) {
    if (!text.empty()) add(kind, text);
  }
  void add(RegionKind kind, const std::string& text) {
    const int id = int(page_->regions.size());
    page_->regions.push_back({id, id, kind, box_, 1});
    if (!text.empty()) page_->drafts.push_back({id, "replay", text, 1, {}});
  }

  Box box_;
  PageDrafts* page_ = nullptr;
  std::map<int, PageDrafts> pages_;
};

}  // namespace

DraftsFile parse_mineru(std::string_view text, const std::string& name) {
  try {
    MinerUReader reader;
    for (const Json& item : Json::parse(text)) reader.read(item);
    return {name, "", reader.take()};
  } catch (const Json::exception& e) {
    throw Error(ExitCode::input_file, name + ": not MinerU's content_list.json: " + e.what());
  }
}

}  // namespace docspec
