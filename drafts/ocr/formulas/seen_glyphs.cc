#include "drafts/ocr/formulas/seen_glyphs.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <set>
#include <span>
#include <string_view>
#include <utility>

#include "core/base/median.h"
#include "core/page/pix_ptr.h"
#include "core/text/unicode.h"
#include "drafts/latex/formula_items.h"
#include "drafts/latex/math_letters.h"
#include "drafts/lines/font_style.h"
#include "drafts/ocr/formulas/ink_line.h"
#include "drafts/ocr/formulas/seen_variables.h"

namespace docspec {
namespace {

using Level = InkLetter::Level;
using Use = InkLetter::Use;

constexpr int kInkLevel = 200;  // thin strokes are gray

/// Whether the left edge of a letter is upright, which that of an italic one is not.
bool is_upright(const PageImage& image, const Box& ink, double from, double to) {
  constexpr double kSlant = 0.06;  // of the height
  const auto edge = [&](double share) {
    const int y = ink.y0 + int(share * ink.height());
    int x = ink.x0;
    while (x < ink.x1 && image.row(y)[3 * x + 1] >= kInkLevel) ++x;
    return x;
  };
  return std::abs(edge(from) - edge(to)) <= std::max(1.0, kSlant * ink.height());
}

/// Gives the letters of the sets of numbers their form where they are upright.
void mark_number_sets(InkLine& line, const PageImage& image) {
  for (size_t k = 1; k < line.size(); ++k) {
    InkLetter& one = line.letters()[k];
    const uint32_t set = counterpart(one.letter, U"CNQRZ", U"ℂℕℚℝℤ");
    if (set == one.letter || one.use != Use::variable || !one.read.own || !line.on_line(k))
      continue;
    const bool raised = line.same_word(k, k + 1) && line.letters()[k + 1].level == Level::raised;
    if (!raised && !is_one_of(line.letter(k - 1), U"∈⊂⊆→")) continue;
    const bool bars = one.letter == 'Z';  // whose left edge is that of its bars
    if (is_upright(image, one.read.ink, bars ? 0.08 : 0.22, bars ? 0.92 : 0.78)) one.letter = set;
  }
}

/// The names of fonts tell drafts/formula what a glyph is: by Use.
const std::vector<std::string> kFonts = {"Times-Roman", "CMMI10", "CMSY10"};

/// Adds the glyphs of a line. All of them stand on one level line, their indices on two others.
void append(const InkLine& line, PageGlyphs& page) {
  constexpr double kRaise = 0.4, kLower = 0.2, kWhite = 0.05;  // ems
  if (line.size() == 0) return;
  const double em = line.em(), base = line.base_at(line.letters()[line.size() / 2].read.ink);
  for (const InkLetter& one : line.letters()) {
    const Box& ink = one.read.ink;
    PageGlyph glyph;
    glyph.letter = one.letter;
    glyph.font = int(one.use);
    glyph.size = one.level == Level::line ? em : kIndexSize * em;
    glyph.base = one.level == Level::line     ? base
                 : one.level == Level::raised ? base - kRaise * em
                                              : base + kLower * em;
    const double down = base - line.base_at(ink);
    glyph.x0 = ink.x0 - (opens_bracket(one.letter) ? 2 : 1) * kWhite * glyph.size;
    glyph.x1 = ink.x1 + (closes_bracket(one.letter) ? 2 : 1) * kWhite * glyph.size;
    glyph.top = ink.y0 + down;
    glyph.bottom = ink.y1 + down;
    glyph.order = int(page.glyphs.size());
    page.glyphs.push_back(glyph);
  }
}

bool has_ink(const InkLine& line, const Box& piece) {
  return std::any_of(line.letters().begin(), line.letters().end(), [&](const InkLetter& one) {
    return intersect(one.read.ink, piece).area() * 2 > piece.area();
  });
}

/// Flat strokes that are of no letter: the bars of fractions and roots.
std::vector<PageRule> seen_bars(const std::vector<InkLine>& lines, std::span<const Box> pieces,
                                double em) {
  constexpr double kLeast = 0.3, kThick = 0.16;  // ems
  std::vector<PageRule> bars;
  for (const Box& piece : pieces)
    if (piece.width() > kLeast * em && piece.height() < std::max(4.0, kThick * em) &&
        piece.width() > 3 * piece.height() &&
        std::none_of(lines.begin(), lines.end(),
                     [&](const InkLine& line) { return has_ink(line, piece); }))
      bars.push_back({double(piece.x0), double(piece.y0), double(piece.x1), double(piece.y1), -1});
  return bars;
}

/// How many signs of formulas words have. "=>" and "==" are typed by programmers.
size_t formula_signs(const std::vector<Word>& words) {
  size_t signs = 0;
  for (const Word& word : words) {
    uint32_t before = 0;
    for (size_t at = 0; at < word.text.size();) {
      const uint32_t c = next_code_point(word.text, at);
      const char after = at < word.text.size() ? word.text[at] : ' ';
      const bool typed = before == '=' || after == '=' || after == '>';
      signs += (c == '=' && !typed) || (c > 0x80 && (is_relation(c) || is_math_letter(c)));
      before = c;
    }
  }
  return signs;
}

}  // namespace

bool has_inline_formulas(const std::vector<Word>& words) {
  constexpr size_t kFew = 3, kRare = 40;  // words a sign, where units and Greek letters have them
  const size_t signs = formula_signs(words);
  return signs >= kFew && signs * kRare >= words.size();
}

PageGlyphs seen_glyphs(const std::vector<Word>& words, const PageImage& image) {
  PageGlyphs page;
  if (formula_signs(words) == 0) return page;
  const PixPtr dark = dark_pixels(image, kInkLevel);
  if (!dark) return page;
  const std::vector<Box> pieces = boxes_of_pieces(dark.get());
  std::map<int, std::vector<Word>> words_of_lines;
  for (const Word& word : words)
    if (word.quarter_turns == 0 && word.line > 0 && word.font != kSeenMono && !word.formula)
      words_of_lines[word.line].push_back(word);
  std::vector<InkLine> lines;
  std::vector<double> sizes;  // of all letters
  for (auto& [number, own] : words_of_lines) {
    std::sort(own.begin(), own.end(),
              [](const Word& a, const Word& b) { return a.box.x0 < b.box.x0; });
    const double em = own.front().font_size_pt * image.dpi() / 72;
    if (em <= 0) continue;
    lines.emplace_back(letter_inks(own, pieces, em), em);
    sizes.insert(sizes.end(), lines.back().size(), lines.back().em());
  }
  if (sizes.empty()) return page;
  page.fonts = kFonts;
  const double usual = median(std::move(sizes));
  std::set<uint32_t> variables;
  for (InkLine& line : lines) {
    line.settle(usual);
    mark_variables(line, {});
    for (size_t k = 0; k < line.size(); ++k)
      if (line.letters()[k].use == Use::variable && line.on_line(k))
        variables.insert(line.letter(k));
  }
  page.rules = seen_bars(lines, pieces, usual);
  for (InkLine& line : lines) {
    mark_variables(line, variables);
    mark_number_sets(line, image);
    append(line, page);
  }
  return page;
}

}  // namespace docspec
