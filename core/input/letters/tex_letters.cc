#include "core/input/letters/tex_letters.h"

#include <array>

namespace docspec {
namespace {

struct TexRun {
  uint32_t from;
  std::u32string_view letters;
  double height;
};

/// The encoding of Computer Modern's large symbols. What only extends another glyph is U+FFFC, and
/// left out by the caller.
constexpr std::array<TexRun, 12> kLargeSymbols = {{
    {0x00, U"()[]⌊⌋⌈⌉{}⟨⟩|‖/\\", 1.2},
    {0x10, U"()", 1.8},
    {0x12, U"()[]⌊⌋⌈⌉{}⟨⟩/\\", 2.4},
    {0x20, U"()[]⌊⌋⌈⌉{}⟨⟩/\\", 3.0},
    {0x2E, U"/\\", 1.8},
    {0x30, U"⎛⎞⎡⎤⎣⎦⎢⎥⎧⎫⎩⎭⎨⎬⎪|⎝⎠⎜⎟", 1.8},
    {0x44, U"⟨⟩", 1.8},
    {0x46, U"⨆⨆∮∮⨀⨀⨁⨁⨂⨂", 1.2},
    {0x50, U"∑∏∫⋃⋂⨄⋀⋁", 1.0},
    {0x58, U"∑∏∫⋃⋂⨄⋀⋁∐∐", 1.4},
    {0x62, U"^^^~~~[]⌊⌋⌈⌉{}", 1.8},
    {0x70, U"√√√√", 1.8},
}};

/// Blackboard and script capitals; those that Unicode had before the others.
uint32_t capital(char c, uint32_t first, std::string_view named, std::u32string_view letters) {
  const size_t at = named.find(c);
  return at == named.npos ? first + uint32_t(c - 'A') : uint32_t(letters[at]);
}

}  // namespace

TexLetter tex_letter(std::string_view font, uint32_t code) {
  if (font.starts_with("CMEX")) {
    for (const TexRun& run : kLargeSymbols) {
      if (code < run.from || code >= run.from + run.letters.size()) continue;
      double height = run.height;
      if (run.from == 0x70) height = 1.2 + 0.6 * (code - 0x70);
      if (code == 0x52) height = 1.1;                     // the integral of a line
      if (code == 0x5A || code == 0x49) height = 2.2;     // and of a display
      if (run.from == 0x62 && code < 0x68) height = 0.3;  // accents
      return {uint32_t(run.letters[code - run.from]), height};
    }
    return {};
  }
  const bool symbols = font.starts_with("CMSY") || font.starts_with("CMBSY");
  if (symbols && code == '6') return {0x338, 0};
  if (font.find("feym") != font.npos && code == 'e') return {0x20AC, 0};
  if (code < 'A' || code > 'Z') return {};
  if (font.starts_with("MSBM")) return {capital(char(code), 0x1D538, "CHNPQRZ", U"ℂℍℕℙℚℝℤ"), 0};
  if (symbols) return {capital(char(code), 0x1D49C, "BEFHILMR", U"ℬℰℱℋℐℒℳℛ"), 0};
  return {};
}

uint32_t bitmap_letter(uint32_t code) {
  static constexpr std::u32string_view kLigatures = U"\uFB00\uFB01\uFB02\uFB03\uFB04";
  static constexpr std::u32string_view kQuotesAndDashes = U"“”„«»–—";  // from 0x10
  if (code == 0x06) return U'°';
  for (const uint32_t first : {0x0Bu, 0x1Bu})
    if (code >= first && code < first + kLigatures.size()) return kLigatures[code - first];
  if (code >= 0x10 && code < 0x10 + kQuotesAndDashes.size()) return kQuotesAndDashes[code - 0x10];
  return 0;
}

}  // namespace docspec
