#include "drafts/latex/formula_brackets.h"

#include <algorithm>
#include <cmath>
#include <string>
#include <utility>
#include <vector>

#include "drafts/latex/formula_rows.h"
#include "drafts/latex/math_letters.h"

namespace docspec {
namespace {

using Item = FormulaItem;
using Items = FormulaItems;

struct Cell {
  Items items;
  double x0 = 0, x1 = 0;
};

/// Cells of a row: what wide gaps part.
std::vector<Cell> cells_of(const Items& row, double gap) {
  std::vector<Cell> cells;
  for (const Item& item : row) {
    if (cells.empty() || item.x0 - cells.back().x1 > gap) cells.push_back({{}, item.x0, item.x1});
    cells.back().items.push_back(item);
    cells.back().x0 = std::min(cells.back().x0, item.x0);
    cells.back().x1 = std::max(cells.back().x1, item.x1);
  }
  return cells;
}

/// Rows of cells as "a & b \\ c & d": a cell belongs to the column whose span it meets.
std::string grid_of(const std::vector<Items>& rows, double size) {
  constexpr double kGap = 0.75;  // font sizes
  std::vector<std::vector<Cell>> cells;
  for (const Items& row : rows) cells.push_back(cells_of(row, kGap * size));
  std::vector<std::pair<double, double>> columns;
  for (const auto& row : cells)
    for (const Cell& cell : row) columns.emplace_back(cell.x0, cell.x1);
  std::sort(columns.begin(), columns.end());
  size_t kept = 0;
  for (size_t i = 1; i < columns.size(); ++i)
    if (columns[i].first < columns[kept].second)
      columns[kept].second = std::max(columns[kept].second, columns[i].second);
    else
      columns[++kept] = columns[i];
  columns.resize(columns.empty() ? 0 : kept + 1);
  std::string latex;
  for (const auto& row : cells) {
    if (!latex.empty()) latex += " \\\\ ";
    size_t column = 0;
    bool first = true;
    for (const Cell& cell : row) {
      size_t own = column;
      while (own + 1 < columns.size() && columns[own].second < cell.x0) ++own;
      for (; column < own; ++column) latex += " & ";
      if (own == column && !first) latex += " ";
      latex += read_items(cell.items);
      first = false;
    }
  }
  return latex;
}

std::string matrix_of(const std::string& grid, uint32_t open, uint32_t close) {
  const char* kind = open == '(' && close == ')'         ? "pmatrix"
                     : open == '[' && close == ']'       ? "bmatrix"
                     : open == '{' && close == '}'       ? "Bmatrix"
                     : open == '|' && close == '|'       ? "vmatrix"
                     : open == 0x2016 && close == 0x2016 ? "Vmatrix"
                                                         : nullptr;
  if (kind) return std::string("\\begin{") + kind + "} " + grid + " \\end{" + kind + "}";
  const auto side = [](uint32_t sign) {
    return sign ? latex_of(sign, false, false) : std::string(".");
  };
  return "\\left" + side(open) + " \\begin{matrix} " + grid + " \\end{matrix} \\right" +
         side(close);
}

/// Whether a bracket stands above or below another one: each is of its own equation.
bool stands_apart(const Item& bracket, const Item& other) {
  const double shared = std::min(bracket.bottom, other.bottom) - std::max(bracket.top, other.top);
  return shared < 0.1 * bracket.size;
}

/// The closing partner of the tall bracket at `at`; items.size() where it has none, npos where one
/// after it has none.
size_t partner(const Items& items, size_t at) {
  const bool fence = is_fence(items[at].sign);
  size_t open = 0;
  for (size_t k = at + 1; k < items.size(); ++k) {
    if (!items[k].tall || stands_apart(items[at], items[k])) continue;
    const bool closes = closes_bracket(items[k].sign);
    if (open == 0 && (fence ? items[k].sign == items[at].sign : closes)) return k;
    if (opens_bracket(items[k].sign)) ++open;
    if (closes && open > 0) --open;
  }
  return open > 0 ? std::string::npos : items.size();
}

/// Where the rows of cases end, which were written one after the other from the brace at `at` on:
/// what goes on at their right is higher than the last one.
size_t cases_end(const Items& items, size_t at, size_t end) {
  constexpr double kRaised = 0.5, kApart = 0.2;  // font sizes
  double first = 0, last = -1e9, right = -1e9, size = 0;
  for (size_t k = at + 1; k < end; ++k) {
    const Item& item = items[k];
    size = std::max(size, item.size);
    const bool on_row = item.size > 0.85 * size && !hangs(item);
    if (on_row && last - first > kRaised * size && item.base < last - kRaised * size &&
        item.x0 > right + kApart * size)
      return k;
    right = std::max(right, item.x1);
    if (!on_row) continue;
    if (last < 0) first = item.base;
    last = std::max(last, item.base);
  }
  return end;
}

/// A pair of brackets is tall around two rows of smaller letters alone, in whatever size its font
/// has it: the brackets of "\binom" in an index are those of the text.
void mark_small_rows(Items& items) {
  constexpr double kSmaller = 0.75, kApart = 0.9;  // of the bracket's size, of the letters'
  for (size_t i = 0; i < items.size(); ++i) {
    if (!opens_bracket(items[i].sign) || items[i].tall) continue;
    size_t end = i + 1;
    double top = 1e9, bottom = -1e9, size = 0;  // of the letters; their lines
    for (; end < items.size() && items[end].size < kSmaller * items[i].size; ++end) {
      top = std::min(top, items[end].base);
      bottom = std::max(bottom, items[end].base);
      size = std::max(size, items[end].size);
    }
    if (end < items.size() && items[end].sign == closing_of(items[i].sign) &&
        std::abs(items[end].base - items[i].base) < 0.05 * items[i].size &&
        bottom - top > kApart * size)
      items[i].tall = items[end].tall = true;
  }
}

}  // namespace

void fold_brackets(FormulaItems& items) {
  mark_small_rows(items);
  for (size_t i = items.size(); i-- > 0;) {
    if (!items[i].tall || closes_bracket(items[i].sign)) continue;
    const Item open = items[i];
    const size_t close = partner(items, i);
    if (close == std::string::npos) continue;
    const bool paired = close < items.size();
    const bool cases = !paired && open.sign == '{';
    if (!paired && !cases) continue;
    const auto within = [&](const Item& item) {
      return item.axis() > open.top - 0.3 * open.size &&
             item.axis() < open.bottom + 0.3 * open.size;
    };
    // What stands level with the brackets or the matrix of another equation is that equation's.
    const auto is_other = [&](const Item& item) {
      return !within(item) && std::any_of(items.begin(), items.end(), [&](const Item& bracket) {
        return (bracket.tall || bracket.whole) && stands_apart(open, bracket) &&
               item.axis() > bracket.top && item.axis() < bracket.bottom;
      });
    };
    size_t end = i + 1;
    while (end < close && (within(items[end]) || (paired && is_other(items[end])))) ++end;
    if (paired && end != close) continue;
    if (cases) end = cases_end(items, i, end);
    Items content, others;
    for (size_t k = i + 1; k < end; ++k) (within(items[k]) ? content : others).push_back(items[k]);
    if (content.empty()) continue;
    const std::vector<Items> rows = rows_of(content);
    if (rows.size() < 2) continue;
    const double size = main_size(content);
    const bool small = size < 0.85 * open.size;
    std::string latex;
    const double pitch = main_item(rows[1]).base - main_item(rows[0]).base;
    const bool binom =
        rows.size() == 2 && paired && open.sign == '(' && (small || pitch > 1.28 * size) &&
        cells_of(rows[0], 0.75 * size).size() == 1 && cells_of(rows[1], 0.75 * size).size() == 1;
    if (cases)
      latex = "\\begin{cases} " + grid_of(rows, size) + " \\end{cases}";
    else if (binom)
      latex = "\\binom{" + read_items(rows[0]) + "}{" + read_items(rows[1]) + "}";
    else
      latex = matrix_of(grid_of(rows, size), open.sign, items[close].sign);
    if (paired) ++end;
    Item like = open;
    like.size = size;
    like.base = (open.top + open.bottom) / 2 + 0.25 * size;
    Items own = content;
    own.push_back(open);
    if (paired) own.push_back(items[close]);
    replace(items, i, end, whole_item(std::move(latex), own, like));
    items.insert(items.begin() + std::ptrdiff_t(i) + 1, others.begin(), others.end());
  }
}

}  // namespace docspec
