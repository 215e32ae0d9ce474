#include "drafts/latex/formula_signs.h"

#include <algorithm>
#include <cmath>
#include <string>
#include <string_view>
#include <utility>

#include "core/input/letters/plain_letters.h"
#include "core/input/letters/tex_fonts.h"
#include "core/text/unicode.h"
#include "drafts/latex/math_letters.h"
#include "drafts/latex/other_scripts.h"

namespace docspec {
namespace {

using Item = FormulaItem;
using Items = FormulaItems;

/// The bracket that a piece is of; 0 = none.
uint32_t bracket_of(uint32_t piece) {
  static constexpr std::pair<std::u32string_view, uint32_t> kPieces[] = {
      {U"⎛⎜⎝", '('},  {U"⎞⎟⎠", ')'}, {U"⎡⎢⎣", '['},   {U"⎤⎥⎦", ']'},
      {U"⎧⎨⎩⎪", '{'}, {U"⎫⎬⎭", '}'}, {U"⎷⏐⎾", 0x221A}};
  for (const auto& [pieces, bracket] : kPieces)
    if (pieces.find(char32_t(piece)) != pieces.npos) return bracket;
  return 0;
}

bool meet(const Item& a, const Item& b) {
  return std::min(a.x1, b.x1) > std::max(a.x0, b.x0);
}

/// Of pieces with one edge, in ascending order, those of the first one's bracket: another one
/// stands below where a foot is over a head.
std::vector<size_t> stacked_with(const Items& items, std::vector<size_t> pieces) {
  constexpr std::u32string_view kHeads = U"⎛⎞⎡⎤⎧⎫", kFeet = U"⎝⎠⎣⎦⎩⎭";
  const size_t first = pieces.front();
  std::stable_sort(pieces.begin(), pieces.end(),
                   [&](size_t a, size_t b) { return items[a].base < items[b].base; });
  std::vector<size_t> own;
  for (const size_t piece : pieces) {
    const auto is_of = [&](std::u32string_view kind, size_t k) {
      return kind.find(char32_t(items[k].sign)) != kind.npos;
    };
    if (!own.empty() && is_of(kHeads, piece) && is_of(kFeet, own.back())) {
      if (std::find(own.begin(), own.end(), first) != own.end()) break;
      own.clear();
    }
    own.push_back(piece);
  }
  std::sort(own.begin(), own.end());
  return own;
}

/// Pieces of one bracket stand on each other. A "[" without its middle is ⎡⎣, of a floor ⎢⎣.
void join_pieces(Items& items) {
  const auto is_piece = [](const Item& item) {
    return bracket_of(item.sign) != 0 ||
           (is_fence(item.sign) && !item.tall && item.top > item.base - 0.1 * item.size);
  };
  for (size_t i = 0; i < items.size(); ++i) {
    if (!is_piece(items[i])) continue;
    std::vector<size_t> own{i};
    for (size_t k = i + 1; k < items.size(); ++k) {
      const Item& next = items[k];
      const bool same =
          is_fence(next.sign) ? next.sign == items[i].sign : bracket_of(next.sign) != 0;
      if (is_piece(next) && same && meet(next, items[i]) &&
          std::abs(next.x0 - items[i].x0) <= 0.25 * items[i].size)
        own.push_back(k);
    }
    own = stacked_with(items, std::move(own));
    Items parts;
    for (const size_t k : own) parts.push_back(items[k]);
    for (size_t k = own.size() - 1; k > 0; --k) items.erase(items.begin() + std::ptrdiff_t(own[k]));
    uint32_t sign = items[i].sign;
    for (const Item& part : parts)  // the middle of a brace is of both kinds
      if (bracket_of(part.sign) != 0 && part.sign != U'⎪') sign = part.sign;
    Item joined = joined_item("", parts, items[i]);
    joined.sign = bracket_of(sign) ? bracket_of(sign) : sign;
    joined.tall = joined.sign != 0x221A;
    items[i] = std::move(joined);
  }
}

/// The four pieces of a brace on its side. Bars join them, or glyphs between them.
void join_braces(Items& items) {
  constexpr uint32_t kFirst = 0xE010, kLast = 0xE013, kUnder = 0xE012, kBetween = 0xE014;
  const auto is_piece = [](const Item& item) { return item.sign >= kFirst && item.sign <= kLast; };
  for (size_t i = 0; i < items.size(); ++i) {
    if (!is_piece(items[i])) continue;
    size_t end = i;
    for (int pieces = 0; end < items.size(); ++end)
      if (items[end].sign != kBetween && (!is_piece(items[end]) || ++pieces > 4)) break;
    Item whole = whole_item("", slice(items, i, end), items[i]);
    whole.sign = items[i].sign == kUnder ? kUnderBrace : kOverBrace;
    replace(items, i, end, std::move(whole));
  }
}

struct Joint {
  uint32_t first, second;
  const char* latex;
};

constexpr Joint kJoints[] = {{kMapsBar, 0x2192, "\\mapsto"},
                             {kLeftHook, 0x2192, "\\hookrightarrow"},
                             {0x2190, kRightHook, "\\hookleftarrow"},
                             {0x2212, 0x2192, "\\longrightarrow"},
                             {0x2190, 0x2212, "\\longleftarrow"},
                             {'=', 0x21D2, "\\Longrightarrow"},
                             {0x21D0, '=', "\\Longleftarrow"},
                             {0x21D0, 0x21D2, "\\Longleftrightarrow"},
                             {0x2190, 0x2192, "\\longleftrightarrow"},
                             {'|', '=', "\\models"},
                             {0x222B, 0x222B, "\\iint"}};

/// Whether one sign stands above another, as wide as it is.
bool stacked(const Item& above, const Item& below) {
  const double size = below.size, apart = (below.base - above.base) / size;
  return apart > 0.1 && apart < 0.6 && std::abs(above.x0 - below.x0) < 0.05 * size &&
         std::abs(above.x1 - below.x1) < 0.05 * size;
}

/// The strokes that lengthen an arrow overlap: several are as good as one.
void join_strokes(Items& items) {
  constexpr double kOverlap = 0.08;  // font sizes
  for (size_t i = 0; i + 1 < items.size();) {
    const Item &a = items[i], &b = items[i + 1];
    const bool joins = a.sign == 0x2212 && b.sign == 0x2212 &&
                       std::abs(a.base - b.base) < 0.1 * a.size && b.x0 > a.x0 &&
                       a.x1 - b.x0 > kOverlap * a.size;
    if (!joins) {
      ++i;
      continue;
    }
    Item joined = joined_item("", {a, b}, a);
    joined.sign = a.sign;
    replace(items, i, i + 2, std::move(joined));
  }
}

/// Signs that overlap: the parts of long arrows, a stroke and what it negates.
void join_overlapping(Items& items) {
  for (size_t i = 0; i + 1 < items.size();) {
    Item &a = items[i], &b = items[i + 1];
    const double overlap = a.x1 - b.x0;
    const bool level = std::abs(a.base - b.base) < 0.1 * a.size;
    if (a.sign == 0x338 && level) {
      const uint32_t sign = struck(b.sign);
      const std::string name = latex_of(b.sign, b.roman, b.bold);
      if (sign == 0 && name.empty()) throw UnreadableFormula{};
      b.latex = sign ? "" : "\\not" + name;
      b.whole = sign == 0;
      if (sign) b.sign = sign;
      items.erase(items.begin() + std::ptrdiff_t(i));
      continue;
    }
    if (a.sign == 0x223C && b.sign == '=' && stacked(a, b)) {
      replace(items, i, i + 2, joined_item("\\cong", {a, b}, b));
      continue;
    }
    const auto joint = std::find_if(std::begin(kJoints), std::end(kJoints), [&](const Joint& j) {
      return j.first == a.sign && j.second == b.sign;
    });
    const bool closer = joint != std::end(kJoints) && a.sign != kMapsBar && overlap < 0.08 * a.size;
    if (joint == std::end(kJoints) || !level || closer || a.tall) {
      ++i;
      continue;
    }
    replace(items, i, i + 2, joined_item(joint->latex, {a, b}, a));
  }
}

/// Three dots in a row, below each other or aslant.
void join_dots(Items& items) {
  for (size_t i = 0; i + 2 < items.size(); ++i) {
    const Item &a = items[i], &b = items[i + 1], &c = items[i + 2];
    const bool low = a.sign == '.', centred = a.sign == 0xB7 || a.sign == 0x22C5;
    if (!(low || centred) || b.sign != a.sign || c.sign != a.sign) continue;
    const double size = a.size, dx = (c.x0 - a.x0) / 2, dy = (c.base - a.base) / 2;
    if (std::abs(b.x0 - a.x0 - dx) > 0.1 * size || std::abs(b.base - a.base - dy) > 0.1 * size ||
        dx > 0.8 * size || std::abs(dy) > 0.8 * size)
      continue;
    const bool level = std::abs(dy) < 0.05 * size, upright = std::abs(dx) < 0.05 * size;
    const char* latex = upright ? "\\vdots" : "\\ddots";
    if (level) latex = low ? "\\ldots" : "\\cdots";
    Item dots = joined_item(latex, {a, b, c}, level ? a : b);
    if (!level) dots.base = b.base + 0.25 * size;
    replace(items, i, i + 3, std::move(dots));
  }
}

bool is_word_letter(const Item& item) {
  return item.roman && (is_latin_letter(item.sign) || item.sign == 0x2019);
}

std::string spelled(const Items& letters) {
  std::vector<uint32_t> signs;
  for (const Item& letter : letters) signs.push_back(letter.sign == 0x2019 ? '\'' : letter.sign);
  std::string text;
  for (const uint32_t c : plain_letters(signs)) append_utf8(text, c);
  return text;
}

/// A run of words, with the blanks between them.
struct Words {
  std::vector<std::string> words;
  Items items;
};

/// "\sin", "\mathrm{id}", "\text{ for all }".
std::string latex_of_words(const Words& run, bool bold) {
  std::string joined;
  for (const std::string& word : run.words) joined += word;
  if (is_function_name(joined)) return joined == "mod" ? "\\bmod" : "\\" + joined;
  if (const auto names = function_names(joined); !names.empty() && run.words.size() == 1) {
    std::string latex;
    for (const std::string_view name : names) latex += "\\" + std::string(name);
    return latex;
  }
  if (joined == "argmax" || joined == "argmin")
    return run.words.size() == 2 ? "\\arg\\" + run.words[1] : "\\operatorname{" + joined + "}";
  if (run.words.size() == 1 && !is_connecting_word(joined))
    return (bold ? "\\mathbf{" : "\\mathrm{") + joined + "}";
  std::string text = "\\text{ ";
  for (const std::string& word : run.words) text += word + " ";
  return text + "}";
}

/// Upright letters make words; words with blanks between them are a text within the formula, unless
/// one of them is the name of a function.
void join_words(Items& items) {
  constexpr double kWithin = 0.13, kBetween = 0.75;  // font sizes
  const auto follows = [&](const Item& a, const Item& b, double gap) {
    return is_word_letter(b) && std::abs(a.base - b.base) < 0.05 * a.size &&
           std::abs(a.size - b.size) < 0.05 * a.size && a.bold == b.bold &&
           b.x0 - a.x1 < gap * a.size && b.x0 - a.x1 > -0.2 * a.size;
  };
  for (size_t i = 0; i < items.size(); ++i) {
    if (!is_word_letter(items[i])) continue;
    const auto word_at = [&](size_t from) {
      Items word{items[from]};
      for (size_t k = from + 1; k < items.size() && follows(items[k - 1], items[k], kWithin); ++k)
        word.push_back(items[k]);
      return word;
    };
    Words run;
    size_t end = i;
    for (;;) {
      const Items word = word_at(end);
      const std::string text = spelled(word);
      const bool limit = run.words.size() == 1 && (run.words[0] == "lim" || run.words[0] == "arg");
      if (!run.words.empty() && (is_function_name(run.words.back()) || is_function_name(text)) &&
          !limit)
        break;
      run.words.push_back(text);
      run.items.insert(run.items.end(), word.begin(), word.end());
      end += word.size();
      const bool more = end < items.size() && follows(items[end - 1], items[end], kBetween);
      if (!more || limit) break;
      const bool single =
          text.size() == 1 && is_word_letter(items[end]) && word_at(end).size() == 1;
      if (single) break;
    }
    replace(items, i, end, joined_item(latex_of_words(run, items[i].bold), run.items, items[i]));
  }
}

}  // namespace

void join_signs(FormulaItems& items) {
  join_pieces(items);
  join_braces(items);
  join_strokes(items);
  join_overlapping(items);
  join_dots(items);
  join_words(items);
  join_other_scripts(items);
  for (Item& item : items) {
    if (!item.latex.empty() || item.sign == 0x221A || is_accent(item.sign) || is_brace(item.sign))
      continue;
    item.latex = latex_of(item.sign, item.roman, item.bold);
    if (item.latex.empty()) throw UnreadableFormula{};
  }
  join_rows_from_right(items);
}

}  // namespace docspec
