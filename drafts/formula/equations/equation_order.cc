#include "drafts/formula/equations/equation_order.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "drafts/formula/equations/equation_parts.h"
#include "drafts/latex/formula_items.h"
#include "drafts/latex/math_letters.h"

namespace docspec {
namespace {

constexpr uint32_t kRoot = 0x221A;

using Part = EquationPart;
using Parts = EquationParts;

/// What makes the parts of one stretch of a formula a row.
class EquationWriter {
 public:
  explicit EquationWriter(double size) : size_(size) {}

  /// The rows of parts, from the top one down, each from left to right. What stands in a tall
  /// bracket has rows of its own.
  Part row(Parts parts) const {
    const auto open =
        std::min_element(parts.begin(), parts.end(), [](const auto& a, const auto& b) {
          return std::pair(!opens_tall(a.sign), a.x0) < std::pair(!opens_tall(b.sign), b.x0);
        });
    if (!opens_tall(open->sign)) return rows(std::move(parts));
    const double begin = open->x0, slack = 0.25 * size_;
    double end = 1e9;
    for (const Part& part : parts)
      if (closes_tall(part.sign)) end = std::min(end, part.x0);
    Parts places[5];  // before the bracket, its pieces, within, the pieces that close it, the rest
    for (Part& part : parts) {
      const double x = part.middle();
      const size_t place = x < begin                                        ? 0
                           : is_piece(part.sign) && part.x0 < begin + slack ? 1
                           : x < end                                        ? 2
                           : is_piece(part.sign) && part.x0 < end + slack   ? 3
                                                                            : 4;
      places[place].push_back(std::move(part));
    }
    Part whole;
    for (const size_t i : {0, 1, 2, 3, 4}) {
      if (places[i].empty()) continue;
      Part next = i % 2 == 1 ? rows(std::move(places[i])) : row(std::move(places[i]));
      if (i % 2 == 1) next.base = next.axis() + 0.25 * size_;
      if (whole.sequence.empty())
        whole = next;
      else
        append(whole, next);
    }
    return whole;
  }

  /// Takes the parts of a root or a fraction together; false where the bar is of none.
  bool fold(Parts& parts, const PageRule& rule) const {
    const auto root = std::find_if(parts.begin(), parts.end(), [&](const Part& part) {
      return part.sign == kRoot && std::abs(part.x1 - rule.x0) < 0.35 * size_ &&
             rule.y0 > part.top - 0.4 * size_ && rule.y0 < part.top + 0.5 * size_;
    });
    if (root != parts.end()) return fold_root(parts, *root, rule);
    const auto above = near(parts, rule, true), below = near(parts, rule, false);
    if (below.empty() || (above.empty() && !covers(parts, below, rule))) return false;
    Part whole;
    if (!above.empty()) {
      whole = row(chosen(parts, above));
      const double size = whole.size;
      append(whole, rule);
      const Part under = row(chosen(parts, below));
      append(whole, under);
      whole.size = std::max(size, under.size);
      whole.base = (rule.y0 + rule.y1) / 2 + 0.25 * whole.size;
    } else {
      const Part under = row(chosen(parts, below));
      whole = under;
      whole.glyphs.clear(), whole.rules.clear(), whole.sequence.clear();
      append(whole, rule);
      append(whole, under);
    }
    whole.sign = 0;
    replace(parts, above, below, std::move(whole));
    return true;
  }

 private:
  static bool opens_tall(uint32_t sign) { return is_one_of(sign, U"⎛⎜⎝⎡⎢⎣⎧⎨⎩"); }
  static bool closes_tall(uint32_t sign) { return is_one_of(sign, U"⎞⎟⎠⎤⎥⎦⎫⎬⎭"); }

