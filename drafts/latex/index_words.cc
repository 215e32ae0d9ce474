#include "drafts/latex/index_words.h"

#include <algorithm>
#include <cmath>
#include <optional>
#include <string>
#include <utility>

#include "core/text/unicode.h"
#include "drafts/latex/math_letters.h"

namespace docspec {
namespace {

/// Where the variable begins that a word ends with; nothing where it ends with none.
std::optional<size_t> last_variable(const std::string& text) {
  size_t last = 0, at = 0;
  uint32_t before = 0, c = 0;
  while (at < text.size()) {
    last = at;
    before = std::exchange(c, next_code_point(text, at));
  }
  const bool latin = is_latin_letter(c), product = latin && is_greek(before);
  if (!latin && !is_greek(c)) return std::nullopt;
  const bool alone = !is_latin_letter(before) && !is_greek(before) && !is_digit(before);
  return alone || product ? std::optional(last) : std::nullopt;
}

/// Whether words of a text stand on the line of a word, not formulas and labels alone.
bool stands_in_text(std::span<const Word> words, size_t at) {
  constexpr size_t kReach = 20, kLeastLetters = 3;
  constexpr std::ptrdiff_t kLeastWords = 3;
  const auto from = words.begin() + std::ptrdiff_t(at - std::min(at, kReach));
  const auto to = words.begin() + std::ptrdiff_t(std::min(words.size(), at + kReach + 1));
  return std::count_if(from, to, [&](const Word& word) {
           const Box &box = word.box, &own = words[at].box;
           return word.font_size_pt == words[at].font_size_pt &&
                  box.y0 < own.y1 - own.height() / 2 && box.y1 > own.y0 + own.height() / 2 &&
                  count_code_points(word.text) >= kLeastLetters &&
                  is_latin_letter(first_code_point(word.text)) &&
                  is_latin_letter(last_code_point(word.text));
         }) >= kLeastWords;
}

/// Reads the indices of one variable.
class Indices {
 public:
  Indices(std::span<const Word> words, size_t base) : words_(words), base_(words[base]), at_(base) {
    while (at_ + 1 < words_.size() && takes(words_[at_ + 1])) ++at_;
  }

  /// Whether there is a lowered one that has letters, and the line goes on as it began.
  bool found() const {
    if (lowered_.empty() || !has_letter_) return false;
    if (at_ + 1 == words_.size()) return true;
    const Word& next = words_[at_ + 1];
    const bool same_row =
        next.box.y0 < base_.box.y1 && next.box.y1 > base_.box.y0 && next.box.x0 > base_.box.x0;
    return !same_row || next.font_size_pt > kSmall * base_.font_size_pt;
  }

  size_t last() const { return at_; }
  int end() const { return end_; }

  std::string latex() const {
    std::string out = "_{" + lowered_ + "}";
    if (!raised_.empty()) out += "^{" + raised_ + "}";
    return out;
  }

 private:
  static constexpr double kSmall = 0.85;

  /// Reads a word that is an index; false = it is none.
  bool takes(const Word& word) {
    constexpr double kSmallest = 0.45, kFar = 0.2, kOver = 0.1;  // of the base's size or height
    constexpr size_t kMostLetters = 5;
    const double height = base_.box.height(), size = base_.font_size_pt;
    if (word.formula || word.quarter_turns != 0 || word.font.empty() ||
        word.font_size_pt > kSmall * size || word.font_size_pt < kSmallest * size ||
        count_code_points(word.text) > kMostLetters)
      return false;
    const bool low = word.box.y1 >= base_.box.y1 - 0.04 * height &&  // small capitals end higher
                     word.box.y0 > base_.box.y0 + 0.3 * height;
    const bool high =
        word.box.y1 < base_.box.y1 - 0.15 * height && word.box.y0 < base_.box.y0 + 0.2 * height;
    if (!low && !high) return false;
    std::string& index = low ? lowered_ : raised_;
    int& to = low ? low_to_ : high_to_;
    const double gap = word.box.x0 - (index.empty() ? base_.box.x1 : to);
    if (gap < -kOver * height || gap > kFar * height) return false;
    const std::string latex = latex_of(word);
    if (latex.empty()) return false;
    append_latex(index, latex);
    to = word.box.x1;
    end_ = std::max(end_, to);
    for (size_t at = 0; low && at < word.text.size();)
      has_letter_ |= is_variable(next_code_point(word.text, at));
    return true;
  }

  std::span<const Word> words_;
  const Word& base_;
  size_t at_;
  std::string lowered_, raised_;
  int low_to_ = 0, high_to_ = 0, end_ = 0;
  bool has_letter_ = false;
};

}  // namespace

std::vector<Word> words_with_indices(std::span<const Word> words) {
  constexpr double kBlank = 0.1;  // heights
  std::vector<Word> out;
  bool any = false;
  for (size_t i = 0; i < words.size(); ++i) {
    const Word& word = words[i];
    out.push_back(word);
    if (word.formula || word.quarter_turns != 0 || word.font_size_pt <= 0 || word.font.empty())
      continue;
    const auto variable = last_variable(word.text);
    if (!variable) continue;
    const Indices indices(words, i);

    Word formula = word;
    formula.text = word.text.substr(*variable);
    const std::string latex = latex_of(formula);
    if (!indices.found() || latex.empty() || !stands_in_text(words, i)) continue;
    if (*variable > 0) {
      Word& rest = out.back();
      rest.text.resize(*variable);
      const double letters = double(count_code_points(word.text));
      rest.box.x1 -= int(std::lround(word.box.width() / letters));
      rest.space_after = false;
      formula.box.x0 = rest.box.x1;
    } else {
      out.pop_back();
    }
    const Word& last = words[indices.last()];
    formula.text = "$" + latex + indices.latex() + "$";
    formula.formula = true;
    formula.heavy = false;
    formula.box.x1 = indices.end();
    formula.space_after = last.space_after;
    if (indices.last() + 1 < words.size()) {
      const Word& next = words[indices.last() + 1];
      const int gap = next.box.x0 - indices.end();
      formula.space_after = gap > kBlank * word.box.height() || next.box.x0 < word.box.x0;
    }
    out.push_back(std::move(formula));
    i = indices.last();
    any = true;
  }
  return any ? out : std::vector<Word>();
}

}  // namespace docspec
