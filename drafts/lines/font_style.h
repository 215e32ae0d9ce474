#pragma once

#include <span>
#include <string>

#include "core/page/draft.h"

namespace docspec {

/// What the name of a font says of its letters.
struct FontStyle {
  bool bold = false, italic = false, mono = false;
  bool operator==(const FontStyle&) const = default;
};

FontStyle font_style(const std::string& font);

/// What the font of prose in type of one width is called, before "-Bold" and "-Italic".
constexpr const char* kTypedFont = "Typed";

/// What the font of code is called that was seen on a page image.
constexpr const char* kSeenMono = "SeenMono";

/// Whether a font is one of OCR's, which knows no names.
bool is_of_ocr(const std::string& font);
/// Whether there are words, and OCR read them.
bool are_of_ocr(std::span<const Word> words);
/// Whether there are words, and they are those of a text layer: the page was rendered.
bool are_rendered(std::span<const Word> words);

}  // namespace docspec
