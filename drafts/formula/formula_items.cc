#include "drafts/formula/formula_items.h"

#include <algorithm>
#include <utility>

#include "core/base/median.h"
#include "core/text/unicode.h"
#include "drafts/formula/math_letters.h"

namespace docspec {
namespace {

uint32_t only_letter(const std::string& text) {
  return count_code_points(text) == 1 ? first_code_point(text) : 0;
}

}  // namespace

bool opens_bracket(uint32_t c) {
  static constexpr std::u32string_view kOpen = U"([{⟨⌊⌈";
  return kOpen.find(char32_t(c)) != kOpen.npos;
}
bool closes_bracket(uint32_t c) {
  static constexpr std::u32string_view kClose = U")]}⟩⌋⌉";
  return kClose.find(char32_t(c)) != kClose.npos;
}

FormulaItems formula_items(std::span<const Word> words, double dpi) {
  FormulaItems items;
  for (const Word& word : words) {
    const double size = word.font_size_pt > 0 ? word.font_size_pt * dpi / 72 : word.box.height();
    // Large signs stand alone, also where Poppler sees a word of two.
    const bool large = word.box.height() > 1.15 * size || word.text.find("√") != word.text.npos;
    const size_t count = count_code_points(word.text);
    for (size_t at = 0, k = 0; at < word.text.size(); ++k) {
      Word part = word;
      if (large && count > 1) {
        const size_t from = at;
        next_code_point(word.text, at);
        part.text = word.text.substr(from, at - from);
        part.box.x0 = word.box.x0 + int(word.box.width() * k / count);
        part.box.x1 = word.box.x0 + int(word.box.width() * (k + 1) / count);
      } else {
        at = word.text.size();
      }
      FormulaItem item;
      item.sign = only_letter(part.text);
      item.latex = item.sign == 0x221A ? "\\surd" : latex_of(part);
      if (item.latex.empty()) throw UnreadableFormula{};
      item.box = part.box;
      item.size = size;
      item.axis = (part.box.y0 + part.box.y1) / 2.0;
      item.tall =
          large && (opens_bracket(item.sign) || closes_bracket(item.sign) || item.sign == '|');
      items.push_back(std::move(item));
    }
  }
  return items;
}

double main_size(const FormulaItems& items) {
  double size = 0;
  for (const FormulaItem& item : items) size = std::max(size, item.size);
  return size;
}

Box box_of(const FormulaItems& items) {
  Box box;
  for (const FormulaItem& item : items) box = unite(box, item.box);
  return box;
}

FormulaItem whole_item(std::string latex, const Box& box, double size, double axis) {
  FormulaItem item;
  item.latex = std::move(latex);
  item.box = box;
  item.size = size;
  item.axis = axis;
  item.whole = true;
  return item;
}

std::vector<double> main_axes(const FormulaItems& items) {
  const double size = main_size(items);
  std::vector<double> axes;
  for (const FormulaItem& item : items)
    if (item.size > 0.85 * size && !item.tall && !is_large_operator(item.sign))
      axes.push_back(item.axis);
  return axes;
}

double main_axis(const FormulaItems& items) {
  std::vector<double> axes = main_axes(items);
  if (axes.empty()) axes.push_back(items.front().axis);
  return median(std::move(axes));
}

}  // namespace docspec
