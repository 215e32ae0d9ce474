#include "drafts/text/typed_prose.h"

#include <algorithm>
#include <cctype>
#include <cstdlib>
#include <map>
#include <string>
#include <string_view>

#include "core/base/median.h"
#include "drafts/lines/font_style.h"

namespace docspec {
namespace {

/// One row of words in a typewriter's font.
struct TypedRow {
  Box box;
  int first_width = 0;  // of its first word
  size_t words = 0, plain = 0, numbers = 0;
  size_t letters = 0;  // bytes of the plain ones
};

/// Letters alone, but for punctuation at both ends: "Web", "(the", "agreement;".
bool is_plain(std::string_view text) {
  constexpr std::string_view kOpen = "(\"'[", kClose = ".,;:!?)\"']";
  while (!text.empty() && kOpen.find(text.front()) != text.npos) text.remove_prefix(1);
  while (!text.empty() && kClose.find(text.back()) != text.npos) text.remove_suffix(1);
  return !text.empty() && std::all_of(text.begin(), text.end(), [](char c) {
    return std::isalpha(uint8_t(c)) || uint8_t(c) >= 0x80 || c == '-' || c == '\'';
  });
}

std::vector<TypedRow> typed_rows(const std::vector<Word>& words) {
  std::vector<TypedRow> rows;
  for (const Word& word : words) {
    if (word.quarter_turns != 0 || !font_style(word.font).mono) continue;
    const bool same = !rows.empty() && word.box.x0 >= rows.back().box.x1 &&
                      std::abs(word.box.y0 - rows.back().box.y0) * 2 < word.box.height();
    if (!same) rows.push_back({{}, word.box.width()});
    TypedRow& row = rows.back();
    row.box = unite(row.box, word.box);
    ++row.words;
    row.numbers += word.text.find_first_not_of("0123456789.,-+%") == word.text.npos;
    if (is_plain(word.text)) ++row.plain, row.letters += word.text.size();
  }
  return rows;
}

/// `words`: of the page; those of another font may have been typed into a form.
bool are_prose(const std::vector<TypedRow>& rows, size_t words) {
  constexpr size_t kLeastRows = 5, kLeastWords = 5, kLeastLetters = 3;  // a row; a word
  constexpr double kPlain = 0.8, kBroken = 0.6, kNextRow = 2.5;
  size_t long_rows = 0, typed = 0, count = 0, plain = 0, letters = 0, pairs = 0, broken = 0;
  int right = 0;
  for (const TypedRow& row : rows) {
    right = std::max(right, row.box.x1);
    typed += row.words;
    long_rows += row.words >= kLeastWords;  // others are headings, or of a table
    count += row.words - row.numbers, plain += row.plain, letters += row.letters;
  }
  for (size_t i = 1; i < rows.size(); ++i) {
    const Box &row = rows[i].box, &before = rows[i - 1].box;
    if (rows[i - 1].words < kLeastWords || row.y0 <= before.y0 ||
        row.y0 - before.y0 > kNextRow * before.height())
      continue;
    ++pairs;
    broken += right - before.x1 < rows[i].first_width + before.height();
  }
  return typed * 2 >= words && long_rows >= kLeastRows && long_rows * 3 >= rows.size() &&
         letters >= kLeastLetters * plain && double(plain) >= kPlain * double(count) &&
         double(broken) >= kBroken * double(pairs);
}

/// Widths of words, in font sizes a letter.
struct LetterWidths {
  std::vector<double> each;
  size_t narrow = 0, wide = 0;  ///< letters
};

/// Whether words of all letters are as wide as they are long.
bool are_of_one_width(const LetterWidths& widths) {
  constexpr size_t kLeastWords = 12, kLeastLetters = 8;
  constexpr double kSame = 0.06, kMostApart = 0.05;  // of the width, of the words
  if (widths.each.size() < kLeastWords || widths.narrow < kLeastLetters ||
      widths.wide < kLeastLetters)
    return false;
  const double usual = median(widths.each);
  const auto apart = std::count_if(widths.each.begin(), widths.each.end(), [&](double width) {
    return std::abs(width - usual) > kSame * usual;
  });
  return double(apart) <= kMostApart * double(widths.each.size());
}

}  // namespace

void name_typed_fonts(std::vector<Word>& words) {
  constexpr size_t kLeastLength = 4;  // bytes
  constexpr std::string_view kNarrow = "iljtfr.,:;'|!", kWide = "mwMWABCDGOQ@";
  std::map<std::string, LetterWidths> fonts;
  size_t plain = 0;  // words
  for (const Word& word : words) {
    const bool ascii =
        std::all_of(word.text.begin(), word.text.end(), [](char c) { return c > ' ' && c <= '~'; });
    if (!ascii || word.text.size() < kLeastLength || word.font.empty() || word.font_size_pt <= 0 ||
        word.quarter_turns != 0)
      continue;
    ++plain;
    LetterWidths& widths = fonts[word.font];
    widths.each.push_back(double(word.box.width() - 1) /
                          (double(word.text.size()) * word.font_size_pt));
    for (const char c : word.text) {
      widths.narrow += kNarrow.find(c) != kNarrow.npos;
      widths.wide += kWide.find(c) != kWide.npos;
    }
  }
  constexpr size_t kFew = 3;           // words in the slanted letters of such a font
  constexpr double kOfTheSame = 0.02;  // of the width
  constexpr size_t kNameLetters = 5;   // that the names of a font and its slanted one share
  std::vector<std::pair<std::string, double>> typed;
  for (const auto& [name, widths] : fonts)
    if (!font_style(name).mono && widths.each.size() * 2 < plain && are_of_one_width(widths))
      typed.emplace_back(name, median(widths.each));
  const std::vector<std::pair<std::string, double>> sure = typed;
  for (const auto& [name, widths] : fonts)
    for (const auto& [other, width] : sure)
      if (name != other && widths.each.size() >= kFew && name.size() > kNameLetters &&
          other.starts_with(name.substr(0, kNameLetters)) &&
          std::abs(median(widths.each) - width) < kOfTheSame * width)
        typed.emplace_back(name, width);
  for (Word& word : words)
    if (std::any_of(typed.begin(), typed.end(),
                    [&](const auto& font) { return font.first == word.font; }))
      word.font += "Mono";
}

void read_typed_prose(std::vector<Word>& words) {
  if (!are_prose(typed_rows(words), words.size())) return;
  for (Word& word : words)
    if (const FontStyle style = font_style(word.font); style.mono)
      word.font =
          std::string(kTypedFont) + (style.bold ? "-Bold" : "") + (style.italic ? "-Italic" : "");
}

}  // namespace docspec
