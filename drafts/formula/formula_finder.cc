#include "drafts/formula/formula_finder.h"

#include <algorithm>
#include <cctype>
#include <numeric>

#include "core/text/unicode.h"
#include "drafts/latex/account_words.h"
#include "drafts/latex/math_letters.h"

namespace docspec {
namespace {

/// What the words of a line say about it.
struct LineSigns {
  bool prose = false;     // words of a language
  bool fragment = false;  // may be a part of a formula
  bool seed = false;      // is one
  bool number = false;    // "(3)"
};

/// The longest run of ASCII letters that formulas do not have too.
size_t longest_run(const std::string& text) {
  size_t longest = 0;
  std::string run;
  for (const char c : text + " ") {
    if (std::isalpha(uint8_t(c))) {
      run += c;
      continue;
    }
    if (!is_function_name(run) && !is_connecting_word(run)) longest = std::max(longest, run.size());
    run.clear();
  }
  return longest;
}

bool is_equals(const std::string& text) {
  return text == "=" || text == ":=";
}

/// Signs that OCR reads as Chinese characters where they stand alone.
bool is_seen_sign(const std::string& text) {
  return text == "二" || text == "三" || text == "十" || text == "一" || text == "台";
}

/// What OCR's words say, which have no fonts: a formula has a relation or a large sign and hardly a
/// word. Variables stand together ("PtGt"), and an index with its letter ("Hafter =").
LineSigns signs_of_seen(const TextLine& line, std::span<const Word> words) {
  constexpr size_t kLeast = 3;               // characters
  constexpr std::ptrdiff_t kLongNumber = 6;  // digits; with a sign among them it is misread
  const auto is_word = [](const std::string& text) {
    std::string parted;  // at capitals within
    for (const char c : text) {
      if (std::isupper(uint8_t(c)) && !parted.empty() && std::islower(uint8_t(parted.back())))
        parted += ' ';
      parted += c;
    }
    return longest_run(parted) >= 3;
  };
  const auto is_short_word = [](const std::string& text) {
    return text.size() > 1 && !is_function_name(text) &&
           std::all_of(text.begin(), text.end(), [](char c) { return std::isalpha(uint8_t(c)); });
  };
  LineSigns signs;
  size_t ordinary = 0, plain = 0;
  bool cjk = false, relation = false, large = false;
  for (const int i : line.words) {
    const std::string& text = words[size_t(i)].text;
    ordinary += is_word(text);
    plain += is_word(text) || is_short_word(text);
    for (size_t at = 0; at < text.size();) {
      const uint32_t c = next_code_point(text, at);
      cjk |= is_cjk(c);
      relation |= is_relation(c);
      large |= is_large_operator(c) || c == 0x221A;
    }
  }
  const std::string &first = words[size_t(line.words.front())].text,
                    &last = words[size_t(line.words.back())].text;
  const size_t count = line.words.size();
  const auto letters = std::count_if(first.begin(), first.end(),
                                     [](char c) { return std::isalpha(uint8_t(c)) != 0; });
  const bool named =
      count > 1 && ordinary == 1 && is_word(first) && is_equals(words[size_t(line.words[1])].text);
  const bool one_side = ordinary == 1 && count < 5 && (is_equals(last) || is_equals(first));
  const bool opens = letters >= 3 && !is_function_name(first) && ordinary > 0;
  const bool sign_alone = line.chars == 1 && is_seen_sign(first);
  signs.number = count == 1 && is_equation_number(first);
  const bool sentence = plain > 2 && plain * 3 > count;  // "So M is C = 57."
  // "(d) transitive? (if n = 2)", "Q27. Let A = {1}. Compute:"
  const bool lettered = first.size() > 2 && first[0] == '(' && std::isalpha(uint8_t(first[1])) &&
                        first[2] == ')' && count > 1;
  const bool labelled = lettered || (ordinary > 0 && last.ends_with(':') && is_word(last));
  std::vector<const Word*> all;
  for (const int i : line.words) all.push_back(&words[size_t(i)]);
  const bool amounts =
      is_account(all) || (count == 1 && std::count_if(first.begin(), first.end(), [](char c) {
                                          return std::isdigit(uint8_t(c)) != 0;
                                        }) >= kLongNumber);
  signs.prose = (cjk && !sign_alone) || amounts || ordinary > 2 || sentence || labelled ||
                opens_text(first) || (!named && !one_side && (ordinary * 3 > count || opens));
  signs.fragment = !signs.prose;
  signs.seed =
      signs.fragment && !signs.number && !named && (relation || large) && line.chars >= kLeast;
  return signs;
}

LineSigns signs_of(const TextLine& line, std::span<const Word> words) {
  LineSigns signs;
  const bool item = line.words.size() > 1 && words[size_t(line.words.front())].text == "•";
  if (line.words.empty() || line.quarter_turns != 0 || line.mono || item) {
    signs.prose = !line.words.empty();
    return signs;
  }
  if (line.rough_size) return signs_of_seen(line, words);
  size_t ordinary = 0, connecting = 0, math = 0;
  bool relation = false, large = false;
  for (const int i : line.words) {
    const Word& word = words[size_t(i)];
    const bool font = is_math_font(word.font);
    // Two Chinese letters and more are a word.
    ordinary += !font && (longest_run(word.text) >= 3 || count_cjk(word.text) > 1);
    connecting += is_connecting_word(word.text);
    bool letter = font;
    for (size_t at = 0; at < word.text.size();) {
      const uint32_t c = next_code_point(word.text, at);
      relation |= is_relation(c);
      large |= is_large_operator(c) || c == 0x221A || (font && word.font.starts_with("CMEX"));
      letter |= is_math_letter(c);
    }
    math += letter;
  }
  const size_t count = line.words.size();
  signs.number = count == 1 && is_equation_number(words[size_t(line.words.front())].text);
  // "Theorem 3. If a = b, then ... is an integer": a formula begins with none.
  const Word& first = words[size_t(line.words.front())];
  const bool opens = !is_math_font(first.font) && longest_run(first.text) >= 4;
  signs.prose = ordinary > 2 || ordinary * 3 > count || (opens && ordinary > 1);
  signs.fragment = !signs.prose && (math > 0 || line.chars <= 6 || ordinary == 0);
  signs.seed = signs.fragment && !signs.number && math > 0 && connecting * 4 <= count &&
               (large || (relation && (ordinary == 0 || math * 2 >= count)) ||
                (count >= 3 && math * 2 >= count && ordinary == 0));
  return signs;
}

int gap_between(int a0, int a1, int b0, int b1) {
  return std::max(a0, b0) - std::min(a1, b1);
}
int across(const Box& a, const Box& b) {
  return gap_between(a.x0, a.x1, b.x0, b.x1);
}
int down(const Box& a, const Box& b) {
  return gap_between(a.y0, a.y1, b.y0, b.y1);
}

class FormulaFinder {
 public:
  FormulaFinder(const std::vector<TextLine>& lines, std::span<const Word> words, double em)
      : lines_(lines), em_(em), parent_(lines.size()) {
    std::iota(parent_.begin(), parent_.end(), 0);
    for (const TextLine& line : lines) signs_.push_back(signs_of(line, words));
  }

