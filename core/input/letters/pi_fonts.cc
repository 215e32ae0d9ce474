#include "core/input/letters/pi_fonts.h"

namespace docspec {

uint32_t pi_sign(std::string_view font, uint32_t letter) {
  // The Greek letters lie as on a Greek keyboard: theta is u, omega is v, psi is c, xi is j.
  static constexpr std::string_view kCodes = "123456789,.#$abgdezhuiklmnjoprstyfxcvDGFJLPCSUVY";
  static constexpr std::u32string_view kSigns =
      U"+−×÷=±∓°′<>≤≥αβγδεζηθικλμνξοπρστυφχψωΔΓΦΞΛΠΨΣΘΩΥ";
  static_assert(kCodes.size() == kSigns.size());
  if (font.find("MathematicalPi-One") != font.npos ||
      font.find("MathematicalPi-Four") != font.npos) {
    const size_t at = letter < 0x80 ? kCodes.find(char(letter)) : kCodes.npos;
    return at == kCodes.npos ? 0 : uint32_t(kSigns[at]);
  }
  return letter == 'r' && font.find("NewswithCommPi") != font.npos ? 0xA9 : 0;
}

}  // namespace docspec
