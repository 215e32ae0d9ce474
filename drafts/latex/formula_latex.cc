#include "drafts/latex/formula_latex.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include "core/text/unicode.h"
#include "drafts/latex/formula_folds.h"
#include "drafts/latex/formula_items.h"
#include "drafts/latex/formula_rows.h"
#include "drafts/latex/formula_signs.h"
#include "drafts/latex/math_letters.h"

namespace docspec {
namespace {

using Items = FormulaItems;

/// "(12)", "(A.3)" or "[12.3]" far from the rest, to the right or to the left; empty without one.
std::string take_number(Items& items) {
  constexpr double kApart = 0.42, kWithin = 0.4;  // font sizes; TeX leaves half an em
  for (size_t i = 0; i < items.size(); ++i) {
    if ((items[i].sign != '(' && items[i].sign != '[') || items[i].tall) continue;
    const bool round = items[i].sign == '(';
    std::string text = round ? "(" : "[";
    size_t end = i + 1;
    for (; end < items.size() && text.back() != (round ? ')' : ']'); ++end) {
      const FormulaItem& item = items[end];
      if (std::abs(item.base - items[i].base) > 0.05 * item.size || item.sign == 0 ||
          item.x0 - items[end - 1].x1 > kWithin * item.size)
        break;
      append_utf8(text, item.sign);
    }
    if (!is_equation_number(text)) continue;
    const double x0 = items[i].x0 - kApart * items[i].size;
    const double x1 = items[end - 1].x1 + kApart * items[i].size;
    bool left = true, right = true;  // of all others in its row
    for (size_t k = 0; k < items.size(); ++k) {
      if ((k >= i && k < end) || items[k].top > items[i].base || items[k].bottom < items[i].top)
        continue;
      left &= items[k].x0 > x1;
      right &= items[k].x1 < x0;
    }
    if ((!left && !right) || end - i == items.size()) continue;
    items.erase(items.begin() + std::ptrdiff_t(i), items.begin() + std::ptrdiff_t(end));
    return text;
  }
  return "";
}

std::string read(Items items, std::span<const PageRule> rules) {
  join_signs(items);
  fold_accents(items);
  fold_rules(items, rules);
  fold_braces(items);
  for (const FormulaItem& item : items)  // a root without its bar
    if (item.latex.empty()) throw UnreadableFormula{};
  return read_items(std::move(items));
}

}  // namespace

std::string equation_tag(const std::string& number) {
  if (number.empty()) return "";
  return number.front() == '(' ? " \\tag{" + number.substr(1, number.size() - 2) + "}"
                               : " \\tag*{" + number + "}";
}

std::optional<std::string> formula_latex(std::span<const std::string> fonts,
                                         std::span<const PageGlyph> glyphs,
                                         std::span<const PageRule> rules, bool displayed) {
  constexpr size_t kMostGlyphs = 2000;
  if (glyphs.empty() || glyphs.size() > kMostGlyphs) return std::nullopt;
  try {
    Items items = formula_items(fonts, glyphs);
    const std::string number = displayed ? take_number(items) : "";
    return read(std::move(items), rules) + equation_tag(number);
  } catch (const UnreadableFormula&) {
    return std::nullopt;
  }
}

std::optional<std::string> formula_latex(std::span<const Word> words, std::span<const Box> bars,
                                         double dpi) {
  constexpr size_t kMostWords = 400;
  std::vector<Word> own(words.begin(), words.end());
  if (own.empty() || own.size() > kMostWords) return std::nullopt;
  std::string number;
  const auto last = std::max_element(
      own.begin(), own.end(), [](const Word& a, const Word& b) { return a.box.x1 < b.box.x1; });
  int end = 0;
  for (const Word& word : own)
    if (&word != &*last) end = std::max(end, word.box.x1);
  if (own.size() > 2 && is_equation_number(last->text) &&
      last->box.x0 - end > 2 * last->font_size_pt * dpi / 72) {
    number = last->text;
    own.erase(last);
  }
  std::vector<PageRule> rules;
  for (const Box& bar : bars)
    rules.push_back({double(bar.x0), double(bar.y0), double(bar.x1), double(bar.y1), -1});
  try {
    return read(formula_items(own, dpi), rules) + equation_tag(number);
  } catch (const UnreadableFormula&) {
    return std::nullopt;
  }
}

}  // namespace docspec