  std::vector<FormulaLines> find() {
    for (int i = 0; i < int(lines_.size()); ++i)
      for (int j = i + 1; j < int(lines_.size()); ++j)
        if (touch(i, j)) parent_[size_t(root(j))] = root(i);
    std::vector<FormulaLines> formulas;
    std::vector<int> home(lines_.size(), -1);
    for (int i = 0; i < int(lines_.size()); ++i) {
      if (!signs_[size_t(i)].seed || home[size_t(root(i))] >= 0) continue;
      home[size_t(root(i))] = int(formulas.size());
      formulas.emplace_back();
    }
    for (int i = 0; i < int(lines_.size()); ++i) {
      const int at = home[size_t(root(i))];
      if (at >= 0) add(formulas[size_t(at)], i);
    }
    join_rows(formulas);
    std::erase_if(formulas, [&](const FormulaLines& formula) {
      size_t chars = 0;
      for (const int i : formula.lines) chars += lines_[size_t(i)].chars;
      return chars < 3 || within_prose(formula) || (chars < 6 && is_limit(formula));
    });
    for (FormulaLines& formula : formulas) add_number(formula);
    for (FormulaLines& formula : formulas) formula.alone = is_alone(formula);
    return formulas;
  }

 private:
  int root(int i) {
    while (parent_[size_t(i)] != i) i = parent_[size_t(i)] = parent_[size_t(parent_[size_t(i)])];
    return i;
  }

  void add(FormulaLines& formula, int i) {
    formula.lines.push_back(i);
    formula.box = unite(formula.box, lines_[size_t(i)].box);
  }

  /// Two parts of one formula: beside each other at one height, or close above each other.
  bool touch(int i, int j) const {
    const LineSigns &a = signs_[size_t(i)], &b = signs_[size_t(j)];
    if (!a.fragment || !b.fragment || a.number || b.number) return false;
    const Box &p = lines_[size_t(i)].box, &q = lines_[size_t(j)].box;
    const int beside = across(p, q), above = down(p, q);
    if (lines_[size_t(i)].rough_size && lines_[size_t(j)].rough_size)
      return (above < 0.3 * em_ && beside < 2.5 * em_) || (above < 0.8 * em_ && beside < 1.5 * em_);
    const bool small = std::min(lines_[size_t(i)].size_px, lines_[size_t(j)].size_px) < 0.85 * em_;
    return (above < 0.05 * em_ && beside < 2.5 * em_) ||
           (above < (small ? 0.6 : 0.35) * em_ && beside < 0);
  }

