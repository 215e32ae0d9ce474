#include "drafts/lines/glue_lines.h"

#include <algorithm>
#include <cctype>
#include <cmath>
#include <cstdint>
#include <string>
#include <utility>

#include "core/base/median.h"
#include "core/text/unicode.h"
#include "drafts/lines/bullets.h"
#include "drafts/lines/font_style.h"

namespace docspec {
namespace {

constexpr double kGlueGapEm = 2.5;        // up to this wide, neighbours decide
constexpr double kHungGapEm = 1.5;        // from a list marker that hangs out of its column
constexpr double kMarkerGapEm = 4.0;      // between a list marker or number and its text
constexpr double kFarMarkerGapEm = 9.0;   // the same, where nothing else stands in the row
constexpr double kStretchedGapEm = 5.0;   // within a row that was stretched to fill its column
constexpr double kLabelGapEm = 6.0;       // between a label with a colon and what it names
constexpr double kMostLabelGapEm = 15.0;  // where a longer label stands nearer to its value
constexpr double kOptionGapEm = 20.0;     // between the choices of a question
constexpr size_t kShortAnswers = 60;      // characters of a row of answers
constexpr double kShortEm = 4.0;          // before a gap: no column ends here
constexpr double kSentenceGapEm = 1.6;    // after a full stop, as OCR or a typist leaves it

/// The nearest line on one side of a gap: it runs across the gap, ends next to it, or does not
/// exist. The short last line of a paragraph, which is below or above the left part alone, counts
/// as not existing.
enum class Neighbour { none, across, apart };

Neighbour look(const std::vector<TextLine>& lines, size_t left, size_t right, bool above) {
  const Box &l = lines[left].box, &r = lines[right].box;
  const double reach = 2.0 * lines[left].size_px;
  bool seen = false;
  for (size_t i = 0; i < lines.size(); ++i) {
    if (i == left || i == right || lines[i].words.empty()) continue;
    const Box& box = lines[i].box;
    const double distance = (above ? -1 : 1) * (lines[i].middle() - lines[left].middle());
    if (distance < 0.5 * lines[left].size_px || distance > reach) continue;
    if (box.x1 <= l.x0 || box.x0 >= r.x1) continue;
    if (box.x0 < l.x1 && box.x1 > r.x0) return Neighbour::across;
    seen |= box.x1 > r.x0 || (above && box.x1 > l.x1 - kShortEm * lines[left].size_px);
  }
  return seen ? Neighbour::apart : Neighbour::none;
}

/// "Section 6.", "Article IV", whose name stands behind a wide blank.
bool names_section(std::span<const Word> words, const TextLine& line) {
  static constexpr std::string_view kNames[] = {"section", "article", "chapter",
                                                "part",    "annex",   "appendix"};
  if (line.words.size() != 2) return false;
  std::string name;
  for (const char c : words[size_t(line.words[0])].text) name += char(std::tolower(uint8_t(c)));
  const std::string& number = words[size_t(line.words[1])].text;
  return std::find(std::begin(kNames), std::end(kNames), name) != std::end(kNames) &&
         number.find_first_not_of("0123456789IVXLC.") == number.npos;
}

/// A marker of a list, the "V.II" of a section, the ".2" of a contract, or "[Cop87]" in a
/// bibliography, where a raised "+" is a word of its own.
bool is_marker(std::span<const Word> words, const TextLine& line) {
  const std::string &first = words[line.words[0]].text, &last = words[line.words.back()].text;
  const bool roman = first.find_first_not_of("IVX.") == first.npos && first[0] != '.' &&
                     first.find('.') != first.npos;
  const bool pointed = first[0] == '.' && first.size() > 1 && first.size() <= 3 &&
                       first.find_first_not_of("0123456789", 1) == first.npos;
  if (line.words.size() == 1 && (is_list_marker(first) || roman || pointed)) return true;
  return line.words.size() <= 3 && line.chars <= 12 && first[0] == '[' && last.ends_with(']');
}

/// Whether a number counts something: the price of it stands at the right, one word with a point
/// or a sign of money, and something else at the left.
bool is_quantity(std::span<const Word> words, const std::vector<TextLine>& lines, size_t number,
                 size_t price) {
  const std::string& text = words[size_t(lines[price].words.front())].text;
  const auto digits =
      std::count_if(text.begin(), text.end(), [](char c) { return std::isdigit(uint8_t(c)); });
  const bool amount = lines[price].words.size() == 1 && size_t(digits) * 2 > text.size() &&
                      text.find_first_of("$.,") != text.npos;
  return amount && std::any_of(lines.begin(), lines.end(), [&](const TextLine& line) {
           return !line.words.empty() && line.box.x1 < lines[number].box.x0 &&
                  row_overlap(line.box, lines[number].box) >= 0.5;
         });
}

/// Whether nothing else stands in the row of a marker and its text, and, where `hung`, another line
/// begins where the text does: as in contracts, whose numbers stand far from it.
bool alone_in_row(const std::vector<TextLine>& lines, size_t marker, size_t text, bool hung) {
  bool aligned = !hung;
  for (size_t i = 0; i < lines.size(); ++i) {
    if (i == marker || i == text || lines[i].words.empty()) continue;
    if (row_overlap(lines[i].box, lines[marker].box) >= 0.5) return false;
    aligned |= std::abs(lines[i].box.x0 - lines[text].box.x0) < 0.3 * lines[text].size_px;
  }
  return aligned;
}

/// The letter of an appendix before its name.
bool is_heading_letter(std::span<const Word> words, const TextLine& letter, const TextLine& name) {
  return letter.chars == 1 && letter.bold && name.bold && letter.size_px == name.size_px &&
         std::isupper(uint8_t(words[size_t(letter.words.front())].text[0]));
}

bool ends_as_label(std::span<const Word> words, const TextLine& line) {
  constexpr size_t kMostWords = 4;
  const std::string& last = words[size_t(line.words.back())].text;
  return line.words.size() <= kMostWords && !line.mono && last.size() > 1 && last.ends_with(':');
}

/// "Input:" and what stands next to it, in a row of nothing but such pairs.
bool is_label(std::span<const Word> words, const std::vector<TextLine>& lines, size_t left,
              size_t right) {
  const TextLine& label = lines[left];
  if (!ends_as_label(words, label) || ends_as_label(words, lines[right])) return false;
  std::vector<const TextLine*> row;
  for (const TextLine& line : lines)
    if (!line.words.empty() && row_overlap(line.box, label.box) >= 0.5) row.push_back(&line);
  std::sort(row.begin(), row.end(),
            [](const TextLine* a, const TextLine* b) { return a->box.x0 < b->box.x0; });
  for (size_t k = 0; k < row.size(); ++k) {
    const auto& own = row[k]->words;
    const bool pair = std::any_of(own.begin(), own.end(),
                                  [&](int w) { return words[size_t(w)].text.ends_with(':'); });
    const bool value = k > 0 && ends_as_label(words, *row[k - 1]);
    if ((!pair && !value) || (row[k] == &lines[right] && (k == 0 || row[k - 1] != &label)))
      return false;
  }
  return true;
}

/// Whether another label, near enough to its own value, has that where this value begins: the
/// longest label of a form tells how far the others are from theirs.
bool is_aligned_value(std::span<const Word> words, const TextLine& value) {
  constexpr double kRows = 12;  // em
  const double em = value.size_px;
  const auto near = [&](const Word& word) {
    return word.quarter_turns == value.quarter_turns &&
           std::abs(word.box.y0 - value.box.y0) < kRows * em;
  };
  return std::any_of(words.begin(), words.end(), [&](const Word& label) {
    const double gap = value.box.x0 - label.box.x1;
    return near(label) && label.text.ends_with(':') && gap > 0 && gap < kLabelGapEm * em &&
           std::any_of(words.begin(), words.end(), [&](const Word& other) {
             return near(other) && std::abs(other.box.x0 - value.box.x0) < 0.3 * em &&
                    row_overlap(other.box, label.box) > 0.5;
           });
  });
}

/// A number without a point that counts what stands right of it: the next one has its text at the
/// same place, and a line without a number goes on between them.
bool counts_entries(std::span<const Word> words, const std::vector<TextLine>& lines, size_t left,
                    size_t right) {
  const double em = lines[right].size_px;
  const auto number = [&](const TextLine& line) {
    const std::string& text =
        line.words.empty() ? std::string() : words[size_t(line.words[0])].text;
    const bool digits = line.words.size() == 1 && !text.empty() && text.size() <= 3 &&
                        text.find_first_not_of("0123456789") == text.npos;
    return digits ? std::stoi(text) : -1;
  };
  const auto same = [&](int a, int b) { return std::abs(a - b) < 0.3 * em; };
  const int own = number(lines[left]);
  if (own < 0 || lines[right].words.size() < 3) return false;
  return std::any_of(lines.begin(), lines.end(), [&](const TextLine& other) {
    const int step = number(other) - own;
    if (number(other) < 0 || std::abs(step) != 1 ||
        !(same(other.box.x0, lines[left].box.x0) || same(other.box.x1, lines[left].box.x1)))
      return false;
    const TextLine& upper = step > 0 ? lines[left] : other;
    const TextLine& lower = step > 0 ? other : lines[left];
    return std::any_of(lines.begin(), lines.end(), [&](const TextLine& line) {
      return same(line.box.x0, lines[right].box.x0) && line.middle() > upper.middle() + 0.7 * em &&
             line.middle() < lower.middle() - 0.7 * em;
    });
  });
}

/// Whether a line above or below shows that a marker, maybe the number of a formula, stands at the
/// right edge of a column, before another one.
bool ends_column(const std::vector<TextLine>& lines, const TextLine& marker, const TextLine& next) {
  constexpr double kNear = 12;  // em; the foot of the page stands elsewhere
  return std::any_of(lines.begin(), lines.end(), [&](const TextLine& line) {
    return !line.words.empty() &&
           std::abs(line.middle() - marker.middle()) < kNear * line.size_px &&
           line.box.x0 < marker.box.x0 - line.size_px && line.box.x1 > marker.box.x0 &&
           line.box.x1 < next.box.x0;
  });
}

/// Whether two parts of a row were one until it was stretched to fill its column, as before the
/// address in "URL   https://...": the row begins and ends where whole lines of the page do, and no
/// other line begins where the second part does.
bool is_stretched(std::span<const Word> words, const std::vector<TextLine>& lines, size_t left,
                  size_t right) {
  constexpr std::ptrdiff_t kLeastLines = 4;
  constexpr size_t kLeastChars = 12;
  constexpr int kSame = 3;  // pixels
  const TextLine &a = lines[left], &b = lines[right];
  const std::string& last = words[size_t(a.words.back())].text;
  const bool address = words[size_t(b.words.front())].text.find("://") != std::string::npos;
  const bool stops = std::string_view(".,:").find(last.back()) != std::string_view::npos;
  if (b.chars < kLeastChars || !(address || stops)) return false;
  const auto count = [&](auto&& holds) {
    return std::count_if(lines.begin(), lines.end(), [&](const TextLine& line) {
      return !line.words.empty() && &line != &a && &line != &b && holds(line);
    });
  };
  const auto begins =
      count([&](const TextLine& line) { return std::abs(line.box.x0 - a.box.x0) <= kSame; });
  const auto full = count([&](const TextLine& line) {
    return line.box.x0 < a.box.x1 && std::abs(line.box.x1 - b.box.x1) <= kSame;
  });
  const auto own_start =
      count([&](const TextLine& line) { return std::abs(line.box.x0 - b.box.x0) <= kSame; });
  return begins >= kLeastLines && full >= kLeastLines && own_start == 0;
}

/// Should the gap between two lines of one row be closed?
bool glue(std::span<const Word> words, const std::vector<TextLine>& lines, size_t left,
          size_t right, const Gutters& gutters) {
  const TextLine &a = lines[left], &b = lines[right];
  const double gap = b.box.x0 - a.box.x1, em = std::max(a.size_px, b.size_px);
  if (gap < -0.6 * em || row_overlap(a.box, b.box) < 0.5 || gutters.ruled(a.box, b.box))
    return false;
  if (gap < kMarkerGapEm * em && counts_entries(words, lines, left, right)) return true;
  const std::string& mark = words[size_t(a.words[0])].text;
  const bool bare_number = !mark.starts_with('.') && std::isdigit(uint8_t(mark.back()));
  const bool marks =
      is_marker(words, a) && !(bare_number && is_quantity(words, lines, left, right));
  if (opens_step(words, a.words) && gap < kMarkerGapEm * em) return true;
  if (gap < kFarMarkerGapEm * em &&
      encloses_blank(words[size_t(a.words.back())], words[size_t(b.words.front())]))
    return true;
  const std::string& next = words[size_t(b.words[0])].text;
  const bool blank =
      (next == "（" || next == "(") && b.words.size() <= 2;  // "（  ）" of a question
  if (blank && gap < kOptionGapEm * em) return true;
  // A gutter's edge may be where the text of items begins.
  if (marks && gap < kHungGapEm * em && !ends_column(lines, a, b)) return true;
  if (parted(gutters, words[size_t(a.words.back())], words[size_t(b.words.front())])) return false;
  if (gap < kOptionGapEm * em &&
      (continues_options(words, a.words, next) ||
       (a.chars < kShortAnswers && continues_numbers(words, a.words, next))))
    return true;
  if (a.mono && b.mono && (gap < 8 * em || opens_comment(next))) return true;
  if (marks && !bare_number && !is_marker(words, b) && gap < kFarMarkerGapEm * em &&
      alone_in_row(lines, left, right, true))
    return true;
  if ((marks || is_heading_letter(words, a, b)) && gap < kMarkerGapEm * em) return true;
  if (gap < kMostLabelGapEm * em && is_label(words, lines, left, right) &&
      (gap < kLabelGapEm * em || is_aligned_value(words, b)))
    return true;
  const bool names = gap < kMarkerGapEm * em && names_section(words, a);
  const bool colon = gap < kLabelGapEm * em && (next == ":" || next.starts_with("："));
  if ((names || colon) && alone_in_row(lines, left, right, false)) return true;
  if (gap < kStretchedGapEm * em && is_stretched(words, lines, left, right)) return true;
  if (gap > kGlueGapEm * em) return false;
  const Neighbour above = look(lines, left, right, true), below = look(lines, left, right, false);
  // OCR cut a line at the white after its sentence; a typist puts two blanks there.
  const Word &last = words[size_t(a.words.back())], &first = words[size_t(b.words.front())];
  const bool one = (last.line > 0 && last.line == first.line) || last.font.starts_with(kTypedFont);
  const bool sentence = one && (last.text.ends_with('.') || last.text.ends_with(".\""));
  const bool apart = above == Neighbour::apart || below == Neighbour::apart;
  if (gap <= (sentence ? kSentenceGapEm : kLineGapEm) * em && !apart) return true;
  return !apart && (above == Neighbour::across || below == Neighbour::across);
}

/// The pieces of a row, cut at gutters and at gaps that are too wide for blanks.
std::vector<std::vector<int>> runs_of(const std::vector<int>& row,
                                      const std::vector<TextLine>& lines,
                                      std::span<const Word> words, const Gutters& gutters) {
  constexpr double kMostGapEm = 5;
  std::vector<std::vector<int>> runs;
  for (size_t k = 0; k < row.size(); ++k) {
    const TextLine& line = lines[size_t(row[k])];
    const TextLine* last = k == 0 ? nullptr : &lines[size_t(row[k - 1])];
    if (!last || line.box.x0 - last->box.x1 > kMostGapEm * line.size_px ||
        parted(gutters, words[size_t(last->words.back())], words[size_t(line.words.front())]))
      runs.emplace_back();
    runs.back().push_back(row[k]);
  }
  return runs;
}

/// Whether the words of a row are justified text, most of them small: one blank between all, or two
/// after a sentence.
bool is_evenly_spaced(std::span<const Word> words, const std::vector<TextLine>& lines,
                      const std::vector<int>& run) {
  constexpr size_t kLeastWords = 6;
  constexpr double kEven = 0.15;
  std::vector<const Word*> row;
  for (const int i : run)
    for (const int w : lines[size_t(i)].words) row.push_back(&words[size_t(w)]);
  if (row.size() < kLeastWords) return false;
  std::vector<int> gaps;
  size_t small = 0;
  for (size_t k = 1; k < row.size(); ++k) {
    gaps.push_back(row[k]->box.x0 - row[k - 1]->box.x1);
    small += std::islower(uint8_t(row[k]->text[0])) != 0;
  }
  const double blank = median(gaps);
  for (size_t k = 0; k < gaps.size(); ++k) {
    const bool sentence =
        std::string_view(".?!:;)\"'").find(row[k]->text.back()) != std::string_view::npos;
    const double expected = sentence && gaps[k] > 1.5 * blank ? 2 * blank : blank;
    if (std::abs(gaps[k] - expected) > kEven * expected + 2) return false;
  }
  return small * 2 >= gaps.size();
}

}  // namespace

bool parted(const Gutters& gutters, const Word& left, const Word& right) {
  constexpr double kTypedBlank = 1.4;  // letters: one, and the white space next to it
  const double a = letter_px(left), b = letter_px(right);
  const double letter = a > 0 && b > 0 ? std::min(a, b) : std::max(a, b);
  if (gutters.ruled(left.box, right.box)) return true;
  return gutters.parts(left.box, right.box) && right.box.x0 - left.box.x1 > kTypedBlank * letter;
}

void close_justified(std::vector<TextLine>& lines, std::span<const Word> words, double dpi,
                     const Gutters& gutters) {
  constexpr size_t kLeastPieces = 5, kLeastInColumn = 3;
  constexpr double kEven = 0.2;
  // A narrow column has fewer pieces in a line, which fill it as the lines around do.
  const auto fills_column = [&](const std::vector<int>& run) {
    const TextLine &first = lines[size_t(run.front())], &last = lines[size_t(run.back())];
    return std::any_of(lines.begin(), lines.end(), [&](const TextLine& line) {
      const double distance = std::abs(line.middle() - first.middle());
      return line.words.size() > 1 && distance > 0.5 * line.size_px &&
             distance < 2 * line.size_px && std::abs(line.box.x0 - first.box.x0) < 3 &&
             std::abs(line.box.x1 - last.box.x1) < 3;
    });
  };
  const auto close = [&](std::vector<int> run) {
    if (run.size() > kLeastPieces && is_marker(words, lines[size_t(run[0])]))
      run.erase(run.begin());
    const bool even = run.size() > 1 && is_evenly_spaced(words, lines, run);
    if (!even && (run.size() < kLeastInColumn || (run.size() < kLeastPieces && !fills_column(run))))
      return;
    int widest = 0, narrowest = INT32_MAX;
    size_t goes_on = 0;
    for (size_t k = 0; k < run.size(); ++k) {
      const TextLine& line = lines[size_t(run[k])];
      goes_on += std::islower(uint8_t(words[size_t(line.words.front())].text[0])) != 0 ||
                 words[size_t(line.words.back())].text.ends_with(',');
      if (k == 0) continue;
      const int gap = line.box.x0 - lines[size_t(run[k - 1])].box.x1;
      widest = std::max(widest, gap), narrowest = std::min(narrowest, gap);
    }
    if (!even &&
        (goes_on * 3 < run.size() || narrowest <= 0 || widest - narrowest > kEven * widest + 2))
      return;
    TextLine& first = lines[size_t(run[0])];
    for (size_t k = 1; k < run.size(); ++k) {
      auto& rest = lines[size_t(run[k])].words;
      first.words.insert(first.words.end(), rest.begin(), rest.end());
      rest.clear();
    }
    summarise(first, words, dpi);
  };
  for (const auto& row : group_rows(lines))
    for (std::vector<int>& run : runs_of(row, lines, words, gutters)) close(std::move(run));
  std::erase_if(lines, [](const TextLine& line) { return line.words.empty(); });
}

void glue_lines(std::vector<TextLine>& lines, std::span<const Word> words, double dpi,
                const Gutters& gutters) {
  for (size_t i = 0; i < lines.size(); ++i) {
    for (bool again = !lines[i].words.empty(); again;) {
      again = false;
      size_t next = lines.size();  // the nearest line to the right in this row
      for (size_t j = 0; j < lines.size(); ++j) {
        if (j == i || lines[j].words.empty() || row_overlap(lines[i].box, lines[j].box) < 0.5)
          continue;
        if (lines[j].box.x0 <= lines[i].box.x0) continue;
        if (next == lines.size() || lines[j].box.x0 < lines[next].box.x0) next = j;
      }
      if (next == lines.size() || !glue(words, lines, i, next, gutters)) break;
      lines[i].words.insert(lines[i].words.end(), lines[next].words.begin(),
                            lines[next].words.end());
      lines[next].words.clear();
      summarise(lines[i], words, dpi);
      again = true;
    }
  }
  std::erase_if(lines, [](const TextLine& line) { return line.words.empty(); });
}

}  // namespace docspec
