#include "drafts/ocr/formulas/flat_formulas.h"

#include <algorithm>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/base/median.h"
#include "core/text/unicode.h"
#include "drafts/latex/account_words.h"
#include "drafts/latex/math_letters.h"
#include "drafts/lines/text_lines.h"

namespace docspec {
namespace {

/// Whether a text holds a word of a language, and not letters of a formula alone.
bool has_word(std::string_view text) {
  constexpr size_t kLeast = 3, kLeastOther = 4;  // letters; of Greek ones and beyond
  std::string run;
  size_t others = 0;
  for (size_t at = 0; at <= text.size();) {
    const uint32_t c = at < text.size() ? next_code_point(text, at) : (++at, 0);
    others = c >= 0x370 && c < 0x2000 ? others + 1 : 0;
    if (is_cjk(c) || others == kLeastOther) return true;
    if (is_latin_letter(c) && c < 0x80) {
      run += char(c);
      continue;
    }
    if (run.size() >= kLeast && !is_function_name(run) && !is_connecting_word(run)) return true;
    run.clear();
  }
  return false;
}

/// A line of OCR without words, as formulas are read, or with a sum in an equation.
struct SignLine {
  Box box;
  bool large = false;                 // a sum, a root
  bool relation = false;              // "="
  bool begins = false, ends = false;  // with "=": a side is missing
};

/// Whether a line of the same row, on the left or on the right of this one, fulfils a condition.
template <class Condition>
bool has_in_row(const Box& box, bool left, const std::vector<TextLine>& lines,
                const Condition& condition) {
  return std::any_of(lines.begin(), lines.end(), [&](const TextLine& other) {
    const bool aside = left ? other.box.x1 <= box.x0 : other.box.x0 >= box.x1;
    return aside && row_overlap(other.box, box) > 0.5 && condition(other);
  });
}

std::vector<SignLine> sign_lines(const std::vector<TextLine>& lines, std::span<const Word> words) {
  constexpr size_t kLeast = 3;  // characters beside a root or sum: √ alone is a tick
  std::vector<SignLine> found;
  for (const TextLine& line : lines) {
    if (line.quarter_turns != 0 || line.words.empty() || line.mono) continue;
    SignLine signs{line.box};
    bool prose = false, sum = false, root = false;
    for (const int i : line.words) {
      const std::string& text = words[size_t(i)].text;
      const bool formula = words[size_t(i)].formula;  // in LaTeX
      prose |= !formula && has_word(text);
      for (const char* sign : {"\\sum", "\\prod", "\\int", "\\big"})
        sum |= formula && text.find(sign) != text.npos;
      for (size_t at = 0; at < text.size();) {
        const uint32_t c = next_code_point(text, at);
        sum |= is_large_operator(c), root |= c == 0x221A, signs.relation |= is_relation(c);
      }
    }
    if (prose && !(sum && signs.relation)) continue;
    signs.large = (sum || root) && line.chars > kLeast;
    const std::string &first = words[size_t(line.words.front())].text,
                      &last = words[size_t(line.words.back())].text;
    signs.begins = !prose && line.chars > 1 && first.starts_with('=') && !first.starts_with("==");
    signs.ends = !prose && line.chars > 1 && last.ends_with('=') && !last.ends_with("==");
    // In rows of tables, such as a receipt's: what looks like "=" at the end is a mark, and "SR ="
    // has a percentage in the next column.
    const auto words_stand = [&](const TextLine& other) {
      return std::any_of(other.words.begin(), other.words.end(),
                         [&](int i) { return has_word(words[size_t(i)].text); });
    };
    const auto is_amount = [&](const TextLine& other) {
      const Word* const word = &words[size_t(other.words.front())];
      return is_account({&word, 1});
    };
    signs.begins = signs.begins && !has_in_row(line.box, true, lines, words_stand);
    signs.ends = signs.ends && !has_in_row(line.box, false, lines, is_amount);
    found.push_back(signs);
  }
  return found;
}

bool share_columns(const Box& a, const Box& b) {
  return a.x0 < b.x1 && b.x0 < a.x1;
}

/// Whether two lines stand above and below the middle of a third and begin or end at its side: the
/// halves of a fraction in an equation.
bool has_fraction(const SignLine& equation, const std::vector<SignLine>& lines, double em) {
  const double middle = (equation.box.y0 + equation.box.y1) / 2.0;
  const auto touches = [&](const Box& box) {
    return box.x0 < equation.box.x1 + em && box.x1 > equation.box.x0 - em;
  };
  for (const SignLine& above : lines)
    for (const SignLine& below : lines) {
      const Box &a = above.box, &b = below.box;
      if (a == equation.box || b == equation.box || !share_columns(a, b)) continue;
      const bool around = (a.y0 + a.y1) / 2.0 < middle && (b.y0 + b.y1) / 2.0 > middle &&
                          a.y1 > middle - em && b.y0 < middle + em && a.y1 < b.y0 + em / 2;
      if (around && touches(a) && touches(b) &&
          std::max(a.width(), b.width()) < equation.box.width() + 10 * em)
        return true;
    }
  return false;
}

/// Whether signs of other rows stand right behind a line: the rows of a matrix.
bool rows_follow(const SignLine& equation, const std::vector<SignLine>& lines, double em) {
  const Box& box = equation.box;
  return std::any_of(lines.begin(), lines.end(), [&](const SignLine& line) {
    return line.box.x0 >= box.x1 && line.box.x0 < box.x1 + 3 * em &&
           line.box.y1 > box.y0 - 3 * em && line.box.y0 < box.y1 + 3 * em &&
           row_overlap(line.box, box) < 0.5;
  });
}

/// Whether a variable stands right before another or a number ("θt", "x2"), as its index does where
/// OCR reads it into the line.
bool may_lack_indices(const std::string& text) {
  std::string run;     // of letters
  bool greek = false;  // right before
  for (size_t at = 0; at <= text.size();) {
    const uint32_t c = at < text.size() ? next_code_point(text, at) : (++at, 0);
    const bool digit = c >= '0' && c <= '9';
    if ((greek || (!run.empty() && !is_function_name(run))) && digit) return true;
    if (is_ascii_letter(c)) {
      if (greek) return true;
      run += char(c);
      continue;
    }
    if (run.size() > 1 && !is_function_name(run) && !is_connecting_word(run)) return true;
    run.clear();
    greek = is_greek(c);
  }
  return false;
}

}  // namespace

std::string doubt_of_flat_formulas(const PageDrafts& page, const FormulaReadings& by_model) {
  constexpr double kTall = 1.7;  // of the usual line
  constexpr std::ptrdiff_t kLeast = 2;
  std::vector<Word> words;
  const auto is_read = [&](const Draft& draft) {
    const auto& all = by_model.regions;
    return draft.region && std::find(all.begin(), all.end(), *draft.region) != all.end();
  };
  for (const Draft& draft : page.drafts) {
    if (is_read(draft)) continue;
    const bool label =
        std::any_of(page.regions.begin(), page.regions.end(), [&](const auto& region) {
          return region.kind == RegionKind::picture && draft.region == region.id;
        });
    if (!label) words.insert(words.end(), draft.words.begin(), draft.words.end());
  }
  const std::vector<TextLine> lines = group_lines(words, page.dpi);
  std::vector<double> heights;
  for (const TextLine& line : lines)
    heights.insert(heights.end(), line.words.size(), line.box.height());
  const double em = heights.empty() ? 1 : median(std::move(heights));
  const std::vector<SignLine> signs = sign_lines(lines, words);
  const auto flat = std::count_if(signs.begin(), signs.end(), [&](const SignLine& line) {
    return line.large || line.begins || (line.ends && rows_follow(line, signs, em)) ||
           (line.relation && (line.box.height() > kTall * em || has_fraction(line, signs, em)));
  });
  if (flat >= kLeast) return kFlatFormulas;
  const bool unsure = std::any_of(page.drafts.begin(), page.drafts.end(), [&](const Draft& draft) {
    return draft.text.starts_with("$$") && !is_read(draft) &&
           (draft.text.find_first_of("_^") != draft.text.npos ||
            std::any_of(draft.words.begin(), draft.words.end(),
                        [](const Word& word) { return may_lack_indices(word.text); }));
  });
  if (unsure)
    return "formulas were put together from what OCR read, which loses signs of them; only a "
           "model can read them";
  return by_model.sure ? "" : kUnsureFormulas;
}

}  // namespace docspec