  /// Formulas of one row, and rows that go on with a sign between two sides.
  void join_rows(std::vector<FormulaLines>& formulas) const {
    for (bool again = true; again;) {
      again = false;
      for (size_t i = 0; i < formulas.size() && !again; ++i)
        for (size_t j = 0; j < formulas.size() && !again; ++j) {
          const Box &a = formulas[i].box, &b = formulas[j].box;
          // Columns of a scan may stand near each other.
          const bool seen = lines_[size_t(formulas[i].lines.front())].rough_size;
          const double reach = (seen ? 3 : 6) * em_;
          if (i == j || down(a, b) * -2 < std::min(a.height(), b.height()) ||
              across(a, b) > reach || across(a, b) < 0)
            continue;
          const Box between = unite(a, b);
          const bool parted = std::any_of(lines_.begin(), lines_.end(), [&](const TextLine& line) {
            return signs_[size_t(&line - lines_.data())].prose && down(line.box, between) < 0 &&
                   across(line.box, between) < 0;
          });
          if (parted) continue;
          formulas[i].box = between;
          formulas[i].lines.insert(formulas[i].lines.end(), formulas[j].lines.begin(),
                                   formulas[j].lines.end());
          formulas.erase(formulas.begin() + std::ptrdiff_t(j));
          again = true;
        }
    }
  }

  /// Whether it is within a paragraph: words of a language stand in its rows, near it, or it is the
  /// paragraph's last line.
  bool within_prose(const FormulaLines& formula) const {
    for (size_t i = 0; i < lines_.size(); ++i) {
      const Box& line = lines_[i].box;
      if (signs_[i].prose && -down(line, formula.box) > 0.45 * line.height() &&
          across(line, formula.box) < 2 * em_)
        return true;
      // The last line of a paragraph.
      if (signs_[i].prose && line.y1 < (formula.box.y0 + formula.box.y1) / 2 &&
          formula.box.y0 - line.y1 < 0.45 * em_ && std::abs(line.x0 - formula.box.x0) < 2 * em_)
        return true;
    }
    return false;
  }

  /// Whether it is what stands below or above a sign in a line of OCR: "n→∞".
  bool is_limit(const FormulaLines& formula) const {
    for (size_t i = 0; i < lines_.size(); ++i)
      if (signs_[i].prose && lines_[i].rough_size && down(lines_[i].box, formula.box) < 0.5 * em_ &&
          across(lines_[i].box, formula.box) < 0)
        return true;
    return false;
  }

  void add_number(FormulaLines& formula) {
    int nearest = -1;
    for (int i = 0; i < int(lines_.size()); ++i) {
      const TextLine& line = lines_[size_t(i)];
      const bool right = line.box.x0 > formula.box.x1 && line.middle() > formula.box.y0 &&
                         line.middle() < formula.box.y1;
      if (!signs_[size_t(i)].number || !right) continue;
      if (nearest < 0 || line.box.x0 < lines_[size_t(nearest)].box.x0) nearest = i;
    }
    if (nearest < 0) return;
    const Box span = unite(formula.box, lines_[size_t(nearest)].box);
    for (size_t i = 0; i < lines_.size(); ++i)  // the number of another column
      if (signs_[i].prose && -down(lines_[i].box, span) > 0.45 * lines_[i].box.height() &&
          across(lines_[i].box, span) < 0)
        return;
    signs_[size_t(nearest)].number = false;
    add(formula, nearest);
  }

  bool is_alone(const FormulaLines& formula) const {
    constexpr size_t kShort = 42;
    for (int i = 0; i < int(lines_.size()); ++i) {
      const TextLine& line = lines_[size_t(i)];
      if (std::find(formula.lines.begin(), formula.lines.end(), i) != formula.lines.end()) continue;
      if (line.rough_size && signs_[size_t(i)].number) continue;  // of another row
      if (line.chars <= kShort && line.quarter_turns == 0 &&
          -down(line.box, formula.box) > 0.5 * line.box.height())
        return false;
    }
    return true;
  }

  const std::vector<TextLine>& lines_;
  const double em_;
  std::vector<int> parent_;
  std::vector<LineSigns> signs_;
};

}  // namespace

std::vector<FormulaLines> find_formulas(const std::vector<TextLine>& lines,
                                        std::span<const Word> words, double body_px) {
  constexpr size_t kMostLines = 2000;  // pairs are looked at
  if (words.empty() || lines.size() > kMostLines) return {};
  return FormulaFinder(lines, words, body_px).find();
}

}  // namespace docspec