  Part rows(Parts parts) const {
    const std::vector<double> bases = bases_of(parts);
    std::vector<Parts> rows(std::max<size_t>(1, bases.size()));
    for (Part& part : parts) {
      const double height = is_accent(part.sign) ? part.base + 0.4 * size_  // of a letter below it
                            : is_level(part)     ? part.base
                                                 : part.axis() + 0.25 * size_;
      size_t nearest = 0;
      for (size_t i = 1; i < bases.size(); ++i)
        if (std::abs(bases[i] - height) < std::abs(bases[nearest] - height)) nearest = i;
      rows[nearest].push_back(std::move(part));
    }
    Part whole;
    bool level = false;  // whether a letter has shown the line
    for (Parts& row : rows) {
      if (row.empty()) continue;
      take_accents(row);
      take_limits(row);
      std::stable_sort(row.begin(), row.end(),
                       [](const Part& a, const Part& b) { return a.x0 < b.x0; });
      for (const Part& part : row) {
        const bool first = whole.sequence.empty();
        if (first)
          whole = part;
        else
          append(whole, part);
        if (first || (!level && is_level(part))) whole.base = part.base, whole.size = part.size;
        level |= is_level(part);
      }
    }
    whole.sign = 0;
    return whole;
  }

  using Places = std::vector<size_t>;

  static Parts chosen(const Parts& parts, const Places& places) {
    Parts out;
    for (const size_t at : places) out.push_back(parts[at]);
    return out;
  }

  static void replace(Parts& parts, const Places& some, const Places& others, Part by) {
    Parts rest;
    for (size_t i = 0; i < parts.size(); ++i)
      if (std::find(some.begin(), some.end(), i) == some.end() &&
          std::find(others.begin(), others.end(), i) == others.end())
        rest.push_back(std::move(parts[i]));
    rest.push_back(std::move(by));
    parts = std::move(rest);
  }

  bool fold_root(Parts& parts, Part root, const PageRule& rule) const {
    Places content, index, sign;
    for (size_t i = 0; i < parts.size(); ++i) {
      const Part& part = parts[i];
      if (part.sign == kRoot && part.x0 == root.x0 && part.top == root.top)
        sign.push_back(i);
      else if (part.middle() > rule.x0 && part.middle() < rule.x1 &&
               part.axis() > rule.y0 - 0.1 * size_ && part.axis() < root.bottom + 0.1 * size_)
        content.push_back(i);
      else if (part.size < 0.8 * size_ && part.x1 > root.x0 && part.middle() < root.x1 &&
               part.base < root.bottom - 0.2 * size_ && part.base > root.top - 0.2 * size_)
        index.push_back(i);
    }
    if (content.empty()) return false;
    Part whole = index.empty() ? root : row(chosen(parts, index));
    if (!index.empty()) append(whole, root);
    append(whole, rule);
    const Part under = row(chosen(parts, content));
    append(whole, under);
    whole.base = under.base;
    whole.size = under.size;
    whole.sign = 0;
    sign.insert(sign.end(), index.begin(), index.end());
    replace(parts, content, sign, std::move(whole));
    return true;
  }

  /// The parts over or under a bar that reach it, and what stands beside them as high.
  static Places near(const Parts& parts, const PageRule& rule, bool above) {
    constexpr double kReach = 0.75, kInto = 0.6, kSame = 0.45,
                     kMargin = 2;  // font sizes; kMargin: pixels
    const auto on_side = [&](const Part& part) {
      const double middle =
          grows(part.sign) || part.sign == 0 ? part.axis() : part.base - 0.25 * part.size;
      return part.middle() > rule.x0 - kMargin && part.middle() < rule.x1 + kMargin &&
             (above ? middle < rule.y0 : middle > rule.y1);
    };
    const auto distance = [&](const Part& part) {
      return above ? rule.y0 - part.bottom : part.top - rule.y1;
    };
    double nearest = 1e9;
    for (const Part& part : parts)
      if (on_side(part)) nearest = std::min(nearest, std::max(0.0, distance(part)));
    double top = 1e9, bottom = -1e9;
    for (const Part& part : parts) {
      if (!on_side(part) || distance(part) > kReach * part.size ||
          distance(part) > nearest + kSame * part.size || distance(part) < -kInto * part.size)
        continue;
      top = std::min(top, part.top);
      bottom = std::max(bottom, part.bottom);
    }
    Places places;
    for (size_t i = 0; i < parts.size(); ++i)
      if (on_side(parts[i]) && parts[i].axis() > top && parts[i].axis() < bottom)
        places.push_back(i);
    return places;
  }

