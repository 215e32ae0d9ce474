#include "core/text/letter_reach.h"

#include "core/text/unicode.h"

namespace docspec {
namespace {

bool is_among(uint32_t c, std::string_view set) {
  return c < 0x80 && set.find(char(c)) != set.npos;
}

}  // namespace

bool reaches_up(std::string_view text, bool dots) {
  for (size_t at = 0; at < text.size();) {
    const uint32_t c = next_code_point(text, at);
    if (!is_among(c, "acegmnopqrsuvwxyz.,:;-_~+=<>") && (dots || !is_among(c, "ij"))) return true;
  }
  return false;
}

bool reaches_down(std::string_view text) {
  return text.find_first_of("gjpqy,;()[]{}|/Q@$") != text.npos;
}

}  // namespace docspec
