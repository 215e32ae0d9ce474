#include "drafts/formula/formula_latex.h"

#include <algorithm>
#include <cmath>

#include "drafts/formula/formula_rows.h"
#include "drafts/formula/math_letters.h"

namespace docspec {
namespace {

using Item = FormulaItem;
using Items = FormulaItems;

Items take(Items& items, const auto& wanted) {
  const auto rest = std::stable_partition(items.begin(), items.end(),
                                          [&](const Item& item) { return !wanted(item); });
  Items taken(rest, items.end());
  items.erase(rest, items.end());
  return taken;
}

bool within(const Item& item, const Box& bar, double margin) {
  return item.middle() > bar.x0 - margin && item.middle() < bar.x1 + margin;
}

/// Items over or under a bar: those next to it and what touches them.
Items beside_bar(Items& items, const Box& bar, bool above) {
  Box reach;
  const auto distance = [&](const Item& item) {
    return above ? bar.y0 - item.box.y1 : item.box.y0 - bar.y1;
  };
  const auto on_side = [&](const Item& item) {
    const double y = item.whole ? item.axis : (item.box.y0 + item.box.y1) / 2.0;
    return within(item, bar, 2) && (above ? y < bar.y0 : y > bar.y1);
  };
  for (const Item& item : items)
    if (on_side(item) && distance(item) < 0.75 * item.size && distance(item) > -0.6 * item.size)
      reach = unite(reach, item.box);
  return take(items, [&](const Item& item) {
    return !reach.empty() && on_side(item) && item.axis > reach.y0 && item.axis < reach.y1;
  });
}

/// Roots and fractions, the narrowest bars first: they stand inside the others.
void fold_bars(Items& items, std::span<const Box> bars) {
  std::vector<Box> sorted(bars.begin(), bars.end());
  std::stable_sort(sorted.begin(), sorted.end(),
                   [](const Box& a, const Box& b) { return a.width() < b.width(); });
  for (const Box& bar : sorted) {
    const auto root = std::find_if(items.begin(), items.end(), [&](const Item& item) {
      return item.sign == 0x221A && std::abs(item.box.x1 - bar.x0) < 0.35 * item.size &&
             bar.y0 > item.box.y0 - 0.4 * item.size && bar.y0 < item.box.y0 + 0.5 * item.size;
    });
    if (root != items.end()) {
      const Item sign = *root;
      items.erase(root);
      Items content = take(items, [&](const Item& item) {
        return within(item, bar, 0) && item.axis > bar.y0 && item.axis < sign.box.y1;
      });
      if (content.empty()) throw UnreadableFormula{};
      const Box box = unite(unite(sign.box, bar), box_of(content));
      const double size = main_size(content);
      const double axis = main_axis(content);
      items.push_back(whole_item("\\sqrt{" + read_items(content) + "}",
                                 {box.x0, bar.y0, box.x1, box_of(content).y1}, size, axis));
      continue;
    }
    Items above = beside_bar(items, bar, true), below = beside_bar(items, bar, false);
    if (!above.empty() && !below.empty()) {
      const Box box = unite(box_of(above), unite(bar, box_of(below)));
      const double size = std::max(main_size(above), main_size(below));
      std::string latex = "\\frac{" + read_items(above) + "}{";
      latex += read_items(below) + "}";
      items.push_back(whole_item(latex, box, size, (bar.y0 + bar.y1) / 2.0));
    } else if (!below.empty() && above.empty()) {
      const double size = main_size(below);
      const Box box = box_of(below);
      const double axis = below.front().axis;
      items.push_back(whole_item("\\overline{" + read_items(below) + "}", box, size, axis));
    } else {
      for (Item& item : above) items.push_back(std::move(item));
    }
  }
}

/// "(12)" or "(A.3)" far to the right; empty without one.
std::string take_number(std::vector<Word>& words, double dpi) {
  if (words.size() < 3) return "";
  const auto last = std::max_element(
      words.begin(), words.end(), [](const Word& a, const Word& b) { return a.box.x1 < b.box.x1; });
  int end = 0;
  for (const Word& word : words)
    if (&word != &*last) end = std::max(end, word.box.x1);
  const std::string& text = last->text;
  if (!is_equation_number(text) || last->box.x0 - end < 2 * last->font_size_pt * dpi / 72)
    return "";
  std::string out = text.substr(1, text.size() - 2);
  words.erase(last);
  return out;
}

}  // namespace

std::optional<std::string> formula_latex(std::span<const Word> words, std::span<const Box> bars,
                                         double dpi) {
  constexpr size_t kMostWords = 400;
  std::vector<Word> own(words.begin(), words.end());
  if (own.empty() || own.size() > kMostWords) return std::nullopt;
  const std::string number = take_number(own, dpi);
  try {
    Items items = formula_items(own, dpi);
    fold_bars(items, bars);
    // A root without its bar cannot be told from what follows it.
    if (std::any_of(items.begin(), items.end(), [](const Item& i) { return i.sign == 0x221A; }))
      return std::nullopt;
    std::string latex = read_items(std::move(items));
    if (!number.empty()) latex += " \\tag{" + number + "}";
    return latex;
  } catch (const UnreadableFormula&) {
    return std::nullopt;
  }
}

}  // namespace docspec
