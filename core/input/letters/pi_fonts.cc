#include "core/input/letters/pi_fonts.h"

#include "core/input/letters/symbol_fonts.h"

namespace docspec {

namespace {

/// The sign of a glyph that is named by a number, as "H11002" for a minus: readers take the number
/// for the letter's code point. 0 = another letter.
uint32_t numbered_sign(uint32_t letter) {
  static constexpr std::u32string_view kNumbers =
      U"\u2AF9\u2AFA\u2AFB\u2AFC\u2AFD\u2AFE\u2AFF\u2B01\u2B03\u2B05\u2B07\u2B0D\u2B0E\u2B18"
      U"\u2B19\u2B1A\u2B48\u2B78\u2C55\u2C56\u2CF5\u2D5C\u2D22\u2D31\u2D1D\u2D19\u2D1A\u2D1B"
      U"\u2D1E\u5169\u5171\u5172\u5173\u5174\u5175\u5176\u5177\u5178\u50A8\u50C6\u517A\u517F"
      U"\u5189\u518A\u518B\u518C\u518D\u518E\u518F\u5191\u5195\u824B\u824C";
  static constexpr std::u32string_view kSigns =
      U"+\u2212\u00D7\u00F7=\u00B1\u2213\u221E\u223C\u2261\u2248<>\u2032\u2033\u00B0\u00B7"
      U"\u2202\u2264\u2265\u2202\u2207\u00B7*=+\u2212\u00D7\u00B1|()[]{}\u27E8\u27E9\u2016"
      U"\u2208\u2211\u220F()[]{}|\u221A\u222B\u2264\u2265";
  static_assert(kNumbers.size() == kSigns.size());
  static constexpr uint32_t kSmallAlpha = 0x2423, kSmallOmega = 0x243B, kGamma = 0x232B,
                            kOmega = 0x2340, kEpsilon = 0x2440, kSigma = 0x2434;
  if (letter == kEpsilon) return 0x3B5;
  if (letter == kSigma) return 0x3C3;  // before the one that ends words
  if (letter >= kSmallAlpha && letter <= kSmallOmega) return letter - kSmallAlpha + 0x3B1;
  // The capitals lack the second sigma, where the block of Greek has a gap.
  if (letter >= kGamma && letter <= kOmega)
    return letter - kGamma + 0x393 + (letter - kGamma + 0x393 > 0x3A1);
  const size_t at = kNumbers.find(char32_t(letter));
  return at == kNumbers.npos ? 0 : uint32_t(kSigns[at]);
}

/// The sign of a code in the fonts of China's database of journals (CNKI), which set what GB 2312
/// has in its first row, and the numbers in circles of its second one: readers take the codes for
/// Latin ones, "/" for an opening quote.
uint32_t chinese_sign(std::string_view font, uint32_t letter) {
  static constexpr std::u32string_view kFirstRow =
      U"　、。·ˉˇ¨〃々—～‖…‘’“”〔〕〈〉《》「」『』〖〗【】±"
      U"×÷∶∧∨∑∏∪∩∈∷√⊥∥∠⌒⊙∫∮≡≌≈∽∝≠≮≯≤≥∞∵∴"
      U"♂♀°′″℃＄¤￠￡‰§№☆★○●◎◇◆□■△▲※→←↑↓〓";
  constexpr uint32_t kFirst = 0x20, kCircledOne = 0xB9, kCircledTen = 0xC2;
  if (font.find("fntaa") != font.npos) return letter == '1' ? '.' : 0;
  if (font.find("fnta1") == font.npos) return 0;
  if (letter >= kCircledOne && letter <= kCircledTen) return letter - kCircledOne + 0x2460;
  return letter > kFirst && letter - kFirst < kFirstRow.size() ? kFirstRow[letter - kFirst] : 0;
}

/// The sign of a code in the font of WordPerfect's typographic symbols, whose letters readers take
/// for Latin ones: "!" is a bullet, "=" an apostrophe, "A" and "@" are quotes.
uint32_t wordperfect_sign(std::string_view font, uint32_t letter) {
  static constexpr std::u32string_view kSigns = U"•○■•*¶§¡¿«»£¥₧ƒªº½¼¢²ⁿ®©¤¾³‛’‘‟”“–—‹›";
  constexpr uint32_t kFirst = '!';
  if (font.find("WPTypographicSymbols") == font.npos) return 0;
  return letter >= kFirst && letter - kFirst < kSigns.size() ? kSigns[letter - kFirst] : 0;
}

/// Fonts that Arbortext's programs number anew, whose maps name the letters of Latin 1 instead: in
/// many journals "ðn ¼ 432Þ" is "(n = 432)".
uint32_t arbortext_sign(std::string_view font, uint32_t letter) {
  const size_t at = font.find("Adv");
  if (at == font.npos) return 0;
  const std::string_view own = font.substr(at);
  static constexpr std::u32string_view kLetters = U"¼ðÞþÀÂ", kSigns = U"=()+−×";
  if (own.starts_with("AdvMathSymb") || own.starts_with("AdvP4C4E")) {
    const size_t k = kLetters.find(char32_t(letter));
    if (k != kLetters.npos) return kSigns[k];
  }
  const bool italic = own.starts_with("AdvP4C4E51");
  return italic && letter == ':' ? '.' : italic && letter == ';' ? ',' : 0;
}

}  // namespace

uint32_t pi_sign(std::string_view font, uint32_t letter) {
  if (const uint32_t sign = symbol_sign(font, letter)) return sign;
  if (const uint32_t sign = arbortext_sign(font, letter)) return sign;
  if (const uint32_t sign = wordperfect_sign(font, letter)) return sign;
  if (font.find("MathematicalPi") != font.npos || font.find("MathPi") != font.npos ||
      font.find("UniversalMath") != font.npos)
    if (const uint32_t sign = numbered_sign(letter)) return sign;
  // The Greek letters lie as on a Greek keyboard: theta is u, omega is v, psi is c, xi is j.
  static constexpr std::string_view kCodes = "123456789,.#$abgdezhuiklmnjoprstyfxcvDGFJLPCSUVY";
  static constexpr std::u32string_view kSigns = U"+−×÷=±∓°′<>≤≥αβγδεζηθικλμνξοπρστυφχψωΔΓΦΞΛΠΨΣΘΩΥ";
  static_assert(kCodes.size() == kSigns.size());
  if (font.find("MathematicalPi-One") != font.npos ||
      font.find("MathematicalPi-Four") != font.npos || font.find("GreekwithMathPi") != font.npos ||
      font.find("AdvPS7DA6") != font.npos) {
    const size_t at = letter < 0x80 ? kCodes.find(char(letter)) : kCodes.npos;
    return at == kCodes.npos ? 0 : uint32_t(kSigns[at]);
  }
  if (font.find("cajcd") != font.npos) return chinese_sign(font, letter);
  if (letter == 'e' && font.find("feym") != font.npos) return 0x20AC;  // LaTeX's eurosym
  return letter == 'r' && font.find("NewswithCommPi") != font.npos ? 0xA9 : 0;
}

}  // namespace docspec
