#include "drafts/latex/other_scripts.h"

#include <algorithm>
#include <cmath>
#include <string>

#include "core/input/letters/right_to_left.h"
#include "core/text/unicode.h"
#include "drafts/latex/formula_rows.h"

namespace docspec {
namespace {

using Item = FormulaItem;
using Items = FormulaItems;

/// How many letters of right-to-left scripts an item's LaTeX has.
size_t count_from_right(const Item& item) {
  size_t count = 0;
  for (size_t at = 0; at < item.latex.size();)
    count += is_right_to_left(next_code_point(item.latex, at));
  return count;
}

/// The end of the run of items from `at` on that have one script and one line.
size_t run_end(const Items& items, size_t at, bool from_right) {
  constexpr double kWithin = 0.5, kBetween = 0.75;  // font sizes: Chinese has no blanks
  size_t end = at + 1;
  while (end < items.size() &&
         (from_right ? is_right_to_left(items[end].sign) : is_cjk(items[end].sign)) &&
         std::abs(items[end].base - items[at].base) < 0.1 * items[at].size &&
         items[end].x0 - items[end - 1].x1 < (from_right ? kBetween : kWithin) * items[at].size)
    ++end;
  return end;
}

/// The text of a sentence: its words and, between dollars, what stands between them.
std::string sentence_of(const Items& row) {
  std::string text;
  for (size_t end = row.size(); end > 0;) {
    size_t from = end - 1;
    if (count_from_right(row[from]) > 0) {
      constexpr std::string_view kOpen = "\\text{";
      const std::string& latex = row[from].latex;
      text += latex.substr(kOpen.size(), latex.size() - kOpen.size() - 1);
    } else {
      while (from > 0 && count_from_right(row[from - 1]) == 0) --from;
      const std::string latex = read_items(slice(row, from, end));
      const bool stop = latex == "." || latex == "," || latex == ":";
      if (stop && text.ends_with(' ')) text.pop_back();
      text += stop ? latex + " " : "$" + latex + "$";
    }
    end = from;
  }
  return text;
}

}  // namespace

void join_other_scripts(FormulaItems& items) {
  constexpr double kBlank = 0.05;  // font sizes
  for (size_t i = 0; i < items.size(); ++i) {
    const bool from_right = is_right_to_left(items[i].sign);
    if (!from_right && !is_cjk(items[i].sign)) continue;
    const size_t end = run_end(items, i, from_right);
    std::string text;
    for (size_t k = i; k < end; ++k) {
      if (from_right && k > i && items[k].x0 - items[k - 1].x1 > kBlank * items[i].size)
        text += ' ';
      append_utf8(text, items[k].sign);
    }
    if (from_right) text = ' ' + logical_order(text) + ' ';
    replace(items, i, end, joined_item("\\text{" + text + "}", slice(items, i, end), items[i]));
  }
}

void join_rows_from_right(FormulaItems& items) {
  constexpr double kLine = 0.25, kLevel = 0.8, kSmall = 0.85;  // font sizes
  for (size_t i = 0; i < items.size(); ++i) {
    if (count_from_right(items[i]) == 0) continue;
    const auto level = [&](const Item& item) {
      const Item& word = items[i];
      return item.size < kSmall * word.size
                 ? std::abs(item.axis() - word.axis()) < kLevel * word.size
                 : std::abs(item.base - word.base) < kLine * word.size;
    };
    size_t from = i, to = i + 1;
    while (from > 0 && level(items[from - 1])) --from;
    while (to < items.size() && level(items[to])) ++to;
    size_t letters = 0, others = 0;
    for (size_t k = from; k < to; ++k) {
      const size_t own = count_from_right(items[k]);
      letters += own;
      others += own == 0;
    }
    if (others > 0 && letters > 2 * others) {
      const Items row = slice(items, from, to);
      replace(items, from, to, joined_item("\\text{" + sentence_of(row) + "}", row, items[i]));
      i = from;
    }
  }
}

}  // namespace docspec
