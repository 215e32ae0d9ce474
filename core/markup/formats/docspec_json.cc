#include "core/markup/formats/docspec_json.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <nlohmann/json.hpp>
#include <string_view>

#include "core/markup/formats/markdown.h"

namespace docspec {
namespace {

using Json = nlohmann::ordered_json;

/// Points with three decimals: a thousandth is below any raster's pixel.
double rounded(double value) {
  return std::round(value * 1000) / 1000;
}

Json box_json(const PointBox& b) {
  return {rounded(b.x0), rounded(b.y0), rounded(b.x1), rounded(b.y1)};
}

template <typename T>
Json or_null(const std::optional<T>& value) {
  return value ? Json(*value) : Json(nullptr);
}

/// A row of words without a difference is its source and count; a difference has its readings.
Json word_json(const WordReading& word) {
  Json out = {{"source", name(word.source)}, {"count", word.count}};
  if (!word.why.empty()) out["why"] = word.why;
  if (!word.differs()) return out;
  out["text"] = word.text;
  out["model"] = *word.model;
  if (word.document) out["document"] = *word.document;
  if (word.ocr) out["ocr"] = *word.ocr;
  if (word.doubtful) out["doubtful"] = true;
  out["bbox"] = box_json(word.box_pt);
  return out;
}

/// Names of TextMark::Kind, in its order.
constexpr std::array<std::string_view, 6> kMarkNames = {"bold", "italic", "code",
                                                        "link", "note",   "formula"};

Json block_json(const Block& block) {
  Json out = {{"id", block.id},
              {"order", block.order},
              {"category", name(block.kind)},
              {"bbox", box_json(block.box_pt)},
              {"text", block.text}};
  if (block.markdown_text) out["markdown_text"] = true;
  for (const TextMark& mark : block.marks) {
    Json json = {{"kind", kMarkNames[size_t(mark.kind)]}, {"from", mark.from}, {"to", mark.to}};
    if (!mark.target.empty()) json["target"] = mark.target;
    out["marks"].push_back(std::move(json));
  }
  if (block.depth > 0) out["depth"] = block.depth;
  if (block.html) out["html"] = *block.html;
  if (block.latex) out["latex"] = *block.latex;
  if (block.level) out["level"] = *block.level;
  if (block.figure) out["figure"] = *block.figure;
  if (block.font_pt > 0) out["font_size"] = rounded(block.font_pt);
  for (const TablePart& part : block.parts)
    out["source_pages"].push_back({{"page", part.page},
                                   {"bbox", box_json(part.box_pt)},
                                   {"rows", {part.from_row, part.to_row}}});
  if (block.markdown_range)
    out["markdown"] = {block.markdown_range->first, block.markdown_range->second};
  out["source"] = block.source;
  if (block.unsure) out["unsure"] = true;
  out["agreement"] = or_null(block.agreement);
  out["logprob"] = or_null(block.logprob);
  for (const WordReading& word : block.words) out["words"].push_back(word_json(word));
  return out;
}

Json page_json(const Page& page) {
  Json out = {{"page", page.page},
              {"width", rounded(page.width_pt)},
              {"height", rounded(page.height_pt)},
              {"rotation", page.rotation},
              {"dpi", rounded(page.dpi)}};
  if (page.dpi_reduced) out["dpi_reduced"] = true;
  out["status"] = name(page.status);
  out["level"] = name(page.level);
  out["failure"] = nullptr;
  if (page.failure)
    out["failure"] = {{"code", int(page.failure->code)}, {"message", page.failure->message}};
  out["blocks"] = Json::array();
  for (const Block& block : page.blocks) out["blocks"].push_back(block_json(block));
  out["coverage"] = or_null(page.coverage);
  out["timings"] = Json::object();
  for (const auto& [phase, ms] : page.timings_ms) out["timings"][phase] = rounded(ms);
  return out;
}

template <typename T>
void read(const Json& json, const char* key, std::optional<T>& value) {
  if (json.contains(key) && !json[key].is_null()) value = json[key].get<T>();
}

PointBox read_box(const Json& b) {
  return {b.at(0), b.at(1), b.at(2), b.at(3)};
}

template <typename T, size_t N>
T by_name(const T (&values)[N], const std::string& wanted, const char* what) {
  for (T value : values)
    if (name(value) == wanted) return value;
  throw Error(ExitCode::input_file,
              std::string("docspec/1 JSON: unknown ") + what + " '" + wanted + "'");
}

WordReading read_word(const Json& json) {
  WordReading word;
  word.source = by_name({WordSource::model, WordSource::document, WordSource::ocr},
                        json.at("source"), "source of a word");
  word.count = json.at("count");
  word.text = json.value("text", "");
  read(json, "model", word.model);
  read(json, "document", word.document);
  read(json, "ocr", word.ocr);
  word.why = json.value("why", "");
  word.doubtful = json.value("doubtful", false);
  if (json.contains("bbox")) word.box_pt = read_box(json["bbox"]);
  return word;
}

TextMark read_mark(const Json& json, const std::string& text) {
  const std::string kind = json.at("kind");
  const auto* name = std::find(kMarkNames.begin(), kMarkNames.end(), kind);
  TextMark mark{TextMark::Kind(name - kMarkNames.begin()), json.at("from"), json.at("to"),
                json.value("target", "")};
  if (name == kMarkNames.end() || mark.from > mark.to || mark.to > text.size())
    throw Error(ExitCode::input_file, "docspec/1 JSON: no mark of its text: '" + kind + "'");
  return mark;
}

Block read_block(const Json& json) {
  Block block;
  block.id = json.at("id");
  block.order = json.at("order");
  const std::string category = json.at("category");
  const auto kind = region_kind(category);
  if (!kind)
    throw Error(ExitCode::input_file, "docspec/1 JSON: unknown category '" + category + "'");
  block.kind = *kind;
  block.box_pt = read_box(json.at("bbox"));
  block.text = json.at("text");
  block.markdown_text = json.value("markdown_text", false);
  if (json.contains("marks"))
    for (const Json& mark : json["marks"]) block.marks.push_back(read_mark(mark, block.text));
  block.depth = json.value("depth", 0);
  read(json, "html", block.html);
  read(json, "latex", block.latex);
  read(json, "level", block.level);
  read(json, "figure", block.figure);
  block.font_pt = json.value("font_size", 0.0);
  if (json.contains("source_pages"))
    for (const Json& part : json["source_pages"])
      block.parts.push_back({part.at("page"), read_box(part.at("bbox")), part.at("rows").at(0),
                             part.at("rows").at(1)});
  if (json.contains("markdown"))
    block.markdown_range = {json["markdown"].at(0).get<size_t>(),
                            json["markdown"].at(1).get<size_t>()};
  block.source = json.at("source");
  block.unsure = json.value("unsure", false);
  read(json, "agreement", block.agreement);
  read(json, "logprob", block.logprob);
  if (json.contains("words"))
    for (const Json& word : json["words"]) block.words.push_back(read_word(word));
  return block;
}

Page read_page(const Json& json) {
  Page page;
  page.page = json.at("page");
  page.width_pt = json.at("width");
  page.height_pt = json.at("height");
  page.rotation = json.at("rotation");
  page.dpi = json.value("dpi", 0.0);
  page.dpi_reduced = json.value("dpi_reduced", false);
  page.status = by_name({PageStatus::ok, PageStatus::fallback, PageStatus::failed},
                        json.at("status"), "status");
  page.level = by_name({PageLevel::vlm, PageLevel::region, PageLevel::draft, PageLevel::text_layer,
                        PageLevel::image},
                       json.at("level"), "level");
  if (!json.at("failure").is_null())
    page.failure =
        Failure{ExitCode(json["failure"].at("code").get<int>()), json["failure"].at("message")};
  for (const Json& block : json.at("blocks")) page.blocks.push_back(read_block(block));
  read(json, "coverage", page.coverage);
  for (const auto& [phase, ms] : json.at("timings").items()) page.timings_ms[phase] = ms;
  return page;
}

class JsonFormat : public OutputFormat {
 public:
  std::string render(const Document& document, const RenderOptions& options) const override {
    Document located;
    render_markdown(document, options, &located);
    Json out = {{"schema", "docspec/1"},
                {"source",
                 {{"file", document.source_file},
                  {"sha256", document.source_sha256},
                  {"pages", document.source_pages}}},
                {"model", nullptr},
                {"coordinates", {{"unit", "pt"}, {"origin", "top-left"}}},
                {"pages", Json::array()}};
    if (document.model)
      out["model"] = {{"path", document.model->path},
                      {"family", document.model->family},
                      {"parameters", document.model->parameters},
                      {"dtype", document.model->dtype}};
    for (const Page& page : located.pages) out["pages"].push_back(page_json(page));
    out["stats"] = document.stats ? Json(to_json(*document.stats)) : Json::object();
    if (document.earlier_pages > 0)
      out["stats"]["pages_of_an_earlier_run"] = document.earlier_pages;
    // Bytes that are no UTF-8 (a file name may hold them) become U+FFFD.
    return out.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
  }

  Document parse(std::string_view text) const override {
    try {
      const Json json = Json::parse(text);
      if (json.at("schema") != "docspec/1")
        throw Error(ExitCode::input_file, "docspec/1 JSON: schema is " + json.at("schema").dump());
      Document document;
      document.source_file = json.at("source").at("file");
      document.source_sha256 = json.at("source").at("sha256");
      document.source_pages = json.at("source").at("pages");
      if (const Json& model = json.at("model"); !model.is_null())
        document.model = ModelInfo{model.at("path"), model.at("family"), model.at("dtype"),
                                   model.at("parameters")};
      for (const Json& page : json.at("pages")) document.pages.push_back(read_page(page));
      return document;
    } catch (const Json::exception& e) {
      throw Error(ExitCode::input_file, std::string("docspec/1 JSON: ") + e.what());
    }
  }
};

}  // namespace

std::unique_ptr<OutputFormat> make_json_format() {
  return std::make_unique<JsonFormat>();
}

}  // namespace docspec
