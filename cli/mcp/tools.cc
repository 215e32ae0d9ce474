#include "cli/mcp/tools.h"

#include <nlohmann/json.hpp>

#include "cli/mcp/converter_process.h"
#include "core/base/base64.h"
#include "core/base/error.h"
#include "core/text/unicode.h"

namespace docspec {
namespace {

using Json = nlohmann::json;

// Arguments that all tools share.
#define DOCSPEC_DOCUMENT                                                                             \
  R"("path":{"type":"string","description":"A PDF or image on this machine"},)"                      \
  R"("pages":{"type":"string","description":"Pages from 1, such as 1-4,7; all if absent"},)"         \
  R"("password":{"type":"string"},)"                                                                 \
  R"("lang":{"type":"string","description":"Languages of scans, such as eng+deu; auto if absent"},)" \
  R"("model":{"type":"string","description":"A model's folder, builtin, or none, the default"})"

std::string text_of(const Json& arguments, const char* name, const std::string& otherwise = "") {
  if (!arguments.contains(name)) return otherwise;
  const Json& value = arguments[name];
  return value.is_string() ? value.get<std::string>() : value.dump();
}

/// Converts the document that the arguments name.
void convert_with(const Json& arguments, std::vector<std::string> flags,
                  ConverterProcess& converter, const ToolProgress& progress) {
  const std::string path = text_of(arguments, "path");
  if (path.empty()) throw Error(ExitCode::usage, "path is missing: name a PDF or an image");
  for (const char* name : {"pages", "password", "lang"})
    if (const std::string value = text_of(arguments, name); !value.empty())
      flags.push_back(std::string("--") + name + "=" +
                      value);  // one word: it is never a flag of its own
  flags.push_back("--model=" + text_of(arguments, "model", "none"));
  converter.run(path, flags, progress);
}

Json document_of(const Json& arguments, ConverterProcess& converter, const ToolProgress& progress) {
  convert_with(arguments, {"--to", "json"}, converter, progress);
  return Json::parse(converter.output(".json"));
}

Json content(const std::string& text) {
  return Json::array({{{"type", "text"}, {"text", text}}});
}

Json convert(const Json& arguments, ConverterProcess& converter, const ToolProgress& progress) {
  const std::string format = text_of(arguments, "format", "md");
  convert_with(arguments, {"--to", format}, converter, progress);
  return content(converter.output("." + format));
}

Json pages(const Json& arguments, ConverterProcess& converter, const ToolProgress& progress) {
  Json out = Json::array();
  const Json document = document_of(arguments, converter, progress);
  for (const Json& page : document["pages"]) {
    Json line = {{"blocks", page["blocks"].size()}};
    for (const char* name : {"page", "width", "height", "status", "level", "failure"})
      line[name] = page.value(name, Json());
    out.push_back(line);
  }
  return content(Json({{"pages", out}, {"of", document["source"]["pages"]}}).dump());
}

/// Lower case, with one blank for each run of white space: as a search reads text.
std::string folded(const std::string& text) {
  std::string out;
  for (size_t at = 0; at < text.size();) {
    const uint32_t c = next_code_point(text, at);
    if (!is_space(int32_t(c)))
      append_utf8(out, lower_case(c));
    else if (!out.empty() && out.back() != ' ')
      out += ' ';
  }
  return out;
}

/// The blocks for which `wanted` holds, each with its page.
template <typename Wanted>
Json blocks_of(const Json& document, Wanted wanted) {
  Json out = Json::array();
  for (const Json& page : document["pages"])
    for (const Json& block : page["blocks"]) {
      if (!wanted(block)) continue;
      Json found = {{"page", page["page"]}};
      for (const char* name : {"category", "bbox", "text", "html"})
        if (block.contains(name)) found[name] = block[name];
      out.push_back(found);
    }
  return out;
}

Json search_text(const Json& arguments, ConverterProcess& converter, const ToolProgress& progress) {
  const std::string query = folded(text_of(arguments, "query"));
  if (query.empty()) throw Error(ExitCode::usage, "query is missing: give the words to look for");
  const Json found = blocks_of(document_of(arguments, converter, progress), [&](const Json& block) {
    return folded(block.value("text", "")).find(query) != std::string::npos ||
           folded(block.value("html", "")).find(query) != std::string::npos;
  });
  return content(found.dump());
}

Json tables(const Json& arguments, ConverterProcess& converter, const ToolProgress& progress) {
  return content(blocks_of(document_of(arguments, converter, progress), [](const Json& block) {
                   return block["category"] == "Table";
                 }).dump());
}

Json page_image(const Json& arguments, ConverterProcess& converter, const ToolProgress& progress) {
  Json one = arguments;
  one["pages"] = text_of(arguments, "page", "1");
  convert_with(one, {"--to", "json", "--overlay"}, converter, progress);
  return Json::array({{{"type", "image"},
                       {"data", to_base64(converter.output(".png"))},
                       {"mimeType", "image/png"}}});
}

constexpr McpTool kTools[] = {
    {"convert", "The text of a PDF or page image as Markdown, or as docspec/1 JSON with boxes",
     R"({"type":"object","required":["path"],"properties":{"format":{"enum":["md","json"]},)" DOCSPEC_DOCUMENT
     "}}",
     convert},
    {"pages", "The pages of a document: sizes in points, and how well each could be read",
     R"({"type":"object","required":["path"],"properties":{)" DOCSPEC_DOCUMENT "}}", pages},
    {"search_text", "The paragraphs, headings and tables that hold a text, with page and box",
     R"({"type":"object","required":["path","query"],"properties":{"query":{"type":"string"},)" DOCSPEC_DOCUMENT
     "}}",
     search_text},
    {"tables", "The tables of a document as HTML, with page and box",
     R"({"type":"object","required":["path"],"properties":{)" DOCSPEC_DOCUMENT "}}", tables},
    {"page_image", "A page as PNG, its blocks framed and numbered in reading order",
     R"({"type":"object","required":["path"],"properties":{"page":{"type":"integer","minimum":1},)" DOCSPEC_DOCUMENT
     "}}",
     page_image},
};

}  // namespace

std::span<const McpTool> mcp_tools() {
  return kTools;
}

}  // namespace docspec
