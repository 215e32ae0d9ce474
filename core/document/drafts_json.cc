#include "core/document/drafts_json.h"

#include <cmath>
#include <nlohmann/json.hpp>
#include <set>

#include "core/base/error.h"

namespace docspec {
namespace {

using Json = nlohmann::ordered_json;

double rounded(double value) {
  return std::round(value * 10000) / 10000;
}

Json to_json(const Box& box) {
  return {box.x0, box.y0, box.x1, box.y1};
}

Json to_json(const Draft& draft) {
  Json json{{"region", draft.region ? Json(*draft.region) : Json(nullptr)},
            {"source", draft.source},
            {"text", draft.text},
            {"confidence", rounded(draft.confidence)}};
  if (draft.words.empty()) return json;
  Json words = Json::array();
  for (const Word& word : draft.words)
    words.push_back({{"text", word.text},
                     {"bbox", to_json(word.box)},
                     {"confidence", rounded(word.confidence)}});
  json["words"] = std::move(words);
  return json;
}

Json to_json(const PageDrafts& page) {
  Json regions = Json::array(), drafts = Json::array();
  for (const Region& region : page.regions)
    regions.push_back({{"id", region.id},
                       {"order", region.order},
                       {"category", name(region.kind)},
                       {"bbox", to_json(region.box)},
                       {"score", rounded(region.score)}});
  for (const Draft& draft : page.drafts) drafts.push_back(to_json(draft));
  return {{"page", page.page},
          {"width", page.width_px},
          {"height", page.height_px},
          {"regions", std::move(regions)},
          {"drafts", std::move(drafts)}};
}

/// One value of the file and its path, for messages.
class Node {
 public:
  Node(const Json& json, std::string path, const std::string& file)
      : json_(json), path_(std::move(path)), file_(file) {}

  Node at(const char* key) const {
    if (!has(key)) fail(key, "is missing");
    return {json_.at(key), step(key), file_};
  }
  bool has(const char* key) const {
    if (!json_.is_object()) fail("", "must be an object");
    return json_.contains(key) && !json_.at(key).is_null();
  }
  std::vector<Node> list() const {
    if (!json_.is_array()) fail("", "must be a list");
    std::vector<Node> nodes;
    for (size_t i = 0; i < json_.size(); ++i)
      nodes.emplace_back(json_[i], path_ + "[" + std::to_string(i) + "]", file_);
    return nodes;
  }
  int integer(int least) const {
    const double value = json_.is_number() ? json_.get<double>() : std::nan("");
    if (!(value >= least && value <= 1e9) || value != std::floor(value))  // 10.0 is whole
      fail("", "must be a whole number of at least " + std::to_string(least));
    return int(value);
  }
  double share() const {
    if (!json_.is_number() || !(json_.get<double>() >= 0 && json_.get<double>() <= 1))
      fail("", "must be a number from 0 to 1");
    return json_.get<double>();
  }
  std::string text() const {
    if (!json_.is_string()) fail("", "must be a string");
    return json_.get<std::string>();
  }
  Box box() const {
    std::vector<int> v;
    for (const Node& node : list()) v.push_back(node.integer(-1'000'000));
    if (v.size() != 4 || v[2] < v[0] || v[3] < v[1])
      fail("", "must be [x0,y0,x1,y1] with x0 <= x1 and y0 <= y1");
    return {v[0], v[1], v[2], v[3]};
  }
  [[noreturn]] void fail(const std::string& key, const std::string& what) const {
    throw Error(ExitCode::input_file, file_ + ": " +
                                          (key.empty() && path_.empty() ? "the file" : step(key)) +
                                          " " + what + "; see interface docspec-drafts/1");
  }

 private:
  std::string step(const std::string& key) const {
    if (key.empty()) return path_;
    return path_.empty() ? key : path_ + "." + key;
  }
  const Json& json_;
  std::string path_;
  const std::string& file_;
};

Region parse_region(const Node& node) {
  Region region;
  region.id = node.at("id").integer(0);
  region.order = node.at("order").integer(0);
  const std::string category = node.at("category").text();
  const auto kind = region_kind(category);
  if (!kind) node.at("category").fail("", "'" + category + "' is no category");
  region.kind = *kind;
  region.box = node.at("bbox").box();
  if (node.has("score")) region.score = node.at("score").share();
  return region;
}

Draft parse_draft(const Node& node, const std::set<int>& regions) {
  Draft draft;
  if (node.has("region")) {
    draft.region = node.at("region").integer(0);
    if (!regions.contains(*draft.region)) node.at("region").fail("", "names no region of its page");
  }
  draft.source = node.at("source").text();
  draft.text = node.at("text").text();
  if (node.has("confidence")) draft.confidence = node.at("confidence").share();
  if (!node.has("words")) return draft;
  for (const Node& entry : node.at("words").list()) {
    Word word;
    word.text = entry.at("text").text();
    word.box = entry.at("bbox").box();
    if (entry.has("confidence")) word.confidence = entry.at("confidence").share();
    draft.words.push_back(std::move(word));
  }
  return draft;
}

PageDrafts parse_page(const Node& node) {
  PageDrafts page;
  page.page = node.at("page").integer(1);
  page.width_px = node.at("width").integer(1);
  page.height_px = node.at("height").integer(1);
  std::set<int> ids;
  for (const Node& region : node.at("regions").list()) {
    page.regions.push_back(parse_region(region));
    ids.insert(page.regions.back().id);
  }
  for (const Node& draft : node.at("drafts").list()) page.drafts.push_back(parse_draft(draft, ids));
  return page;
}

}  // namespace

std::string render_drafts_json(const DraftsFile& drafts) {
  const auto dump = [](const Json& json) {
    return json.dump(-1, ' ', false, Json::error_handler_t::replace);
  };
  std::string out = "{\"schema\":\"docspec-drafts/1\",\"source\":" +
                    dump({{"file", drafts.source_file}, {"sha256", drafts.source_sha256}}) +
                    ",\"pages\":[";
  for (size_t i = 0; i < drafts.pages.size(); ++i)
    out += (i ? ",\n" : "\n") + dump(to_json(drafts.pages[i]));
  return out + "\n]}\n";
}

DraftsFile parse_drafts_json(std::string_view text, const std::string& name) {
  const Json json = Json::parse(text, nullptr, false);
  if (json.is_discarded())
    throw Error(ExitCode::input_file, name + ": not JSON; write it with docspec draft");
  const Node root(json, "", name);
  if (root.at("schema").text() != "docspec-drafts/1")
    root.at("schema").fail("", "is not \"docspec-drafts/1\"");
  DraftsFile file;
  const Node source = root.at("source");
  file.source_file = source.at("file").text();
  if (source.has("sha256")) file.source_sha256 = source.at("sha256").text();
  for (const Node& page : root.at("pages").list()) file.pages.push_back(parse_page(page));
  return file;
}

}  // namespace docspec
