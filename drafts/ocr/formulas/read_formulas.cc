#include "drafts/ocr/formulas/read_formulas.h"

#include <algorithm>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "core/page/text_size.h"
#include "drafts/latex/formula_latex.h"
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
  return latex.find("\\tag") != latex.npos ? latex : latex + equation_tag(number);
}

/// The share of formulas that were read right, of 316 images that the model had not seen, by the
/// least lead of a token.
double confidence_of(double least_margin) {
  constexpr std::pair<double, double> kShares[] = {
      {1.5, 0.96}, {1, 0.83}, {0.3, 0.52}, {0.1, 0.43}};
  for (const auto& [margin, share] : kShares)
    if (least_margin >= margin) return share;
  return 0.27;
}

}  // namespace

FormulaReadings read_formula_regions(LazyFormulaReader& reader, const PageImage& image,
                                     PageDrafts& page) {
  constexpr double kSure = 1, kMostUnsure = 0.2;
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
  FormulaReadings out;
  if (all.empty() || !reader.get()) return out;
  std::vector<Box> boxes;
  for (const Wanted& each : all) boxes.push_back(each.box);
  const std::vector<ReadFormula> read = reader.get()->read(image, boxes, text_em_px(text));
  for (size_t i = 0; i < all.size(); ++i) {
    if (read[i].latex.empty() || read[i].unsure > kMostUnsure) continue;
    all[i].draft->text = "$$" + with_number(mend_latex(read[i].latex), all[i].number) + "$$";
    all[i].draft->confidence = confidence_of(read[i].least_margin);
    out.regions.push_back(*all[i].draft->region);
    out.sure &= read[i].least_margin >= kSure;
  }
  return out;
}

}  // namespace docspec
