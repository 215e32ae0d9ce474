#include "drafts/margins/handouts.h"

#include <cctype>
#include <cstdint>
#include <cstdlib>
#include <string>

#include "drafts/margins/page_numbers.h"

namespace docspec {
namespace {

/// The letters of a line, a sign for each run of digits.
std::string without_digits(const TextLine& line, std::span<const Word> words) {
  std::string out;
  for (const char c : plain_number(closed_up(line, words)))
    if (!is_numeral(c))
      out += c;
    else if (!out.ends_with('#'))
      out += '#';
  return out;
}

/// Whether one line is the other `down` pixels lower.
bool is_lower_by(const TextLine& line, const TextLine& other, int down) {
  const double em = line.size_px;
  return std::abs(other.box.y0 - line.box.y0 - down) < 0.3 * em &&
         std::abs(other.box.x0 - line.box.x0) < 0.5 * em &&
         std::abs(other.size_px - line.size_px) < 0.05 * em;
}

}  // namespace

void repeat_furniture(const std::vector<TextLine>& lines, std::span<const Word> words,
                      std::vector<Place>& places) {
  constexpr size_t kLeastBytes = 4;  // of a line that shows how far the slides are apart
  constexpr double kFar = 8;         // em
  std::vector<std::string> texts;
  for (const TextLine& line : lines) texts.push_back(without_digits(line, words));
  const auto is_like = [&](size_t of, size_t other, int down) {
    return places[other] == Place::body && texts[of] == texts[other] &&
           is_lower_by(lines[of], lines[other], down);
  };
  for (size_t of = 0; of < lines.size(); ++of) {
    if (places[of] == Place::body || texts[of].size() < kLeastBytes) continue;
    for (size_t first = 0; first < lines.size(); ++first) {
      const int down = lines[first].box.y0 - lines[of].box.y0;
      if (std::abs(down) < kFar * lines[of].size_px || !is_like(of, first, down)) continue;
      for (size_t i = 0; i < lines.size(); ++i)  // all that this slide has
        for (size_t k = 0; places[i] == places[of] && k < lines.size(); ++k)
          if (is_like(i, k, down)) places[k] = places[of];
    }
  }
}

}  // namespace docspec
