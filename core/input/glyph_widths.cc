#include "core/input/glyph_widths.h"

#include <algorithm>
#include <cmath>
#include <string_view>

#include "core/base/median.h"

namespace docspec {
namespace {

bool latin(uint32_t c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

constexpr size_t kLeast = 4;  // letters that tell their usual width

/// The ligatures of which a map may keep the last letter.
constexpr std::string_view kLigatures[] = {"fi", "ffi", "fl", "ffl", "ff", "Th"};

}  // namespace

void GlyphWidths::learn(const GlyphWord& word) {
  constexpr size_t kEnough = 25;
  auto& widths = seen_[word.font];
  for (size_t i = 0; i < word.letters.size(); ++i)
    if (latin(word.letters[i]) && widths[word.letters[i]].size() < kEnough)
      widths[word.letters[i]].push_back(word.widths[i]);
}

double GlyphWidths::usual(const std::string& font, uint32_t letter, size_t least) const {
  const auto widths = seen_.find(font);
  if (widths == seen_.end() || widths->second[letter].size() < least) return 0;
  return median(widths->second[letter]);
}

/// Whether the word's letters are set apart, so that none of them tells a width.
bool GlyphWidths::stretched(const GlyphWord& word) const {
  size_t wide = 0, known = 0;
  for (size_t i = 0; i < word.letters.size(); ++i) {
    const double width = latin(word.letters[i]) ? usual(word.font, word.letters[i], kLeast) : 0;
    known += width > 0;
    wide += width > 0 && word.widths[i] > 1.15 * width;
  }
  return wide * 2 > known;
}

std::vector<uint32_t> GlyphWidths::repaired(const GlyphWord& word) const {
  std::vector<uint32_t> out;
  for (size_t i = 0; i < word.letters.size(); ++i) {
    const uint32_t c = word.letters[i];
    const double width = word.widths[i];
    std::string_view best;
    if (c < 128 && std::string_view("filh").find(char(c)) != std::string_view::npos) {
      const double own = usual(word.font, c, kLeast);
      double least = 0.12;  // of the expected width
      for (const std::string_view ligature : kLigatures) {
        if (uint32_t(ligature.back()) != c || own == 0 || width < 1.45 * own) continue;
        double expected = 0;
        for (const char letter : ligature) {
          const double part = usual(word.font, uint32_t(letter), 1);
          expected = part == 0 ? 1e9 : expected + part;
        }
        const double off = std::abs(width - expected) / expected;
        if (off < least) best = ligature, least = off;
      }
    }
    if (best.empty() || stretched(word))
      out.push_back(c);
    else
      out.insert(out.end(), best.begin(), best.end());
  }
  return out;
}

}  // namespace docspec
