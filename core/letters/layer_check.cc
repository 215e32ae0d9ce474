#include "core/letters/layer_check.h"

#include <algorithm>
#include <cctype>

namespace docspec {
namespace {

/// Words of a page that OCR reads again, at 2.5 ms each: numbers, and of the others.
constexpr size_t kNumbers = 24, kOthers = 16;
/// More words than these in one place, marks apart, are a passage: they cost more to read, and a
/// page gets few of them read.
constexpr size_t kLongest = 8, kLongestPassage = 60, kPassages = 3;
/// Words that are read first: if OCR confirms none of them, but the model's, the layer is wrong.
constexpr size_t kFirst = 8;
/// Words that OCR has to confirm, for a font of which the model has written few.
constexpr size_t kProof = 3;

/// Words with a letter or a digit.
size_t spelt_words(std::string_view text) {
  size_t count = 0;
  bool counted = false;
  for (const char c : text) {
    if (c == ' ') counted = false;
    const bool letter = std::isalnum(uint8_t(c)) != 0 || uint8_t(c) >= 0x80;
    count += letter && !counted;
    counted |= letter;
  }
  return count;
}

/// Whether the page's words can be read, and the longer reading has so many words, at most.
bool has_words(const Difference& difference, size_t least, size_t most) {
  if (difference.b1 == difference.b0 || !difference.doubt.empty()) return false;
  const size_t words = std::max(spelt_words(difference.model), spelt_words(difference.page));
  return words >= least && words <= most;
}

bool can_be_read(const Difference& difference) {
  return has_words(difference, 0, kLongest);
}

bool is_passage(const Difference& difference) {
  return has_words(difference, kLongest + 1, kLongestPassage) &&
         spelt_words(difference.page) > kLongest / 2;
}

/// Whether only the page has words there.
bool left_out(const Difference& difference) {
  return difference.a0 == difference.a1;
}

}  // namespace

void LayerCheck::Evidence::add(Verdict verdict) {
  page += verdict == Verdict::page;
  model += verdict == Verdict::model;
  unlike += verdict == Verdict::unlike || verdict == Verdict::letters;
}

bool LayerCheck::Evidence::believed() const {
  return !contradicted() && (page >= kProof || (tokens > 0 && 2 * equal >= tokens));
}

LayerCheck::LayerCheck(const PageSources& sources, std::vector<BlockLetters>& blocks)
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
/// even sample of the others, then a few passages.
std::vector<Difference*> LayerCheck::sample() const {
  std::vector<Difference*> numbers, strange, others, passages, out;
  for (Difference* difference : all_) {
    if (is_passage(*difference)) passages.push_back(difference);
    if (!can_be_read(*difference)) continue;
    (difference->number ? numbers : difference->alike ? others : strange).push_back(difference);
  }
  const auto take = [&](const std::vector<Difference*>& from, size_t most) {
    const size_t count = std::min(from.size(), most);
    for (size_t i = 0; i < count; ++i) out.push_back(from[i * from.size() / count]);
    return count;
  };
  take(numbers, kNumbers);
  take(strange, kOthers / 2);
  take(others, kOthers / 2);
  take(passages, kPassages);
  return out;
}

/// The differences that are refused and not read yet, where the layer is right more often than
/// wrong.
std::vector<Difference*> LayerCheck::refused() const {
  std::vector<Difference*> out;
  if (page_.page <= page_.model + page_.unlike) return out;
  for (Difference* difference : all_)
    if (can_be_read(*difference) && !checked_.contains(difference) && against(*difference) &&
        out.size() < kNumbers + kOthers)
      out.push_back(difference);
  return out;
}

void LayerCheck::check(std::span<Difference* const> chosen) {
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
    Verdict one = is_passage(difference)
                      ? passage_verdict(seen, difference.page, difference.model)
                      : verdict(seen, difference.page, difference.model, difference.number);
    if (one == Verdict::letters) {
      std::vector<std::string> texts = with_blanks_of(seen, difference.page);
      // More words than the model has there may be its next ones.
      if (difference.alike && texts.size() <= difference.a1 - difference.a0)
        difference.texts = std::move(texts);
      else
        one = Verdict::unlike;
    }
    checked_[&difference] = one;
    if (difference.blanks) continue;  // says nothing of the letters
    page_.add(one);
    if (difference.number) numbers_.add(one);
    if (left_out(difference))
      left_out_.add(one == Verdict::none && !difference.inline_words ? Verdict::unlike : one);
    for (const std::string& font : difference.fonts) fonts_[font].add(one);
  }
}

