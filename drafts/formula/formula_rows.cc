#include "drafts/formula/formula_rows.h"

#include <algorithm>
#include <cmath>

#include "drafts/formula/math_letters.h"

namespace docspec {
namespace {

using Item = FormulaItem;
using Items = FormulaItems;

/// Before which items an opening bracket was lost: the largest one has the code of a blank, and a
/// PDF without a map to Unicode shows none. Its partner and a gap are left; `paired` learns of it.
std::vector<bool> lost_brackets(const Items& items, std::vector<bool>& paired, double size) {
  constexpr double kLargest = 2.7, kWidth = 0.6;
  std::vector<bool> lost(items.size(), false);
  for (size_t k = 0; k < items.size(); ++k) {
    const Item& close = items[k];
    if (!close.tall || paired[k] || close.sign != ')' || close.box.height() < kLargest * size)
      continue;
    for (size_t i = k; i-- > 0;) {
      int end = 0;
      for (size_t before = 0; before < i; ++before) end = std::max(end, items[before].box.x1);
      if (items[i].box.x0 - end < kWidth * size || lost[i]) continue;
      lost[i] = paired[k] = true;
      break;
    }
  }
  return lost;
}

/// One row: items from left to right, small ones as indices of what stands before them.
std::string read_row(Items items) {
  std::stable_sort(items.begin(), items.end(),
                   [](const Item& a, const Item& b) { return a.box.x0 < b.box.x0; });
  const double size = main_size(items);
  const double axis = main_axis(items);
  const auto script = [&](const Item& item) {  // -1 lowered, 1 raised
    const bool small = item.size < 0.85 * size;
    const double raised = axis - item.axis;
    if (item.tall || is_large_operator(item.sign) || (!small && !item.whole)) return 0;
    const double least = small ? 0.1 : 0.6;
    return raised > least * size ? 1 : raised < -least * size ? -1 : 0;
  };
  // Brackets that have a partner in this row may grow.
  std::vector<bool> paired(items.size(), false);
  std::vector<size_t> open;
  for (size_t i = 0; i < items.size(); ++i) {
    if (!items[i].tall || script(items[i]) != 0) continue;
    if (opens_bracket(items[i].sign)) open.push_back(i);
    if (closes_bracket(items[i].sign) && !open.empty()) {
      paired[i] = paired[open.back()] = true;
      open.pop_back();
    }
  }
  const std::vector<bool> lost = lost_brackets(items, paired, size);
  std::string latex;
  int last_end = 0;
  for (size_t i = 0; i < items.size();) {
    if (lost[i]) append_latex(latex, "\\left(");
    Items raised, lowered;
    size_t end = i;
    while (end < items.size() && script(items[end]) != 0) {
      (script(items[end]) > 0 ? raised : lowered).push_back(items[end]);
      ++end;
    }
    if (end > i) {
      if (latex.empty()) latex = "{}";
      if (!lowered.empty()) latex += "_{" + read_items(std::move(lowered)) + "}";
      if (!raised.empty()) {
        const std::string index = read_items(std::move(raised));
        const bool primes = index.find_first_not_of('\'') == index.npos;
        latex += primes ? index : "^{" + index + "}";
      }
      for (size_t k = i; k < end; ++k) last_end = std::max(last_end, items[k].box.x1);
      i = end;
      continue;
    }
    const Item& item = items[i];
    if (i > 0 && !lost[i] && item.box.x0 - last_end > 0.9 * size) append_latex(latex, "\\quad");
    if (paired[i]) append_latex(latex, opens_bracket(item.sign) ? "\\left" : "\\right");
    append_latex(latex, item.latex);
    last_end = item.box.x1;
    ++i;
  }
  return latex;
}

/// Rows of items by the heights of those of full size.
std::vector<Items> rows_of(Items items) {
  const double size = main_size(items);
  std::vector<double> axes = main_axes(items);
  std::sort(axes.begin(), axes.end());
  std::vector<double> rows;  // heights
  double last = 0;
  for (const double axis : axes) {
    if (rows.empty() || axis - last > 0.8 * size) rows.push_back(axis);
    last = axis;
  }
  if (rows.size() < 2) return {std::move(items)};
  std::vector<Items> out(rows.size());
  for (Item& item : items) {
    const auto nearest = std::min_element(rows.begin(), rows.end(), [&](double a, double b) {
      return std::abs(a - item.axis) < std::abs(b - item.axis);
    });
    out[size_t(nearest - rows.begin())].push_back(std::move(item));
  }
  std::erase_if(out, [](const Items& row) { return row.empty(); });
  return out;
}

std::string joined_rows(std::vector<Items> rows) {
  std::string latex;
  for (Items& row : rows) latex += (latex.empty() ? "" : " \\\\ ") + read_row(std::move(row));
  return latex;
}

/// The signs of the largest size that take limits, with those above and below them.
void add_limits(Items& items) {
  const double size = main_size(items);
  const auto takes_limits = [](const Item& item) {
    static constexpr std::string_view kNames[] = {"\\lim", "\\max", "\\min", "\\sup", "\\inf"};
    return (is_large_operator(item.sign) && item.sign != 0x222B && item.sign != 0x222E) ||
           std::find(std::begin(kNames), std::end(kNames), item.latex) != std::end(kNames);
  };
  for (size_t i = 0; i < items.size(); ++i) {
    if (!takes_limits(items[i])) continue;
    Item sign = items[i];
    const auto limit = [&](bool below) {
      const auto candidate = [&](const Item& item) {
        const double gap = below ? item.box.y0 - sign.box.y1 : sign.box.y0 - item.box.y1;
        return item.size < 0.85 * size && !item.whole && gap > -0.45 * size && gap < 0.8 * size &&
               (below ? item.axis > sign.axis + 0.5 * size : item.axis < sign.axis - 0.5 * size);
      };
      // A chain of neighbours whose middle is the sign's.
      Items near;
      for (const Item& item : items)
        if (candidate(item)) near.push_back(item);
      std::sort(near.begin(), near.end(),
                [](const Item& a, const Item& b) { return a.box.x0 < b.box.x0; });
      for (size_t from = 0; from < near.size();) {
        size_t to = from + 1;
        int end = near[from].box.x1;
        while (to < near.size() && near[to].box.x0 - end < 0.5 * size)
          end = std::max(end, near[to++].box.x1);
        const double middle = (near[from].box.x0 + end) / 2.0;
        const bool over = near[from].box.x0 < sign.box.x1 && end > sign.box.x0;
        if (over && std::abs(middle - sign.middle()) < 0.7 * size)
          return Items(near.begin() + std::ptrdiff_t(from), near.begin() + std::ptrdiff_t(to));
        from = to;
      }
      return Items();
    };
    const Items below = limit(true), above = limit(false);
    if (below.empty() && above.empty()) continue;
    if (!below.empty()) sign.latex += "_{" + read_items(below) + "}";
    if (!above.empty()) sign.latex += "^{" + read_items(above) + "}";
    const auto same = [](const Item& a, const Items& of) {
      return std::any_of(of.begin(), of.end(),
                         [&](const Item& b) { return a.box == b.box && a.latex == b.latex; });
    };
    sign.box = unite(sign.box, unite(box_of(below), box_of(above)));
    const uint32_t letter = sign.sign;
    items[i] = sign;
    items[i].sign = letter;
    std::erase_if(items, [&](const Item& item) { return same(item, below) || same(item, above); });
    i = size_t(-1);  // places have changed; signs that have limits find no more
  }
}

/// "\binom" and the rows of cases and matrices: brackets around several rows.
void add_bracketed_rows(Items& items) {
  for (size_t guard = 0; guard < 20; ++guard) {
    std::stable_sort(items.begin(), items.end(),
                     [](const Item& a, const Item& b) { return a.box.x0 < b.box.x0; });
    bool found = false;
    for (size_t i = 0; i < items.size() && !found; ++i) {
      const Item open = items[i];
      if (!open.tall || !opens_bracket(open.sign)) continue;
      size_t close = i + 1;
      int depth = 1;
      for (; close < items.size(); ++close) {
        if (!items[close].tall) continue;
        if (opens_bracket(items[close].sign)) break;  // the inner ones first
        if (closes_bracket(items[close].sign) && --depth == 0) break;
      }
      const bool paired = close < items.size() && closes_bracket(items[close].sign);
      const bool cases = open.sign == '{' && close == items.size();
      if (!paired && !cases) continue;
      const auto inside = [&](const Item& item) {
        return item.box.x0 >= open.box.x0 && (cases || item.box.x1 <= items[close].box.x1) &&
               item.axis > open.box.y0 - 0.2 * open.size &&
               item.axis < open.box.y1 + 0.2 * open.size && !(item.box == open.box) &&
               (cases || !(item.box == items[close].box));
      };
      Items content;
      for (const Item& item : items)
        if (inside(item)) content.push_back(item);
      if (content.empty()) continue;
      std::vector<Items> rows = rows_of(content);
      const bool stacked =
          rows.size() > 1 && std::all_of(rows.begin(), rows.end(), [](auto& row) {
            return std::none_of(row.begin(), row.end(), [](const Item& item) { return item.tall; });
          });
      if (!stacked) continue;
      Box box = unite(open.box, box_of(content));
      if (paired) box = unite(box, items[close].box);
      std::string latex;
      if (cases)
        latex = "\\begin{cases} " + joined_rows(rows) + " \\end{cases}";
      else if (rows.size() == 2 && open.sign == '(' && rows[0].size() < 4 && rows[1].size() < 4)
        latex = "\\binom{" + read_row(rows[0]) + "}{" + read_row(rows[1]) + "}";
      else
        throw UnreadableFormula{};  // columns of a matrix
      const Box close_box = paired ? items[close].box : Box();
      std::erase_if(items, [&](const Item& item) {
        return inside(item) || item.box == open.box || (paired && item.box == close_box);
      });
      items.push_back(whole_item(latex, box, open.size, (open.box.y0 + open.box.y1) / 2.0));
      found = true;
    }
    if (!found) return;
  }
}

}  // namespace

std::string read_items(Items items) {
  if (items.empty()) return "";
  add_limits(items);
  add_bracketed_rows(items);
  std::vector<Items> rows = rows_of(std::move(items));
  if (rows.size() == 1) return read_row(std::move(rows[0]));
  return "\\begin{aligned} " + joined_rows(std::move(rows)) + " \\end{aligned}";
}

}  // namespace docspec
