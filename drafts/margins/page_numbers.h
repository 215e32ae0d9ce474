#pragma once

#include <algorithm>
#include <array>
#include <cctype>
#include <span>
#include <string>
#include <string_view>

#include "core/text/unicode.h"
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

/// The text with plain dashes and digits: those beside a page number may be long, and its own are
/// wide ones or Arabic ones.
inline std::string plain_number(const std::string& text) {
  std::string out;
  for (size_t at = 0; at < text.size();) {
    const uint32_t c = next_code_point(text, at);
    const auto digit = [&](uint32_t zero) { return c >= zero && c < zero + 10; };
    if (c == 0x2212 || (c >= 0x2012 && c <= 0x2014))
      out += '-';
    else if (digit(0xFF10) || digit(0x660) || digit(0x6F0))
      out += char('0' + (c & 0xF));
    else
      append_utf8(out, c);
  }
  return out;
}

/// The text of a line without its blanks.
inline std::string closed_up(const TextLine& line, std::span<const Word> words) {
  std::string text;
  for (int i : line.words) text += words[size_t(i)].text;
  return text;
}

/// A number between two marks that are the same: "· 126 ·", "- 6 -".
inline bool is_marked_number(const TextLine& line, std::span<const Word> words) {
  const std::string text = plain_number(closed_up(line, words));
  for (const std::string_view mark : {"-", "·", "•", "・", "~", "|", "*"}) {
    if (text.size() < 2 * mark.size() + 1 || !text.starts_with(mark) || !text.ends_with(mark))
      continue;
    const std::string number = text.substr(mark.size(), text.size() - 2 * mark.size());
    return number.size() <= 4 &&
           (is_roman(number) || std::all_of(number.begin(), number.end(), is_numeral));
  }
  return false;
}

/// A date in numbers, an hour, an address or a file: what a browser prints at the edge of a page.
inline bool is_printed_mark(const TextLine& line, std::span<const Word> words) {
  const std::string text = closed_up(line, words);
  for (const std::string_view start : {"http://", "https://", "www.", "file://"})
    if (text.starts_with(start)) return true;
  static constexpr size_t kLongest = 24;
  size_t digits = 0, marks = 0;
  for (const char c : text) digits += is_numeral(c), marks += c == '/' || c == '.' || c == '-';
  return text.size() >= 6 && text.size() <= kLongest && is_numeral(text[0]) && digits >= 4 &&
         marks == 2 && text.find_first_not_of("0123456789/.-:,APMapm") == text.npos;
}

/// Whether a line is a page number: up to five digits, or a small Roman number, and no letters.
inline bool is_number(const TextLine& line, std::span<const Word> words) {
  if (line.words.empty() || line.words.size() > 3) return false;
  if (is_marked_number(line, words)) return true;
  const std::string& whole = words[size_t(line.words[0])].text;  // "A-6"
  if (line.words.size() == 1 && whole.size() > 2 && whole.size() <= 5 &&
      std::isupper(uint8_t(whole[0])) && whole[1] == '-' &&
      std::all_of(whole.begin() + 2, whole.end(), is_numeral))
    return true;
  size_t digits = 0, roman = 0, letters = 0;
  for (int i : line.words)
    for (char c : plain_number(words[size_t(i)].text)) {
      digits += is_numeral(c);
      roman += c == 'i' || c == 'v' || c == 'x';
      letters += uint8_t(c) >= 0x80 || std::isalpha(uint8_t(c));
    }
  return (digits > 0 && digits <= 5 && letters == 0) ||
         (line.words.size() == 1 && roman > 0 && roman == letters && letters <= 6 && digits == 0);
}

/// "Page 3 of 7", "Page - IV", "· 126 ·".
inline bool names_page(const TextLine& line, std::span<const Word> words) {
  constexpr size_t kMostWords = 4;
  if (is_marked_number(line, words)) return true;
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
    const std::string word = plain_number(words[size_t(i)].text);
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

/// "© 1994-2012 China Academic Journal Electronic Publishing House. All rights reserved."
inline bool names_owner(const std::string& text) {
  return text.find("ights reserved") != text.npos ||
         text.find("Electronic Publishing House") != text.npos;
}

}  // namespace docspec