/// The evidence that speaks against the layer there; nullptr = it is believed.
const LayerCheck::Evidence* LayerCheck::against(Difference& difference) const {
  const bool unread =
      sources_.ocr && difference.b1 > difference.b0 && !checked_.contains(&difference);
  if (difference.number && (numbers_.contradicted() || (unread && numbers_.page < kProof)))
    return &numbers_;
  const bool unproved = unread && left_out_.page < kProof;
  if (left_out(difference) && (left_out_.contradicted() || unproved)) return &left_out_;
  const bool pair = difference.b1 > difference.b0 && difference.a1 > difference.a0;
  const bool strange = pair && !difference.alike && unread && page_.page < kFirst;
  if (difference.elsewhere || strange) return &elsewhere_;
  for (const std::string& font : difference.fonts) {
    const auto it = fonts_.find(font);
    if (it == fonts_.end()) continue;
    if (!it->second.believed()) return &it->second;
    if (it->second.page < kProof && page_.contradicted()) return &page_;
  }
  return difference.fonts.empty() && !page_.believed() ? &page_ : nullptr;
}

void LayerCheck::decide(LetterRule rule) {
  if (rule == LetterRule::document) return decide_all(true);
  if (!sources_.layer_trusted) {
    for (Difference* difference : all_) {
      difference->accepted = false;
      difference->why = "the page's layer is not trusted";
    }
    return;
  }
  std::vector<Difference*> first, rest;
  const std::vector<Difference*> chosen = sample();
  const size_t every = std::max<size_t>(1, chosen.size() / kFirst);
  for (size_t i = 0; i < chosen.size(); ++i)
    (i % every == 0 && first.size() < kFirst ? first : rest).push_back(chosen[i]);
  check(first);
  if (page_.page > 0 || !page_.contradicted()) {
    check(rest);
    check(refused());
  }
  decide_all(false);
  for (const auto& [difference, verdict] : checked_) {
    if (verdict == Verdict::none) {
      difference->doubtful = difference->number && !difference->accepted;
      continue;
    }
    difference->accepted = verdict == Verdict::page || verdict == Verdict::letters;
    difference->why = verdict == Verdict::letters ? "OCR confirms its letters"
                      : difference->accepted      ? "OCR confirms it"
                                                  : "OCR does not";
  }
}

std::string LayerCheck::reason(const Evidence& evidence) const {
  if (&evidence == &numbers_) return "a number that OCR has not confirmed";
  if (&evidence == &left_out_) return "OCR has not confirmed that it was left out";
  if (&evidence == &elsewhere_) return "the layer says something else here";
  if (!evidence.contradicted()) return "the layer says something else";
  const bool whole = &evidence == &page_ || fonts_.size() == 1;
  return whole ? "OCR contradicts this page's layer" : "OCR contradicts this font of the layer";
}

/// Decides what OCR has not seen. `any_layer`: whatever speaks against the layer.
void LayerCheck::decide_all(bool any_layer) {
  for (Difference* difference : all_) {
    const bool page = difference->b1 > difference->b0, model = difference->a1 > difference->a0;
    const Evidence* against_it = any_layer ? nullptr : against(*difference);
    difference->accepted = false;
    difference->doubtful = against_it == &numbers_;
    if (!difference->doubt.empty())
      difference->why = difference->doubt;
    else if (against_it)
      difference->why = reason(*against_it);
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
