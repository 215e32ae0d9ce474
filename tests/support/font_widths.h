#pragma once

#include <string_view>

namespace docspec::test {

/// Points that `text` (in the PDF's WinAnsi codes) takes in a font of pdf_writer.h.
double text_width(std::string_view text, std::string_view font, double size);

}  // namespace docspec::test
