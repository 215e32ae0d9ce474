#include "drafts/ocr/formulas/seen_fractions.h"

#include <allheaders.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <iterator>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "core/page/pix_ptr.h"
#include "core/page/text_size.h"
#include "core/text/unicode.h"
#include "drafts/latex/math_letters.h"
#include "drafts/ocr/formulas/fraction_latex.h"
#include "drafts/ocr/formulas/mend_latex.h"

namespace docspec {
namespace {

constexpr int kBarInk = 150;
constexpr double kMostUnsure = 0.15;  // of the model's tokens
constexpr double kLeastBar = 0.45;    // ems

int middle_x(const Box& box) {
  return (box.x0 + box.x1) / 2;
}
int middle_y(const Box& box) {
  return (box.y0 + box.y1) / 2;
}

/// The ink on one side of a bar: pieces within its width, the first of them close to it, and those
/// in the rows of these.
Box ink_beside(const Box& bar, bool above, std::span<const Box> pieces, double em) {
  constexpr double kClose = 0.5, kAside = 0.15, kHighest = 1.7;  // ems
  std::vector<Box> own;
  for (const Box& piece : pieces) {
    const bool within = middle_x(piece) > bar.x0 - kAside * em &&
                        middle_x(piece) < bar.x1 + kAside * em &&
                        piece.width() < bar.width() + 2 * kAside * em;
    const int away = above ? bar.y0 - piece.y1 : piece.y0 - bar.y1;
    if (within && away > -2 && away < kHighest * em && piece.height() < kHighest * em)
      own.push_back(piece);
  }
  const auto away = [&](const Box& piece) { return above ? bar.y0 - piece.y1 : piece.y0 - bar.y1; };
  std::sort(own.begin(), own.end(), [&](const Box& a, const Box& b) { return away(a) < away(b); });
  Box ink;
  for (const Box& piece : own) {
    const bool joins =
        ink.empty() ? away(piece) < kClose * em : piece.y0 < ink.y1 && ink.y0 < piece.y1;
    if (!joins && !ink.empty()) break;
    if (joins) ink = unite(ink, piece);
  }
  return ink.height() < kHighest * em ? ink : Box{};
}

/// A character of OCR's words and where it stands.
struct PlacedLetter {
  uint32_t letter = 0;
  size_t word = 0;
  Box box;  ///< as high as its word
};

std::vector<PlacedLetter> placed_letters(std::span<const Word> words) {
  std::vector<PlacedLetter> out;
  for (size_t w = 0; w < words.size(); ++w) {
    const Word& word = words[w];
    if (word.quarter_turns != 0) continue;
    const size_t count = count_code_points(word.text);
    const int half = std::max(1, int(word.box.width() / (2 * std::max<size_t>(1, count))));
    for (size_t at = 0, k = 0; at < word.text.size(); ++k) {
      const uint32_t c = next_code_point(word.text, at);
      const int x = word.places.size() == count
                        ? word.places[k]
                        : word.box.x0 + int(word.box.width() * (2 * k + 1) / (2 * count));
      out.push_back({c, w, {x - half, word.box.y0, x + half, word.box.y1}});
    }
  }
  return out;
}

/// A formula in its place in a line of text.
struct PlacedFormula {
  Box box;
  size_t host = 0;          ///< the word of its line that is nearest
  bool after_host = false;  ///< it stands behind that word
  bool chinese = false;     ///< its line is
  std::string latex;        ///< without dollars

  /// Whether a character stands in it, above and below its bars too.
  bool holds(const PlacedLetter& letter) const {
    const int x = middle_x(letter.box), y = middle_y(letter.box);
    return x >= box.x0 && x <= box.x1 && y >= box.y0 && y <= box.y1;
  }
};

/// Fractions of one formula within a line of text.
struct FractionRun {
  PlacedFormula whole;
  std::vector<SeenFraction> fractions;
  std::vector<PlacedFormula> alone;  ///< each fraction without what stands around it
};

class FractionLines {
 public:
  FractionLines(std::span<const Word> words, std::span<const Box> bars, std::span<const Box> pieces,
                double em)
      : words_(words), bars_(bars), pieces_(pieces), em_(em), letters_(placed_letters(words)) {}

  std::vector<FractionRun> find() const {
    std::vector<FractionRun> runs;
    for (const SeenFraction& fraction : find_fractions(bars_, pieces_, em_)) {
      std::optional<PlacedFormula> formula = formula_of(fraction);
      if (!formula) continue;
      const auto home = std::find_if(runs.begin(), runs.end(), [&](const FractionRun& run) {
        const Box& other = run.whole.box;
        return std::abs(run.fractions.front().middle() - fraction.middle()) < kLevel * em_ &&
               other.x0 < formula->box.x1 && formula->box.x0 < other.x1;
      });
      FractionRun& run =
          home == runs.end() ? runs.emplace_back(FractionRun{*formula, {}, {}}) : *home;
      run.whole.box = unite(run.whole.box, formula->box);
      run.fractions.push_back(fraction);
      formula->box = fraction.box();
      run.alone.push_back(std::move(*formula));
    }
    return runs;
  }

