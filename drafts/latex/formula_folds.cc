#include "drafts/latex/formula_folds.h"

#include <algorithm>
#include <climits>
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
using Place = std::ptrdiff_t;

bool within(const Item& item, const PageRule& rule, double margin) {
  return item.middle() > rule.x0 - margin && item.middle() < rule.x1 + margin;
}

/// "\sqrt{}" of the sign at `at` and its bar; the index of the root stands before the sign.
void fold_root(Items& items, size_t at, const PageRule& rule) {
  const Item sign = items[at];
  const auto under = [&](const Item& item) {
    return within(item, rule, 0) && item.axis() > rule.y0 - 0.1 * sign.size &&
           item.axis() < sign.bottom && item.order != sign.order;
  };
  size_t end = at + 1;
  if (rule.order < 0) {
    const auto rest = items.begin() + Place(at) + 1;
    end = size_t(std::stable_partition(rest, items.end(), under) - items.begin());
  }
  while (rule.order >= 0 && end < items.size() && under(items[end])) ++end;
  Items content = slice(items, at + 1, end);
  if (content.empty()) throw UnreadableFormula{};
  size_t from = at;
  while (from > 0 && items[from - 1].size < 0.8 * sign.size &&
         items[from - 1].x1 > sign.x0 + 0.05 * sign.size &&
         items[from - 1].base > sign.top + 0.1 * sign.size && items[from - 1].x1 < sign.x1)
    --from;
  std::string latex = "\\sqrt";
  if (from < at) latex += "[" + read_items(slice(items, from, at)) + "]";
  latex += "{" + read_items(content) + "}";
  Item like = main_item(content);
  like.size = main_size(content);
  Items all = content;
  all.push_back(sign);
  Item whole = whole_item(std::move(latex), all, like);
  whole.top = std::min(rule.y0, whole.top);
  whole.order = items[from].order;
  replace(items, from, end, std::move(whole));
}

bool takes_limits(const Item& item) {
  static constexpr std::string_view kNames[] = {"\\lim",
                                                "\\max",
                                                "\\min",
                                                "\\sup",
                                                "\\inf",
                                                "\\limsup",
                                                "\\liminf",
                                                "\\det",
                                                "\\gcd",
                                                "\\Pr",
                                                "\\arg\\max",
                                                "\\arg\\min",
                                                "\\operatorname{argmax}",
                                                "\\operatorname{argmin}"};
  return is_large_operator(item.sign) ||
         std::find(std::begin(kNames), std::end(kNames), item.latex) != std::end(kNames);
}

/// Whether an item is an index under a raised fraction whose denominator begins with `first`.
bool is_lower_index(const Item& item, const Item& first) {
  constexpr double kLarger = 1.2, kLower = 0.4;  // of the size of the denominator
  return !item.whole && !first.whole && !hangs(item) && item.size > kLarger * first.size &&
         item.base > first.base + kLower * first.size;
}

/// What was written between a bar and the longer ones above and below it, which are not folded yet.
struct OrderSpan {
  int from = INT_MIN, to = INT_MAX;
};

OrderSpan span_of(const PageRule& rule, std::span<const PageRule> longer) {
  OrderSpan span;
  if (rule.order < 0) return span;
  for (const PageRule& other : longer) {
    if (other.x0 > rule.x1 || other.x1 < rule.x0) continue;
    if (other.order > rule.order && other.y0 > rule.y1) span.to = std::min(span.to, other.order);
    if (other.order >= 0 && other.order < rule.order && other.y1 < rule.y0)
      span.from = std::max(span.from, other.order);
  }
  return span;
}

/// Where the run ends of items that lie over (step -1) or under (1) a bar, in the order of writing.
size_t run_beside(const Items& items, size_t at, const PageRule& rule, int step,
                  const OrderSpan& span) {
  double size = 0;     // the largest of the run: limits are further off than their own size tells
  bool signs = false;  // that have limits above them
  const auto beside = [&](const Item& item) {
    if (item.order < span.from || item.order > span.to) return false;
    signs |= takes_limits(item);
    if (step > 0 && !signs && is_lower_index(item, items[at])) return false;
    if (is_brace(item.sign) && item.x0 < rule.x0 && item.x1 > rule.x1) return false;  // of it all
    size = std::max(size, item.size);
    const double middle = item.whole || hangs(item) ? item.axis() : item.base - 0.25 * item.size;
    const double distance = step < 0 ? rule.y0 - item.bottom : item.top - rule.y1;
    return within(item, rule, 0.1 * item.size) &&
           (step < 0 ? middle < rule.y0 : middle > rule.y1) && distance < 3.5 * size;
  };
  size_t end = at;
  if (step < 0)
    while (end > 0 && beside(items[end - 1])) --end;
  else
    while (end < items.size() && beside(items[end])) ++end;
  return end;
}

