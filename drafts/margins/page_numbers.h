#pragma once

#include <algorithm>
#include <array>
#include <cctype>
#include <span>
#include <string>
#include <string_view>

#include "drafts/lines/text_lines.h"

namespace docspec {

inline bool is_numeral(char c) {
  return c >= '0' && c <= '9';
}

/// A Roman number below 90, all of small letters or of capitals.
inline bool is_roman(std::string_view word) {
  return !word.empty() && word.size() <= 6 &&
         (word.find_first_not_of("ivxl") == word.npos ||
          word.find_first_not_of("IVXL") == word.npos);
}

/// The text without the dashes that may stand on both sides of a page number.
inline std::string without_dashes(std::string text) {
  for (std::string_view dash : {"\u2012", "\u2013", "\u2014", "\u2212"})
    for (size_t at; (at = text.find(dash)) != text.npos;) text.replace(at, dash.size(), "-");
  return text;
}

/// Whether a line is a page number: up to five digits, or a small Roman number, and no letters.
inline bool is_number(const TextLine& line, std::span<const Word> words) {
  if (line.words.empty() || line.words.size() > 3) return false;
  const std::string& whole = words[size_t(line.words[0])].text;  // "A-6"
  if (line.words.size() == 1 && whole.size() > 2 && whole.size() <= 5 &&
      std::isupper(uint8_t(whole[0])) && whole[1] == '-' &&
      std::all_of(whole.begin() + 2, whole.end(), is_numeral))
    return true;
  size_t digits = 0, roman = 0, letters = 0;
  for (int i : line.words)
    for (char c : without_dashes(words[size_t(i)].text)) {
      digits += is_numeral(c);
      roman += c == 'i' || c == 'v' || c == 'x';
      letters += uint8_t(c) >= 0x80 || std::isalpha(uint8_t(c));
    }
  return (digits > 0 && digits <= 5 && letters == 0) ||
         (line.words.size() == 1 && roman > 0 && roman == letters && letters <= 6 && digits == 0);
}

/// "Page 3 of 7", "Page - IV".
inline bool names_page(const TextLine& line, std::span<const Word> words) {
  constexpr size_t kMostWords = 4;
  if (line.words.size() < 2 || line.words.size() > kMostWords) return false;
  const std::string &first = words[size_t(line.words.front())].text,
                    &last = words[size_t(line.words.back())].text;
  return (first == "Page" || first == "page") &&
         (is_roman(last) || std::all_of(last.begin(), last.end(), is_numeral));
}

/// "Form 250 Page 3 of" before a number that stands elsewhere.
inline bool counts_pages(const TextLine& line, std::span<const Word> words) {
  const auto word = [&](size_t k) -> const std::string& {
    return words[size_t(line.words[k])].text;
  };
  if (line.words.size() < 3) return false;
  const size_t k = line.words.size() - 3;
  return (word(k) == "Page" || word(k) == "page") && word(k + 2) == "of" &&
         std::all_of(word(k + 1).begin(), word(k + 1).end(), is_numeral);
}

/// "Page 3 of 7", "3 | Review", "Review of Things 17": a number that opens or ends a line.
inline bool has_number(const TextLine& line, std::span<const Word> words) {
  if (is_number(line, words)) return true;
  if (line.words.empty()) return false;
  if (names_page(line, words) || counts_pages(line, words)) return true;
  const auto counts = [&](int i) {
    const std::string& word = words[size_t(i)].text;
    return word.size() <= 4 && std::all_of(word.begin(), word.end(), is_numeral);
  };
  // "MNRAS, 183, 341" ends a reference.
  const bool listed =
      line.words.size() > 1 && words[size_t(line.words[line.words.size() - 2])].text.ends_with(',');
  return counts(line.words.front()) || (counts(line.words.back()) && !listed);
}

/// Words that the text of a page hardly has.
inline bool has_imprint(const std::string& text) {
  static constexpr std::array<std::string_view, 14> kMarks = {
      "©",   "(c)",        "copyright", "www.",         "http",     "issn", "isbn",
      "doi", "all rights", "page ",     "confidential", "preprint", "vol.", "printed"};
  std::string lower;
  for (char c : text) lower += char(std::tolower(uint8_t(c)));
  return std::any_of(kMarks.begin(), kMarks.end(),
                     [&](std::string_view mark) { return lower.find(mark) != lower.npos; });
}

}  // namespace docspec