  /// Whether a bar lies right over these parts and over nothing beside them: no table's, no blank
  /// to be filled in.
  bool covers(const Parts& parts, const Places& below, const PageRule& rule) const {
    double x0 = 1e9, x1 = -1e9, top = 1e9;
    for (const size_t at : below) {
      x0 = std::min(x0, parts[at].x0);
      x1 = std::max(x1, parts[at].x1);
      top = std::min(top, parts[at].top);
    }
    return std::abs(rule.x0 - x0) < 0.4 * size_ && std::abs(rule.x1 - x1) < 0.4 * size_ &&
           top - rule.y1 < 0.3 * size_;
  }

  bool is_main(const Part& part) const { return part.size > 0.85 * size_; }
  bool is_level(const Part& p) const { return is_main(p) && !grows(p.sign) && !is_accent(p.sign); }

  /// The lines of several rows; one where a tall bracket has them between its halves.
  std::vector<double> bases_of(const Parts& parts) const {
    constexpr double kPitch = 0.6;  // font sizes
    std::vector<double> all, bases;
    for (const Part& part : parts)
      if (is_level(part)) all.push_back(part.base);
    std::sort(all.begin(), all.end());
    double last = -1e9;
    for (const double base : all) {
      if (base - last > kPitch * size_) bases.push_back(base);
      last = base;
    }
    const bool spanned = std::any_of(parts.begin(), parts.end(), [&](const Part& part) {
      const auto within = [&](double base) {
        return base - 0.25 * size_ > part.top && base - 0.25 * size_ < part.bottom;
      };
      return grows(part.sign) && std::count_if(bases.begin(), bases.end(), within) > 1;
    });
    if (spanned && !bases.empty()) bases.resize(1);
    return bases;
  }

  /// An accent is written before the letter under it.
  void take_accents(Parts& parts) const {
    for (size_t i = 0; i < parts.size(); ++i) {
      if (!is_accent(parts[i].sign)) continue;
      size_t letter = parts.size();
      for (size_t k = 0; k < parts.size(); ++k)
        if (!is_accent(parts[k].sign) && parts[k].base > parts[i].base - 0.3 * size_ &&
            parts[k].base < parts[i].base + size_ &&
            std::abs(parts[k].middle() - parts[i].middle()) < 0.4 * size_ &&
            (letter == parts.size() || std::abs(parts[k].middle() - parts[i].middle()) <
                                           std::abs(parts[letter].middle() - parts[i].middle())))
          letter = k;
      if (letter == parts.size()) continue;
      Part whole = parts[i];
      append(whole, parts[letter]);
      whole.base = parts[letter].base;
      whole.size = parts[letter].size;
      whole.sign = 0;
      replace(parts, {i}, {letter}, std::move(whole));
      i = size_t(-1);
    }
  }