/// Whether the items of a run reach the bar: the last ones of another row do not.
bool touches(const Items& run, const PageRule& rule) {
  return std::any_of(run.begin(), run.end(), [&](const Item& item) {
    return std::min(std::abs(rule.y0 - item.bottom), std::abs(item.top - rule.y1)) <
           0.7 * item.size;
  });
}

/// Whether a bar is no longer than what stands under it: the rules of tables and pages are.
bool fills(const Items& under, const PageRule& rule) {
  constexpr double kBeyond = 0.45;  // font sizes
  double x0 = 1e9, x1 = -1e9;
  for (const Item& item : under) x0 = std::min(x0, item.x0), x1 = std::max(x1, item.x1);
  const double beyond = kBeyond * main_size(under);
  return x0 < rule.x0 + beyond && x1 > rule.x1 - beyond;
}

void fold_bar(Items& items, size_t at, const PageRule& rule, const OrderSpan& span) {
  const size_t from = run_beside(items, at, rule, -1, span);
  const size_t to = run_beside(items, at, rule, 1, span);
  Items above = slice(items, from, at), below = slice(items, at, to);
  const bool over = !above.empty() && touches(above, rule);
  const bool under = !below.empty() && touches(below, rule);
  const double middle = (rule.y0 + rule.y1) / 2;
  if (over && under) {
    Items all = slice(items, from, to);
    Item like = main_item(above);
    like.size = std::max(main_size(above), main_size(below));
    std::string latex = "\\frac{" + read_items(std::move(above)) + "}{";
    latex += read_items(std::move(below)) + "}";
    Item whole = whole_item(std::move(latex), all, like);
    whole.base = middle + 0.25 * like.size;
    whole.x0 = std::min(whole.x0, rule.x0);
    whole.x1 = std::max(whole.x1, rule.x1);
    replace(items, from, to, std::move(whole));
  } else if (under) {
    if (!fills(below, rule)) return;
    const Item like = main_item(below);
    const bool one = below.size() == 1 && below[0].sign != 0;
    Item whole = whole_item("", below, like);
    whole.top = rule.y0;
    whole.latex = (one ? "\\bar{" : "\\overline{") + read_items(std::move(below)) + "}";
    replace(items, at, to, std::move(whole));
  } else if (over && rule.order >= 0) {
    while (above.front().x0 < rule.x0 - 0.3 * above.front().size) {  // "max" over an index
      if (above.size() == 1) return;
      above.erase(above.begin());
    }
    const size_t first = at - above.size();
    const Item like = main_item(above);
    Item whole = whole_item("", above, like);
    whole.latex = "\\underline{" + read_items(std::move(above)) + "}";
    replace(items, first, at, std::move(whole));
  }
}

/// Without a known order: moves the items over and under the bar next to each other.
size_t gather(Items& items, const PageRule& rule) {
  const auto near = [&](bool above) {
    double top = 1e9, bottom = -1e9;
    const auto on_side = [&](const Item& item) {
      return within(item, rule, 2) && (above ? item.axis() < rule.y0 : item.axis() > rule.y1);
    };
    for (const Item& item : items) {
      const double distance = above ? rule.y0 - item.bottom : item.top - rule.y1;
      if (!on_side(item) || distance > 0.75 * item.size || distance < -0.6 * item.size) continue;
      top = std::min(top, item.top);
      bottom = std::max(bottom, item.bottom);
    }
    Items taken;
    for (const Item& item : items)
      if (on_side(item) && item.axis() > top && item.axis() < bottom) taken.push_back(item);
    return taken;
  };
  const Items above = near(true), below = near(false);
  const auto of = [](const Items& some, const Item& item) {
    return std::any_of(some.begin(), some.end(),
                       [&](const Item& other) { return other.order == item.order; });
  };
  size_t at = items.size();
  for (size_t i = items.size(); i-- > 0;)
    if (of(above, items[i]) || of(below, items[i])) at = i;
  std::erase_if(items, [&](const Item& item) { return of(above, item) || of(below, item); });
  at = std::min(at, items.size());
  items.insert(items.begin() + Place(at), below.begin(), below.end());
  items.insert(items.begin() + Place(at), above.begin(), above.end());
  return at + above.size();
}

bool is_arg(const Item& item) {
  return item.latex == "\\arg\\max" || item.latex == "\\arg\\min";
}

