#include "core/input/letters/plain_letters.h"

#include <algorithm>
#include <array>
#include <string>
#include <string_view>
#include <utility>

#include "core/text/unicode.h"

namespace docspec {
namespace {

constexpr uint32_t kArrow = 0x21B5;

/// The spelling of a sign that stands for other letters; empty = it stands for itself.
std::string_view spelling(uint32_t c) {
  static constexpr std::array<std::string_view, 7> kLigatures = {"ff",  "fi", "fl", "ffi",
                                                                 "ffl", "st", "st"};
  static constexpr std::string_view kDigits = "0123456789", kSmall = "ABCDEFGHIJKLMNOPQRSTUVWXYZ";
  if (c >= 0xFB00 && c <= 0xFB06) return kLigatures[c - 0xFB00];
  for (const uint32_t zero : {0xF643u, 0xF730u})
    if (c >= zero && c < zero + kDigits.size()) return kDigits.substr(c - zero, 1);
  if (c >= 0xF761 && c < 0xF761 + kSmall.size()) return kSmall.substr(c - 0xF761, 1);
  return {};
}

/// The ideograph that looks like a radical, which browsers write in its place where a font has one
/// glyph for both: of the simplified ones, which have no decomposition
/// (EquivalentUnifiedIdeograph).
uint32_t ideograph_of(uint32_t c) {
  static constexpr std::pair<uint32_t, uint32_t> kSimplified[] = {
      {0x2EA0, 0x6C11}, {0x2EC1, 0x864E}, {0x2EC4, 0x897F}, {0x2EC5, 0x89C1}, {0x2EC6, 0x89D2},
      {0x2EC9, 0x8D1D}, {0x2ECB, 0x8F66}, {0x2ECC, 0x8FB6}, {0x2ED1, 0x9577}, {0x2ED3, 0x957F},
      {0x2ED4, 0x95E8}, {0x2ED8, 0x9752}, {0x2ED9, 0x97E6}, {0x2EDA, 0x9875}, {0x2EDB, 0x98CE},
      {0x2EDC, 0x98DE}, {0x2EDD, 0x98DF}, {0x2EE2, 0x9A6C}, {0x2EE3, 0x9AA8}, {0x2EE4, 0x9B3C},
      {0x2EE5, 0x9C7C}, {0x2EE6, 0x9E1F}, {0x2EE7, 0x5364}, {0x2EE8, 0x9EA6}, {0x2EE9, 0x9EC4},
      {0x2EEC, 0x9F50}, {0x2EEE, 0x9F7F}, {0x2EEF, 0x7ADC}, {0x2EF0, 0x9F99}};
  for (const auto& [radical, whole] : kSimplified)
    if (c == radical) return whole;
  std::string text;
  append_utf8(text, c);
  return first_code_point(normalize_unicode(text, NormalForm::nfkc));
}

bool is_radical(uint32_t c) {
  return c >= 0x2E80 && c <= 0x2FD5;
}

/// Neither a control character nor white space, of whatever width.
bool is_visible(uint32_t c) {
  constexpr uint32_t kNoWidth = 0x200B, kWordJoiner = 0x2060;
  return c > 0x20 && (c < 0x7F || c > 0xA0) && c != kNoWidth && c != kWordJoiner && c != 0xFEFF &&
         c != 0xFFFE && c != 0xFFFF;
}

}  // namespace

std::vector<uint32_t> plain_letters(const std::vector<uint32_t>& letters) {
  const bool latin = std::any_of(letters.begin(), letters.end(), [](uint32_t c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
  });
  std::vector<uint32_t> out;
  for (const uint32_t c : letters) {
    const std::string_view spelt = c == kArrow && latin ? "ff" : spelling(c);
    if (spelt.empty())
      out.push_back(is_radical(c) ? ideograph_of(c) : plain_italic(c));
    else
      out.insert(out.end(), spelt.begin(), spelt.end());
  }
  return out;
}

uint32_t plain_italic(uint32_t c) {
  static constexpr std::pair<uint32_t, uint32_t> kAlone[] = {
      {0x210E, 'h'},    {0x1D6FB, 0x2207}, {0x1D715, 0x2202}, {0x1D716, 0x3F5}, {0x1D717, 0x3D1},
      {0x1D718, 0x3F0}, {0x1D719, 0x3D5},  {0x1D71A, 0x3F1},  {0x1D71B, 0x3D6}};
  for (const auto& [from, to] : kAlone)
    if (c == from) return to;
  if (c >= 0x1D434 && c < 0x1D44E) return 'A' + (c - 0x1D434);
  if (c >= 0x1D44E && c < 0x1D468) return 'a' + (c - 0x1D44E);
  if (c >= 0x1D6E2 && c < 0x1D6FB) return 0x391 + (c - 0x1D6E2);
  if (c >= 0x1D6FC && c < 0x1D715) return 0x3B1 + (c - 0x1D6FC);
  return c;
}

bool is_unmapped(uint32_t c) {
  return c > 0 && c < 0x20 && (c < '\t' || c > '\r');
}

std::string clean_utf8(const std::vector<uint32_t>& letters) {
  const std::vector<uint32_t> plain = plain_letters(letters);
  std::string out;
  for (size_t i = 0; i < plain.size(); ++i) {
    const uint32_t c = plain[i];
    if (c == kSoftHyphen && (i + 1 < plain.size() || out.ends_with('-'))) continue;
    if (is_visible(c))
      append_utf8(out, c);
    else if (is_unmapped(c))
      append_utf8(out, 0xFFFD);
  }
  return out;
}

uint32_t struck(uint32_t c) {
  static constexpr std::array<std::pair<uint32_t, uint32_t>, 6> kStruck = {{{'=', 0x2260},
                                                                            {0x2208, 0x2209},
                                                                            {0x2261, 0x2262},
                                                                            {0x223C, 0x2241},
                                                                            {0x2282, 0x2284},
                                                                            {0x2286, 0x2288}}};
  const auto found = std::find_if(kStruck.begin(), kStruck.end(),
                                  [&](const auto& pair) { return pair.first == c; });
  return found == kStruck.end() ? 0 : found->second;
}

}  // namespace docspec