  /// What OCR read in a formula but for its fractions.
  std::string text_beside(const FractionRun& run) const {
    std::string text;
    for (const PlacedLetter& each : letters_)
      if (run.whole.holds(each) && std::none_of(run.alone.begin(), run.alone.end(),
                                                [&](const auto& own) { return own.holds(each); }))
        append_utf8(text, each.letter);
    return text;
  }

  /// The sign right before a fraction that OCR did not see: flat strokes beside its bar.
  std::string sign_before(const SeenFraction& fraction) const {
    constexpr double kNear = 0.9, kLevelBar = 0.3, kShort = 0.25, kLong = 1, kThick = 0.16;  // ems
    const Box all = fraction.box();
    std::vector<Box> strokes;
    for (const Box& piece : pieces_)
      if (piece.x1 <= all.x0 + 2 && piece.x1 > all.x0 - kNear * em_ &&
          std::abs(middle_y(piece) - fraction.middle()) < kLevelBar * em_ &&
          piece.width() > kShort * em_ && piece.width() < kLong * em_ &&
          piece.height() < std::max(4.0, kThick * em_))
        strokes.push_back(piece);
    const auto is_read = [&](const PlacedLetter& letter) {
      return std::abs(middle_y(letter.box) - fraction.middle()) < kLevel * em_ &&
             middle_x(letter.box) >= strokes[0].x0 && middle_x(letter.box) <= strokes[0].x1;
    };
    if (strokes.empty() || strokes.size() > 2 ||
        std::any_of(letters_.begin(), letters_.end(), is_read))
      return "";
    const bool stacked =
        strokes.size() == 2 && strokes[0].x0 < strokes[1].x1 && strokes[1].x0 < strokes[0].x1;
    return strokes.size() == 1 ? "-" : stacked ? "=" : "";
  }

 private:
  static constexpr double kLevel = 0.7;  // ems from one line to what stands on it

  /// Whether a character is no part of a formula: it ends there. `chinese`: so is its line.
  bool is_text(size_t k, bool chinese) const {
    const uint32_t c = letters_[k].letter;
    return is_cjk(c) || is_one_of(c, U"∵∴，。；：、,;:？?！!“”\"") ||
           is_prose(words_[letters_[k].word].text, chinese ? 3 : 2) || is_label(k);
  }

  /// Whether a word is one of a language: letters alone, so many and more, but for marks around it.
  /// Lines of Chinese have names of points, "AB".
  static bool is_prose(std::string_view word, size_t letters) {
    while (!word.empty() && std::string_view("().,;:").find(word.back()) != word.npos)
      word.remove_suffix(1);
    if (!word.empty() && word[0] == '(') word.remove_prefix(1);
    const auto letter = [](char c) { return is_ascii_letter(uint8_t(c)); };
    const auto small = [](char c) { return c >= 'a' && c <= 'z'; };
    return word.size() >= letters && !is_function_name(word) &&
           std::all_of(word.begin(), word.end(), letter) &&
           std::any_of(word.begin(), word.end(), small);
  }

  /// Whether a character is of the label that its word begins with: "A." or "3."
  bool is_label(size_t k) const {
    const Word& word = words_[letters_[k].word];
    size_t first = k;
    while (first > 0 && letters_[first - 1].word == letters_[k].word) --first;
    return k - first < 3 && opens_text(word.text) && k - first <= word.text.find_first_of(".");
  }

