#include "drafts/formula/formula_bars.h"

#include <algorithm>
#include <cmath>

#include "core/text/unicode.h"
#include "drafts/latex/math_letters.h"

namespace docspec {
namespace {

constexpr int kInk = 190;  // a bar thinner than a pixel is gray
constexpr int kPaper = 235;
constexpr double kLeastPt = 3.5;  // a bar over one digit of an index

bool is_bar_sign(const Word& word) {
  static constexpr std::string_view kSigns[] = {"−", "-", "–", "—", "=", "+", "±", "≡", "≤", "≥"};
  return std::any_of(std::begin(kSigns), std::end(kSigns),
                     [&](std::string_view sign) { return word.text.find(sign) != word.text.npos; });
}

uint8_t green(const PageImage& image, int x, int y) {
  return image.row(y)[3 * x + 1];
}

/// Whether the rows above and below a run of ink, two pixels away, are paper for the most part.
bool is_thin(const PageImage& image, int y, int from, int to) {
  const auto paper = [&](int row) {
    if (row < 0 || row >= image.height_px()) return true;
    int count = 0;
    for (int x = from; x < to; ++x) count += green(image, x, row) > kPaper;
    return count * 10 >= (to - from) * 7;
  };
  return paper(y - 3) && paper(y + 3);
}

/// Whether a stroke goes down from a run of ink without paper between: the top of an R or a T.
bool has_stem(const PageImage& image, const Box& run) {
  constexpr int kDark = 175, kDeep = 5;  // pixels
  if (run.y1 + kDeep > image.height_px()) return false;
  for (int x = run.x0; x < run.x1; ++x) {
    int y = run.y1;
    while (y < run.y1 + kDeep && green(image, x, y) <= kDark) ++y;
    if (y == run.y1 + kDeep) return true;
  }
  return false;
}

}  // namespace

std::vector<Box> find_bars(const PageImage& image, double scale, const Box& box,
                           std::span<const Word> words) {
  const Box area = intersect(
      {int(box.x0 / scale), int(box.y0 / scale), int(box.x1 / scale) + 1, int(box.y1 / scale) + 1},
      {0, 0, image.width_px(), image.height_px()});
  const int least = std::max(4, int(kLeastPt * image.dpi() / 72));
  std::vector<Box> bars;
  const auto add = [&](int from, int to, int y) {
    if (to - from < least || !is_thin(image, y, from, to)) return;
    const Box bar{int(from * scale), int(y * scale), int(std::ceil(to * scale)),
                  int(std::ceil((y + 1) * scale))};
    const int middle = (bar.y0 + bar.y1) / 2;
    const bool sign = std::any_of(words.begin(), words.end(), [&](const Word& word) {
      const Box& b = word.box;
      return is_bar_sign(word) && bar.x0 >= b.x0 - 3 && bar.x1 <= b.x1 + 3 && middle > b.y0 &&
             middle < b.y1;
    });
    if (sign) return;
    for (Box& other : bars)  // the next row of pixels of one bar
      if (bar.y0 - other.y1 <= int(2 * scale) && bar.x0 < other.x1 && other.x0 < bar.x1) {
        other = unite(other, bar);
        return;
      }
    bars.push_back(bar);
  };
  for (int y = area.y0; y < area.y1; ++y)
    for (int x = area.x0; x < area.x1;) {
      while (x < area.x1 && green(image, x, y) > kInk) ++x;
      const int from = x;
      while (x < area.x1 && green(image, x, y) <= kInk) ++x;
      add(from, x, y);
    }
  const auto unscaled = [&](const Box& b) {
    return Box{int(b.x0 / scale), int(b.y0 / scale), int(b.x1 / scale), int(b.y1 / scale)};
  };
  // A letter's stroke is as wide as the letter; the bar of a root begins at its sign.
  std::erase_if(bars, [&](const Box& bar) {
    const int middle = (bar.y0 + bar.y1) / 2;
    const bool of_root = std::any_of(words.begin(), words.end(), [&](const Word& word) {
      return word.text.ends_with("√") && std::abs(bar.x0 - word.box.x1) < 4 &&
             middle < word.box.y0 + word.box.height() / 2;
    });
    const bool of_letter = std::any_of(words.begin(), words.end(), [&](const Word& word) {
      const Box& b = word.box;
      const bool large = is_large_operator(first_code_point(word.text));
      const int top = large ? -2 : b.height() / 12, bottom = large ? -2 : b.height() / 5;
      const bool across = bar.x0 >= b.x0 - 2 && bar.x1 <= b.x1 + 2;
      const bool inside = middle > b.y0 + top && middle < b.y1 - bottom;
      const bool at_top = middle > b.y0 - 2 && middle <= b.y0 + top;
      return across && (inside || (at_top && has_stem(image, unscaled(bar))));
    });
    return double(bar.height()) > 3.2 * scale || (of_letter && !of_root);
  });
  return bars;
}

void drop_far_rules(std::vector<PageRule>& rules, const Box& glyphs, double size) {
  const double reach = 3 * size;
  std::erase_if(rules, [&](const PageRule& rule) {
    return rule.x0 < glyphs.x0 - reach || rule.x1 > glyphs.x1 + reach ||
           rule.y1 < glyphs.y0 - reach || rule.y0 > glyphs.y1 + reach;
  });
}

bool is_side_of_fraction(const PageGlyphs& page, double x0, double x1, double base, double size) {
  constexpr double kSlack = 0.4, kLow = 0.15, kHigh = 1.3, kBefore = 1.2, kFills = 0.9;
  const auto follows_relation = [&](const PageRule& bar) {
    return std::any_of(page.glyphs.begin(), page.glyphs.end(), [&](const PageGlyph& g) {
      const double off = g.base - bar.y0;
      return is_relation(g.letter) && g.x1 < bar.x0 + kSlack * size &&
             g.x1 > bar.x0 - kBefore * size && off > 0 && off < 0.6 * size;
    });
  };
  // From side to side what stands over the bar, or under it.
  const auto fills = [&](const PageRule& bar, bool above) {
    double left = 1e9, right = -1e9;
    for (const PageGlyph& g : page.glyphs) {
      const double off = above ? bar.y0 - g.base : g.base - bar.y1;
      if (off < kLow * size || off > kHigh * size || g.x0 < bar.x0 - kSlack * size ||
          g.x1 > bar.x1 + kSlack * size)
        continue;
      left = std::min(left, g.x0);
      right = std::max(right, g.x1);
    }
    return right - left;
  };
  return std::any_of(page.rules.begin(), page.rules.end(), [&](const PageRule& bar) {
    const double off = base < bar.y0 ? bar.y0 - base : base - bar.y1;
    if (off < kLow * size || off > kHigh * size || x0 < bar.x0 - kSlack * size ||
        x1 > bar.x1 + kSlack * size || !follows_relation(bar))
      return false;
    const double over = fills(bar, true), under = fills(bar, false);
    return std::min(over, under) > 0 &&
           std::max(over, under) > kFills * (bar.x1 - bar.x0) - kSlack * size;
  });
}

bool is_within(const PageGlyph& glyph, std::span<const Box> boxes) {
  const double x = (glyph.x0 + glyph.x1) / 2, y = (glyph.top + glyph.bottom) / 2;
  return std::any_of(boxes.begin(), boxes.end(), [&](const Box& box) {
    return x > box.x0 && x < box.x1 && y > box.y0 && y < box.y1;
  });
}

}  // namespace docspec
