#include "drafts/layout/paragraph_rows.h"

#include <algorithm>
#include <cctype>
#include <cmath>
#include <string_view>

#include "drafts/lines/font_style.h"

namespace docspec {

std::vector<ParagraphRow> rows_of(const TextBlock& block, const std::vector<TextLine>& lines) {
  std::vector<Box> boxes;
  for (int i : block) boxes.push_back(lines[i].box);
  std::vector<ParagraphRow> rows;
  for (const auto& group : group_rows(boxes)) {
    rows.emplace_back();
    for (int k : group) {
      rows.back().lines.push_back(block[k]);
      rows.back().box = unite(rows.back().box, boxes[k]);
    }
  }
  return rows;
}

const std::string& first_word(const ParagraphRow& row, const std::vector<TextLine>& lines,
                              std::span<const Word> words) {
  return words[lines[row.lines.front()].words.front()].text;
}
const std::string& last_word(const ParagraphRow& row, const std::vector<TextLine>& lines,
                             std::span<const Word> words) {
  return words[lines[row.lines.back()].words.back()].text;
}

bool ends_sentence(const std::string& word) {
  static constexpr std::string_view kWide[] = {"。", "：", "；", "！", "？", "）", "”", "」"};
  return !word.empty() &&
         (std::string_view(".:;!?)\"").find(word.back()) != std::string_view::npos ||
          std::any_of(std::begin(kWide), std::end(kWide),
                      [&](std::string_view end) { return word.ends_with(end); }));
}

int text_start(const ParagraphRow& row, const std::vector<TextLine>& lines,
               std::span<const Word> words) {
  const std::vector<int>& first = lines[row.lines.front()].words;
  if (first.size() > 1) return words[first[1]].box.x0;
  return row.lines.size() > 1 ? lines[row.lines[1]].box.x0 : row.box.x0;
}

double line_pitch(const std::vector<ParagraphRow>& rows) {
  std::vector<double> pitches;
  for (size_t i = 1; i < rows.size(); ++i)
    pitches.push_back(rows[i].middle() - rows[i - 1].middle());
  std::nth_element(pitches.begin(), pitches.begin() + pitches.size() / 4, pitches.end());
  return pitches[pitches.size() / 4];
}

std::string text_of(const ParagraphRow& row, const std::vector<TextLine>& lines,
                    std::span<const Word> words) {
  std::string text;
  for (int i : row.lines)
    for (int w : lines[i].words) text += words[w].text;
  return text;
}

bool opens_note(const ParagraphRow& row, const std::vector<TextLine>& lines,
                std::span<const Word> words) {
  std::vector<int> first;
  for (int i : row.lines) first.insert(first.end(), lines[i].words.begin(), lines[i].words.end());
  if (first.size() < 2) return false;
  const Word &mark = words[size_t(first[0])], &next = words[size_t(first[1])];
  return std::isdigit(uint8_t(mark.text[0])) && mark.font_size_pt > 0 &&
         mark.font_size_pt < 0.85 * next.font_size_pt;
}

bool is_set_off(const ParagraphRow& row, const ParagraphRow& next,
                const std::vector<TextLine>& lines, std::span<const Word> words) {
  const std::string& font = words[size_t(lines[row.lines.front()].words.front())].font;
  const auto has_font = [&](int w) { return words[size_t(w)].font == font; };
  const auto own = [&](int i) {
    return std::all_of(lines[i].words.begin(), lines[i].words.end(), has_font);
  };
  const auto others = [&](int i) {
    return std::none_of(lines[i].words.begin(), lines[i].words.end(), has_font);
  };
  return !font.empty() && std::all_of(row.lines.begin(), row.lines.end(), own) &&
         std::all_of(next.lines.begin(), next.lines.end(), others);
}

bool opens_labelled(const ParagraphRow& row, const ParagraphRow& before,
                    const std::vector<TextLine>& lines, std::span<const Word> words) {
  constexpr size_t kMostWords = 4;
  const auto bold = [&](int w) {
    return words[size_t(w)].heavy || font_style(words[size_t(w)].font).bold;
  };
  const std::vector<int>& first = lines[row.lines.front()].words;
  for (size_t i = 0; i < std::min(first.size(), kMostWords); ++i)
    if (const std::string& word = words[size_t(first[i])].text; !bold(first[i]) && word != ":")
      return false;
    else if (i + word.size() > 1 && word.ends_with(':'))
      return i + 1 < first.size() && !bold(first.back()) &&
             !bold(lines[before.lines.back()].words.back());
  return false;
}

bool hang(int x, int first_x, bool last, const std::vector<TextLine>& lines, double em) {
  constexpr std::ptrdiff_t kLeast = 3;
  const auto at = [&](int edge) {
    return std::count_if(lines.begin(), lines.end(), [&](const TextLine& line) {
      return std::abs(line.box.x0 - edge) < 0.3 * em;
    });
  };
  const auto second = at(x);
  return second >= kLeast && (last ? 2 : 1) * second >= at(first_x);
}

std::vector<bool> entry_starts(const std::vector<ParagraphRow>& rows, int left,
                               const std::vector<TextLine>& lines, std::span<const Word> words,
                               double em) {
  constexpr size_t kLeast = 2, kLong = 5;
  const bool rough = lines[size_t(rows[0].lines.front())].rough_size;
  const double flush = (rough ? 0.6 : 0.3) * em;
  std::vector<bool> starts;
  size_t back = 0, ended = 0, further = 0;
  bool capitals = true;  // of all first lines
  for (size_t i = 0; i < rows.size(); ++i) {
    const double indent = rows[i].box.x0 - left;
    if (indent > 4 * em || indent < -flush || (indent > flush && indent < 0.8 * em)) return {};
    starts.push_back(indent <= flush);
    further += !starts[i];
    if (!starts[i]) continue;
    capitals &= std::isupper(uint8_t(first_word(rows[i], lines, words)[0])) != 0;
    if (rough) left = rows[i].box.x0;
    if (i == 0 || starts[i - 1]) continue;
    ++back;
    const std::string& last = last_word(rows[i - 1], lines, words);
    ended += ends_sentence(last) || last.find("://") != last.npos;
  }
  const bool are = (rough || starts[0] || (capitals && back >= kLong)) && further >= kLeast &&
                   back >= kLeast && ended * 5 >= back * 4;
  return are ? starts : std::vector<bool>();
}

}  // namespace docspec
