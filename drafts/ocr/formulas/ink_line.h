#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include "drafts/ocr/formulas/letter_ink.h"

namespace docspec {

/// Size of an index, of its line's.
constexpr double kIndexSize = 0.7;

/// One character of a line of OCR and what its ink tells.
struct InkLetter {
  enum class Level { line, raised, lowered };
  enum class Use { text, variable, sign };

  LetterInk read;
  uint32_t letter = 0;  ///< as formulas write it; of OCR: read.letter
  Level level = Level::line;
  Use use = Use::text;
};

/// The characters of one line of OCR from left to right, its size and its base line.
class InkLine {
 public:
  /// `em`: roughly, pixels.
  InkLine(const std::vector<LetterInk>& inks, double em);

  /// Takes the usual size of the page where the line's own is near it or not known; then finds the
  /// base line, and which letters are indices.
  void settle(double usual);

  double em() const { return em_; }
  std::vector<InkLetter>& letters() { return letters_; }
  const std::vector<InkLetter>& letters() const { return letters_; }
  size_t size() const { return letters_.size(); }
  /// 0 outside the line.
  uint32_t letter(size_t k) const { return k < size() ? letters_[k].letter : 0; }
  bool on_line(size_t k) const { return k < size() && letters_[k].level == InkLetter::Level::line; }
  /// Whether no blank is between two letters.
  bool same_word(size_t a, size_t b) const;
  /// The height of the base line at some ink.
  double base_at(const Box& ink) const { return base_ + slope_ * (ink.x0 + ink.x1) / 2.0; }

 private:
  void find_size();
  void mend_operator(InkLetter& one) const;
  void find_base();
  void fit(const std::vector<std::pair<double, double>>& points);
  void find_levels();
  InkLetter::Level level_of(const InkLetter& one) const;
  void join_signs(size_t k);
  bool within_word(size_t k) const;
  void mend_case(InkLetter& one) const;
  void find_prime(size_t k);

  std::vector<InkLetter> letters_;
  double em_;
  bool sized_ = false;  // em_ was measured
  double base_ = 0, slope_ = 0;
};

}  // namespace docspec
