#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/page/draft.h"

namespace docspec {

/// A fraction that stands in a line of text of a scan: its bar, and the ink above and below it.
struct SeenFraction {
  Box above, bar, below;

  Box box() const { return unite(unite(above, below), bar); }
  int middle() const { return (bar.y0 + bar.y1) / 2; }
};

/// Whether ink is as low as the bar of a fraction. `em`: size of the text; pixels, like all boxes.
bool is_flat(const Box& ink, double em);

/// The fractions of a page, by its ink: a bar with ink that is centred on it close above and close
/// below. `bars`: long flat runs of ink, which signs may touch. `pieces`: boxes around the pieces
/// of ink. `em`: size of the text; pixels, like all boxes.
std::vector<SeenFraction> find_fractions(std::span<const Box> bars, std::span<const Box> pieces,
                                         double em);

/// A character of OCR's words and where it stands.
struct PlacedLetter {
  uint32_t letter = 0;
  size_t word = 0;
  Box box;  ///< as high as its word
};

/// The characters of words, by their places or else as wide as each other.
std::vector<PlacedLetter> placed_letters(std::span<const Word> words);

/// A formula in its place in a line of text.
struct PlacedFormula {
  Box box;
  size_t host = 0;          ///< the word of its line that is nearest
  bool after_host = false;  ///< it stands behind that word
  std::string latex;        ///< without dollars

  /// Whether a character stands in it, above and below its bars too.
  bool holds(const PlacedLetter& letter) const;
};

/// Fractions of one formula within a line of text.
struct FractionRun {
  PlacedFormula whole;
  std::vector<SeenFraction> fractions;
  std::vector<PlacedFormula> alone;  ///< each fraction without what stands around it
};

/// The lines of text of a scan in which fractions stand.
class FractionLines {
 public:
  /// `words`: of OCR. `bars`, `pieces`, `em`: as for find_fractions.
  FractionLines(std::span<const Word> words, std::span<const Box> bars, std::span<const Box> pieces,
                double em);

  /// Whether the page is in Chinese: names of points and sides, "AB", stand in its formulas.
  bool chinese() const { return chinese_; }
  /// The fractions of all lines of text, those of one formula together.
  std::vector<FractionRun> find() const;
  /// What OCR read in a formula but for its fractions.
  std::string text_beside(const FractionRun& run) const;
  /// The sign right before a fraction that OCR did not see: flat strokes beside its bar.
  std::string sign_before(const SeenFraction& fraction) const;

 private:
  /// Whether a character is a mark between the parts of a sentence.
  bool is_mark(size_t k) const;
  /// Whether a character is of text, and not of a formula.
  bool is_text(size_t k) const;
  /// Whether a word is one of a language: letters alone, so many and more, but for marks around it.
  static bool is_prose(std::string_view word, size_t letters);
  /// Whether a character is of the label that its word begins with: "A." or "3."
  bool is_label(size_t k) const;
  /// Whether OCR read a part of a fraction as a line of its own. Else it sees the fraction within
  /// its line, and so does a model that reads that line.
  bool is_parted(const SeenFraction& fraction, size_t host) const;
  /// Whether a part of a fraction is of another line of text: a line below a word, or of the frame
  /// around a link, is no bar.
  bool cuts_text(const SeenFraction& fraction, size_t host) const;
  /// A fraction with what stands around it, up to the text; nothing beside no text.
  std::optional<PlacedFormula> formula_of(const SeenFraction& fraction) const;

  std::span<const Word> words_;
  std::span<const Box> bars_, pieces_;
  double em_;
  std::vector<PlacedLetter> letters_;
  bool chinese_ = false;
};

}  // namespace docspec
