#include "drafts/lines/leaders.h"

#include <algorithm>

namespace docspec {

bool ends_with_leader(std::string_view text) {
  const size_t last = text.find_last_not_of("0123456789ivxlc");
  if (last == text.npos || last + 1 == text.size()) return false;
  int dots = 0;
  for (size_t at = last + 1; at-- > 0 && (text[at] == '.' || text[at] == ' ');)
    dots += text[at] == '.';
  return dots >= 4;
}

std::string without_leaders(std::string_view text) {
  constexpr int kLeast = 4;
  std::string out;
  for (size_t at = 0; at < text.size();) {
    const size_t end = std::min(text.find_first_not_of(". ", at), text.size());
    const std::string_view run = text.substr(at, end - at);
    if (std::count(run.begin(), run.end(), '.') >= kLeast)
      out += end < text.size() ? " ... " : "";
    else
      out += run;
    at = end;
    while (at < text.size() && text[at] != '.' && text[at] != ' ') out += text[at++];
  }
  return out;
}

}  // namespace docspec
