#include "core/markup/base/latex.h"

#include <string_view>
#include <utility>

namespace docspec {

std::string bare_latex(std::string text) {
  constexpr std::pair<std::string_view, std::string_view> kMarks[] = {
      {"$$", "$$"}, {"\\[", "\\]"}, {"\\(", "\\)"}, {"$", "$"}};
  for (const auto& [open, close] : kMarks)
    if (text.size() >= open.size() + close.size() && text.starts_with(open) &&
        text.ends_with(close)) {
      text = text.substr(open.size(), text.size() - open.size() - close.size());
      break;
    }
  const size_t from = text.find_first_not_of(" \n");
  return from == text.npos ? "" : text.substr(from, text.find_last_not_of(" \n") + 1 - from);
}

}  // namespace docspec