  /// Signs of a smaller size right over or under a sign or a word of the row: its limits.
  void take_limits(Parts& parts) const {
    constexpr double kBeside = 0.35, kWithin = 0.13;  // font sizes
    Parts scripts, mains;
    for (Part& part : parts) (is_main(part) ? mains : scripts).push_back(std::move(part));
    std::sort(scripts.begin(), scripts.end(),
              [](const Part& a, const Part& b) { return a.x0 < b.x0; });
    std::sort(mains.begin(), mains.end(), [](const Part& a, const Part& b) { return a.x0 < b.x0; });
    std::vector<Parts> clusters;
    for (Part& part : scripts) {
      const auto at = std::find_if(clusters.begin(), clusters.end(), [&](const Parts& cluster) {
        return std::abs(cluster.back().base - part.base) < 0.35 * part.size &&
               part.x0 - cluster.back().x1 < kBeside * size_;
      });
      if (at == clusters.end())
        clusters.push_back({std::move(part)});
      else
        at->push_back(std::move(part));
    }
    const auto follows = [&](size_t k) {  // letters of one word
      return is_ascii_letter(mains[k].sign) && is_ascii_letter(mains[k + 1].sign) &&
             mains[k + 1].x0 - mains[k].x1 < kWithin * size_ &&
             std::abs(mains[k].base - mains[k + 1].base) < 0.1 * size_;
    };
    parts.clear();
    std::vector<Part> over(mains.size()), under(mains.size());
    for (Parts& cluster : clusters) {
      Part script = cluster.front();
      for (size_t i = 1; i < cluster.size(); ++i) append(script, cluster[i]);
      script.sign = cluster.size() > 1 ? 0 : script.sign;
      size_t first = 0, last = 0;
      bool found = false;
      for (size_t k = 0; k < mains.size() && !found; ++k) {
        if (script.middle() < mains[k].x0 || script.middle() > mains[k].x1) continue;
        first = last = k;
        while (first > 0 && follows(first - 1)) --first;
        while (last + 1 < mains.size() && follows(last)) ++last;
        found = true;
      }
      const bool below = found && script.top > mains[last].base - 0.2 * size_ &&
                         script.axis() > mains[last].axis();
      const bool above = found && script.bottom < mains[first].base - 0.55 * size_ &&
                         script.axis() < mains[first].axis();
      if (below && under[last].sequence.empty())
        under[last] = std::move(script);
      else if (above && over[first].sequence.empty())
        over[first] = std::move(script);
      else
        for (Part& part : cluster) parts.push_back(std::move(part));
    }
    for (size_t k = 0; k < mains.size(); ++k) {
      const Part& limit = under[k].sequence.empty() ? over[k] : under[k];
      if (is_large_operator(mains[k].sign) &&
          !limit.sequence.empty()) {  // it stands over its middle
        PageGlyph& sign = mains[k].glyphs[0];
        const double shift = limit.middle() - mains[k].middle();
        sign.x0 += shift, sign.x1 += shift;
      }
      Part whole = mains[k];
      if (!over[k].sequence.empty()) {
        whole = over[k];
        append(whole, mains[k]);
      }
      if (!under[k].sequence.empty()) append(whole, under[k]);
      whole.x0 = mains[k].x0;  // where it stands in the row
      whole.base = mains[k].base;
      whole.size = mains[k].size;
      whole.sign = mains[k].sign;
      parts.push_back(std::move(whole));
    }
  }

  double size_;
};

/// Editors round the places of letters: those of a word get to touch.
void close_words(std::vector<PageGlyph>& glyphs) {
  constexpr double kWithin = 0.16;  // font sizes
  for (size_t i = 1; i < glyphs.size(); ++i) {
    PageGlyph& before = glyphs[i - 1];
    const PageGlyph& glyph = glyphs[i];
    const double gap = glyph.x0 - before.x1;
    if (is_ascii_letter(before.letter) && is_ascii_letter(glyph.letter) && gap > 0 &&
        gap < kWithin * glyph.size && before.base == glyph.base && before.font == glyph.font)
      before.x1 = glyph.x0;
  }
}

}  // namespace

WrittenFormula in_writing_order(std::vector<PageGlyph> glyphs, std::vector<PageRule> rules) {
  constexpr double kLarge = 1.05, kAbove = 0.92, kBelow = 0.25;  // font sizes
  WrittenFormula out;
  if (glyphs.empty()) {
    out.rules = std::move(rules);
    return out;
  }
  Parts parts = equation_parts(glyphs);
  const double size = letter_size(parts);
  for (Part& part : parts) {
    if (is_piece(part.sign) || part.sign == 0x222B) {
      part.top = part.base - kAbove * part.size;
      part.bottom = part.base + kBelow * part.size;
    }
    if (grows(part.sign) && part.size > kLarge * size) part.size = size;
    part.glyphs[0].top = part.top;
    part.glyphs[0].bottom = part.bottom;
    part.glyphs[0].size = part.size;
  }
  const EquationWriter writer(size);
  std::stable_sort(rules.begin(), rules.end(),
                   [](const PageRule& a, const PageRule& b) { return a.x1 - a.x0 < b.x1 - b.x0; });
  std::vector<PageRule> loose;
  for (const PageRule& rule : rules)
    if (!writer.fold(parts, rule)) loose.push_back(rule);
  const Part row = writer.row(std::move(parts));
  out.base = row.base;
  out.size = row.size;
  int order = 0;
  for (const int at : row.sequence) {
    if (at >= 0) {
      out.glyphs.push_back(row.glyphs[size_t(at)]);
      out.glyphs.back().order = order++;
    } else {
      out.rules.push_back(row.rules[size_t(-1 - at)]);
      out.rules.back().order = order++;
    }
  }
  close_words(out.glyphs);
  for (PageRule& rule : loose) {
    rule.order = order++;
    out.rules.push_back(rule);
  }
  return out;
}

}  // namespace docspec
