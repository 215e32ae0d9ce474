#include "core/markup/models/ocrflux.h"

#include <nlohmann/json.hpp>
#include <string>

#include "core/markup/models/olmocr.h"
#include "core/text/unicode.h"

namespace docspec {
namespace {

constexpr std::string_view kKey = "\"natural_text\":";

/// The string that begins at `text`[0] == '"', its escapes read; the end may be cut off.
std::string json_text(std::string_view text) {
  size_t end = 1;
  while (end < text.size() && text[end] != '"') end += text[end] == '\\' ? 2 : 1;
  std::string quoted(text.substr(0, std::min(end, text.size())));
  // A cut may have fallen into an escape: at most "\u123" is left of one.
  for (int i = 0; i < 6 && quoted.size() > 1; ++i) {
    const auto read = nlohmann::json::parse(quoted + '"', nullptr, /*allow_exceptions=*/false);
    if (read.is_string()) return read.get<std::string>();
    quoted.pop_back();
  }
  return repair_utf8(text.substr(1, std::min(end, text.size()) - 1));
}

/// The page's text; all of `answer` if it is no such object.
std::string natural_text(std::string_view answer) {
  const size_t key = answer.find(kKey);
  if (key == answer.npos)
    return answer.starts_with("{\"primary_language") ? "" : std::string(answer);
  const size_t from = answer.find_first_not_of(" \n", key + kKey.size());
  if (from == answer.npos || answer[from] != '"') return "";  // null: an empty page
  return json_text(answer.substr(from));
}

/// olmOCR's Markdown without its front matter.
std::string without_front_matter(std::string page) {
  const size_t end = page.find("---\n", 4);
  return page.starts_with("---\n") && end != page.npos ? page.substr(end + 4) : page;
}

class OcrFlux : public Dialect {
 public:
  std::string render_block(const Block& block, const PageFrame& frame) const override {
    const std::string quoted = nlohmann::json(markdown_->render_block(block, frame))
                                   .dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
    return quoted.substr(1, quoted.size() - 2);  // as it stands inside the object
  }
  std::string render_page(const std::vector<Block>& blocks, const PageFrame& frame) const override {
    const std::string text = without_front_matter(markdown_->render_page(blocks, frame));
    return "{\"primary_language\":\"en\",\"is_rotation_valid\":true,\"rotation_correction\":0,"
           "\"is_table\":false,\"is_diagram\":false,\"natural_text\":" +
           nlohmann::json(text).dump(-1, ' ', false, nlohmann::json::error_handler_t::replace) +
           "}";
  }
  std::vector<Block> parse_page(std::string_view text, const PageFrame& frame) const override {
    return markdown_->parse_page(natural_text(text), frame);
  }

 private:
  std::unique_ptr<Dialect> markdown_ = make_olmocr_dialect();  // the same Markdown inside
};

}  // namespace

std::unique_ptr<Dialect> make_ocrflux_dialect() {
  return std::make_unique<OcrFlux>();
}

}  // namespace docspec
