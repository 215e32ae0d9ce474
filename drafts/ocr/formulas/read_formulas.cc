#include "drafts/ocr/formulas/read_formulas.h"

#include <algorithm>
#include <span>
#include <string>
#include <vector>

#include "core/page/text_size.h"
#include "drafts/latex/math_letters.h"
#include "drafts/ocr/formulas/mend_latex.h"

namespace docspec {
namespace {

/// A display formula on its way to the reader.
struct Wanted {
  Draft* draft;
  Box box;             ///< without its number
  std::string number;  ///< at the margin: "(3.2)"; or empty
};

/// The word of a formula's region that is its number: nothing else stands on its side.
const Word* number_of(const Draft& draft) {
  for (const Word& word : draft.words) {
    if (!is_equation_number(word.text)) continue;
    const int gap = word.box.height();
    const auto beside = [&](bool left) {
      return std::all_of(draft.words.begin(), draft.words.end(), [&](const Word& other) {
        return &other == &word ||
               (left ? other.box.x0 > word.box.x1 + gap : other.box.x1 < word.box.x0 - gap);
      });
    };
    if (draft.words.size() > 1 && (beside(true) || beside(false))) return &word;
  }
  return nullptr;
}

Wanted wanted(Draft& draft, const Region& region) {
  Wanted out{&draft, region.box, ""};
  const Word* const number = number_of(draft);
  if (!number) return out;
  out.number = number->text;
  const int middle = (number->box.x0 + number->box.x1) / 2;
  if (middle > (region.box.x0 + region.box.x1) / 2)
    out.box.x1 = number->box.x0 - number->box.height() / 2;
  else
    out.box.x0 = number->box.x1 + number->box.height() / 2;
  return out;
}

/// LaTeX with the number at the margin, unless the model read it.
std::string with_number(const std::string& latex, const std::string& number) {
  if (number.empty() || latex.find("\\tag") != latex.npos) return latex;
  return latex + (number.front() == '(' ? " \\tag{" + number.substr(1, number.size() - 2) + "}"
                                        : " \\tag*{" + number + "}");
}

}  // namespace

bool has_formula_regions(const PageDrafts& page) {
  return std::any_of(page.regions.begin(), page.regions.end(),
                     [](const Region& region) { return region.kind == RegionKind::formula; });
}

void read_formula_regions(const FormulaReader& reader, const PageImage& image, PageDrafts& page) {
  std::vector<Wanted> all;
  std::vector<const Draft*> text;
  for (Draft& draft : page.drafts) {
    const auto region = std::find_if(page.regions.begin(), page.regions.end(),
                                     [&](const Region& each) { return each.id == draft.region; });
    if (region == page.regions.end()) continue;
    if (region->kind == RegionKind::formula)
      all.push_back(wanted(draft, *region));
    else
      text.push_back(&draft);
  }
  std::vector<Box> boxes;
  for (const Wanted& each : all) boxes.push_back(each.box);
  const std::vector<ReadFormula> read = reader.read(image, boxes, text_em_px(text));
  for (size_t i = 0; i < all.size(); ++i)
    if (!read[i].latex.empty())
      all[i].draft->text = "$$" + with_number(mend_latex(read[i].latex), all[i].number) + "$$";
}

}  // namespace docspec
