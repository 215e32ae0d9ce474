#include "drafts/text/text_layer_drafter.h"

#include <algorithm>

#include "drafts/formula/formula_bars.h"
#include "drafts/latex/formula_latex.h"
#include "drafts/latex/math_letters.h"
#include "drafts/lines/bullets.h"
#include "drafts/lines/font_style.h"
#include "drafts/lines/leaders.h"
#include "drafts/text/drop_caps.h"
#include "drafts/text/region_text.h"
#include "drafts/text/typed_prose.h"
#include "drafts/text/typed_rules.h"

namespace docspec {
namespace {

class TextLayerDrafter : public Drafter {
 public:
  std::string_view name() const override { return "text-layer"; }
  DrafterRole role() const override { return DrafterRole::text_layer; }

  std::vector<Draft> draft(const PageInput& page, const std::vector<Region>& regions) override {
    std::vector<Draft> drafts = region_drafts(regions, page.text_layer, page.dpi, name());
    if (!page.image || page.image->empty()) return drafts;
    for (Draft& draft : drafts) {
      const auto region = std::find_if(regions.begin(), regions.end(), [&](const Region& r) {
        return r.id == draft.region && r.kind == RegionKind::formula;
      });
      if (region != regions.end()) read_formula(page, *region, draft);
    }
    return drafts;
  }

 private:
  /// Gives a formula in TeX's fonts its LaTeX; another keeps its words.
  static void read_formula(const PageInput& page, const Region& region, Draft& draft) {
    if (page.formulas)
      for (const PageFormula& formula : *page.formulas)
        if (formula.box == region.box && !formula.latex.empty()) {
          draft.text = "$$" + formula.latex + "$$";
          return;
        }
    if (!has_math_font(draft.words)) return;
    const double scale = double(page.width_px) / page.image->width_px();
    const auto bars = find_bars(*page.image, scale, region.box, draft.words);
    if (auto latex = formula_latex(draft.words, bars, page.dpi))
      draft.text = "$$" + std::move(*latex) + "$$";
  }
};

}  // namespace

void mend_words(std::vector<Word>& words) {
  remove_typed_rules(words);
  name_typed_fonts(words);
  read_typed_prose(words);
  restore_symbol_bullets(words);
  part_bullets(words);
  part_numbers(words);
  join_drop_caps(words);
  add_leaders(words);
}

void forget_typed_fonts(std::vector<Word>& words) {
  const auto typed = std::count_if(words.begin(), words.end(),
                                   [](const Word& word) { return font_style(word.font).mono; });
  if (size_t(typed) * 10 < words.size() * 9) return;
  for (Word& word : words) word.font.clear();
}

std::unique_ptr<Drafter> make_text_layer_drafter() {
  return std::make_unique<TextLayerDrafter>();
}

}  // namespace docspec
