#include "drafts/ocr/drawn_formulas.h"

#include <algorithm>
#include <string_view>

#include "core/page/text_size.h"
#include "core/text/unicode.h"
#include "drafts/latex/math_letters.h"
#include "drafts/ocr/formulas/mend_latex.h"

namespace docspec {
namespace {

/// The page with white in the place of its words, but for the ink in `kept`.
PageImage without_words(const PageImage& image, std::span<const Word> words,
                        std::span<const Box> kept) {
  PageImage out = image;
  const Box page{0, 0, image.width_px(), image.height_px()};
  for (const Word& word : words) {
    const Box box = intersect(word.box, page);
    for (int y = box.y0; y < box.y1; ++y)
      std::fill_n(out.row(y) + size_t(box.x0) * 3, size_t(box.width()) * 3, uint8_t(255));
  }
  for (const Box& each : kept) {
    const Box box = intersect(each, page);
    for (int y = box.y0; y < box.y1; ++y)
      std::copy_n(image.row(y) + size_t(box.x0) * 3, size_t(box.width()) * 3,
                  out.row(y) + size_t(box.x0) * 3);
  }
  return out;
}

/// The letter of LaTeX that is one letter with a style or an accent: "\\mathbf{d}", "\\hat{z}".
char dressed_letter(std::string_view latex) {
  const size_t n = latex.size();
  const bool dressed = n > 4 && latex[0] == '\\' && latex[n - 1] == '}' && latex[n - 3] == '{' &&
                       is_ascii_letter(uint8_t(latex[n - 2])) &&
                       std::all_of(latex.begin() + 1, latex.end() - 3, is_ascii_letter);
  return dressed ? latex[n - 2] : 0;
}

/// A letter that stands alone, or before punctuation; else 0.
char letter_alone(std::string_view text) {
  const bool alone = !text.empty() && is_ascii_letter(uint8_t(text[0])) &&
                     text.find_first_not_of(".,;:", 1) == text.npos;
  return alone ? text[0] : 0;
}

/// The LaTeX of a letter that stands alone. Its size and its style cannot be told from its image:
/// OCR's letter is taken, and only a letter without a point keeps an accent.
std::string mend_letter(std::string latex, std::string_view seen) {
  const char letter = dressed_letter(latex), other = letter_alone(seen);
  if (letter == 0) return latex;
  if (latex.starts_with("\\math") || latex.starts_with("\\bold"))
    return std::string(1, other != 0 ? other : letter);
  return other == 'i' || other == 'j' ? std::string(1, other) : latex;
}

}  // namespace

bool is_chinese(std::string_view text) {
  constexpr std::string_view kSigns = "一二三入口";
  for (size_t at = 0; at < text.size();) {
    const size_t from = at;
    if (is_cjk(next_code_point(text, at)) &&
        kSigns.find(text.substr(from, at - from)) == kSigns.npos)
      return true;
  }
  return false;
}

std::vector<ReadFormula> read_drawn_formulas(LazyFormulaReader& reader, const PageImage& image,
                                             std::span<const Word> words,
                                             std::span<const DrawnFormula> formulas) {
  constexpr double kMostUnsure = 0.2;
  if (formulas.empty() || !reader.get()) return {};
  std::vector<Box> boxes;
  for (const DrawnFormula& formula : formulas) boxes.push_back(formula.ink);
  const Draft all{{}, "", "", 1, {words.begin(), words.end()}};
  const Draft* const drafts[] = {&all};
  std::vector<ReadFormula> read =
      reader.get()->read(without_words(image, words, boxes), boxes, text_em_px(drafts));
  for (size_t i = 0; i < read.size(); ++i) {
    std::string& latex = read[i].latex;
    const std::string& seen = formulas[i].seen;
    latex = read[i].unsure > kMostUnsure || is_chinese(seen) ? ""
                                                             : mend_letter(mend_latex(latex), seen);
  }
  return read;
}

}  // namespace docspec
