#include "core/letters/layer_judge.h"

#include <algorithm>

namespace docspec {
namespace {

/// Words of a page that OCR reads again, at 2.5 ms each: numbers, and of the others.
constexpr size_t kNumbers = 24, kOthers = 24;
/// Words that OCR has to confirm, for a font of which the model has written few.
constexpr size_t kProof = 3;

}  // namespace

void LayerJudge::Evidence::add(Verdict verdict) {
  page += verdict == Verdict::page;
  model += verdict == Verdict::model;
  unlike += verdict == Verdict::unlike;
}

bool LayerJudge::Evidence::believed() const {
  return !contradicted() && (page >= kProof || (tokens > 0 && 2 * equal >= tokens));
}

LayerJudge::LayerJudge(const PageSources& sources, std::vector<BlockLetters>& blocks)
    : sources_(sources) {
  std::map<std::string, FontCount> counts;
  for (BlockLetters& block : blocks) {
    for (Difference& difference : block.differences()) all_.push_back(&difference);
    block.count_fonts(counts);
  }
  for (const auto& [font, count] : counts) {
    static_cast<FontCount&>(fonts_[font]) = count;
    page_.tokens += count.tokens;
    page_.equal += count.equal;
  }
}

/// Numbers first, then words that share little with the model's or that it has left out, then an
/// even sample of the others.
std::vector<Difference*> LayerJudge::sample() const {
  std::vector<Difference*> numbers, strange, others, out;
  for (Difference* difference : all_) {
    if (difference->b1 == difference->b0 || !difference->doubt.empty()) continue;
    (difference->number ? numbers : difference->alike ? others : strange).push_back(difference);
  }
  const auto take = [&](const std::vector<Difference*>& from, size_t most) {
    const size_t count = std::min(from.size(), most);
    for (size_t i = 0; i < count; ++i) out.push_back(from[i * from.size() / count]);
    return count;
  };
  take(numbers, kNumbers);
  const size_t taken = take(strange, kOthers / 2);
  take(others, kOthers - taken);
  return out;
}

/// What is not believed and was not looked at, where the layer is right more often than wrong.
std::vector<Difference*> LayerJudge::refused() const {
  std::vector<Difference*> out;
  if (page_.page <= page_.model + page_.unlike) return out;
  for (Difference* difference : all_)
    if (difference->b1 > difference->b0 && difference->doubt.empty() &&
        !checked_.contains(difference) && against(*difference) && out.size() < kNumbers + kOthers)
      out.push_back(difference);
  return out;
}

void LayerJudge::check(const std::vector<Difference*>& chosen) {
  if (!sources_.ocr || !sources_.image || chosen.empty()) return;
  std::vector<Box> boxes;
  for (const Difference* difference : chosen)
    boxes.insert(boxes.end(), difference->lines.begin(), difference->lines.end());
  const std::vector<std::string> lines = read_boxes(*sources_.ocr, *sources_.image, boxes);
  if (lines.empty()) return;
  auto line = lines.begin();
  for (Difference* const chosen_one : chosen) {
    Difference& difference = *chosen_one;
    std::string seen;
    for (size_t i = 0; i < difference.lines.size(); ++i) append_word(seen, *line++);
    const Verdict one = verdict(seen, difference.page, difference.model, difference.number);
    checked_[&difference] = one;
    if (difference.blanks) continue;  // says nothing of the letters
    page_.add(one);
    for (const std::string& font : difference.fonts) fonts_[font].add(one);
  }
}

/// The evidence that speaks against the layer there; nullptr = it is believed.
const LayerJudge::Evidence* LayerJudge::against(const Difference& difference) const {
  for (const std::string& font : difference.fonts)
    if (const auto it = fonts_.find(font); it != fonts_.end() && !it->second.believed())
      return &it->second;
  return difference.fonts.empty() && !page_.believed() ? &page_ : nullptr;
}

void LayerJudge::decide(LetterRule rule) {
  if (rule == LetterRule::document) return judge_all(true);
  if (!sources_.layer_trusted) {
    for (Difference* difference : all_) {
      difference->accepted = false;
      difference->why = "the page's layer is not trusted";
    }
    return;
  }
  check(sample());
  check(refused());
  judge_all(false);
  for (const auto& [difference, verdict] : checked_) {
    if (verdict == Verdict::none) {
      difference->doubtful = difference->number && !difference->accepted;
      continue;
    }
    difference->accepted = verdict == Verdict::page;
    difference->why = difference->accepted ? "OCR confirms it" : "OCR does not";
  }
}

/// Decides what OCR has not seen. `any_layer`: whatever speaks against the layer.
void LayerJudge::judge_all(bool any_layer) {
  for (Difference* difference : all_) {
    const bool page = difference->b1 > difference->b0, model = difference->a1 > difference->a0;
    const Evidence* against_it = any_layer ? nullptr : against(*difference);
    difference->accepted = false;
    if (!difference->doubt.empty())
      difference->why = difference->doubt;
    else if (against_it)
      difference->why = !against_it->contradicted() ? "the layer says something else"
                        : against_it == &page_ || difference->fonts.front().empty()
                            ? "OCR contradicts this page's layer"
                            : "OCR contradicts this font of the layer";
    else if (difference->blanks && !difference->gaps)
      difference->why = "only the blanks differ";
    else if (!page && difference->room)
      difference->why = "not in the text layer";
    else {
      difference->accepted = true;
      difference->why = !page    ? "no room for it on the page"
                        : !model ? "the model left it out"
                                 : "";
    }
  }
}

}  // namespace docspec
