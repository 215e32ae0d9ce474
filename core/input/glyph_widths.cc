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

/// The ligatures of which a map may keep the last letter.
constexpr std::string_view kLigatures[] = {"fi", "ffi", "fl", "ffl", "ff", "Th"};

bool alef(uint32_t c) {
  return c == 0x622 || c == 0x623 || c == 0x625 || c == 0x627;
}

}  // namespace

void GlyphWidths::learn(const GlyphWord& word) {
  constexpr size_t kEnough = 25;
  auto& widths = seen_[word.font];
  for (size_t i = 0; i < word.letters.size(); ++i)
    if (latin(word.letters[i]) && widths[word.letters[i]].size() < kEnough)
      widths[word.letters[i]].push_back(word.widths[i]);
}

double GlyphWidths::usual(const std::string& font, uint32_t letter) const {
  constexpr size_t kLeast = 4;
  const auto widths = seen_.find(font);
  if (widths == seen_.end() || widths->second[letter].size() < kLeast) return 0;
  return median(widths->second[letter]);
}

/// Whether the word's letters are set apart, so that none of them tells a width.
bool GlyphWidths::stretched(const GlyphWord& word) const {
  size_t wide = 0, known = 0;
  for (size_t i = 0; i < word.letters.size(); ++i) {
    const double width = latin(word.letters[i]) ? usual(word.font, word.letters[i]) : 0;
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
    // Poppler gives the letters of one glyph the same part of its width.
    const bool lam_alef = c == 0x644 && i + 1 < word.letters.size() && alef(word.letters[i + 1]) &&
                          std::abs(word.widths[i + 1] - width) < 1e-4;
    if (lam_alef) {
      out.insert(out.end(), {word.letters[i + 1], c});
      ++i;
      continue;
    }
    std::string_view best;
    if (c < 128 && std::string_view("filh").find(char(c)) != std::string_view::npos) {
      const double own = usual(word.font, c);
      double least = 0.12;  // of the expected width
      for (const std::string_view ligature : kLigatures) {
        if (uint32_t(ligature.back()) != c || own == 0 || width < 1.45 * own) continue;
        double expected = 0;
        for (const char letter : ligature) {
          const double part = usual(word.font, uint32_t(letter));
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