  /// A fraction with what stands around it, up to the text; nothing beside no text.
  std::optional<PlacedFormula> formula_of(const SeenFraction& fraction) const {
    constexpr double kGap = 1.0, kBeyond = 0.9, kTall = 2.6, kNear = 2;  // ems
    constexpr int kFar = 1 << 28;
    PlacedFormula run{fraction.box(), 0, false, false, ""};
    const int line_y = fraction.middle();
    const auto level = [&](const PlacedLetter& each) {
      return std::abs(middle_y(each.box) - line_y) <= kLevel * em_;
    };
    const bool chinese = run.chinese =
        std::any_of(letters_.begin(), letters_.end(),
                    [&](const auto& each) { return is_cjk(each.letter) && level(each); });
    // The ends of the text on both sides, as far as it is level with the bar.
    int left = -kFar, right = kFar;
    double nearest = kFar;
    for (size_t k = 0; k < letters_.size(); ++k) {
      const Box& own = letters_[k].box;
      if (!level(letters_[k])) continue;
      const bool before = middle_x(own)<fraction.bar.x0, after = middle_x(own)> fraction.bar.x1;
      const double away = before ? fraction.bar.x0 - own.x1 : own.x0 - fraction.bar.x1;
      if ((before || after) && away < nearest)
        nearest = away, run.host = letters_[k].word, run.after_host = before;
      if (!(before || after) || !is_text(k, chinese)) continue;
      if (before) left = std::max(left, own.x1);
      if (after) right = std::min(right, own.x0);
    }
    if (nearest > kNear * em_) return std::nullopt;
    for (bool grown = true; grown;) {
      grown = false;
      for (const Box& piece : pieces_) {
        const int x = middle_x(piece);
        const bool beside =
            std::abs(middle_y(piece) - line_y) < kBeyond * em_ && piece.height() < kTall * em_;
        const bool inside = piece.x0 >= run.box.x0 && piece.x1 <= run.box.x1 &&
                            piece.y0 >= run.box.y0 && piece.y1 <= run.box.y1;
        const double gap = std::max(run.box.x0 - piece.x1, piece.x0 - run.box.x1);
        if (!beside || inside || x <= left || x >= right || gap > kGap * em_) continue;
        run.box = unite(run.box, piece);
        grown = true;
      }
    }
    run.box.x0 = std::max(run.box.x0, left), run.box.x1 = std::min(run.box.x1, right);
    // A formula that stands alone may be level with the text of another column.
    if (std::min(run.box.x0 - left, right - run.box.x1) > kNear * em_) return std::nullopt;
    return run;
  }

  std::span<const Word> words_;
  std::span<const Box> bars_, pieces_;
  double em_;
  std::vector<PlacedLetter> letters_;
};

/// The parts of a word that are in none of the formulas.
std::vector<Word> parts_beside(const Word& word, std::span<const PlacedFormula> formulas) {
  const std::vector<PlacedLetter> letters = placed_letters({&word, 1});
  const auto inside = [&](const PlacedLetter& letter) {
    return std::any_of(formulas.begin(), formulas.end(),
                       [&](const PlacedFormula& formula) { return formula.holds(letter); });
  };
  if (std::none_of(letters.begin(), letters.end(), inside)) return {word};
  std::vector<Word> parts;
  for (size_t from = 0; from < letters.size(); ++from) {
    if (inside(letters[from])) continue;
    Word part = word;
    part.text.clear(), part.places.clear();
    part.box.x0 = letters[from].box.x0;
    for (; from < letters.size() && !inside(letters[from]); ++from) {
      append_utf8(part.text, letters[from].letter);
      part.places.push_back(middle_x(letters[from].box));
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
      const int x = middle_x(word.box), y = middle_y(word.box);
      if (x < lines[i].x0 || x > lines[i].x1 || y < parts[i].y0 || y > parts[i].y1) continue;
      out[i].text += word.text;
      out[i].confidence = std::min(out[i].confidence, word.confidence);
    }
  return out;
}

}  // namespace

std::vector<SeenFraction> find_fractions(std::span<const Box> bars, std::span<const Box> pieces,
                                         double em) {
  constexpr double kThick = 0.16, kLow = 0.3, kOff = 0.3, kLeastHeight = 1.2, kOver = 0.25;
  std::vector<SeenFraction> fractions;
  for (const Box& bar : bars) {
    if (bar.height() > std::max(4.0, kThick * em) || bar.width() < 3 * bar.height()) continue;
    SeenFraction found{ink_beside(bar, true, pieces, em), bar, ink_beside(bar, false, pieces, em)};
    const auto is_part = [&](const Box& ink) {
      return ink.height() > kLow * em &&
             std::abs(middle_x(ink) - middle_x(bar)) < kOff * em + 0.2 * bar.width() &&
             ink.width() < bar.width() + kOff * em;
    };
    if (!is_part(found.above) || !is_part(found.below) || found.box().height() <= kLeastHeight * em)
      continue;
    // A sign may touch the bar.
    const Box parts = unite(found.above, found.below);
    found.bar.x0 = std::max(bar.x0, parts.x0 - int(kOver * em));
    found.bar.x1 = std::min(bar.x1, parts.x1 + int(kOver * em));
    fractions.push_back(found);
  }
  return fractions;
}

std::vector<Word> read_fractions_of_lines(LazyFormulaReader& reader, const ReadAgain& again,
                                          const PageImage& image, std::vector<Word> words) {
  const Draft all{{}, "", "", 1, words};
  const Draft* const drafts[] = {&all};
  const double em = text_em_px(drafts);
  const PixPtr dark = em > 0 ? dark_pixels(image, kBarInk) : nullptr;
  if (!dark) return words;
  const PixPtr flat(pixOpenBrick(nullptr, dark.get(), int(kLeastBar * em), 1));
  if (!flat) return words;
  const std::vector<Box> pieces = boxes_of_pieces(dark.get()), bars = boxes_of_pieces(flat.get());
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
    if (whole.chinese) whole.latex = without_faces(whole.latex);
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