/// The sign that has what stands under it as its limit: "arg max" as one, if the limit stands
/// under its middle and not under "max", or a name of its own.
std::string with_limit(const Item& sign, const Items& below) {
  const double x0 = below.front().x0, x1 = below.back().x1;
  if (is_arg(sign) && (x0 + x1) / 2 < sign.x1 - 0.4 * (sign.x1 - sign.x0))
    return "\\operatorname*{arg\\," + sign.latex.substr(5) + "}";
  const std::string_view name = "\\operatorname{";
  const bool under = below.front().top > sign.base && x0 < sign.x1;
  if (under && sign.latex.starts_with(name))
    return "\\operatorname*{" + sign.latex.substr(name.size());
  return sign.latex;
}

/// The command for an arrow that stands over letters.
const char* over_arrow(const Item& item) {
  const std::string& arrow = item.latex;
  if (arrow == "\\to" || arrow == "\\longrightarrow") return "\\overrightarrow";
  if (arrow == "\\leftarrow" || arrow == "\\longleftarrow") return "\\overleftarrow";
  if (arrow == "\\leftrightarrow" || arrow == "\\longleftrightarrow") return "\\overleftrightarrow";
  return nullptr;
}

}  // namespace

void fold_accents(FormulaItems& items) {
  for (size_t i = items.size(); i-- > 0;) {
    const Item accent = items[i];
    const double size = accent.size, width = accent.x1 - accent.x0;
    const bool arrow = over_arrow(accent) && i + 1 < items.size() &&
                       accent.base < items[i + 1].base - 0.35 * size &&
                       items[i + 1].middle() > accent.x0 && items[i + 1].middle() < accent.x1;
    if (!is_accent(accent.sign) && !arrow) continue;
    size_t end = i + 1;  // a wide accent covers several items
    while (end < items.size() && items[end].middle() > accent.x0 - 0.05 * size &&
           items[end].middle() < accent.x1 + 0.05 * size &&
           items[end].x0 > accent.x0 - 0.3 * size &&
           std::abs(items[end].base - items[i + 1].base) < 0.5 * size)
      ++end;
    if (end == i + 1 && end < items.size() &&
        std::abs(items[end].middle() - accent.middle()) <
            std::max(0.3 * size, 0.6 * std::max(width, items[end].x1 - items[end].x0)))
      ++end;
    if (end == i + 1) throw UnreadableFormula{};
    const bool wide = arrow || (width > 0.6 * size && end > i + 2);
    const Items content = slice(items, i + 1, wide ? end : i + 2);
    Item whole = whole_item("", content, main_item(content));
    whole.order = accent.order;
    whole.top -= 0.2 * whole.size;
    // The bar of Planck's constant is not raised to the height of the letter.
    const bool bar_on_h = accent.sign == 0x304 && content.size() == 1 && content[0].sign == 'h' &&
                          accent.base > content[0].base - 0.1 * size;
    whole.latex =
        bar_on_h ? "\\hbar"
                 : (arrow ? over_arrow(accent) : accent_latex(accent.sign, content.size() > 1)) +
                       ("{" + read_items(content) + "}");
    replace(items, i, i + 1 + content.size(), std::move(whole));
  }
}

void fold_braces(FormulaItems& items) {
  for (size_t i = 0; i < items.size(); ++i) {
    if (!is_brace(items[i].sign)) continue;
    const Item brace = items[i];
    const bool over = brace.sign == kOverBrace;
    const auto within = [&](const Item& item) {
      return item.middle() > brace.x0 && item.middle() < brace.x1;
    };
    size_t from = i, to = i + 1;
    while (from > 0 && within(items[from - 1]) && items[from - 1].base < brace.bottom) --from;
    while (to < items.size() && within(items[to]) && items[to].base > brace.top) ++to;
    const Items above = slice(items, from, i), below = slice(items, i + 1, to);
    const Items &content = over ? below : above, &label = over ? above : below;
    if (content.empty()) throw UnreadableFormula{};
    std::string latex = over ? "\\overbrace{" : "\\underbrace{";
    latex += read_items(content) + "}";
    if (!label.empty()) latex += (over ? "^{" : "_{") + read_items(label) + "}";
    Item whole = whole_item(std::move(latex), slice(items, from, to), main_item(content));
    replace(items, from, to, std::move(whole));
    i = from;
  }
}

