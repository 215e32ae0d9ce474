#include "drafts/ocr/seen_code.h"

#include <algorithm>
#include <cctype>
#include <cmath>
#include <numeric>
#include <set>
#include <string>
#include <string_view>

#include "core/base/median.h"
#include "core/text/unicode.h"
#include "drafts/latex/math_letters.h"
#include "drafts/lines/font_style.h"

namespace docspec {
namespace {

constexpr size_t kLong = 4;  // letters of a word whose width tells the pitch

/// A line of OCR and what its words say of it.
struct SeenLine {
  size_t from = 0, to = 0;  // words
  Box box;
};

/// Whether all letters are ASCII, or quotes that OCR made of straight ones.
bool is_plain_type(const Word& word) {
  for (size_t at = 0; at < word.text.size();) {
    const uint32_t c = next_code_point(word.text, at);
    if (c > '~' && (c < 0x2018 || c > 0x201D)) return false;
  }
  return word.quarter_turns == 0 && !word.text.empty();
}

/// The width of a word's ink in pitches: its letters without the white at both ends, of which thin
/// signs leave more.
double ink_letters(const Word& word) {
  constexpr std::string_view kThin = ".,:;'!|`";
  constexpr double kBearing = 0.1, kThinBearing = 0.3;
  const auto white = [&](char c) { return kThin.find(c) != kThin.npos ? kThinBearing : kBearing; };
  return double(count_code_points(word.text)) - white(word.text.front()) - white(word.text.back());
}

double pitch_of(const Word& word) {
  return word.box.width() / ink_letters(word);
}

/// Whether a word is as wide as its letters are at a pitch. A short word's width tells little.
bool fits_pitch(const Word& word, double pitch) {
  constexpr double kOff = 0.04, kOwnOff = 0.1, kShortOff = 0.35;  // of the pitch
  const double letters = double(count_code_points(word.text));
  const double off = std::abs(word.box.width() - ink_letters(word) * pitch);
  return letters < double(kLong) ? word.box.width() < (letters + kShortOff) * pitch
                                 : off <= (kOff * letters + kOwnOff) * pitch;
}

bool has_sign_of_code(std::string_view text) {
  return text.find_first_of("=(){}[]_<>;\\#|$@") != text.npos && text != "(";
}

/// The pitch that most letters have in common, of the lines left that have signs of code, and none
/// of those `tried`; 0 where few have one.
double common_pitch(const std::vector<Word>& words, const std::vector<SeenLine>& lines,
                    const std::vector<bool>& done, const std::vector<double>& tried) {
  constexpr double kSame = 1.05;
  constexpr size_t kLeastLetters = 24;
  const auto is_new = [&](double pitch) {
    return std::none_of(tried.begin(), tried.end(), [&](double other) {
      return std::max(pitch, other) < kSame * std::min(pitch, other);
    });
  };
  std::vector<std::pair<double, size_t>> pitches;
  for (size_t l = 0; l < lines.size(); ++l) {
    const auto first = words.begin() + std::ptrdiff_t(lines[l].from),
               last = words.begin() + std::ptrdiff_t(lines[l].to);
    if (done[l] || std::none_of(first, last, [](auto& w) { return has_sign_of_code(w.text); }))
      continue;
    for (auto word = first; word != last; ++word)
      if (const size_t letters = count_code_points(word->text);
          letters >= kLong && is_plain_type(*word) && is_new(pitch_of(*word)))
        pitches.emplace_back(pitch_of(*word), letters);
  }
  std::sort(pitches.begin(), pitches.end());
  size_t most = kLeastLetters, sum = 0;
  double best = 0;
  for (size_t a = 0, b = 0; b < pitches.size(); ++b) {
    sum += pitches[b].second;
    while (pitches[a].first * kSame < pitches[b].first) sum -= pitches[a++].second;
    if (sum > most) most = sum, best = (pitches[a].first + pitches[b].first) / 2;
  }
  return best;
}

/// Whether such a share of a line's letters stands at a pitch.
bool stands_at(const std::vector<Word>& words, const SeenLine& line, double pitch, double share) {
  size_t plain = 0, fitting = 0, all = 0;
  for (size_t i = line.from; i < line.to; ++i) {
    const size_t letters = count_code_points(words[i].text);
    all += letters;
    if (!is_plain_type(words[i])) continue;
    plain += letters;
    if (fits_pitch(words[i], pitch)) fitting += letters;
  }
  return double(plain) >= share * double(all) && double(fitting) >= share * double(plain);
}

/// Whether lines that stand at one pitch read as code, and have letters narrow and wide, or end as
/// statements do, so that the pitch is theirs and not an accident; where the page has code at that
/// pitch (`known`), few will do.
bool are_code(const std::vector<Word>& words, const std::vector<SeenLine>& lines,
              const std::vector<size_t>& block, double pitch, bool known) {
  constexpr std::string_view kNarrow = "iljtfr.,:;'|!()[]", kWide = "mwMWABCDGOQ@_";
  constexpr size_t kLeastLong = 6, kLeastEach = 4, kLeastStatements = 5;
  constexpr double kSigns = 0.25, kOff = 0.035;
  size_t count = 0, signs = 0, narrow = 0, wide = 0, statements = 0;
  std::vector<double> pitches;
  for (const size_t l : block) {
    const bool empty = lines[l].from == lines[l].to;
    statements += !empty && std::string_view("{};").find(words[lines[l].to - 1].text.back()) !=
                                std::string_view::npos;
    for (size_t i = lines[l].from; i < lines[l].to; ++i) {
      const Word& word = words[i];
      ++count;
      signs += has_sign_of_code(word.text);
      for (size_t next = 0; next < word.text.size();)
        if (const uint32_t c = next_code_point(word.text, next); c > 0x80 && is_math_letter(c))
          return false;  // a formula
      for (const char c : word.text) {
        narrow += kNarrow.find(c) != kNarrow.npos;
        wide += kWide.find(c) != kWide.npos;
      }
      if (is_plain_type(word) && count_code_points(word.text) >= kLong)
        pitches.push_back(pitch_of(word));
    }
  }
  double off = 0;
  for (const double each : pitches) off += std::min(std::abs(each / pitch - 1), 3 * kOff);
  const bool many = pitches.size() >= kLeastLong && narrow >= kLeastEach &&
                    (wide >= kLeastEach || statements >= kLeastStatements);
  return (many || (known && !pitches.empty())) && off <= kOff * double(pitches.size()) &&
         double(signs) >= kSigns * double(count);
}

/// How many words of a line have signs of code.
size_t signs_of(const std::vector<Word>& words, const SeenLine& line) {
  size_t signs = 0;
  for (size_t i = line.from; i < line.to; ++i) signs += has_sign_of_code(words[i].text);
  return signs;
}

bool has_long_word(const std::vector<Word>& words, const SeenLine& line) {
  return std::any_of(words.begin() + std::ptrdiff_t(line.from),
                     words.begin() + std::ptrdiff_t(line.to),
                     [](const Word& word) { return count_code_points(word.text) >= kLong; });
}

/// Whether two lines stand in one row, or one right below the other.
bool are_next(const Box& a, const Box& b) {
  constexpr double kFar = 2.5;  // heights: an empty line
  const int height = std::max(a.height(), b.height());
  const int down = std::max(a.y0, b.y0) - std::min(a.y1, b.y1);
  const int across = std::max(a.x0, b.x0) - std::min(a.x1, b.x1);
  return down < kFar * height && across < (down < 0 ? 10 : 2) * height;
}

/// Calls `found(word, at, length)` for each name in lines of code: letters, digits, underscores
/// and, within it, hyphens.
template <typename Found>
void for_each_name(std::vector<Word>& words, const std::vector<SeenLine>& lines,
                   const std::vector<size_t>& code, const Found& found) {
  const auto is_part = [](char c) { return std::isalnum(uint8_t(c)) || c == '_' || c == '-'; };
  for (const size_t l : code)
    for (size_t i = lines[l].from; i < lines[l].to; ++i) {
      std::string& text = words[i].text;
      for (size_t at = 0, end = 0; at < text.size(); at = std::max(end, at + 1)) {
        end = at;
        if (!std::isalpha(uint8_t(text[at]))) continue;
        while (end < text.size() && is_part(text[end])) ++end;
        while (text[end - 1] == '-') --end;
        found(words[i], at, end - at);
      }
    }
}

/// Writes a name with a hyphen as the code elsewhere writes it, with an underscore. A difference of
/// two names stays: both stand alone elsewhere.
void read_underscores(std::vector<Word>& words, const std::vector<SeenLine>& lines,
                      const std::vector<size_t>& code) {
  std::set<std::string> names;
  for_each_name(words, lines, code, [&](const Word& word, size_t at, size_t length) {
    names.insert(word.text.substr(at, length));
  });
  for_each_name(words, lines, code, [&](Word& word, size_t at, size_t length) {
    std::string name = word.text.substr(at, length);
    const size_t hyphen = name.find('-');
    if (hyphen == name.npos ||
        (names.contains(name.substr(0, hyphen)) && names.contains(name.substr(hyphen + 1))))
      return;
    std::replace(name.begin(), name.end(), '-', '_');
    if (names.contains(name)) word.text.replace(at, length, name);
  });
}

}  // namespace

void name_seen_code(std::vector<Word>& words, std::span<const size_t> line_lengths) {
  constexpr size_t kMostPitches = 6, kStatement = 3;  // words
  constexpr double kNearlyAll = 0.8, kMany = 0.4;
  std::vector<SeenLine> lines;
  size_t at = 0;
  for (const size_t length : line_lengths) {
    SeenLine line{at, at + length, {}};
    for (size_t i = at; i < line.to; ++i) line.box = unite(line.box, words[i].box);
    at = line.to;
    lines.push_back(line);
  }
  std::vector<bool> done(lines.size(), false);
  std::vector<size_t> code_lines;
  std::vector<double> tried;
  while (tried.size() < kMostPitches) {
    const double pitch = common_pitch(words, lines, done, tried);
    if (pitch <= 0) break;
    tried.push_back(pitch);
    std::vector<size_t> left;
    for (size_t l = 0; l < lines.size(); ++l)
      if (!done[l] && stands_at(words, lines[l], pitch, kNearlyAll)) left.push_back(l);
    std::vector<std::vector<size_t>> blocks;
    while (!left.empty()) {
      std::vector<size_t> block = {left.back()};
      left.pop_back();
      for (size_t k = 0; k < block.size(); ++k)
        std::erase_if(left, [&](size_t l) {
          const bool next = are_next(lines[block[k]].box, lines[l].box);
          if (next) block.push_back(l);
          return next;
        });
      // Lines of short words alone stand at any pitch.
      for (const size_t l : block) done[l] = has_long_word(words, lines[l]);
      blocks.push_back(std::move(block));
    }
    const bool known = std::any_of(blocks.begin(), blocks.end(), [&](const auto& block) {
      return are_code(words, lines, block, pitch, false);
    });
    for (std::vector<size_t>& block : blocks) {
      if (!are_code(words, lines, block, pitch, known)) continue;
      Box code;
      for (const size_t l : block) {
        code = unite(code, lines[l].box);
        done[l] = true;
      }
      for (size_t l = 0; l < lines.size(); ++l) {  // what was misread among them is code, too
        const Box& box = lines[l].box;
        const int y = (box.y0 + box.y1) / 2;
        const bool inside = y > code.y0 && y < code.y1 && box.x0 < code.x1 && box.x1 > code.x0;
        const size_t count = lines[l].to - lines[l].from, signs = signs_of(words, lines[l]);
        // "for (k = 0; k <= z; k++)" has few letters that tell.
        const bool next = count >= kStatement && signs * 2 > count && are_next(code, box);
        const bool within = inside && (signs > 0 || count < kStatement);
        if (done[l] || !(within || next) || !stands_at(words, lines[l], pitch, kMany)) continue;
        done[l] = true;
        block.push_back(l);
      }
      for (const size_t l : block)
        for (size_t i = lines[l].from; i < lines[l].to; ++i) words[i].font = kSeenMono;
      code_lines.insert(code_lines.end(), block.begin(), block.end());
    }
  }
  read_underscores(words, lines, code_lines);
}

}  // namespace docspec
