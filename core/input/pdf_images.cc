#include "core/input/pdf_images.h"

#include <algorithm>
#include <charconv>
#include <optional>

namespace docspec {
namespace {

/// The number after `key` in `dictionary`, where `key` is a whole name ("/Width" is not "/WidthX").
std::optional<int64_t> number_after(std::string_view dictionary, std::string_view key) {
  for (size_t at = dictionary.find(key); at != dictionary.npos; at = dictionary.find(key, at + 1)) {
    std::string_view rest = dictionary.substr(at + key.size());
    rest.remove_prefix(std::min(rest.find_first_not_of(" \t\r\n"), rest.size()));
    int64_t value = 0;
    const auto [end, error] = std::from_chars(rest.data(), rest.data() + rest.size(), value);
    if (error == std::errc() && value > 0 && value < 10'000'000) return value;
  }
  return std::nullopt;
}

}  // namespace

int64_t largest_pdf_image(std::string_view pdf) {
  constexpr std::string_view kKey = "/Width";
  constexpr size_t kReach = 600;  // an image dictionary is shorter than this on either side
  int64_t largest = 0;
  for (size_t at = pdf.find(kKey); at != pdf.npos; at = pdf.find(kKey, at + kKey.size())) {
    const auto width = number_after(pdf.substr(at, 40), kKey);
    if (!width) continue;
    const size_t window = at > kReach ? at - kReach : 0;
    size_t from = pdf.substr(window, at - window).rfind(" obj");
    from = from == pdf.npos ? window : window + from;
    const size_t to = std::min(pdf.find("stream", at), at + kReach);
    const auto height = number_after(pdf.substr(from, to - from), "/Height");
    if (height) largest = std::max(largest, *width * *height);
  }
  return largest;
}

}  // namespace docspec
