#include "core/input/letters/right_to_left.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <utility>
#include <vector>

#include "core/text/unicode.h"

namespace docspec {

namespace {

constexpr uint32_t kLam = 0x644;

bool is_alef(uint32_t c) {
  return c == 0x622 || c == 0x623 || c == 0x625 || c == 0x627;
}

/// Jeem, hah, khah, meem and yeh, which fonts have as one glyph with a lam before them.
bool joins_lam(uint32_t c) {
  return (c >= 0x62C && c <= 0x62E) || c == 0x645 || c == 0x649 || c == 0x64A;
}

/// Whether a code point is an Arabic letter in the form that it has at the beginning, in the middle
/// or at the end of a word, as some fonts' maps have them: text that is typed has the letter.
bool is_joined_form(uint32_t c) {
  return (c >= 0xFB50 && c <= 0xFBFF) || (c >= 0xFE80 && c <= 0xFEFC);
}

}  // namespace

void part_lams(GlyphWord& word) {
  constexpr double kSame = 0.001, kLeast = 0.24;  // in some fonts lam and alef are as narrow
  if (word.widths.size() != word.letters.size()) return;
  for (size_t i = 0; i + 1 < word.letters.size(); ++i)
    if (word.letters[i] == kLam &&
        (joins_lam(word.letters[i + 1]) ||
         (is_alef(word.letters[i + 1]) && word.widths[i] > kLeast)) &&
        std::abs(word.widths[i] - word.widths[i + 1]) < kSame) {
      std::swap(word.letters[i], word.letters[i + 1]);
      ++i;
    }
}

std::string logical_order(const std::string& visual) {
  std::vector<uint32_t> letters;
  bool right_to_left = false;
  for (size_t at = 0; at < visual.size();) {
    letters.push_back(next_code_point(visual, at));
    right_to_left |= is_right_to_left(letters.back());
  }
  if (!right_to_left) return visual;
  std::reverse(letters.begin(), letters.end());
  std::transform(letters.begin(), letters.end(), letters.begin(), mirrored);
  const auto forward = [](uint32_t c) {  // digits and Latin letters
    return (c >= '0' && c <= '9') || (c >= 0x660 && c <= 0x669) || (c >= 0x6F0 && c <= 0x6F9) ||
           (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z');
  };
  for (auto it = letters.begin(); it != letters.end();) {
    it = std::find_if(it, letters.end(), forward);
    const auto end = std::find_if_not(it, letters.end(), forward);
    std::reverse(it, end);
    it = end;
  }
  // A lam-alef is one glyph, whose letters Poppler has in the order of reading. After another alef
  // no alef can stand: it is the second letter of such a glyph.
  for (size_t i = 0; i + 2 < letters.size(); ++i)
    if (letters[i] == 0x627 && is_alef(letters[i + 1]) && letters[i + 2] == kLam)
      std::swap(letters[i + 1], letters[i + 2]);
  std::string out;
  for (uint32_t c : letters) {
    std::string letter;
    append_utf8(letter, c);
    out += is_joined_form(c) ? normalize_unicode(letter, NormalForm::nfkc) : letter;
  }
  return out;
}

}  // namespace docspec
