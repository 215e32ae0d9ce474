#include "drafts/detector/line_features.h"

#include <algorithm>
#include <cctype>
#include <cmath>
#include <cstdlib>
#include <string>

#include "core/text/unicode.h"
#include "drafts/lines/bullets.h"
#include "drafts/lines/line_text.h"

namespace docspec {
namespace {

bool is_digit(char c) {
  return c >= '0' && c <= '9';
}
bool is_upper(char c) {
  return c >= 'A' && c <= 'Z';
}
bool is_lower(char c) {
  return c >= 'a' && c <= 'z';
}

/// "(a)" "12." "[3]": at most three digits or a letter, closed.
bool short_marker(std::string_view word) {
  if (word.starts_with('(') || word.starts_with('[')) word.remove_prefix(1);
  if (word.empty() || std::string_view(".)]").find(word.back()) == word.npos) return false;
  word.remove_suffix(1);
  if (word.size() == 1 && std::isalpha(uint8_t(word[0]))) return true;
  return !word.empty() && word.size() <= 3 && std::all_of(word.begin(), word.end(), is_digit);
}

/// "2.1" "3.1.4."
bool section_number(std::string_view word) {
  if (word.ends_with('.')) word.remove_suffix(1);
  bool dotted = false, digit = false;
  for (char c : word) {
    if (c == '.' && !digit) return false;
    if (c != '.' && !is_digit(c)) return false;
    dotted |= c == '.';
    digit = c != '.';
  }
  return dotted && digit;
}

bool opens_with_caption_word(const std::string& first, const std::string& second) {
  static constexpr std::string_view kWords[] = {"figure",  "fig",       "table",   "tab",
                                                "listing", "algorithm", "plate",   "chart",
                                                "scheme",  "abbildung", "tabelle", "tableau"};
  std::string bare;
  for (char c : first) bare += char(std::tolower(uint8_t(c)));
  while (bare.ends_with('.') || bare.ends_with(':')) bare.pop_back();
  const bool known = std::find(std::begin(kWords), std::end(kWords), bare) != std::end(kWords);
  return known && !second.empty() && (is_digit(second[0]) || is_upper(second[0]));
}

/// Counts of the characters that are no blanks.
struct Counts {
  size_t shown = 0, all = 0, digits = 0, upper = 0, lower = 0, beyond = 0, signs = 0, words = 1;

  explicit Counts(const std::string& text) {
    for (size_t at = 0; at < text.size();) {
      const uint32_t c = next_code_point(text, at);
      ++all;
      words += c == ' ';
      if (c == ' ') continue;
      ++shown;
      beyond += c >= 128;
      if (c >= 128) continue;
      const char ascii = char(c);
      digits += is_digit(ascii);
      upper += is_upper(ascii);
      lower += is_lower(ascii);
      signs += std::string_view("=+-/<>|*^_()[]{};").find(ascii) != std::string_view::npos;
    }
    shown = std::max<size_t>(1, shown);
  }
  float share(size_t count) const { return float(count) / float(shown); }
};

void add_text(const std::string& text, float*& out) {
  const Counts n(text);
  const size_t space = text.find(' ');
  const std::string first = text.substr(0, space);
  const std::string rest = space == text.npos ? "" : text.substr(space + 1);
  const std::string second = rest.substr(0, rest.find(' '));
  const char head = text.empty() ? ' ' : text.front(), tail = text.empty() ? ' ' : text.back();
  const auto ends = [&](std::string_view marks) { return marks.find(tail) != marks.npos; };
  for (const float value :
       {float(std::min<size_t>(n.all, 200)) / 100, float(std::min<size_t>(n.words, 30)) / 15,
        n.share(n.digits), n.share(n.upper), n.share(n.lower), n.share(n.beyond), n.share(n.signs),
        float(ends(".!?")), float(ends(":")), float(ends(",;")), float(is_upper(head)),
        float(is_lower(head)), float(is_digit(head)), float(is_bullet(first) && n.words > 1),
        float(short_marker(first)), float(section_number(first)),
        float(opens_with_caption_word(first, second))})
    *out++ = value;
}

void add_neighbour(const TextLine& line, const TextLine* other, double body_px, float*& out) {
  if (!other) {
    for (const float value : {1.f, 0.f, 0.f, 0.f}) *out++ = value;
    return;
  }
  const auto within = [](double v, double most) { return std::clamp(v, -most, most); };
  const double pitch = std::abs(other->middle() - line.middle()) / line.size_px;
  for (const double value :
       {std::min(pitch, 5.0) / 5, within((line.box.x0 - other->box.x0) / body_px, 4) / 4,
        within((line.box.x1 - other->box.x1) / body_px, 8) / 8,
        within(std::log(line.size_px / other->size_px), 1)})
    *out++ = float(value);
}

}  // namespace

std::vector<std::array<float, kLineFeatures>> line_features(const std::vector<TextLine>& lines,
                                                            std::span<const Word> words,
                                                            double body_px, int width_px,
                                                            int height_px) {
  const double width = width_px, height = height_px, body = std::max(1.0, body_px);
  std::vector<std::array<float, kLineFeatures>> out(lines.size());
  for (size_t i = 0; i < lines.size(); ++i) {
    const TextLine& line = lines[i];
    const TextLine *above = nullptr, *below = nullptr;
    int mates = 0;
    for (size_t j = 0; j < lines.size(); ++j) {
      const TextLine& other = lines[j];
      if (j == i) continue;
      const double distance = other.middle() - line.middle();
      if (std::abs(distance) < 0.5 * line.size_px) {
        ++mates;
        continue;
      }
      if (std::min(line.box.x1, other.box.x1) <= std::max(line.box.x0, other.box.x0)) continue;
      if (distance < 0 && (!above || other.middle() > above->middle())) above = &other;
      if (distance > 0 && (!below || other.middle() < below->middle())) below = &other;
    }
    float* at = out[i].data();
    for (const double value :
         {line.box.x0 / width, line.box.x1 / width, line.middle() / height,
          line.box.width() / width, std::abs(line.box.x0 + line.box.x1 - width) / width,
          std::clamp(std::log(line.size_px / body), -1.5, 1.5), line.size_px / height * 50,
          double(line.bold), double(line.mono), double(line.rough_size), std::min(mates, 5) / 5.0})
      *at++ = float(value);
    add_text(line_text(words, line.words), at);
    add_neighbour(line, above, body, at);
    add_neighbour(line, below, body, at);
  }
  return out;
}

}  // namespace docspec
