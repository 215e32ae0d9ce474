#include "core/input/letters/unicode_map.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "core/input/letters/plain_letters.h"

namespace docspec {
namespace {

/// The one letter that UTF-16 in hexadecimal digits stands for; 0 = none or several.
uint32_t letter_of(std::string_view digits) {
  std::vector<uint32_t> units;
  for (size_t at = 0; at + 4 <= digits.size() && units.size() < 4; at += 4)
    units.push_back(uint32_t(std::stoul(std::string(digits.substr(at, 4)), nullptr, 16)));
  if (digits.size() == 2) return uint32_t(std::stoul(std::string(digits), nullptr, 16));
  static const std::pair<std::vector<uint32_t>, uint32_t> kLigatures[] = {
      {{'f', 'f'}, 0xFB00},
      {{'f', 'i'}, 0xFB01},
      {{'f', 'l'}, 0xFB02},
      {{'f', 'f', 'i'}, 0xFB03},
      {{'f', 'f', 'l'}, 0xFB04}};
  for (const auto& [letters, ligature] : kLigatures)
    if (units == letters) return ligature;
  const bool pair = units.size() == 2 && units[0] >= 0xD800 && units[0] < 0xDC00 &&
                    units[1] >= 0xDC00 && units[1] < 0xE000;
  if (pair) return 0x10000 + ((units[0] - 0xD800) << 10) + (units[1] - 0xDC00);
  return units.size() == 1 ? units[0] : 0;
}

class MapReader {
 public:
  /// `digits` of the codes that count.
  MapReader(std::string_view map, size_t digits) : map_(map), digits_(digits) {}

  CodeLetters read() {
    for (std::string_view token = next(); !token.empty(); token = next()) {
      if (token == "beginbfchar") read_letters();
      if (token == "beginbfrange") read_ranges();
    }
    return std::move(letters_);
  }

 private:
  static constexpr size_t kMost = 1 << 17;  // letters given, over and over too

  /// A name, a bracket, or hexadecimal digits with their "<"; empty at the end.
  std::string_view next() {
    while (at_ < map_.size() && std::isspace(uint8_t(map_[at_]))) ++at_;
    const size_t from = at_;
    if (at_ < map_.size() && map_[at_] == '<') {
      at_ = std::min(map_.find('>', at_), map_.size() - 1) + 1;
      const std::string_view token = map_.substr(from, at_ - from);
      return token.ends_with('>') ? token.substr(0, token.size() - 1) : token;
    }
    if (at_ < map_.size() && (map_[at_] == '[' || map_[at_] == ']')) return map_.substr(at_++, 1);
    while (at_ < map_.size() && !std::isspace(uint8_t(map_[at_])) && map_[at_] != '<' &&
           map_[at_] != '[' && map_[at_] != ']')
      ++at_;
    return map_.substr(from, at_ - from);
  }

  /// The hexadecimal digits of a token; nothing if it is something else.
  static std::optional<std::string_view> digits(std::string_view token) {
    if (!token.starts_with('<')) return std::nullopt;
    token.remove_prefix(1);
    const bool hex =
        std::all_of(token.begin(), token.end(), [](char c) { return std::isxdigit(uint8_t(c)); });
    return hex && token.size() <= 64 ? std::optional(token) : std::nullopt;
  }

  /// A code of the length that counts; -1 = another.
  int code(std::string_view digits) const {
    return digits.size() == digits_ ? int(std::stoul(std::string(digits), nullptr, 16)) : -1;
  }

  void give(int code, uint32_t letter) {
    if (given_++ < kMost) letters_[unsigned(code)] = letter;
  }

  /// The digits of the next two tokens; nothing at the end of a list.
  std::optional<std::pair<std::string_view, std::string_view>> next_two() {
    const auto first = digits(next());
    if (!first) return std::nullopt;
    const auto second = digits(next());
    return second ? std::optional(std::pair(*first, *second)) : std::nullopt;
  }

  void read_letters() {
    while (const auto row = next_two())
      if (const int c = code(row->first); c >= 0) give(c, letter_of(row->second));
  }

  void read_ranges() {
    while (const auto row = next_two()) {
      const int low = code(row->first), high = code(row->second);
      const std::string_view token = next();
      if (token == "[") {
        int c = low;
        for (auto each = digits(next()); each; each = digits(next()), ++c)
          if (low >= 0 && c <= high) give(c, letter_of(*each));
        continue;
      }
      const auto first = digits(token);
      if (!first) return;
      const uint32_t letter = letter_of(*first);
      for (int c = low; low >= 0 && letter != 0 && c <= high && given_ < kMost; ++c)
        give(c, letter + uint32_t(c - low));
    }
  }

  std::string_view map_;
  size_t digits_, at_ = 0, given_ = 0;
  CodeLetters letters_;
};

}  // namespace

uint32_t plain_sign(uint32_t c) {
  static constexpr std::pair<uint32_t, uint32_t> kAlone[] = {
      {0x2C6, 0x302},  {0x2DC, 0x303},  {0xAF, 0x304},  {0x2D8, 0x306},
      {0x2D9, 0x307},  {0xA8, 0x308},   {0x2C7, 0x30C}, {0x2236, ':'},
      {0x2206, 0x394}, {0x2126, 0x3A9}, {0xB5, 0x3BC}};
  for (const auto& [from, to] : kAlone)
    if (c == from) return to;
  return plain_italic(c);
}

std::array<uint32_t, 256> letters_of_map(std::string_view map) {
  std::array<uint32_t, 256> letters{};
  for (const auto& [code, letter] : MapReader(map, 2).read()) letters[code] = letter;
  return letters;
}

std::string map_of_letters(const std::array<uint32_t, 256>& letters) {
  static constexpr const char* kLigatures[] = {"00660066", "00660069", "0066006C", "006600660069",
                                               "00660066006C"};
  std::string map =
      "/CIDInit /ProcSet findresource begin\nbegincmap\n1 begincodespacerange\n<00> "
      "<FF>\nendcodespacerange\n";
  for (size_t code = 0; code < letters.size(); ++code) {
    const uint32_t letter = letters[code];
    std::string units;
    if (letter >= 0xFB00 && letter <= 0xFB04)
      units = kLigatures[letter - 0xFB00];
    else if (letter != 0 && letter < 0xE000)
      units = fmt::format("{:04X}", letter);
    else if (letter >= 0x10000)
      units = fmt::format("{:04X}{:04X}", 0xD7C0 + (letter >> 10), 0xDC00 + (letter & 0x3FF));
    if (!units.empty())
      map += fmt::format("1 beginbfchar\n<{:02X}> <{}>\nendbfchar\n", code, units);
  }
  return map + "endcmap\n";
}

CodeLetters letters_of_wide_map(std::string_view map) {
  return MapReader(map, 4).read();
}

}  // namespace docspec
