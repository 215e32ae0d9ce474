#define POINTERHOLDER_TRANSITION 4  // QPDF's headers warn without it
#include "core/input/wide/wide_font.h"

#include <algorithm>
#include <cmath>
#include <qpdf/QPDFObjectHandle.hh>

#include "core/input/letters/byte_font.h"
#include "core/input/letters/symbol_fonts.h"
#include "core/input/letters/unicode_map.h"
#include "core/input/wide/character_set.h"
#include "core/input/wide/outline_ink.h"

namespace docspec {
namespace {

constexpr unsigned kCodes = 0x10000;
constexpr std::string_view kUpright = "#upright";  // no font's own name ends so

/// As string_view::ends_with, which the fuzzers' C++17 lacks.
bool ends_with(std::string_view text, std::string_view end) {
  return text.size() >= end.size() && text.substr(text.size() - end.size()) == end;
}

/// A number of `bytes` bytes; nothing past the end.
std::optional<uint32_t> number_at(std::string_view program, size_t at, size_t bytes) {
  if (at > program.size() || program.size() - at < bytes) return std::nullopt;
  uint32_t number = 0;
  for (size_t k = 0; k < bytes; ++k) number = number << 8 | uint8_t(program[at + k]);
  return number;
}

/// A table of a TrueType font; empty where it has none.
std::string_view table_of(std::string_view program, std::string_view name) {
  constexpr size_t kHead = 12, kRow = 16, kMostTables = 64;
  const size_t tables = std::min<size_t>(number_at(program, 4, 2).value_or(0), kMostTables);
  for (size_t k = 0; k < tables; ++k) {
    const size_t row = kHead + k * kRow;
    const auto from = number_at(program, row + 8, 4), length = number_at(program, row + 12, 4);
    if (!from || !length) return {};
    if (program.substr(row, 4) == name && *from <= program.size())
      return program.substr(*from, *length);
  }
  return {};
}

/// "[1 [500 600] 8 9 700]": widths from code 1 on; one for the codes 8 and 9.
void read_wide_widths(QPDFObjectHandle list, WideFont& font) {
  if (!list.isArray()) return;
  size_t given = 0;
  const auto give = [&](long long code, QPDFObjectHandle width) {
    if (code < kCodes && width.isNumber() && given++ < 2 * kCodes)
      font.glyphs[unsigned(code)].width = width.getNumericValue() / 1000;
  };
  const int count = list.getArrayNItems();
  for (int i = 0; i + 1 < count;) {
    if (!list.getArrayItem(i).isInteger()) return;
    const long long code = list.getArrayItem(i).getIntValue();
    if (code < 0 || code >= kCodes) return;
    QPDFObjectHandle next = list.getArrayItem(i + 1);
    if (next.isArray()) {
      for (int k = 0; k < next.getArrayNItems(); ++k) give(code + k, next.getArrayItem(k));
      i += 2;
    } else if (next.isInteger() && i + 2 < count) {
      const long long last = std::min<long long>(next.getIntValue(), kCodes - 1);
      for (long long k = code; k <= last && given < 2 * kCodes; ++k)
        give(k, list.getArrayItem(i + 2));
      i += 3;
    } else {
      return;
    }
  }
}

bool is_blank(uint32_t letter) {
  return letter == ' ' || letter == 0xA0 || (letter >= 0x2000 && letter <= 0x200B) ||
         (letter >= 0x2061 && letter <= 0x2064);
}

/// Accents that stand over the letter before them.
bool is_combining(uint32_t letter) {
  return (letter >= 0x300 && letter <= 0x36F) || (letter >= 0x20D0 && letter <= 0x20FF);
}

/// Whether TeX has a letter of a formula from its fonts of text.
bool is_upright(uint32_t letter) {
  constexpr std::string_view kSigns = "()[]+=";
  const bool latin = (letter >= 'a' && letter <= 'z') || (letter >= 'A' && letter <= 'Z');
  return latin || (letter >= '0' && letter <= '9') ||
         (letter < 0x80 && kSigns.find(char(letter)) != kSigns.npos);
}

/// The piece of a tall bracket that a glyph is which stands on its line: Word's maps give some of
/// them the whole bracket and the others a blank.
uint32_t piece_of(uint32_t letter) {
  switch (letter) {
    case 0:
      return U'⎪';
    case '{':
      return U'⎨';
    case '}':
      return U'⎬';
    case '[':
      return U'⎢';
    case ']':
      return U'⎥';
    case '(':
      return U'⎜';
    case ')':
      return U'⎟';
    default:
      return letter;
  }
}

/// The font's program, of TrueType or in outlines (`key`: of which), where the codes are its own;
/// empty where it is another.
std::string program_of(QPDFObjectHandle descendant, const char* key) {
  QPDFObjectHandle numbers = descendant.getKey("/CIDToGIDMap");
  QPDFObjectHandle descriptor = descendant.getKey("/FontDescriptor");
  if (numbers.isStream() || !descriptor.isDictionary()) return {};
  return bytes_of(descriptor.getKey(key));
}

/// The letters of a font whose codes are the numbers of a known set of characters.
std::span<const uint32_t> set_of(QPDFObjectHandle descendant) {
  QPDFObjectHandle info = descendant.getKey("/CIDSystemInfo");
  if (!info.isDictionary() || !info.getKey("/Ordering").isString()) return {};
  return letters_of_set(info.getKey("/Ordering").getStringValue());
}

}  // namespace

std::optional<std::pair<double, double>> true_type_ink(std::string_view program, unsigned glyph) {
  const std::string_view head = table_of(program, "head"), places = table_of(program, "loca");
  const auto unit = number_at(head, 18, 2), wide = number_at(head, 50, 2);
  if (!unit || *unit == 0 || !wide) return std::nullopt;
  const size_t bytes = *wide ? 4 : 2;  // places in two bytes are halved
  const auto from = number_at(places, glyph * bytes, bytes);
  const auto to = number_at(places, (glyph + 1) * bytes, bytes);
  if (!from || !to || *from >= *to) return std::nullopt;
  const std::string_view outlines = table_of(program, "glyf");
  const size_t at = size_t(*from) * (*wide ? 1 : 2);
  const auto low = number_at(outlines, at + 4, 2), high = number_at(outlines, at + 8, 2);
  if (!low || !high) return std::nullopt;
  return std::pair(double(int16_t(*high)) / *unit, -double(int16_t(*low)) / *unit);
}

WideGlyph WideFont::glyph(unsigned code) const {
  const auto at = glyphs.find(code);
  WideGlyph own = at == glyphs.end() ? WideGlyph{{}, width} : at->second;
  if (code < set.size()) own.glyph.letter = is_blank(set[code]) ? ' ' : plain_sign(set[code]);
  return own;
}

std::string upright_name(std::string_view font) {
  constexpr std::string_view kMath = "Math";
  const size_t at = font.rfind(kMath);
  if (at == font.npos || tex_encoding(font) != TexEncoding::none) return "";
  const std::string_view weight = font.substr(at + kMath.size());
  const bool formulas = weight.empty() || weight == "-Regular" || weight == "-Book";
  return formulas ? std::string(font.substr(0, at)) + std::string(kUpright) : "";
}

bool is_upright_name(std::string_view font) {
  return ends_with(font, kUpright);
}

std::optional<WideFont> read_wide_font(QPDFObjectHandle dictionary) {
  constexpr double kLarge = 0.95;  // ink of a sign that has a height of its own, in font sizes
  WideFont font;
  font.name = base_font_name(dictionary);
  if (font.name.empty()) return std::nullopt;
  QPDFObjectHandle encoding = dictionary.getKey("/Encoding");
  QPDFObjectHandle fonts = dictionary.getKey("/DescendantFonts");
  if (!encoding.isName() || encoding.getName() != "/Identity-H" || !fonts.isArray() ||
      fonts.getArrayNItems() != 1 || !fonts.getArrayItem(0).isDictionary())
    return std::nullopt;
  QPDFObjectHandle descendant = fonts.getArrayItem(0);
  if (QPDFObjectHandle width = descendant.getKey("/DW"); width.isNumber())
    font.width = width.getNumericValue() / 1000;
  const CodeLetters letters = letters_of_wide_map(bytes_of(dictionary.getKey("/ToUnicode")));
  if (letters.empty()) font.set = set_of(descendant);
  if (letters.empty() && font.set.empty()) return std::nullopt;
  for (const auto& [code, letter] : letters) font.glyphs[code].width = font.width;
  read_wide_widths(descendant.getKey("/W"), font);
  const bool math = !upright_name(font.name).empty();
  const std::string program = math ? program_of(descendant, "/FontFile2") : "";
  const OutlineInk outlines(math ? program_of(descendant, "/FontFile3") : "");
  for (const auto& [code, mapped] : letters) {
    const uint32_t sign = symbol_sign(font.name, mapped), letter = sign ? sign : mapped;
    WideGlyph& own = font.glyphs[code];
    std::optional<std::pair<double, double>> ink;
    if (!program.empty()) {
      ink = true_type_ink(program, code);
    } else if (const auto outline = outlines.of(code)) {
      ink = {outline->above, outline->below};
      if (is_combining(letter)) own.left = outline->left, own.right = outline->right;
    }
    own.glyph.letter = !is_blank(letter) ? plain_sign(letter) : ink ? 0 : ' ';
    own.upright = math && is_upright(letter);
    if (!ink || ink->first + ink->second < kLarge) continue;
    own.glyph.above = ink->first;
    own.glyph.below = ink->second;
    if (!program.empty() && ink->first >= 1 && std::abs(ink->second) < 0.02)
      own.glyph.letter = piece_of(own.glyph.letter);
  }
  return font;
}

}  // namespace docspec
