#include "drafts/latex/math_letters.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <utility>

#include "core/text/unicode.h"
#include "drafts/latex/latex_signs.h"
#include "drafts/lines/font_style.h"

namespace docspec {
namespace {

using Letter = std::pair<uint32_t, const char*>;

constexpr std::array kAccents = std::to_array<Letter>({
    {0x300, "\\grave"},
    {0x301, "\\acute"},
    {0x302, "\\hat"},
    {0x303, "\\tilde"},
    {0x304, "\\bar"},
    {0x305, "\\overline"},
    {0x306, "\\breve"},
    {0x307, "\\dot"},
    {0x308, "\\ddot"},
    {0x30A, "\\mathring"},
    {0x30C, "\\check"},
    {0x20D7, "\\vec"},
});

constexpr std::array<std::string_view, 32> kFunctions = {
    "arccos", "arcsin", "arctan", "arg", "cos",  "cosh", "cot", "csc",    "deg",    "det", "dim",
    "exp",    "gcd",    "hom",    "inf", "ker",  "lg",   "lim", "liminf", "limsup", "ln",  "log",
    "max",    "min",    "sec",    "sin", "sinh", "sup",  "tan", "tanh",   "Pr",     "mod"};

constexpr std::array<std::string_view, 22> kTextWords = {
    "and", "or",  "if",   "for",  "where", "otherwise", "with", "then", "when", "such", "that",
    "all", "any", "some", "else", "is",    "are",       "on",   "as",   "of",   "by",   "subject"};

template <size_t N>
const char* find(const std::array<Letter, N>& letters, uint32_t c) {
  const auto at = std::find_if(letters.begin(), letters.end(),
                               [&](const Letter& letter) { return letter.first == c; });
  return at == letters.end() ? nullptr : at->second;
}

/// "𝔸", "𝒜", "𝐱": letters of Unicode's mathematical alphabets.
std::string styled_letter(uint32_t c) {
  struct Alphabet {
    uint32_t first;
    char letter;
    const char* command;
  };
  static constexpr Alphabet kAlphabets[] = {
      {0x1D400, 'A', "\\mathbf"},   {0x1D41A, 'a', "\\mathbf"},     {0x1D434, 'A', ""},
      {0x1D44E, 'a', ""},           {0x1D468, 'A', "\\boldsymbol"}, {0x1D482, 'a', "\\boldsymbol"},
      {0x1D49C, 'A', "\\mathcal"},  {0x1D4B6, 'a', "\\mathcal"},    {0x1D504, 'A', "\\mathfrak"},
      {0x1D51E, 'a', "\\mathfrak"}, {0x1D538, 'A', "\\mathbb"},     {0x1D552, 'a', "\\mathbb"},
      {0x1D5A0, 'A', "\\mathsf"},   {0x1D5BA, 'a', "\\mathsf"}};
  constexpr uint32_t kScriptL = 0x1D4C1;
  if (c == kScriptL) return "\\ell";
  for (const auto& [first, letter, command] : kAlphabets)
    if (c >= first && c < first + 26) {
      const std::string plain(1, char(letter + char(c - first)));
      return *command ? command + ("{" + plain + "}") : plain;
    }
  return "";
}

std::string run_of_letters(const std::string& run, bool variables) {
  if (is_function_name(run)) return run == "mod" ? "\\bmod" : "\\" + run;
  if (run.size() == 1 || variables) return run;
  if (is_connecting_word(run)) return "\\text{ " + run + " }";
  return "\\mathrm{" + run + "}";
}

/// LaTeX of letters and signs; `variables`: letters next to each other make no words.
std::string latex_of_text(std::string_view text, bool variables) {
  std::string out, run;
  const auto end_run = [&] {
    if (!run.empty()) append_latex(out, run_of_letters(run, variables));
    run.clear();
  };
  for (size_t at = 0; at < text.size();) {
    const uint32_t c = next_code_point(text, at);
    if (const char* accent = find(kAccents, c)) {
      if (run.empty()) return "";
      const std::string base(1, run.back());
      run.pop_back();
      end_run();
      append_latex(out, std::string(accent) + "{" + base + "}");
      continue;
    }
    if (is_ascii_letter(c)) {
      run += char(c);
      continue;
    }
    end_run();
    const std::string styled = styled_letter(c);
    if (!styled.empty())
      append_latex(out, styled);
    else if (const char* latex = latex_sign(c))
      append_latex(out, latex);
    else if (c == '{' || c == '}' || c == '#' || c == '$' || c == '%' || c == '&' || c == '_')
      append_latex(out, std::string("\\") + char(c));
    else if (c < 0x7F && c != '\\' && c != '^' && c != '~' && c != '`')
      append_latex(out, std::string(1, char(c)));
    else
      return "";
  }
  end_run();
  return out;
}

}  // namespace

bool is_relation(uint32_t c) {
  static constexpr std::u32string_view kRelations = U"=<>≤≥≈∼≃≅≡≠∈∉⊂⊃⊆⊇→⇒⇔↔↦∝≪≫≺≻⩽⩾≜≐⟶⟹:";
  return c != ':' && kRelations.find(char32_t(c)) != kRelations.npos;
}

bool is_large_operator(uint32_t c) {
  static constexpr std::u32string_view kLarge = U"∑∏∐∫∬∭⨌∮∯∲∳⋃⋂⋀⋁⨀⨁⨂⨄⨆";
  return kLarge.find(char32_t(c)) != kLarge.npos;
}

bool is_math_letter(uint32_t c) {
  return is_relation(c) || is_large_operator(c) || c == 0x221A || c == '+' || is_greek(c) ||
         (c >= 0x2200 && c < 0x2300) || !styled_letter(c).empty() || c == 0xB1 || c == 0xD7;
}

bool is_ascii_letter(uint32_t c) {
  return c < 0x80 && std::isalpha(int(c));
}

bool is_latin_letter(uint32_t c) {
  return is_ascii_letter(c) || (c >= 0xFB00 && c <= 0xFB04) ||
         (c >= 0xC0 && c < 0x250 && c != 0xD7 && c != 0xF7);
}

bool is_function_name(std::string_view word) {
  return std::find(kFunctions.begin(), kFunctions.end(), word) != kFunctions.end();
}

std::vector<std::string_view> function_names(std::string_view word) {
  for (size_t length = word.size(); length > 1; --length) {
    if (!is_function_name(word.substr(0, length))) continue;
    std::vector<std::string_view> names{word.substr(0, length)};
    if (length == word.size()) return names;
    const auto more = function_names(word.substr(length));
    if (more.empty()) continue;
    names.insert(names.end(), more.begin(), more.end());
    return names;
  }
  return {};
}

bool is_equation_number(std::string_view word) {
  if (word.size() < 3 || word.size() > 8) return false;
  const bool round = word.front() == '(' && word.back() == ')';
  // Without a point, "[3]" refers to a book.
  const bool square = word.front() == '[' && word.back() == ']' && word.find('.') != word.npos;
  return (round || square) &&
         std::any_of(word.begin(), word.end(), [](char c) { return c >= '0' && c <= '9'; });
}

bool opens_text(std::string_view word) {
  size_t at = 0;
  const uint32_t first = word.empty() ? 0 : next_code_point(word, at);
  constexpr size_t kOrnament = 4, kArrows = 3;
  if (is_one_of(first, U"∴∵")) return true;
  if (is_one_of(first, U"<>=*+#~_-") &&
      word.size() >= (is_one_of(first, U"<>*#") ? kArrows : kOrnament) &&
      word.find_first_not_of(word[0]) == word.npos)
    return true;
  const bool number = is_digit(first);
  while (number && at < word.size() && at < 2 && is_digit(uint8_t(word[at]))) ++at;
  if (!(number || (first >= 'A' && first <= 'H')) || at == word.size()) return false;
  if (!is_one_of(next_code_point(word, at), U".．、")) return false;
  return !number || at == word.size() || !is_digit(uint8_t(word[at]));  // "3.5"
}

bool is_connecting_word(std::string_view word) {
  return std::find(kTextWords.begin(), kTextWords.end(), word) != kTextWords.end();
}

bool is_math_font(std::string_view font) {
  static constexpr std::string_view kNames[] = {
      "CMMI",    "CMSY",     "CMEX",   "CMBSY", "MSBM",  "MSAM",        "EUFM",
      "EUSM",    "MTMI",     "MTSY",   "MTEX",  "rtxmi", "rtxbmi",      "rpxmi",
      "rpxbmi",  "txsy",     "txbsy",  "txex",  "txbex", "txmia",       "pxsy",
      "pxbsy",   "pxex",     "pxmia",  "EUSB",  "EUFB",  "NewTXMI",     "NewTX",
      "NewPXMI", "NewPXBMI", "LMMath", "rsfs",  "RSFS",  "URWChancery", "esint"};
  return font.find("Math") != font.npos || font.starts_with("Symbol") ||
         font.starts_with("StandardSym") ||
         std::any_of(std::begin(kNames), std::end(kNames),
                     [&](std::string_view name) { return font.starts_with(name); });
}

bool has_math_font(std::span<const Word> words) {
  return std::any_of(words.begin(), words.end(),
                     [](const Word& word) { return is_math_font(word.font); });
}

bool is_variables_font(const std::string& font) {
  static constexpr std::string_view kText[] = {"CMTI", "CMSL", "LMRoman", "SFTI"};
  const bool text = std::any_of(std::begin(kText), std::end(kText),
                                [&](std::string_view name) { return font.starts_with(name); });
  return is_math_font(font) || (font_style(font).italic && !text);
}

std::string latex_of(const Word& word) {
  return latex_of_text(word.text, is_math_font(word.font));
}

bool is_accent(uint32_t c) {
  return find(kAccents, c) != nullptr;
}

std::string accent_latex(uint32_t accent, bool wide) {
  const std::string name = find(kAccents, accent);
  if (!wide) return name;
  if (name == "\\hat" || name == "\\tilde" || name == "\\check") return "\\wide" + name.substr(1);
  return name == "\\vec" ? "\\overrightarrow" : name == "\\bar" ? "\\overline" : name;
}

std::string latex_of(uint32_t sign, bool roman, bool bold) {
  std::string text;
  append_utf8(text, sign);
  std::string latex = is_accent(sign) ? "" : latex_of_text(text, true);
  if (latex.empty() || is_relation(sign)) return latex;
  const bool letter = is_ascii_letter(sign);
  if (letter && (roman || bold)) return (bold ? "\\mathbf{" : "\\mathrm{") + latex + "}";
  const bool greek = sign >= 0x370 && sign < 0x400;
  return bold && (greek || sign == 0x2207) ? "\\boldsymbol{" + latex + "}" : latex;
}

void append_latex(std::string& latex, std::string_view more) {
  if (more.empty()) return;
  const size_t command = latex.rfind('\\');
  const bool open = command != latex.npos && command + 1 < latex.size() &&
                    std::all_of(latex.begin() + std::ptrdiff_t(command) + 1, latex.end(),
                                [](char c) { return std::isalpha(uint8_t(c)); });
  if (open && std::isalpha(uint8_t(more[0]))) latex += ' ';
  latex += more;
}

}  // namespace docspec
