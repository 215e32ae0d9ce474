#include "drafts/formula/formula_latex.h"

#include <algorithm>
#include <cctype>
#include <cmath>
#include <vector>

#include "core/base/median.h"
#include "core/text/unicode.h"
#include "drafts/formula/math_letters.h"

namespace docspec {
namespace {

/// A word, or what was put together of several.
struct Item {
  std::string latex;
  Box box;
  double size = 0;   // of its font, in pixels
  double axis = 0;   // height of its middle
  uint32_t sign = 0;  // of an item of one letter
  bool whole = false;  // a fraction or a root, whatever its size
  bool tall = false;   // a bracket of more than a line

  double middle() const { return (box.x0 + box.x1) / 2.0; }
};

using Items = std::vector<Item>;

struct Unreadable {};

uint32_t only_letter(const std::string& text) {
  return count_code_points(text) == 1 ? first_code_point(text) : 0;
}

bool opens(uint32_t c) {
  static constexpr std::u32string_view kOpen = U"([{⟨⌊⌈";
  return kOpen.find(char32_t(c)) != kOpen.npos;
}
bool closes(uint32_t c) {
  static constexpr std::u32string_view kClose = U")]}⟩⌋⌉";
  return kClose.find(char32_t(c)) != kClose.npos;
}

Items items_of(std::span<const Word> words, double dpi) {
  Items items;
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
      Item item;
      item.sign = only_letter(part.text);
      item.latex = item.sign == 0x221A ? "\\surd" : latex_of(part);
      if (item.latex.empty()) throw Unreadable{};
      item.box = part.box;
      item.size = size;
      item.axis = (part.box.y0 + part.box.y1) / 2.0;
      item.tall = large && (opens(item.sign) || closes(item.sign) || item.sign == '|');
      items.push_back(std::move(item));
    }
  }
  return items;
}

Items take(Items& items, const auto& wanted) {
  const auto rest = std::stable_partition(items.begin(), items.end(),
                                          [&](const Item& item) { return !wanted(item); });
  Items taken(rest, items.end());
  items.erase(rest, items.end());
  return taken;
}

double main_size(const Items& items) {
  double size = 0;
  for (const Item& item : items) size = std::max(size, item.size);
  return size;
}

Box box_of(const Items& items) {
  Box box;
  for (const Item& item : items) box = unite(box, item.box);
  return box;
}

std::string read(Items items);

/// One row: items from left to right, small ones as indices of what stands before them.
std::string read_row(Items items) {
  std::stable_sort(items.begin(), items.end(),
                   [](const Item& a, const Item& b) { return a.box.x0 < b.box.x0; });
  const double size = main_size(items);
  std::vector<double> axes;
  for (const Item& item : items)
    if (item.size > 0.85 * size && !item.tall && !is_large_operator(item.sign))
      axes.push_back(item.axis);
  if (axes.empty()) axes.push_back(items.front().axis);
  const double axis = median(std::move(axes));
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
    if (opens(items[i].sign)) open.push_back(i);
    if (closes(items[i].sign) && !open.empty()) {
      paired[i] = paired[open.back()] = true;
      open.pop_back();
    }
  }
  std::string latex;
  int last_end = 0;
  for (size_t i = 0; i < items.size();) {
    Items raised, lowered;
    size_t end = i;
    while (end < items.size() && script(items[end]) != 0) {
      (script(items[end]) > 0 ? raised : lowered).push_back(items[end]);
      ++end;
    }
    if (end > i) {
      if (latex.empty()) latex = "{}";
      if (!lowered.empty()) latex += "_{" + read(std::move(lowered)) + "}";
      if (!raised.empty()) {
        const std::string index = read(std::move(raised));
        const bool primes = index.find_first_not_of('\'') == index.npos;
        latex += primes ? index : "^{" + index + "}";
      }
      for (size_t k = i; k < end; ++k) last_end = std::max(last_end, items[k].box.x1);
      i = end;
      continue;
    }
    const Item& item = items[i];
    if (i > 0 && item.box.x0 - last_end > 0.9 * size) append_latex(latex, "\\quad");
    if (paired[i]) append_latex(latex, opens(item.sign) ? "\\left" : "\\right");
    append_latex(latex, item.latex);
    last_end = item.box.x1;
    ++i;
  }
  return latex;
}

