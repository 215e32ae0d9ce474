#define POINTERHOLDER_TRANSITION 4  // QPDF's headers warn without it
#include "core/input/wide/inked_font.h"

#include <qpdf/QPDFObjectHandle.hh>
#include <string>

#include "core/input/letters/tex_fonts.h"
#include "core/input/wide/outline_ink.h"

namespace docspec {

std::optional<ByteFont> read_inked_font(QPDFObjectHandle dictionary, bool tex_wrote) {
  constexpr double kLarge = 0.95;  // ink of a sign that has a height of its own, in font sizes
  std::optional<ByteFont> font = read_byte_font(dictionary, tex_wrote);
  if (!font || font->name.find("Math") == std::string::npos ||
      tex_encoding(font->name) != TexEncoding::none)
    return font;
  const QPDFObjectHandle descriptor = entry(dictionary, "/FontDescriptor");
  std::string program = bytes_of(entry(descriptor, "/FontFile"));
  if (program.empty()) program = bytes_of(entry(descriptor, "/FontFile3"));
  const OutlineInk outlines(std::move(program));
  for (const auto& [code, name] : named_codes(entry(dictionary, "/Encoding"))) {
    if (code < 0 || code > 255) continue;
    const auto ink = outlines.of(name);
    if (!ink || ink->above + ink->below < kLarge) continue;
    font->glyphs[size_t(code)].above = ink->above;
    font->glyphs[size_t(code)].below = ink->below;
  }
  return font;
}

}  // namespace docspec
