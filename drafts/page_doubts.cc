#include "drafts/page_doubts.h"

#include <algorithm>
#include <cstddef>

#include "core/input/wide/wide_font.h"
#include "core/text/unicode.h"
#include "drafts/ocr/formulas/flat_formulas.h"
#include "drafts/text/text_trust.h"

namespace docspec {

std::string doubt_of_rubble(const std::vector<Draft>& drafts) {
  constexpr std::ptrdiff_t kLeast = 2;
  const auto rubble = std::count_if(drafts.begin(), drafts.end(), [](const Draft& draft) {
    return !draft.text.starts_with("<table") && is_formula_rubble(draft.text);
  });
  return rubble < kLeast ? ""
                         : "some lines that OCR wrote are no words (formulas, barcodes); only a "
                           "model can read them";
}

std::string doubt_of_unsure_text(const std::vector<Draft>& drafts) {
  constexpr double kUnsure = 0.5, kMost = 0.25;
  size_t unsure = 0, all = 0;
  for (const Draft& draft : drafts) {
    if (draft.text.starts_with("$$")) continue;  // doubt_of_flat_formulas tells
    all += draft.text.size();
    if (draft.confidence < kUnsure) unsure += draft.text.size();
  }
  if (double(unsure) <= kMost * double(all)) return "";
  return "OCR is not sure of " + std::to_string(100 * unsure / all) +
         " % of its text; name the page's languages if they are more than one";
}

std::string doubt_of_brackets(const std::vector<Draft>& drafts) {
  constexpr size_t kLeast = 2;
  constexpr uint32_t kFirst = 0x239B, kLast = 0x23AE;
  size_t pieces = 0;
  for (const Draft& draft : drafts)
    for (size_t at = 0; at < draft.text.size();) {
      const uint32_t c = next_code_point(draft.text, at);
      pieces += c >= kFirst && c <= kLast;
    }
  return pieces < kLeast ? "" : kFlatFormulas;
}

std::string doubt_of_letters(std::span<const Word> words, const PageGlyphs& glyphs) {
  constexpr std::ptrdiff_t kLeastLost = 3;
  const auto lost =
      std::count_if(glyphs.glyphs.begin(), glyphs.glyphs.end(), [&](const PageGlyph& glyph) {
        return glyph.letter == 0 && !upright_name(glyphs.fonts[size_t(glyph.font)]).empty();
      });
  bool wrong = false;
  for (size_t i = 1; i < words.size(); ++i) {
    const Word &word = words[i], &base = words[i - 1];
    wrong |= word.text.size() == 1 && word.text.find_first_of("!\"#$%&") == 0 &&
             word.font_size_pt < 0.9 * base.font_size_pt && !upright_name(word.font).empty() &&
             !upright_name(base.font).empty();
  }
  return lost < kLeastLost && !wrong
             ? ""
             : "the font of some formulas does not tell its letters; only a model can read them";
}

}  // namespace docspec