void fold_rules(FormulaItems& items, std::span<const PageRule> rules) {
  std::vector<PageRule> sorted(rules.begin(), rules.end());
  std::erase_if(sorted, [&](const PageRule& rule) {  // what joins the pieces of a brace
    return std::any_of(items.begin(), items.end(), [&](const Item& item) {
      return is_brace(item.sign) && rule.x0 > item.x0 - 1 && rule.x1 < item.x1 + 1 &&
             std::abs(rule.y1 - item.base) < 0.25 * item.size;
    });
  });
  std::stable_sort(sorted.begin(), sorted.end(),
                   [](const PageRule& a, const PageRule& b) { return a.x1 - a.x0 < b.x1 - b.x0; });
  for (const PageRule& rule : sorted) {
    const auto is_root = [&](const Item& item) {
      return item.sign == 0x221A && std::abs(item.x1 - rule.x0) < 0.35 * item.size &&
             rule.y0 > item.top - 0.4 * item.size && rule.y0 < item.top + 0.5 * item.size;
    };
    const auto root = std::find_if(items.begin(), items.end(), is_root);
    if (root != items.end()) {
      fold_root(items, size_t(root - items.begin()), rule);
      continue;
    }
    size_t at = 0;
    if (rule.order >= 0)
      while (at < items.size() && items[at].order < rule.order) ++at;
    else
      at = gather(items, rule);
    const auto longer = std::span(sorted).subspan(size_t(&rule - sorted.data()) + 1);
    fold_bar(items, at, rule, span_of(rule, longer));
  }
}

void fold_limits(FormulaItems& items) {
  constexpr double kClose = 0.4;    // font sizes, from one item of an index to the next
  constexpr double kRaised = 0.55;  // font sizes: an index is less so
  constexpr double kOfMax = 0.24;  // of the width of "arg max": from the middle of "max" to its end
  const double size = main_size(items);
  for (size_t i = 0; i < items.size(); ++i) {
    const bool limits = takes_limits(items[i]);
    if (items[i].whole || items[i].tall || (!limits && items[i].size < 0.85 * size)) continue;
    const Item sign = items[i];
    const bool integral = is_one_of(sign.sign, U"∫∬∭⨌∮∯∲∳");  // slanted
    // The run before or after the sign whose middle is the sign's.
    const auto run = [&](int step) {
      const double most = (integral ? 0.5 : limits ? 0.16 : 0.08) * size;
      double x0 = 1e9, x1 = -1e9, best = most, end = -1e9;
      size_t found = 0;
      for (size_t k = 1; step < 0 ? k <= i : i + k < items.size(); ++k) {
        const Item& item = items[step < 0 ? i - k : i + k];
        const double gap = step < 0 ? sign.top - item.bottom : item.top - sign.bottom;
        const bool small = item.size < 0.85 * std::max(size, sign.size);
        // Over a small letter, whose box is higher than its ink.
        const bool raised = step < 0 && sign.base - item.base > kRaised * size;
        const bool near = gap >= (limits ? -0.45 : -0.1) * size || (raised && gap > -0.45 * size);
        if (!small || item.tall || !near || gap > 1.2 * size) break;
        // An index at the side of an integral begins under its foot.
        const bool goes_on = integral && step > 0 && x0 > sign.middle() - 0.1 * size &&
                             item.x0 < end + kClose * item.size;
        if (found > 0 && goes_on) found = 0, best = -1;
        end = item.x1;
        x0 = std::min(x0, item.x0);
        x1 = std::max(x1, item.x1);
        double off = std::abs((x0 + x1) / 2 - sign.middle());
        if (is_arg(sign))
          off = std::min(off, std::abs((x0 + x1) / 2 - sign.x1 + kOfMax * (sign.x1 - sign.x0)));
        if (off < best || (limits && !integral && off < most)) {
          best = off;
          found = k;
        }
      }
      return found;
    };
    const size_t before = run(-1), after = run(1);
    if (before + after == 0) continue;
    const Items above = slice(items, i - before, i), below = slice(items, i + 1, i + 1 + after);
    std::string latex = below.empty() ? sign.latex : with_limit(sign, below);
    if (limits) {
      if (!below.empty()) latex += "_{" + read_limit(below) + "}";
      if (!above.empty()) latex += "^{" + read_limit(above) + "}";
    } else {
      if (!below.empty()) latex = "\\underset{" + read_limit(below) + "}{" + latex + "}";
      if (!above.empty()) latex = "\\overset{" + read_limit(above) + "}{" + latex + "}";
    }
    Item whole = whole_item(std::move(latex), slice(items, i - before, i + 1 + after), sign);
    whole.sign = sign.sign;
    replace(items, i - before, i + 1 + after, std::move(whole));
    i -= before;
  }
}

}  // namespace docspec
