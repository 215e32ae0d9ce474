#include "drafts/latex/formula_rows.h"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <span>
#include <string_view>

#include "drafts/latex/formula_brackets.h"
#include "drafts/latex/formula_folds.h"
#include "drafts/latex/math_letters.h"

namespace docspec {
namespace {

using Item = FormulaItem;
using Items = FormulaItems;

/// -1 = lowered, 1 = raised: an index of what stands before it.
int script_of(const Item& item, double size, double base) {
  const double raised = base - item.base;
  const bool small = item.size < 0.85 * size || item.least;
  if (hangs(item) || (!small && !item.whole)) return 0;
  const double up = small ? 0.13 : 0.6, down = small ? 0.07 : 0.6;
  return raised > up * size ? 1 : raised < -down * size ? -1 : 0;
}

/// Tall brackets that have a partner in the row may grow: 1 = it opens, -1 = it closes. A bracket
/// looks for its own kind first, then for any ("[0, 1)"); a fence between the two has none.
std::vector<int> partners(const Items& items) {
  std::vector<int> paired(items.size(), 0);
  std::vector<size_t> open;
  for (size_t i = 0; i < items.size(); ++i) {
    const uint32_t sign = items[i].sign;
    if (!items[i].tall) continue;
    const auto find = [&](auto wanted) {
      return std::find_if(open.rbegin(), open.rend(),
                          [&](size_t k) { return wanted(items[k].sign); });
    };
    auto partner = open.rend();
    if (closes_bracket(sign)) {
      partner = find([&](uint32_t other) { return closing_of(other) == sign; });
      if (partner == open.rend()) partner = find(opens_bracket);
    } else if (is_fence(sign) && !open.empty() && items[open.back()].sign == sign) {
      partner = open.rbegin();
    }
    if (partner != open.rend()) {
      paired[i] = -1;
      paired[*partner] = 1;
      open.erase(std::prev(partner.base()), open.end());
    } else if (opens_bracket(sign) || is_fence(sign)) {
      open.push_back(i);
    }
  }
  return paired;
}

/// The kinds of the items of a row. An index of an index is of the kind of what it stands behind.
std::vector<int> script_kinds(const Items& items, double size, double base) {
  std::vector<int> kinds;
  double last = 0;  // size of the index before
  for (const Item& item : items) {
    int kind = script_of(item, size, base);
    const bool of_index = !kinds.empty() && kinds.back() != 0 && item.size < 0.85 * last;
    const bool lost = !kinds.empty() && kinds.back() != 0 && kind == 0 && !item.whole &&
                      item.size < 0.85 * size && !item.tall;
    const bool high = is_large_operator(item.sign) && base - item.axis() > 0.55 * size &&
                      !kinds.empty() && kinds.back() > 0;  // an integral in an exponent
    if (of_index || lost || high) kind = kinds.back();
    if (!of_index) last = item.size;
    kinds.push_back(kind);
  }
  return kinds;
}

/// Indices in the order of writing: a raised one and the lowered one under it, or one after the
/// other.
void append_scripts(std::string& latex, std::span<const Item> scripts, std::span<const int> kinds,
                    double size) {
  Items raised, lowered;
  const auto close = [&] {
    if (latex.empty()) latex = "{}";
    if (!lowered.empty()) latex += "_{" + read_items(std::move(lowered)) + "}";
    if (!raised.empty()) {
      const std::string index = read_items(std::move(raised));
      const size_t primes = std::min(index.find_first_not_of('\''), index.size());
      latex += index.substr(0, primes);
      if (primes < index.size()) latex += "^{" + index.substr(primes) + "}";
    }
    raised.clear();
    lowered.clear();
  };
  for (size_t i = 0; i < scripts.size(); ++i) {
    const Item& item = scripts[i];
    const bool up = kinds[i] > 0;
    Items &own = up ? raised : lowered, &other = up ? lowered : raised;
    const auto reach = [](const Items& of) {
      double end = -1e9;
      for (const Item& part : of) end = std::max(end, part.x1);
      return end;
    };
    const double margin = 0.05 * size;
    // Not under the other kind: behind it, as in tensors.
    const bool behind = own.empty() && !other.empty() && item.x0 > reach(other) - margin;
    const bool again = !own.empty() && !other.empty() && item.x0 > reach(own) + 0.3 * size &&
                       item.x0 > reach(other) - margin;
    if (behind || again) {
      close();
      latex += "{}";
    }
    own.push_back(item);
  }
  close();
}

/// One row: small items are indices of what stands before them.
std::string read_row(const Items& items) {
  const double size = main_size(items), base = main_item(items).base;
  const std::vector<int> grows = partners(items), kinds = script_kinds(items, size, base);
  std::string latex;
  double last_end = 0;
  for (size_t i = 0; i < items.size();) {
    size_t end = i;
    while (end < items.size() && kinds[end] != 0) ++end;
    if (end > i) {
      // A sign that has a limit under it takes no second lowered index.
      const bool lowered =
          std::any_of(kinds.begin() + std::ptrdiff_t(i), kinds.begin() + std::ptrdiff_t(end),
                      [](int kind) { return kind < 0; });
      if (lowered && i > 0 && items[i - 1].whole &&
          items[i - 1].latex.find("_{") != std::string::npos)
        latex += "{}";
      append_scripts(latex, std::span(items).subspan(i, end - i),
                     std::span(kinds).subspan(i, end - i), size);
      for (; i < end; ++i) last_end = std::max(last_end, items[i].x1);
      continue;
    }
    const Item& item = items[i];
    const double gap = i > 0 ? item.x0 - last_end : 0;
    if (gap > 1.8 * size)
      append_latex(latex, "\\qquad");
    else if (gap > 0.8 * size)
      append_latex(latex, "\\quad");
    if (grows[i] != 0) append_latex(latex, grows[i] > 0 ? "\\left" : "\\right");
    append_latex(latex, item.latex);
    last_end = std::max(last_end, item.x1);
    ++i;
  }
  return latex;
}

/// Rows below each other, set level at their first relations that stand in no brackets.
std::string aligned(const std::vector<Items>& rows) {
  std::string latex;
  for (const Items& row : rows) {
    const double size = main_size(row), base = main_item(row).base;
    int depth = 0;
    auto relation = std::find_if(row.begin(), row.end(), [&](const Item& item) {
      depth +=
          int(item.sign == '(' || item.sign == '[') - int(item.sign == ')' || item.sign == ']');
      return depth <= 0 && is_relation(item.sign) && script_of(item, size, base) == 0;
    });
    while (relation != row.begin() && relation != row.end() && std::prev(relation)->sign == ':')
      --relation;  // ":=" and "::="
    if (!latex.empty()) latex += " \\\\ ";
    const Items left(row.begin(), relation == row.end() ? row.begin() : relation);
    const Items right(relation == row.end() ? row.begin() : relation, row.end());
    if (!left.empty()) latex += read_row(left) + " ";
    latex += "& " + read_row(right);
  }
  return "\\begin{aligned} " + latex + " \\end{aligned}";
}

std::vector<Items> folded_rows(Items items) {
  fold_limits(items);
  fold_brackets(items);
  return rows_of(std::move(items));
}

}  // namespace

std::vector<FormulaItems> rows_of(FormulaItems items) {
  constexpr double kPitch = 0.6;  // font sizes
  if (items.empty()) return {};
  const double size = main_size(items);
  struct Row {
    double base;
    int first, last;  // in the order of writing
  };
  std::vector<const Item*> mains;
  for (const Item& item : items)
    if (on_line(item, size)) mains.push_back(&item);
  std::sort(mains.begin(), mains.end(), [](auto* a, auto* b) { return a->base < b->base; });
  std::vector<Row> rows;
  for (const Item* item : mains) {
    if (rows.empty() || item->base - rows.back().base > kPitch * size)
      rows.push_back({item->base, item->order, item->order});
    rows.back().first = std::min(rows.back().first, item->order);
    rows.back().last = std::max(rows.back().last, item->order);
  }
  if (rows.size() < 2) return {std::move(items)};
  bool in_order = true;  // each row was written as one
  for (size_t r = 1; r < rows.size(); ++r) in_order &= rows[r - 1].last < rows[r].first;
  std::vector<Items> out(rows.size());
  for (Item& item : items) {
    size_t home = 0;
    const double height = hangs(item) ? item.axis() + 0.25 * size : item.base;
    for (size_t r = 1; r < rows.size(); ++r) {
      const bool between = item.order > rows[r - 1].last && item.order < rows[r].first;
      const bool nearer = std::abs(rows[r].base - height) < std::abs(rows[home].base - height);
      if (in_order && !between ? item.order >= rows[r].first : nearer) home = r;
    }
    out[home].push_back(std::move(item));
  }
  std::erase_if(out, [](const Items& row) { return row.empty(); });
  return out;
}

std::string read_items(FormulaItems items) {
  if (items.empty()) return "";
  const std::vector<Items> rows = folded_rows(std::move(items));
  return rows.size() == 1 ? read_row(rows[0]) : aligned(rows);
}

std::string read_limit(FormulaItems items) {
  if (items.empty()) return "";
  const std::vector<Items> rows = folded_rows(std::move(items));
  std::string latex;
  for (const Items& row : rows) latex += (latex.empty() ? "" : " \\\\ ") + read_row(row);
  return rows.size() == 1 ? latex : "\\substack{" + latex + "}";
}

}  // namespace docspec
