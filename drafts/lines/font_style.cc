#include "drafts/lines/font_style.h"

#include <algorithm>
#include <cctype>
#include <initializer_list>
#include <string_view>

namespace docspec {

FontStyle font_style(const std::string& font) {
  std::string lower;
  for (char c : font) lower += char(std::tolower(uint8_t(c)));
  constexpr std::string_view kUnicode = "unicode";  // "Arial Unicode MS" is no font for code
  if (const size_t at = lower.find(kUnicode); at != lower.npos) lower.erase(at, kUnicode.size());
  const auto has = [&](std::initializer_list<std::string_view> parts) {
    return std::any_of(parts.begin(), parts.end(),
                       [&](std::string_view part) { return lower.find(part) != lower.npos; });
  };
  // Linux Libertine and Biolinum end in T and a letter: B = bold, Z = semibold, I = italic.
  const bool libertine = has({"linlibertinet", "linbiolinumt"});
  const auto ends = [&](std::initializer_list<std::string_view> parts) {
    return std::any_of(parts.begin(), parts.end(),
                       [&](std::string_view part) { return lower.ends_with(part); });
  };
  return {has({"bold", "black", "heavy", "cmbx", "cmb10", "cmssbx", "sfbx", "sfsx", "-semib",
               "demi", "nimbusromno9l-medi"}) ||
              ends({".b", ".bi"}) || (libertine && ends({"tb", "tz", "tbi", "tzi"})),
          has({"italic", "oblique", "-ital", "ital", "cmti", "cmsl", "cmssi", "sfti", "sfsi"}) ||
              ends({".i", ".bi"}) || (libertine && ends({"ti", "tbi", "tzi"})),
          has({"mono", "courier", "cmtt", "cmsltt", "cmitt", "sftt", "consol", "typewriter",
               "menlo", "code", "nimbusmon", "letterg", "xtt", "ectt", "gyrecursor", "monaco"})};
}

bool is_of_ocr(const std::string& font) {
  return font.empty() || font == kSeenMono;
}

bool are_of_ocr(std::span<const Word> words) {
  return !words.empty() && is_of_ocr(words.front().font);
}

bool are_rendered(std::span<const Word> words) {
  return !words.empty() && !is_of_ocr(words.front().font);
}

}  // namespace docspec
