#include "drafts/latex/fraction_latex.h"

#include <algorithm>
#include <cctype>
#include <cstdint>
#include <iterator>
#include <map>
#include <utility>

#include "core/text/unicode.h"
#include "drafts/latex/math_letters.h"

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
  constexpr size_t kWord = 4;  // letters
  size_t small = 0;
  for (size_t at = 0; at < latex.size(); ++at) {
    small = latex[at] >= 'a' && latex[at] <= 'z' ? small + 1 : 0;
    if (small == kWord) return false;
    if (latex[at] != '\\') continue;
    size_t end = at + 1;
    while (end < latex.size() && is_ascii_letter(uint8_t(latex[end]))) ++end;
    const std::string_view name = latex.substr(at + 1, end - at - 1);
    if (!name.empty() && std::find(std::begin(kUsual), std::end(kUsual), name) == std::end(kUsual))
      return false;
    at = std::max(at, end - 1);
  }
  return true;
}

/// The letters and digits of LaTeX without its commands, sorted; of text likewise.
std::string sorted_letters(std::string_view latex) {
  std::string letters;
  for (size_t at = 0; at < latex.size(); ++at) {
    const auto c = uint8_t(latex[at]);
    if (c == '\\')
      while (at + 1 < latex.size() && is_ascii_letter(uint8_t(latex[at + 1]))) ++at;
    else if (is_ascii_letter(c) || is_digit(c))
      letters += char(c);
  }
  std::sort(letters.begin(), letters.end());
  return letters;
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

bool agrees(std::string_view latex, std::string_view seen) {
  constexpr size_t kFew = 6;
  // Signs that must not get lost, and how LaTeX writes them.
  static constexpr std::pair<uint32_t, std::string_view> kSigns[] = {
      {'=', "="}, {'<', "<"}, {'>', ">"}, {'+', "+"}, {'-', "-"}, {0xB0, "\\circ"}};
  std::map<uint32_t, size_t> signs;
  std::string letters;
  size_t times = 0;
  for (size_t at = 0; at < seen.size();) {
    const uint32_t c = next_code_point(seen, at);
    times += c == 0xD7;
    ++signs[is_one_of(c, U"-—–−") ? uint32_t('-') : c];
    append_utf8(letters, counterpart(c, U"²³⁴", U"234"));
  }
  for (const auto& [sign, name] : kSigns) {
    size_t written = 0;
    for (size_t at = latex.find(name); at != latex.npos; at = latex.find(name, at + 1)) ++written;
    if (written < signs[sign]) return false;
  }
  const std::string a = sorted_letters(latex), b = sorted_letters(letters);
  std::string lost, more;
  std::set_difference(b.begin(), b.end(), a.begin(), a.end(), std::back_inserter(lost));
  std::set_difference(a.begin(), a.end(), b.begin(), b.end(), std::back_inserter(more));
  return lost.size() * kFew <= b.size() && more.size() <= std::max(b.size() / kFew, times);
}

std::string without_faces(std::string latex) {
  for (const std::string_view face : {"\\mathbf{", "\\mathrm{"})
    for (size_t at = latex.find(face); at != latex.npos; at = latex.find(face, at)) {
      size_t end = at + face.size();
      while (end < latex.size() && std::isalnum(uint8_t(latex[end]))) ++end;
      if (end == latex.size() || latex[end] != '}') {
        at = end;
        continue;
      }
      latex.erase(end, 1);
      latex.erase(at, face.size());
    }
  return latex;
}

std::string plain_part(const SeenPart& seen) {
  constexpr double kSure = 0.7;
  constexpr size_t kMost = 8;  // characters
  std::string part;
  bool root = false;  // open
  if (count_code_points(seen.text) > kMost) return "";
  for (size_t at = 0; at < seen.text.size();) {
    const uint32_t c = next_code_point(seen.text, at);
    const bool minus = is_one_of(c, U"-—–−一"), sign = minus || c == '+' || c == 0x221A;
    if (!sign && !is_variable(c) && !is_digit(c) && !is_one_of(c, U".∂")) return "";
    if (root && sign) return "";  // how far the root reaches is not known
    if (c == 0x221A)
      part += "\\sqrt{", root = true;
    else
      append_latex(part, minus ? "-" : latex_of(c, false, false));
  }
  if (root) part += '}';
  return seen.confidence >= kSure ? part : "";
}

}  // namespace docspec
