#include "core/input/letters/glyph_widths.h"

#include <algorithm>
#include <cmath>
#include <span>
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

/// The ligatures that a map may have as U+FFFD. Word has a map for those of the second list, so
/// that they count where none of the first has the width.
constexpr std::string_view kUnmapped[] = {"ti", "tt", "ft", "tti"};
constexpr std::string_view kUsuallyMapped[] = {"fi", "fl", "ff", "ffi", "ffl"};

constexpr uint32_t kNoLetter = 0xFFFD;

/// "ABCDEF+Calibri-Light" -> "Calibri".
std::string family(const std::string& font) {
  const std::string name = plain_font_name(font);
  return name.substr(0, name.find_first_of("-,"));
}

/// Whether a font is called as TeX calls its file, in small letters: "cmmi10", "ecbx1000".
bool is_file_of_tex(std::string_view name) {
  static constexpr std::string_view kFamilies[] = {"cm", "ec", "msam", "msbm", "eufm", "eusm"};
  const size_t size = std::min(name.find_first_of("0123456789"), name.size());
  if (size == name.size() || name.find_first_not_of("0123456789", size) != name.npos) return false;
  return std::all_of(name.begin(), name.begin() + size,
                     [](char letter) { return letter >= 'a' && letter <= 'z'; }) &&
         std::any_of(std::begin(kFamilies), std::end(kFamilies),
                     [&](std::string_view family) { return name.starts_with(family); });
}

/// "ft" and "tf" are of one width: "software", "after", but "platform", "outfit", "heartfelt".
std::string_view ft_or_tf(uint32_t before, uint32_t after) {
  return before == 'r' || before == 'u' || (before == 'a' && after == 'o') ? "tf" : "ft";
}

}  // namespace

std::string plain_font_name(std::string name) {
  if (name.size() > 7 && name[6] == '+') name.erase(0, 7);
  if (!is_file_of_tex(name)) return name;
  std::transform(name.begin(), name.end(), name.begin(),
                 [](uint8_t letter) { return char(std::toupper(letter)); });
  return name.starts_with("EC") ? "SF" + name.substr(2) : name;
}

void GlyphWidths::learn(const GlyphWord& word) {
  constexpr size_t kEnough = 25;
  auto& widths = seen_[word.font];
  for (size_t i = 0; i < word.letters.size(); ++i)
    if (latin(word.letters[i]) && widths[word.letters[i]].size() < kEnough)
      widths[word.letters[i]].push_back(word.widths[i]);
}

double GlyphWidths::sum(const std::string& font, std::string_view letters) const {
  double sum = 0;
  for (const char letter : letters) {
    double part = usual(font, uint32_t(letter), 1);
    for (auto other = seen_.begin(); part == 0 && other != seen_.end(); ++other)
      if (family(other->first) == family(font)) part = usual(other->first, uint32_t(letter), 1);
    if (part == 0) return 0;
    sum += part;
  }
  return sum;
}

std::string_view GlyphWidths::unmapped(const GlyphWord& word, size_t at) const {
  constexpr double kUsual = 0.98, kFarthest = 0.05;  // of the letters one by one
  const auto nearest = [&](std::span<const std::string_view> ligatures) {
    std::string_view best;
    double least = kFarthest;
    for (const std::string_view letters : ligatures) {
      const double expected = sum(word.font, letters);
      if (expected == 0) continue;
      const double off = std::abs(word.widths[at] / expected - kUsual);
      if (off < least) best = letters, least = off;
    }
    return best;
  };
  std::string_view best = nearest(kUnmapped);
  if (best.empty()) best = nearest(kUsuallyMapped);
  if (best != "ft") return best;
  return ft_or_tf(at > 0 ? word.letters[at - 1] : 0,
                  at + 1 < word.letters.size() ? word.letters[at + 1] : 0);
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
    if (c == kNoLetter) {
      best = unmapped(word, i);
    } else if (c < 128 && std::string_view("filh").find(char(c)) != std::string_view::npos) {
      const double own = usual(word.font, c, kLeast);
      double least = 0.12;  // of the expected width
      for (const std::string_view ligature : kLigatures) {
        if (uint32_t(ligature.back()) != c || own == 0 || width < 1.45 * own) continue;
        const double expected = sum(word.font, ligature);
        if (expected == 0) continue;
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
