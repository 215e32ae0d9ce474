#include "core/markup/registry.h"

#include "core/base/error.h"
#include "core/base/suggestion.h"
#include "core/markup/formats/docspec_json.h"
#include "core/markup/formats/html_viewer.h"
#include "core/markup/formats/markdown.h"
#include "core/markup/formats/plain.h"
#include "core/markup/models/chandra_html.h"
#include "core/markup/models/deepseek_grounding.h"
#include "core/markup/models/dots_json.h"
#include "core/markup/models/mini.h"
#include "core/markup/models/mini_page.h"
#include "core/markup/models/ocrflux.h"
#include "core/markup/models/olmocr.h"
#include "core/markup/models/otsl.h"
#include "core/markup/models/qwen_html.h"

namespace docspec {
namespace {

constexpr Entry<MakeDialect> kDialects[] = {
    {"chandra2_html", "Chandra 2's divisions, data-bbox in thousandths", "chandra", true,
     make_chandra2_html_dialect},
    {"chandra_html", "Chandra 1's divisions with data-bbox and data-label", "chandra", true,
     make_chandra_html_dialect},
    {"deepseek_grounding", "DeepSeek-OCR's <|ref|> and <|det|> tags", "deepseek-ocr", true,
     make_deepseek_grounding_dialect},
    {"dots_json", "dots.ocr's list of bbox, category and text", "dots.ocr", true,
     make_dots_json_dialect},
    {"markdown", "CommonMark with pipe or HTML tables", "", true, make_markdown_dialect},
    {"mini", "what the built-in model writes: simple Markdown without escapes", "", true,
     make_mini_dialect},
    {"mini_page", "what the built-in model writes of whole pages: tags of kind and box", "", true,
     make_mini_page_dialect},
    {"ocrflux", "OCRFlux's JSON object around Markdown", "ocrflux", true, make_ocrflux_dialect},
    {"olmocr", "olmOCR's YAML front matter and Markdown", "olmocr", true, make_olmocr_dialect},
    {"otsl", "Markdown with tables as OTSL tags, as region models write them", "paddleocr-vl", true,
     make_otsl_dialect},
    {"plain", "the text alone, as region crops are read", "", true, make_plain_dialect},
    {"qwen3_html", "Qwen3-VL's HTML, data-bbox in thousandths", "qwen3-vl", true,
     make_qwen3_html_dialect},
    {"qwen_html", "Qwen2.5-VL's HTML with data-bbox", "qwen2.5-vl", true, make_qwen_html_dialect},
    {"unlimited_grounding", "Unlimited-OCR's label and box in <|det|> tags", "unlimited-ocr", true,
     make_unlimited_grounding_dialect},
};

constexpr Entry<MakeFormat> kFormats[] = {
    {"md", "Markdown", "", true, make_markdown_format},
    {"json", "docspec/1 JSON: pages, blocks, boxes, provenance", "", true, make_json_format},
    {"html", "one page to look at: images beside text, boxes linked", "", true, make_html_format},
};

template <typename Make>
auto make(std::span<const Entry<Make>> table, std::string_view what, std::string_view name) {
  if (const auto* entry = find(table, name)) return entry->make();
  throw Error(ExitCode::usage, std::string(what) + " '" + std::string(name) + "' is unknown" +
                                   did_you_mean(name, name_list(table)) +
                                   "; there are: " + names(table));
}

}  // namespace

std::span<const Entry<MakeDialect>> dialects() {
  return kDialects;
}
std::span<const Entry<MakeFormat>> output_formats() {
  return kFormats;
}

std::string format_of(const std::filesystem::path& path) {
  const std::string suffix = path.extension().string();
  if (suffix == ".markdown") return "md";
  if (suffix == ".htm") return "html";
  for (const auto& format : output_formats())
    if (suffix == "." + std::string(format.name)) return std::string(format.name);
  return "";
}

std::unique_ptr<Dialect> make_dialect(std::string_view name) {
  return make(dialects(), "markup", name);
}

std::unique_ptr<OutputFormat> make_output_format(std::string_view name) {
  return make(output_formats(), "output format", name);
}

}  // namespace docspec
