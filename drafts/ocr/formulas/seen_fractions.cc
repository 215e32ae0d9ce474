#include "drafts/ocr/formulas/seen_fractions.h"

#include <allheaders.h>

#include <algorithm>
#include <string>
#include <utility>

#include "core/page/pix_ptr.h"
#include "core/page/text_size.h"
#include "core/text/unicode.h"
#include "drafts/latex/fraction_latex.h"
#include "drafts/latex/math_letters.h"
#include "drafts/ocr/formulas/fraction_lines.h"
#include "drafts/ocr/formulas/mend_latex.h"

namespace docspec {
namespace {

constexpr int kBarInk = 150;          // darker than this
constexpr double kMostUnsure = 0.15;  // of the model's tokens
constexpr double kLeastBar = 0.45;    // ems

/// Whether a short word is what OCR made of a fraction's two parts at once: "53".
bool is_both_parts(const Word& word, std::span<const PlacedFormula> formulas) {
  constexpr size_t kMost = 4;  // characters
  return count_code_points(word.text) <= kMost && count_cjk(word.text) == 0 &&
         std::any_of(formulas.begin(), formulas.end(), [&](const PlacedFormula& formula) {
           return intersect(word.box, formula.box).area() * 5 > word.box.area() * 3;
         });
}

/// The parts of a word that are in none of the formulas.
std::vector<Word> parts_beside(const Word& word, std::span<const PlacedFormula> formulas) {
  const std::vector<PlacedLetter> letters = placed_letters({&word, 1});
  const auto inside = [&](const PlacedLetter& letter) {
    return std::any_of(formulas.begin(), formulas.end(),
                       [&](const PlacedFormula& formula) { return formula.holds(letter); });
  };
  if (std::none_of(letters.begin(), letters.end(), inside)) return {word};
  if (is_both_parts(word, formulas)) return {};
  std::vector<Word> parts;
  for (size_t from = 0; from < letters.size(); ++from) {
    if (inside(letters[from])) continue;
    Word part = word;
    part.text.clear(), part.places.clear();
    part.box.x0 = letters[from].box.x0;
    for (; from < letters.size() && !inside(letters[from]); ++from) {
      append_utf8(part.text, letters[from].letter);
      part.places.push_back((letters[from].box.x0 + letters[from].box.x1) / 2);
      part.box.x1 = letters[from].box.x1;
    }
    part.space_after |= from < letters.size();
    parts.push_back(std::move(part));
  }
  return parts;
}

/// The words beside formulas, with these in their places.
std::vector<Word> with_placed(std::span<const Word> words,
                              std::span<const PlacedFormula> formulas) {
  std::vector<Word> out;
  for (size_t w = 0; w < words.size(); ++w) {
    std::vector<Word> own = parts_beside(words[w], formulas);
    for (const PlacedFormula& formula : formulas) {
      if (formula.host != w) continue;
      Word word = words[w];
      word.text = "$" + formula.latex + "$";
      word.formula = true, word.space_after = true, word.places.clear();
      word.box.x0 = formula.box.x0, word.box.x1 = formula.box.x1;
      own.push_back(std::move(word));
    }
    std::sort(own.begin(), own.end(),
              [](const Word& a, const Word& b) { return a.box.x0 < b.box.x0; });
    out.insert(out.end(), own.begin(), own.end());
  }
  return out;
}

/// Whether next to nothing touches a flat run of ink from above or below: the strokes of letters
/// have stems. A plus may stand at its end.
bool is_free(const PageImage& image, const Box& bar, double em) {
  constexpr double kDeep = 0.16, kMost = 0.12;  // ems; of its width
  const auto touched = [&](int y, int step) {
    for (int n = 0; n < std::max(4, int(kDeep * em)); ++n, y += step) {
      if (y < 0 || y >= image.height_px()) return true;
      int dark = 0;
      for (int x = bar.x0; x < bar.x1; ++x) dark += image.row(y)[3 * x + 1] < kBarInk;
      if (dark <= kMost * bar.width()) return false;  // white below its soft edge
    }
    return true;
  };
  return !touched(bar.y0 - 1, -1) && !touched(bar.y1, 1);
}

/// What may be the bars of fractions: flat pieces of ink, and flat runs that a plus touches.
std::vector<Box> bars_of(const PageImage& image, Pix* dark, std::span<const Box> pieces,
                         double em) {
  constexpr double kTall = 0.8;  // ems; what is taller is a frame
  std::vector<Box> bars;
  for (const Box& piece : pieces)
    if (piece.width() >= kLeastBar * em && is_flat(piece, em)) bars.push_back(piece);
  const PixPtr flat(pixOpenBrick(nullptr, dark, int(kLeastBar * em), 1));
  if (!flat) return bars;
  for (const Box& run : boxes_of_pieces(flat.get()))
    if (is_free(image, run, em) &&
        std::none_of(pieces.begin(), pieces.end(), [&](const Box& piece) {
          return (is_flat(piece, em) || piece.height() > kTall * em) &&
                 intersect(piece, run) == run;
        }))
      bars.push_back(run);
  return bars;
}

/// What OCR reads in parts of fractions when it is shown each alone.
std::vector<SeenPart> read_parts(const ReadAgain& again, std::span<const Box> parts) {
  constexpr double kGrown = 0.35, kLeastWidth = 0.75;  // of the height, as found lines are
  std::vector<Box> lines;
  for (const Box& part : parts) {
    const int more = int(kGrown * part.height() / 2);
    const int least = int(kLeastWidth * (part.height() + 2 * more));
    const int aside = std::max(more, (least - part.width()) / 2);
    lines.push_back({part.x0 - aside, part.y0 - more, part.x1 + aside, part.y1 + more});
  }
  std::vector<Word> words = again(lines);
  std::sort(words.begin(), words.end(),
            [](const Word& a, const Word& b) { return a.box.x0 < b.box.x0; });
  std::vector<SeenPart> out(parts.size());
  for (size_t i = 0; i < parts.size(); ++i)
    for (const Word& word : words) {
      const int x = (word.box.x0 + word.box.x1) / 2, y = (word.box.y0 + word.box.y1) / 2;
      if (x < lines[i].x0 || x > lines[i].x1 || y < parts[i].y0 || y > parts[i].y1) continue;
      out[i].text += word.text;
      out[i].confidence = std::min(out[i].confidence, word.confidence);
    }
  return out;
}

}  // namespace

std::vector<Word> read_fractions_of_lines(LazyFormulaReader& reader, const ReadAgain& again,
                                          const PageImage& image, std::vector<Word> words) {
  const Draft all{{}, "", "", 1, words};
  const Draft* const drafts[] = {&all};
  const double em = text_em_px(drafts);
  const PixPtr dark = em > 0 ? dark_pixels(image, kBarInk) : nullptr;
  if (!dark) return words;
  const std::vector<Box> pieces = boxes_of_pieces(dark.get());
  const std::vector<Box> bars = bars_of(image, dark.get(), pieces, em);
  const FractionLines lines(words, bars, pieces, em);
  const std::vector<FractionRun> runs = lines.find();
  if (runs.empty()) return words;
  std::vector<Box> parts, formulas;
  for (const FractionRun& run : runs) {
    formulas.push_back(run.whole.box);
    for (const SeenFraction& fraction : run.fractions)
      parts.push_back(fraction.above), parts.push_back(fraction.below);
  }
  const std::vector<SeenPart> seen = read_parts(again, parts);
  std::vector<ReadFormula> read(runs.size());
  if (reader.get()) read = reader.get()->read(image, formulas, em);
  std::vector<PlacedFormula> placed;
  size_t part = 0;
  for (size_t i = 0; i < runs.size(); ++i) {
    const FractionRun& run = runs[i];
    const std::span<const SeenPart> own(seen.data() + part, 2 * run.fractions.size());
    part += own.size();
    std::string known = lines.text_beside(run);
    for (const SeenPart& each : own) known += each.text;
    PlacedFormula whole = run.whole;
    whole.latex = mend_lookalikes(mend_latex(read[i].latex), known);
    if (lines.chinese()) whole.latex = without_faces(whole.latex);
    if (is_whole(whole.latex, run.fractions.size()) && read[i].unsure <= kMostUnsure &&
        agrees(whole.latex, known)) {
      placed.push_back(std::move(whole));
      continue;
    }
    for (size_t k = 0; k < run.fractions.size(); ++k) {
      const std::string above = plain_part(own[2 * k]), below = plain_part(own[2 * k + 1]);
      if (above.empty() || below.empty()) continue;
      placed.push_back(run.alone[k]);
      placed.back().latex =
          lines.sign_before(run.fractions[k]) + "\\frac{" + above + "}{" + below + "}";
    }
  }
  return with_placed(words, placed);
}

}  // namespace docspec