/// Rows of items by the heights of those of full size.
std::vector<Items> rows_of(Items items) {
  const double size = main_size(items);
  std::vector<double> axes;
  for (const Item& item : items)
    if (item.size > 0.85 * size && !item.tall && !is_large_operator(item.sign))
      axes.push_back(item.axis);
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

Item composite(std::string latex, const Box& box, double size, double axis) {
  Item item;
  item.latex = std::move(latex);
  item.box = box;
  item.size = size;
  item.axis = axis;
  item.whole = true;
  return item;
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
    if (!below.empty()) sign.latex += "_{" + read(below) + "}";
    if (!above.empty()) sign.latex += "^{" + read(above) + "}";
    const auto same = [](const Item& a, const Items& of) {
      return std::any_of(of.begin(), of.end(), [&](const Item& b) {
        return a.box == b.box && a.latex == b.latex;
      });
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
      if (!open.tall || !opens(open.sign)) continue;
      size_t close = i + 1;
      int depth = 1;
      for (; close < items.size(); ++close) {
        if (!items[close].tall) continue;
        if (opens(items[close].sign)) break;  // the inner ones first
        if (closes(items[close].sign) && --depth == 0) break;
      }
      const bool paired = close < items.size() && closes(items[close].sign);
      const bool cases = open.sign == '{' && close == items.size();
      if (!paired && !cases) continue;
      const auto inside = [&](const Item& item) {
        return item.box.x0 >= open.box.x0 && (cases || item.box.x1 <= items[close].box.x1) &&
               item.axis > open.box.y0 - 0.2 * open.size &&
               item.axis < open.box.y1 + 0.2 * open.size &&
               !(item.box == open.box) && (cases || !(item.box == items[close].box));
      };
      Items content;
      for (const Item& item : items)
        if (inside(item)) content.push_back(item);
      if (content.empty()) continue;
      std::vector<Items> rows = rows_of(content);
      const bool stacked = rows.size() > 1 && std::all_of(rows.begin(), rows.end(), [](auto& row) {
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
        throw Unreadable{};  // columns of a matrix
      const Box close_box = paired ? items[close].box : Box();
      std::erase_if(items, [&](const Item& item) {
        return inside(item) || item.box == open.box || (paired && item.box == close_box);
      });
      items.push_back(composite(latex, box, open.size, (open.box.y0 + open.box.y1) / 2.0));
      found = true;
    }
    if (!found) return;
  }
}

std::string read(Items items) {
  if (items.empty()) return "";
  add_limits(items);
  add_bracketed_rows(items);
  std::vector<Items> rows = rows_of(std::move(items));
  if (rows.size() == 1) return read_row(std::move(rows[0]));
  return "\\begin{aligned} " + joined_rows(std::move(rows)) + " \\end{aligned}";
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
      if (content.empty()) throw Unreadable{};
      const Box box = unite(unite(sign.box, bar), box_of(content));
      const double size = main_size(content);
      std::vector<double> axes;
      for (const Item& item : content)
        if (item.size > 0.85 * size) axes.push_back(item.axis);
      items.push_back(composite("\\sqrt{" + read(content) + "}",
                                {box.x0, bar.y0, box.x1, box_of(content).y1}, size,
                                median(std::move(axes))));
      continue;
    }
    Items above = beside_bar(items, bar, true), below = beside_bar(items, bar, false);
    if (!above.empty() && !below.empty()) {
      const Box box = unite(box_of(above), unite(bar, box_of(below)));
      const double size = std::max(main_size(above), main_size(below));
      std::string latex = "\\frac{" + read(above) + "}{";
      latex += read(below) + "}";
      items.push_back(composite(latex, box, size, (bar.y0 + bar.y1) / 2.0));
    } else if (!below.empty() && above.empty()) {
      const double size = main_size(below);
      const Box box = box_of(below);
      const double axis = below.front().axis;
      items.push_back(composite("\\overline{" + read(below) + "}", box, size, axis));
    } else {
      for (Item& item : above) items.push_back(std::move(item));
    }
  }
}

/// "(12)" or "(A.3)" far to the right; empty without one.
std::string take_number(std::vector<Word>& words, double dpi) {
  if (words.size() < 3) return "";
  const auto last = std::max_element(words.begin(), words.end(), [](const Word& a, const Word& b) {
    return a.box.x1 < b.box.x1;
  });
  int end = 0;
  for (const Word& word : words)
    if (&word != &*last) end = std::max(end, word.box.x1);
  const std::string& text = last->text;
  const bool number = text.size() > 2 && text.size() < 9 && text.front() == '(' &&
                      text.back() == ')' &&
                      std::any_of(text.begin(), text.end(),
                                  [](char c) { return c >= '0' && c <= '9'; });
  if (!number || last->box.x0 - end < 2 * last->font_size_pt * dpi / 72) return "";
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
    Items items = items_of(own, dpi);
    fold_bars(items, bars);
    // A root without its bar cannot be told from what follows it.
    if (std::any_of(items.begin(), items.end(), [](const Item& i) { return i.sign == 0x221A; }))
      return std::nullopt;
    std::string latex = read(std::move(items));
    if (!number.empty()) latex += " \\tag{" + number + "}";
    return latex;
  } catch (const Unreadable&) {
    return std::nullopt;
  }
}

}  // namespace docspec
