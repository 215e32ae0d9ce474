#pragma once

#include <optional>
#include <span>
#include <string_view>

#include "core/page/draft.h"
#include "core/page/ink_map.h"

namespace docspec {

/// May a text layer be taken as the page's text (drafts.md 5)? Its words must be printable (at
/// least 95 % without U+FFFD and private-use characters), must lie on the ink that looks like text
/// (70 %; a shade without letters is none), and must not be a mere stamp on a scanned page. `ink`
/// may be nullptr: then the words alone decide. `image`: what the ink is of; boxes are in pixels of
/// which one of it takes `scale`.
bool trust_text_layer(std::span<const Word> words, const InkMap* ink, const PageImage* image,
                      double scale, int width_px, int height_px);

/// Whether the words of a layer are printable and of a language, wherever they lie.
bool is_readable(std::span<const Word> words);

/// Whether the layer's Latin letters are as frequent as in European languages, font by font: codes
/// that were shifted print well and say nothing. Fonts with few letters, other scripts and fonts
/// for code and formulas are not checked.
bool reads_as_language(std::span<const Word> words);

/// Whether a text of letters and signs without words is what OCR makes of a formula. Programs and
/// addresses have words.
bool is_formula_rubble(std::string_view text);

/// Share of the words that OCR is sure of which the layer has too; nothing when they are too few to
/// tell. A layer that OCR confirms is the better text.
std::optional<double> confirmed_by(std::span<const Word> layer, std::span<const Word> ocr);

}  // namespace docspec
