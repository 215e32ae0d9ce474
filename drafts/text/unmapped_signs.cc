#include "drafts/text/unmapped_signs.h"

#include <algorithm>
#include <cctype>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/input/letters/plain_letters.h"
#include "core/page/ink_pieces.h"
#include "core/text/unicode.h"
#include "drafts/latex/math_letters.h"
#include "drafts/lines/text_lines.h"
#include "drafts/text/drawn_marks.h"

namespace docspec {
namespace {

constexpr std::string_view kUnmapped = "\uFFFD", kMinus = "\u2212";
constexpr uint32_t kNoLetter = 0xFFFD;

/// The ink of a word and its place, in pixels of the image.
struct WordInk {
  Box box;
  double em;
  std::vector<InkPieces::Blob> pieces;
};

/// A box of the page with so much more around it, all of the page's pixels, in those of the image.
Box part_of(const PageImage& image, const Box& box, double scale, double beside, double over) {
  const auto px = [&](double v) { return int(v / scale); };
  return intersect({px(box.x0 - beside), px(box.y0 - over), px(box.x1 + beside), px(box.y1 + over)},
                   {0, 0, image.width_px(), image.height_px()});
}

std::optional<WordInk> ink_of(const Word& word, const PageImage& image, double scale) {
  const Box box = part_of(image, word.box, scale, 0, 0);
  if (box.width() < 3 || box.height() < 3 || word.quarter_turns != 0) return {};
  WordInk ink{box, word.font_size_pt * image.dpi() / 72, InkPieces(image, box).all()};
  std::erase_if(ink.pieces, [&](const auto& piece) {  // of the lines above and below
    return piece.box.y1 - box.y0 < 0.2 * box.height() || piece.box.y0 - box.y0 > 0.9 * box.height();
  });
  std::sort(ink.pieces.begin(), ink.pieces.end(),
            [](const auto& a, const auto& b) { return a.box.x0 < b.box.x0; });
  return ink;
}

/// Whether what a word begins with is drawn as a bar at the height of a minus.
bool opens_with_bar(const WordInk& ink) {
  constexpr double kShortest = 0.25, kThickest = 0.15, kSlender = 2.5;  // em, em, heights
  constexpr double kHighest = 0.3, kLowest = 0.8;                       // of the word's height
  if (ink.pieces.empty()) return false;
  const Box& bar = ink.pieces.front().box;
  const double middle = ((bar.y0 + bar.y1) / 2.0 - ink.box.y0) / ink.box.height();
  return bar.width() >= kShortest * ink.em && bar.height() <= std::max(2.0, kThickest * ink.em) &&
         bar.width() >= kSlender * bar.height() && middle > kHighest && middle < kLowest;
}

/// White places in a word that are as wide as a blank, its edges too.
size_t count_blanks(const WordInk& ink) {
  constexpr double kBlank = 0.15;  // em
  size_t blanks = 0;
  int edge = ink.box.x0;
  for (const InkPieces::Blob& piece : ink.pieces) {
    blanks += piece.box.x0 - edge > kBlank * ink.em;
    edge = std::max(edge, piece.box.x1);
  }
  return blanks + (ink.box.x1 - edge > kBlank * ink.em);
}

/// Whether no word stands near a word at its left.
bool opens_row(std::span<const Word> words, const Word& word) {
  const int reach = 6 * word.box.height();
  return std::none_of(words.begin(), words.end(), [&](const Word& other) {
    return row_overlap(other.box, word.box) > 0 && other.box.x0 < word.box.x0 &&
           other.box.x1 > word.box.x0 - reach;
  });
}

/// Whether a word is drawn as a dot. Where a font has no map, its heights may be wrong, too, so the
/// dot may reach over its box.
bool looks_like_bullet(const Word& word, const PageImage& image, double scale) {
  const double em = word.font_size_pt * image.dpi() / 72;
  const auto pieces =
      InkPieces(image, part_of(image, word.box, scale, scale, 0.4 * em * scale)).all();
  return pieces.size() == 1 && is_dot(pieces.front(), em);
}

size_t count_unmapped(const std::string& text) {
  size_t count = 0;
  for (size_t at = 0; (at = text.find(kUnmapped, at)) != text.npos; at += kUnmapped.size()) ++count;
  return count;
}

void erase_unmapped(std::string& text) {
  for (size_t at; (at = text.find(kUnmapped)) != text.npos;) text.erase(at, kUnmapped.size());
}

}  // namespace

void name_unmapped_letters(std::vector<Word>& words, const PageGlyphs& page) {
  for (Word& word : words) {
    if (count_unmapped(word.text) == 0 || word.quarter_turns != 0 || !is_math_font(word.font))
      continue;
    std::vector<const PageGlyph*> own;
    for (const PageGlyph& glyph : page.glyphs)
      if (holds_middle(word.box, {int(glyph.x0), int(glyph.top), int(glyph.x1), int(glyph.bottom)}))
        own.push_back(&glyph);
    if (own.size() != count_code_points(word.text)) continue;
    std::stable_sort(own.begin(), own.end(), [](auto* a, auto* b) { return a->x0 < b->x0; });
    std::vector<uint32_t> letters;
    for (size_t at = 0; at < word.text.size();) {
      const uint32_t c = next_code_point(word.text, at), known = own[letters.size()]->letter;
      letters.push_back(c == kNoLetter && known != 0 && (known & 0xFFFE) != 0xFFFE ? known : c);
    }
    word.text.clear();
    for (const uint32_t letter : plain_letters(letters)) append_utf8(word.text, letter);
  }
}

void read_unmapped_signs(std::vector<Word>& words, const PageImage& image, double scale) {
  constexpr std::ptrdiff_t kMost = 20;  // one word of so many; more are text whose map is wrong
  const auto holed = std::count_if(words.begin(), words.end(), [](const Word& word) {
    return word.text.size() > kUnmapped.size() && count_unmapped(word.text) > 0;
  });
  if (holed * kMost > std::ptrdiff_t(words.size())) return;
  for (Word& word : words) {
    const size_t unmapped = count_unmapped(word.text);
    if (unmapped == 0) continue;
    const bool alone = unmapped * kUnmapped.size() == word.text.size();
    const auto ink = ink_of(word, image, scale);
    const std::string_view rest = std::string_view(word.text).substr(kUnmapped.size());
    const bool number = !rest.empty() && (std::isdigit(uint8_t(rest[0])) || rest[0] == '.');
    const bool opens = unmapped == 1 && word.text.starts_with(kUnmapped);
    if (ink && opens && (alone || number) && opens_with_bar(*ink))
      word.text.replace(0, kUnmapped.size(), kMinus);
    else if (alone && opens_row(words, word) && looks_like_bullet(word, image, scale))
      word.text = "•";
    else if (alone || (ink && count_blanks(*ink) >= unmapped))
      erase_unmapped(word.text);
  }
  std::erase_if(words, [](const Word& word) { return word.text.empty(); });
}

}  // namespace docspec
