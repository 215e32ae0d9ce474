#include "core/document/sentences.h"

#include <algorithm>
#include <cctype>
#include <cstdint>

#include "core/text/unicode.h"

namespace docspec {
namespace {

bool starts_lower(std::string_view text) {
  return !text.empty() && std::islower(uint8_t(text[0]));
}

/// The text after the brackets or the formula that it begins with: "and" in "(QW0) and". The mark
/// of an item, "(a)" or "(iii)", is no such bracket. Empty where the text begins with neither.
std::string_view after_aside(std::string_view text) {
  constexpr size_t kLeast = 3;  // letters in the brackets
  const bool formula = text.starts_with('$') && !text.starts_with("$$");
  if (!formula && !text.starts_with('(')) return {};
  const size_t end = text.find(formula ? '$' : ')', 1);
  if (end == text.npos) return {};
  const std::string_view inner = text.substr(1, end - 1);
  const bool mark = inner.size() < kLeast || inner.find_first_not_of("ivxIVX") == inner.npos;
  if (!formula && mark) return {};
  const size_t next = text.find_first_not_of(' ', end + 1);
  return next == text.npos ? std::string_view{} : text.substr(next);
}

/// Whether a text ends with an English word that ends no sentence; "a" may be a variable.
bool ends_within_sentence(std::string_view text) {
  static constexpr std::string_view kWords[] = {"an",  "and", "as",   "at",  "by", "for",
                                                "in",  "of",  "on",   "or",  "to", "from",
                                                "the", "The", "that", "with"};
  const std::string_view word = text.substr(text.find_last_of(' ') + 1);
  return word.size() < text.size() &&
         std::find(std::begin(kWords), std::end(kWords), word) != std::end(kWords);
}

}  // namespace

bool sentence_goes_on(std::string_view text, std::string_view next) {
  return starts_lower(next) || starts_lower(after_aside(next)) || ends_within_sentence(text) ||
         goes_on_in_cjk(text, next);
}

bool goes_on_in_cjk(std::string_view text, std::string_view next) {
  constexpr size_t kLeast = 20, kLeastNext = 4;  // characters
  const uint32_t end = last_code_point(text), begin = first_code_point(next);
  const auto is_letter = [](uint32_t c) { return is_cjk(c) && is_word(int32_t(c)); };
  return (is_letter(end) || end == U'，' || end == U'、') && is_letter(begin) &&
         count_cjk(text) >= kLeast && count_cjk(next) >= kLeastNext;
}

}  // namespace docspec
