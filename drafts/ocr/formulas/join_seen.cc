#include "drafts/ocr/formulas/join_seen.h"

#include <algorithm>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "core/text/unicode.h"
#include "drafts/latex/math_letters.h"

namespace docspec {
namespace {

/// A formula's LaTeX without its dollars.
std::string_view latex_in(const Word& word) {
  return std::string_view(word.text).substr(1, word.text.size() - 2);
}

/// Whether LaTeX begins, or ends, with a sign that stands between two sides.
bool is_sign_at(std::string_view latex, bool end) {
  static constexpr std::string_view kNames[] = {"leq",      "geq",   "neq",  "approx",
                                                "perp",     "times", "cdot", "cong",
                                                "parallel", "pm",    "div",  "sim"};
  if (latex.empty()) return false;
  if (std::string_view("=+-<>").find(end ? latex.back() : latex.front()) != latex.npos) return true;
  return std::any_of(std::begin(kNames), std::end(kNames), [&](std::string_view name) {
    const std::string command = "\\" + std::string(name);
    if (end) return latex.ends_with(command);
    return latex.starts_with(command) &&
           (latex.size() == command.size() || !is_ascii_letter(uint8_t(latex[command.size()])));
  });
}

/// The LaTeX of a word between two formulas: one sign, or a letter or two between two signs.
std::optional<std::string> latex_between(const Word& word, const Word& last, const Word& next) {
  size_t at = 0;
  const uint32_t first = next_code_point(word.text, at);
  if (at == word.text.size()) {
    if (is_one_of(first, U"-–—−")) return "-";
    if (is_one_of(first, U"=+<>") || is_relation(first) || is_one_of(first, U"×÷·⊥"))
      return docspec::latex_of(first, false, false);
  }
  constexpr size_t kMost = 2;
  const bool letters =
      word.text.size() <= kMost && std::all_of(word.text.begin(), word.text.end(),
                                               [](char c) { return is_ascii_letter(uint8_t(c)); });
  const bool between = is_sign_at(latex_in(last), true) && is_sign_at(latex_in(next), false);
  return letters && between ? std::optional(word.text) : std::nullopt;
}

/// Whether a word stands behind another one in its line, at most so many heights of it away. A
/// minus is lower than the others.
bool follows(const Word& last, const Word& next, double most) {
  const int height = std::max(last.box.height(), next.box.height());
  const Box &high = last.box.height() < height ? next.box : last.box,
            &low = last.box.height() < height ? last.box : next.box;
  const int gap = next.box.x0 - last.box.x1, middle = (low.y0 + low.y1) / 2;
  return middle > high.y0 && middle < high.y1 && gap > -height / 2 && gap < most * height;
}

/// Whether a formula ends, or begins, with a fraction: what touches it is of it.
bool is_fraction_at(std::string_view latex, bool end) {
  return end ? latex.ends_with('}') && latex.find("\\frac{") != latex.npos
             : latex.starts_with("\\frac{");
}

void append(Word& formula, std::string_view latex, const Word& end) {
  std::string all(latex_in(formula));
  append_latex(all, latex);
  formula.text = "$" + all + "$";
  formula.box = unite(formula.box, {end.box.x0, formula.box.y0, end.box.x1, formula.box.y1});
  formula.space_after = end.space_after;
}

}  // namespace

std::vector<Word> join_seen_formulas(std::vector<Word> words) {
  constexpr double kNear = 1, kTouch = 0.3;  // heights of a word
  std::vector<Word> out;
  for (size_t i = 0; i < words.size(); ++i) {
    Word& word = words[i];
    const bool behind = !out.empty() && out.back().formula && follows(out.back(), word, kNear);
    if (behind && word.formula) {
      const auto left = latex_in(out.back()), right = latex_in(word);
      const bool touch = follows(out.back(), word, kTouch) &&
                         (is_fraction_at(left, true) || is_fraction_at(right, false));
      if (touch || is_sign_at(left, true) || is_sign_at(right, false)) {
        append(out.back(), right, word);
        continue;
      }
    } else if (behind && i + 1 < words.size() && words[i + 1].formula &&
               follows(word, words[i + 1], kNear)) {
      if (const auto latex = latex_between(word, out.back(), words[i + 1])) {
        append(out.back(), *latex, word);
        append(out.back(), latex_in(words[i + 1]), words[i + 1]);
        ++i;
        continue;
      }
    }
    out.push_back(std::move(word));
  }
  return out;
}

}  // namespace docspec
