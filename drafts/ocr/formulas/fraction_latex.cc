#include "drafts/ocr/formulas/fraction_latex.h"

#include <algorithm>
#include <iterator>

#include "core/text/unicode.h"
#include "drafts/latex/math_letters.h"
#include "drafts/ocr/formulas/mend_latex.h"

namespace docspec {
namespace {

/// Whether LaTeX has no other commands than formulas of schools and lines of text have: where the
/// model does not know what it sees, it writes rare ones.
bool is_usual(std::string_view latex) {
  static constexpr std::string_view kUsual[] = {
      "frac",     "sqrt",      "times",   "cdot",   "pm",    "mp",    "leq",      "geq",   "neq",
      "ne",       "le",        "ge",      "approx", "sim",   "equiv", "pi",       "alpha", "beta",
      "gamma",    "delta",     "theta",   "lambda", "mu",    "rho",   "sigma",    "phi",   "varphi",
      "omega",    "epsilon",   "Delta",   "Omega",  "angle", "circ",  "left",     "right", "prime",
      "triangle", "therefore", "because", "perp",   "div",   "sin",   "cos",      "tan",   "cot",
      "log",      "ln",        "lim",     "max",    "min",   "exp",   "infty",    "in",    "sum",
      "int",      "partial",   "ldots",   "dots",   "to",    "quad",  "overline", "bar",   "vec",
      "hat",      "mathrm",    "mathbf",  "widehat"};
  for (size_t at = latex.find('\\'); at != latex.npos; at = latex.find('\\', at + 1)) {
    size_t end = at + 1;
    while (end < latex.size() && is_ascii_letter(uint8_t(latex[end]))) ++end;
    const std::string_view name = latex.substr(at + 1, end - at - 1);
    if (!name.empty() && std::find(std::begin(kUsual), std::end(kUsual), name) == std::end(kUsual))
      return false;
  }
  return true;
}

}  // namespace

bool is_whole(const std::string& latex, size_t fractions) {
  constexpr std::string_view kFraction = "\\frac{";
  int round = 0, square = 0;
  for (const char c : latex) {
    round += int(c == '(') - int(c == ')');
    square += int(c == '[') - int(c == ']');
    if (round < 0 || square < 0) return false;
  }
  size_t found = 0;
  for (size_t at = latex.find(kFraction); at != latex.npos; at = latex.find(kFraction, at + 1))
    ++found;
  return round == 0 && square == 0 && found >= fractions && latex.find("\\begin") == latex.npos &&
         latex.find("\\tag") == latex.npos && is_usual(latex);
}

size_t letters_apart(std::string_view latex, std::string_view seen) {
  const std::string a = sorted_letters(latex), b = sorted_letters(seen);
  std::string apart;
  std::set_symmetric_difference(a.begin(), a.end(), b.begin(), b.end(), std::back_inserter(apart));
  return apart.size();
}

std::string plain_part(const std::pair<std::string, double>& seen) {
  constexpr double kSure = 0.8;
  constexpr size_t kMost = 8;  // characters
  std::string part;
  if (count_code_points(seen.first) > kMost) return "";
  for (size_t at = 0; at < seen.first.size();) {
    const uint32_t c = next_code_point(seen.first, at);
    const bool minus = is_one_of(c, U"-—–−");
    if (!minus && !is_variable(c) && !is_digit(c) && !is_one_of(c, U"+.∂")) return "";
    append_latex(part, minus ? "-" : docspec::latex_of(c, false, false));
  }
  return seen.second >= kSure ? part : "";
}

}  // namespace docspec
