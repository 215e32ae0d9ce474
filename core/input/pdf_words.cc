#include "core/input/pdf_words.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <map>
#include <numeric>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <utility>

#include "core/base/median.h"
#include "core/input/letters/plain_letters.h"
#include "core/input/letters/tex_fonts.h"
#include "core/text/unicode.h"

namespace docspec {
namespace {

void drop(std::vector<Word>& words, const std::vector<bool>& gone) {
  size_t kept = 0;
  for (size_t i = 0; i < words.size(); ++i) {
    if (gone[i]) continue;
    if (kept != i) words[kept] = std::move(words[i]);
    ++kept;
  }
  words.resize(kept);
}

/// The usual width, in font sizes, of a word that is all of small Latin letters but for the first,
/// or of Chinese or Japanese ones; 0 for other words and short ones.
double usual_width(const std::string& text) {
  constexpr double kSmall = 0.5, kCapital = 0.65, kCjk = 1;
  constexpr size_t kLeastLetters = 3;
  size_t letters = 0, cjk = 0;
  double width = 0;
  for (size_t at = 0; at < text.size(); ++letters) {
    const uint32_t c = next_code_point(text, at);
    const bool small = c >= 'a' && c <= 'z', capital = letters == 0 && c >= 'A' && c <= 'Z';
    if (!is_cjk(c) && !small && !capital) return 0;
    cjk += is_cjk(c);
    width += is_cjk(c) ? kCjk : small ? kSmall : kCapital;
  }
  return letters < kLeastLetters || (cjk != 0 && cjk != letters) ? 0 : width;
}

/// Poppler guesses the size of a font without a name (Type 3, as browsers write them), and its
/// boxes with it. The usual width of letters tells the true size, if the guess is far above it.
void mend_nameless_sizes(std::vector<Word>& words, double scale) {
  constexpr size_t kLeastWords = 10;
  constexpr double kFarOff = 1.5;
  const auto nameless = [](const Word& word) {
    return is_nameless(word.font) && word.font_size_pt > 0 && word.quarter_turns == 0;
  };
  std::vector<double> ratios;
  for (const Word& word : words) {
    const double width = usual_width(word.text);
    if (!nameless(word) || width == 0 || word.box.width() < 2) continue;
    const double em = (word.box.width() - 1) / width;
    ratios.push_back(word.font_size_pt * scale / em);
  }
  if (ratios.size() < kLeastWords) return;
  const double off = median(std::move(ratios));
  if (off < kFarOff) return;
  for (Word& word : words)
    if (nameless(word)) word.font_size_pt /= off;
}

/// Fonts may claim a height of two lines and more, above and below their letters: their boxes reach
/// into the lines next to them. Such a box is cut to an em about the line that its letters stand
/// on.
void cut_to_em(std::vector<Word>& words, double scale) {
  constexpr double kTall = 1.8, kAbove = 0.73, kAscent = 0.82;  // shares of the box, of the em
  constexpr size_t kLeastLetters = 20;
  struct FontHeights {
    size_t letters = 0;
    std::vector<double> ratios;
  };
  std::map<std::string, FontHeights> fonts;
  const auto ratio = [&](const Word& word) {
    return word.box.height() / (word.font_size_pt * scale);
  };
  for (const Word& word : words) {
    if (word.font_size_pt <= 0 || word.quarter_turns != 0) continue;
    FontHeights& font = fonts[word.font];
    font.letters += count_code_points(word.text);
    font.ratios.push_back(ratio(word));
  }
  std::set<std::string> tall;
  for (auto& [name, font] : fonts)
    if (font.letters >= kLeastLetters && median(std::move(font.ratios)) > kTall) tall.insert(name);
  for (Word& word : words) {
    if (word.font_size_pt <= 0 || word.quarter_turns != 0 || ratio(word) <= kTall ||
        !tall.contains(word.font))
      continue;
    const double em = word.font_size_pt * scale;
    word.box.y0 += int(kAbove * word.box.height() - kAscent * em);
    word.box.y1 = word.box.y0 + int(std::ceil(em));
  }
}

/// A page's letters in bitmap fonts (Type 3) amid text of others, as old papers have in formulas:
/// boxes of two lines get the height of the nearest word of their line.
void cut_to_neighbours(std::vector<Word>& words) {
  constexpr double kTall = 1.4, kNear = 1.5;  // heights of the text
  const auto known = [](const Word& word) {
    return !is_nameless(word.font) && word.quarter_turns == 0 && !word.box.empty();
  };
  std::vector<int> heights;
  for (const Word& word : words)
    if (known(word)) heights.push_back(word.box.height());
  if (heights.size() * 2 < words.size() || heights.empty()) return;
  const double usual = median(std::move(heights));
  for (Word& word : words) {
    if (!is_nameless(word.font) || word.quarter_turns != 0 || word.box.height() < kTall * usual)
      continue;
    const auto off = [&](const Word& other) {
      return std::abs(other.box.y0 + other.box.y1 - word.box.y0 - word.box.y1);
    };
    const Word* nearest = nullptr;
    for (const Word& other : words) {
      const int gap = std::max(other.box.x0 - word.box.x1, word.box.x0 - other.box.x1);
      if (known(other) && gap < kNear * usual && other.box.height() < kTall * usual &&
          off(other) < usual && (!nearest || off(other) < off(*nearest)))
        nearest = &other;
    }
    if (nearest) word.box.y0 = nearest->box.y0, word.box.y1 = nearest->box.y1;
  }
}

/// TeX's radical sign hangs from the line that it is set on; its box, as Poppler makes it, is that
/// of letters that stand on it, and lies in the line of text above.
void lower_radicals(std::vector<Word>& words, double scale) {
  constexpr double kBaseline = 0.78;  // of a box's height
  for (Word& word : words) {
    if (word.text != "√" || word.quarter_turns != 0 || word.font_size_pt <= 0 ||
        tex_encoding(word.font) != TexEncoding::symbols)
      continue;
    const auto glyph = tex_glyph(word.font, 0x70);
    const double em = word.font_size_pt * scale;
    const Box box = word.box;
    word.box.y0 += int(kBaseline * word.box.height() - glyph->above * em);
    word.box.y1 = word.box.y0 + int(std::ceil((glyph->above + glyph->below) * em));
    for (Word& over : words)  // Poppler took the sign for what follows such a word
      if (over.box.x0 < word.box.x0 && over.box.x1 > word.box.x0 && over.box.y1 > box.y0 &&
          over.box.y1 < word.box.y0 + em / 4)
        over.space_after = true;
  }
}

/// Whether a word stands on the line of `first` over the end of what is printed in `all`.
bool is_printed_over(const Word& word, const Word& first, const Box& all) {
  constexpr double kOver = 0.2;  // heights
  return word.font == first.font && word.font_size_pt == first.font_size_pt &&
         word.quarter_turns == 0 && word.box.y0 == first.box.y0 && word.box.y1 == first.box.y1 &&
         word.box.x0 >= all.x0 && word.box.x0 < all.x1 - kOver * first.box.height();
}

/// The text of words that hold two prints of it; empty where most letters have no second print.
std::string single_print(std::span<const Word> words) {
  constexpr double kSame = 0.06;  // heights
  std::vector<std::pair<int, uint32_t>> letters;
  for (const Word& word : words) {
    if (word.places.size() != count_code_points(word.text)) return "";
    for (size_t at = 0, k = 0; at < word.text.size(); ++k)
      letters.emplace_back(word.places[k], next_code_point(word.text, at));
  }
  std::stable_sort(letters.begin(), letters.end(),
                   [](const auto& a, const auto& b) { return a.first < b.first; });
  const double near = std::max(1.0, kSame * words.front().box.height());
  std::string text;
  size_t second = 0;
  std::vector<std::pair<int, uint32_t>> kept;
  for (const auto& [x, letter] : letters) {
    const bool again = std::any_of(
        kept.end() - std::ptrdiff_t(std::min<size_t>(kept.size(), 2)), kept.end(),
        [&](const auto& other) { return other.second == letter && x - other.first <= near; });
    second += again;
    if (again) continue;
    kept.emplace_back(x, letter);
    append_utf8(text, letter);
  }
  return second * 5 < kept.size() * 4 ? "" : text;
}

}  // namespace

bool is_nameless(std::string_view font) {
  return font.empty() || font == kNameless;
}

Word cut_at_dash(Word& word, const std::vector<uint32_t>& letters,
                 const std::function<std::string(size_t)>& font) {
  constexpr uint32_t kDash = 0x2014;
  Word rest;
  if (word.quarter_turns != 0 || is_nameless(word.font)) return rest;
  for (size_t at = 2; at + 1 < letters.size(); ++at) {
    if ((letters[at] != kDash && letters[at - 1] != kDash) || font(at) == font(at - 1)) continue;
    const auto middle = letters.begin() + std::ptrdiff_t(at);
    rest = word;
    rest.text = clean_utf8({middle, letters.end()});
    rest.font = font(letters[at] == kDash ? at + 1 : at);
    rest.box.x0 = word.places[at];
    rest.places.erase(rest.places.begin(), rest.places.begin() + std::ptrdiff_t(at));
    word.places.resize(at);
    word.text = clean_utf8({letters.begin(), middle});
    word.box.x1 = rest.box.x0;
    word.space_after = false;
    break;
  }
  return rest;
}

void clip_tall_boxes(std::vector<Word>& words, const std::vector<double>& glyphs, double scale,
                     bool tex) {
  if (!tex) {
    mend_nameless_sizes(words, scale);
    cut_to_em(words, scale);
  }
  lower_radicals(words, scale);
  constexpr double kTall = 1.35;
  const auto ratio = [&](const Word& word) {
    return word.box.height() / (word.font_size_pt * scale);
  };
  std::vector<double> ratios;
  for (const Word& word : words)
    if (word.font_size_pt > 0 && word.quarter_turns == 0) ratios.push_back(ratio(word));
  if (ratios.empty()) return;
  cut_to_neighbours(words);
  const double usual = median(std::move(ratios));
  for (size_t i = 0; i < words.size(); ++i) {
    Word& word = words[i];
    if (word.font_size_pt <= 0 || word.quarter_turns != 0 || ratio(word) <= kTall * usual) continue;
    const double height = glyphs[i] > 0 ? glyphs[i] : usual;
    const int clipped = int(std::ceil(height * word.font_size_pt * scale));
    const bool signs = is_tex_math(word.font) && tex_encoding(word.font) != TexEncoding::italic;
    if (tex || signs)
      word.box.y1 = word.box.y0 + clipped;
    else
      word.box.y0 = word.box.y1 - clipped;
  }
}

void join_strokes(std::vector<Word>& words) {
  constexpr size_t kNear = 2;  // words
  std::vector<bool> gone(words.size(), false);
  for (size_t i = 0; i < words.size(); ++i) {
    for (const std::string_view both : {"\u0338=", "=\u0338"})
      if (const size_t at = words[i].text.find(both); at != std::string::npos)
        words[i].text.replace(at, both.size(), "≠");
    if (words[i].text != "\u0338") continue;
    const Word& stroke = words[i];
    for (size_t j = i > kNear ? i - kNear : 0; j < std::min(words.size(), i + kNear + 1); ++j) {
      const int aside = std::abs(words[j].box.x0 - stroke.box.x0);
      if (j == i || aside * 4 > words[j].box.height() || words[j].box.y0 > stroke.box.y1 ||
          words[j].box.y1 < stroke.box.y0)
        continue;
      size_t end = 0;
      const uint32_t sign = struck(next_code_point(words[j].text, end));
      if (sign == 0) continue;
      std::string text;
      append_utf8(text, sign);
      words[j].text.replace(0, end, text);
      words[j].space_after |= stroke.space_after;
      gone[i] = true;
      break;
    }
  }
  drop(words, gone);
}

void join_double_prints(std::vector<Word>& words) {
  std::vector<bool> gone(words.size(), false);
  for (size_t i = 0, end = 0; i < words.size(); i = end) {
    Box all = words[i].box;
    for (end = i + 1; end < words.size() && is_printed_over(words[end], words[i], all); ++end)
      all = unite(all, words[end].box);
    if (end - i < 2) continue;
    const std::string text = single_print(std::span(words).subspan(i, end - i));
    if (text.empty()) continue;
    words[i].text = text;
    words[i].box = all;
    words[i].space_after = words[end - 1].space_after;
    std::fill(gone.begin() + std::ptrdiff_t(i) + 1, gone.begin() + std::ptrdiff_t(end), true);
  }
  for (Word& word : words) word.places.clear();
  drop(words, gone);
}

void drop_overprints(std::vector<Word>& words) {
  constexpr int kAside = 2;  // pixels
  std::vector<size_t> by_height(words.size());
  std::iota(by_height.begin(), by_height.end(), size_t(0));
  std::stable_sort(by_height.begin(), by_height.end(),
                   [&](size_t a, size_t b) { return words[a].box.y0 < words[b].box.y0; });
  std::vector<bool> gone(words.size(), false);
  const auto holds = [](const std::string& whole, const std::string& piece) {
    size_t found = 0;
    for (size_t i = 0; i < whole.size() && found < piece.size(); ++i)
      found += whole[i] == piece[found];
    return found == piece.size();
  };
  const auto covers = [&](const Word& whole, const Word& piece) {
    return piece.box.x0 >= whole.box.x0 - kAside && piece.box.x1 <= whole.box.x1 + kAside &&
           std::abs(piece.box.y1 - whole.box.y1) <= std::max(kAside, whole.box.height() / 6) &&
           piece.font_size_pt == whole.font_size_pt && holds(whole.text, piece.text);
  };
  for (size_t i = 0; i < by_height.size(); ++i)
    for (size_t j = i + 1; j < by_height.size() && !gone[by_height[i]]; ++j) {
      const size_t a = by_height[i], b = by_height[j];
      // Fonts of one line may have boxes of different heights.
      if (words[b].box.y0 - words[a].box.y0 > std::max(kAside, words[a].box.height() / 3)) break;
      if (gone[b]) continue;
      const bool first = covers(words[a], words[b]), second = covers(words[b], words[a]);
      if (!first && !second) continue;
      gone[first ? b : a] = true;
      words[first ? a : b].space_after = true;  // what Poppler said was of the other print
    }
  drop(words, gone);
}

void drop_second_dashes(std::vector<Word>& words) {
  constexpr std::string_view kDash = "\u2014";
  std::vector<bool> gone(words.size(), false);
  for (size_t i = 0; i < words.size(); ++i) {
    Word& word = words[i];
    if (!word.text.starts_with(kDash)) continue;
    const int height = word.box.height();
    const bool again = std::any_of(words.begin(), words.end(), [&](const Word& other) {
      const int over = other.box.x1 - word.box.x0;
      return &other != &word && other.text.ends_with(kDash) && over * 2 > height &&
             over < 3 * height && other.box.x0 < word.box.x0 &&
             std::abs(other.box.y1 - word.box.y1) * 3 < height;
    });
    if (!again) continue;
    word.text.erase(0, kDash.size());
    word.box.x0 += 2 * height;
    gone[i] = word.text.empty() || word.box.x0 >= word.box.x1;
  }
  drop(words, gone);
}

void mark_links(std::vector<Word>& words, const std::vector<PdfLink>& links, double scale) {
  for (Word& word : words)
    for (const PdfLink& link : links) {
      const double x = (word.box.x0 + word.box.x1) / (2 * scale);
      const double y = (word.box.y0 + word.box.y1) / (2 * scale);
      if (x < link.box.x0 || x > link.box.x1 || y < link.box.y0 || y > link.box.y1) continue;
      word.link = link.address;
      break;
    }
}

void drop_soft_hyphens(std::vector<Word>& words) {
  constexpr std::string_view kMark = "\u00AD";
  for (size_t i = 0; i + 1 < words.size(); ++i) {
    const Box &box = words[i].box, &next = words[i + 1].box;
    const bool goes_on =
        next.x0 >= box.x1 - 2 && next.y0 < (box.y0 + box.y1) / 2 && next.y1 > (box.y0 + box.y1) / 2;
    if (goes_on && words[i].text.size() > kMark.size() && words[i].text.ends_with(kMark))
      words[i].text.resize(words[i].text.size() - kMark.size());
  }
}

}  // namespace docspec
