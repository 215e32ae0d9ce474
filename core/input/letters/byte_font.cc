#define POINTERHOLDER_TRANSITION 4  // QPDF's headers warn without it
#include "core/input/letters/byte_font.h"

#include <algorithm>
#include <cctype>
#include <charconv>
#include <iterator>
#include <qpdf/QPDFObjectHandle.hh>
#include <string_view>

#include "core/input/letters/glyph_widths.h"
#include "core/input/letters/standard_widths.h"
#include "core/input/letters/symbol_fonts.h"
#include "core/input/letters/tex_names.h"
#include "core/input/letters/unicode_map.h"

namespace docspec {
namespace {

using GlyphNames = std::array<std::string, 256>;

/// The names that the font's dictionary gives to codes; empty where the font's own count.
GlyphNames names_of(QPDFObjectHandle encoding) {
  QPDFObjectHandle base = encoding;
  if (encoding.isDictionary()) base = encoding.getKey("/BaseEncoding");
  const std::string numbered = base.isName() ? base.getName() : "";
  const BaseEncoding codes = numbered == "/WinAnsiEncoding"    ? BaseEncoding::windows
                             : numbered == "/MacRomanEncoding" ? BaseEncoding::mac
                                                               : BaseEncoding::own;
  GlyphNames names;
  for (unsigned code = 0; code < 256; ++code) names[code] = glyph_name(codes, code);
  for (auto& [code, name] : named_codes(encoding))
    if (code >= 0 && code < 256) names[size_t(code)] = std::move(name);
  return names;
}

/// The names that the font's own program gives to its codes from `least` on ("dup 33 /alpha put"),
/// if it is one of Type 1, whose head is plain text.
void read_own_names(QPDFObjectHandle descriptor, unsigned least, GlyphNames& names) {
  if (!descriptor.isDictionary()) return;
  const std::string program = bytes_of(descriptor.getKey("/FontFile"));
  const std::string_view head = std::string_view(program).substr(0, program.find("eexec"));
  for (size_t at = head.find("dup "); at != head.npos; at = head.find("dup ", at)) {
    at += 4;
    unsigned code = 0;
    const auto [end, error] = std::from_chars(head.data() + at, head.data() + head.size(), code);
    const size_t slash = head.find_first_not_of(' ', size_t(end - head.data()));
    if (error != std::errc() || code < least || code >= names.size() || slash == head.npos ||
        head[slash] != '/')
      continue;
    const size_t stop = head.find_first_of(" \r\n", slash);
    if (stop != head.npos && names[code].empty())
      names[code] = head.substr(slash + 1, stop - slash - 1);
  }
}

bool is_ligature(uint32_t letter) {
  return letter >= 0xFB00 && letter <= 0xFB04;
}

/// Whether the file has TeX's codes: some programs number the glyphs of a font anew, which its
/// names tell, or its map: one letter of a font for text and variables, or all signs of one for
/// symbols.
bool keeps_codes(const std::string& font, const GlyphNames& names,
                 std::array<uint32_t, 256> mapped) {
  const TexEncoding encoding = tex_encoding(font);
  const bool letters = encoding == TexEncoding::roman || encoding == TexEncoding::italic;
  if (!letters && encoding != TexEncoding::symbols) mapped = {};
  size_t same = 0, others = 0;
  for (unsigned code = 0; code < 256; ++code) {
    if (const auto tex = tex_code(font, names[code]); tex && *tex != code) return false;
    const uint32_t letter = names[code].empty() ? plain_sign(mapped[code]) : 0;
    const auto own = letter == 0 ? std::nullopt : tex_glyph(font, code);
    if (!own) continue;
    const bool plain = is_ligature(letter) || (letter < 0x80 && std::isalnum(int(letter)));
    if (letter == own->letter || letter == code || is_ligature(own->letter))
      ++same;
    else if (letters && plain)
      return false;
    else
      ++others;
  }
  return same > 0 || others < 2;
}

void read_widths(QPDFObjectHandle widths, long long first, ByteFont& font) {
  for (int i = 0; i < std::min(256, widths.getArrayNItems()); ++i) {
    const long long code = first + i;
    QPDFObjectHandle width = widths.getArrayItem(i);
    if (code >= 0 && code < 256 && width.isNumber())
      font.widths[size_t(code)] = width.getNumericValue() / 1000;
  }
}

/// The widths of a font that the file need not describe; false where it is none of these.
bool standard_widths(const GlyphNames& names, ByteFont& font) {
  static constexpr std::string_view kMore[] = {
      "fi", "fl", "endash", "emdash", "quotedblleft", "quotedblright", "bullet"};
  constexpr double kCourier = 0.6;
  if (font.name.rfind("Courier", 0) == 0) {
    font.widths.fill(kCourier);
    return true;
  }
  const size_t oblique = font.name.find("Oblique");
  std::string name = font.name.substr(0, oblique);
  if (!name.empty() && name.back() == '-') name.pop_back();
  const auto found = std::find_if(std::begin(kStandardFonts), std::end(kStandardFonts),
                                  [&](const StandardFont& other) { return other.name == name; });
  if (found == std::end(kStandardFonts)) return false;
  for (size_t code = 0; code < names.size(); ++code) {
    const auto more = std::find(std::begin(kMore), std::end(kMore), names[code]);
    if (more != std::end(kMore))
      font.widths[code] = found->more[more - std::begin(kMore)] / 1000.0;
    else if (code >= 0x20 && code < 0x7F)
      font.widths[code] = found->letters[code - 0x20] / 1000.0;
  }
  return true;
}

}  // namespace

std::vector<std::pair<long long, std::string>> named_codes(QPDFObjectHandle encoding) {
  std::vector<std::pair<long long, std::string>> named;
  QPDFObjectHandle own = entry(encoding, "/Differences");
  if (!own.isArray()) return named;
  long long code = 0;
  for (QPDFObjectHandle item : own.getArrayAsVector()) {
    if (item.isInteger()) code = item.getIntValue();
    if (item.isName()) named.emplace_back(code++, item.getName().substr(1));
  }
  return named;
}

QPDFObjectHandle entry(QPDFObjectHandle dictionary, const std::string& key) {
  return dictionary.isDictionary() ? dictionary.getKey(key) : QPDFObjectHandle::newNull();
}

std::string bytes_of(QPDFObjectHandle stream) {
  constexpr size_t kMostBytes = 1 << 20;
  if (!stream.isStream()) return {};
  const auto bytes = stream.getStreamData(qpdf_dl_generalized);
  return {reinterpret_cast<const char*>(bytes->getBuffer()),
          std::min(bytes->getSize(), kMostBytes)};
}

std::string base_font_name(QPDFObjectHandle dictionary) {
  if (!dictionary.isDictionary() || !dictionary.getKey("/BaseFont").isName()) return {};
  std::string name = plain_font_name(dictionary.getKey("/BaseFont").getName().substr(1));
  constexpr std::string_view kAdded = "-Identity-H";  // by XeTeX, to fonts of two bytes
  if (const size_t at = name.find(kAdded); at != name.npos && at + kAdded.size() == name.size())
    name.resize(at);
  return name;
}

std::optional<ByteFont> read_byte_font(QPDFObjectHandle dictionary, bool tex_wrote) {
  ByteFont font;
  font.name = base_font_name(dictionary);
  if (font.name.empty() || !dictionary.getKey("/Subtype").isName() ||
      dictionary.getKey("/Subtype").getName() == "/Type0")
    return std::nullopt;
  QPDFObjectHandle widths = dictionary.getKey("/Widths"), first = dictionary.getKey("/FirstChar");
  GlyphNames names = names_of(dictionary.getKey("/Encoding"));
  if (widths.isArray() && first.isInteger())
    read_widths(widths, first.getIntValue(), font);
  else if (!standard_widths(names, font))
    return std::nullopt;
  // TeX's fonts repeat their first signs above its codes, and dvipdfm uses those.
  constexpr unsigned kMostOfTex = 0x7F;
  read_own_names(dictionary.getKey("/FontDescriptor"), tex_wrote ? kMostOfTex + 1 : 0, names);
  const auto mapped = letters_of_map(bytes_of(dictionary.getKey("/ToUnicode")));
  // Symbol is everybody's: where it has a map, its codes may be the file's own.
  const bool told = tex_encoding(font.name) == TexEncoding::post_script &&
                    std::any_of(mapped.begin(), mapped.end(), [](uint32_t c) { return c != 0; });
  const bool own_codes = tex_wrote || keeps_codes(font.name, names, mapped);
  for (unsigned code = 0; code < 256; ++code) {
    const auto tex = tex_code(font.name, names[code]);
    const auto glyph = tex         ? tex_glyph(font.name, *tex)
                       : own_codes ? tex_glyph(font.name, code)
                                   : std::nullopt;
    TexGlyph& own = font.glyphs[code];
    if (glyph && (tex || !told))
      own = *glyph;
    else if (const uint32_t sign = symbol_sign(font.name, mapped[code] ? mapped[code] : code))
      own.letter = sign;
    else if (mapped[code] != 0)
      own.letter = plain_sign(mapped[code]);
    else if (code >= 0x20 && code < 0x7F && !told)
      own.letter = code;
    if (const uint32_t letter = tex ? 0 : tex_letter_of_name(names[code])) own.letter = letter;
  }
  return font;
}

}  // namespace docspec
