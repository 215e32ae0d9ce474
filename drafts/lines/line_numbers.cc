#include "drafts/lines/line_numbers.h"

#include <algorithm>
#include <cstdlib>

#include "drafts/lines/font_style.h"
#include "drafts/lines/leaders.h"

namespace docspec {
namespace {

/// A number that opens a line.
struct Number {
  size_t line = 0;
  int value = 0;
  Box box;
  bool listing = false;  // before type of one width
  bool read = false;     // by OCR, which may miss some
};

/// Whether a number is raised as the mark of a footnote is, before an address of the Web, say. The
/// small number of a line of code stands on its line.
bool is_raised(const Word& number, const Word& next) {
  constexpr double kHigh = 0.25;  // of the next word's height
  const double middle = (number.box.y0 + number.box.y1) / 2.0;
  return number.box.height() < next.box.height() &&
         middle < next.box.y0 + kHigh * next.box.height();
}

/// Whether type of one width comes next in the row of line `i`.
bool before_code(const std::vector<TextLine>& lines, std::span<const Word> words, size_t i) {
  if (lines[i].words.size() > 1) {
    const Word &number = words[size_t(lines[i].words[0])], &next = words[size_t(lines[i].words[1])];
    return font_style(next.font).mono && !is_raised(number, next);
  }
  const TextLine* next = nullptr;
  for (const TextLine& line : lines)
    if (line.box.x0 >= lines[i].box.x1 &&
        std::abs(line.middle() - lines[i].middle()) < 0.5 * lines[i].box.height() &&
        (!next || line.box.x0 < next->box.x0))
      next = &line;
  return next && next->mono;
}

std::vector<Number> opening_numbers(const std::vector<TextLine>& lines,
                                    std::span<const Word> words) {
  constexpr size_t kMostDigits = 4;
  std::vector<Number> numbers;
  for (size_t i = 0; i < lines.size(); ++i) {
    if (lines[i].words.empty() || lines[i].quarter_turns != 0) continue;
    const Word& first = words[size_t(lines[i].words.front())];
    const bool digits = std::all_of(first.text.begin(), first.text.end(),
                                    [](char c) { return c >= '0' && c <= '9'; });
    if (!digits || first.text.size() > kMostDigits) continue;
    numbers.push_back({i, std::atoi(first.text.c_str()), first.box, before_code(lines, words, i),
                       first.font.empty()});
  }
  return numbers;
}

/// The number at `start` and those below it that count on from it.
std::vector<Number> run_from(const std::vector<Number>& numbers, size_t start, int step) {
  constexpr int kMostMissed = 2;  // one after the other
  std::vector<Number> run = {numbers[start]};
  for (size_t k = start + 1; k < numbers.size(); ++k) {
    const Box &last = run.back().box, &box = numbers[k].box;
    const int same = numbers[k].read ? std::max(3, box.height() / 3) : 3;
    const bool aligned = std::abs(box.x1 - last.x1) <= same || std::abs(box.x0 - last.x0) <= same;
    const int pitch = box.y0 - last.y0, steps = (numbers[k].value - run.back().value) / step;
    if (aligned && numbers[k].value == run.back().value + steps * step && steps > 0 &&
        steps <= (numbers[k].read ? kMostMissed + 1 : 1) && pitch > 0 &&
        pitch < 4 * steps * step * last.height())
      run.push_back(numbers[k]);
  }
  return run;
}

/// Whether the numbers are the first words of their lines' text: set in one column from the left
/// with it, a blank away, so that the text moves when they get another digit.
bool of_their_text(const std::vector<Number>& run, const std::vector<TextLine>& lines,
                   std::span<const Word> words) {
  bool moves = false;
  for (const Number& number : run) {
    const auto& own = lines[number.line].words;
    if (own.size() < 2 || std::abs(number.box.x0 - run.front().box.x0) > 3) return false;
    const double letter =
        double(number.box.width()) / double(words[size_t(own.front())].text.size());
    if (words[size_t(own[1])].box.x0 - number.box.x1 > 1.5 * letter) return false;
    moves |= number.box.width() > 1.5 * run.front().box.width();
  }
  return moves;
}

bool has_leader(const TextLine& line, std::span<const Word> words) {
  return std::any_of(line.words.begin(), line.words.end(),
                     [&](int w) { return is_dots(words[size_t(w)].text); });
}

/// Whether most numbers stand beside running text, not beside the cells of a table or the entries
/// of a list of contents.
bool beside_text(const std::vector<Number>& run, const std::vector<TextLine>& lines,
                 std::span<const Word> page) {
  constexpr size_t kLeastWords = 4, kMostLines = 2;  // of two columns
  size_t beside = 0;
  for (const Number& number : run) {
    size_t words = lines[number.line].words.size() - 1, others = words > 0;
    bool entry = has_leader(lines[number.line], page);
    for (size_t i = 0; i < lines.size(); ++i) {
      const bool same_row = lines[i].middle() > number.box.y0 && lines[i].middle() < number.box.y1;
      if (i == number.line || !same_row) continue;
      words += lines[i].words.size();
      entry |= has_leader(lines[i], page);
      ++others;
    }
    beside += !entry && words >= kLeastWords && others <= kMostLines;
  }
  return beside * 2 >= run.size();
}

/// Whether a page is numbered from 1 on, as a court's paper is, whatever is written on it: not one
/// text line beside each number, as in a table.
bool is_pleading(const std::vector<Number>& run, const std::vector<TextLine>& lines) {
  constexpr size_t kLeast = 24;
  constexpr double kLevel = 0.2;
  const auto level = std::count_if(run.begin(), run.end(), [&](const Number& number) {
    const double height = number.box.height(), middle = number.box.y0 + height / 2;
    return std::any_of(lines.begin(), lines.end(), [&](const TextLine& line) {
      return &line != &lines[number.line] && std::abs(line.middle() - middle) < kLevel * height;
    });
  });
  return run.front().value == 1 && run.size() >= kLeast && size_t(level) * 5 < run.size() * 3;
}

/// Whether another number stands right above or below the run's few, in their column: they are of a
/// table's.
bool in_column(const std::vector<Number>& run, const std::vector<Number>& numbers) {
  constexpr size_t kFew = 4;
  constexpr int kNear = 3;  // pixels; heights of a number
  if (run.size() > kFew) return false;
  const Box &first = run.front().box, &last = run.back().box;
  return std::any_of(numbers.begin(), numbers.end(), [&](const Number& other) {
    const bool aligned = std::abs(other.box.x1 - first.x1) <= kNear;
    const int above = first.y0 - other.box.y1, below = other.box.y0 - last.y1;
    const int overlap = -first.height() / 4;  // of boxes with room for accents
    return aligned && other.value != 1 &&
           ((above >= overlap && above < kNear * first.height()) ||
            (below >= overlap && below < kNear * last.height()));
  });
}

/// Whether rules across part most of the numbers from the next.
bool in_cells(const std::vector<Number>& run, std::span<const Box> rules) {
  size_t parted = 0;
  for (size_t i = 1; i < run.size(); ++i)
    parted += std::any_of(rules.begin(), rules.end(), [&](const Box& rule) {
      const double middle = (rule.y0 + rule.y1) / 2.0;
      return rule.x0 <= run[i].box.x0 && rule.x1 >= run[i].box.x1 && middle > run[i - 1].box.y0 &&
             middle < run[i].box.y1;
    });
  return parted * 2 > run.size();
}

}  // namespace

std::vector<Box> take_line_numbers(std::vector<TextLine>& lines, std::span<const Word> words,
                                   std::span<const Box> rules, double dpi) {
  constexpr size_t kLeastOfListing = 2, kLeastInMargin = 8, kLeastRead = 16;
  std::vector<Box> columns;
  std::vector<Number> numbers = opening_numbers(lines, words);
  std::vector<bool> taken(lines.size(), false), of_text(lines.size(), false);
  for (size_t i = 0; i < numbers.size(); ++i) {
    if (taken[numbers[i].line] || of_text[numbers[i].line]) continue;
    for (const int step : {1, 5}) {
      const std::vector<Number> run = run_from(numbers, i, step);
      const size_t listing =
          size_t(std::count_if(run.begin(), run.end(), [](const Number& n) { return n.listing; }));
      Box column;
      for (const Number& number : run) column = unite(column, number.box);
      const bool outermost = std::all_of(lines.begin(), lines.end(), [&](const TextLine& line) {
        const bool on_its_side = line.rough_size && line.box.height() > 2 * line.box.width();
        return line.box.x0 >= column.x0 - 3 || line.box.y1 < column.y0 || line.box.y0 > column.y1 ||
               on_its_side;
      });
      // A listing of one line has a number of another font.
      const std::string& font = words[size_t(lines[run.front().line].words.front())].font;
      const bool single = run.size() == 1 && run.front().value == 1 && !font_style(font).mono;
      const bool of_listing =
          step == 1 && (run.size() >= kLeastOfListing || single) && listing > 0 &&
          listing * 10 >= run.size() * 4 && run.front().value <= 1000 &&
          !((font_style(font).mono || run.front().value > 1) && in_column(run, numbers));
      if (of_their_text(run, lines, words)) {
        for (const Number& number : run) of_text[number.line] = true;
        break;
      }
      if (!of_listing &&
          !(outermost && run.size() >= (run.front().read ? kLeastRead : kLeastInMargin) &&
            (beside_text(run, lines, words) || is_pleading(run, lines)) && !in_cells(run, rules)))
        continue;
      for (const Number& number : run) taken[number.line] = true;
      columns.push_back(column);
      break;
    }
  }
  for (size_t i = 0; i < lines.size(); ++i) {
    if (!taken[i]) continue;
    lines[i].words.erase(lines[i].words.begin());
    if (!lines[i].words.empty()) summarise(lines[i], words, dpi);
  }
  for (size_t i = lines.size(); i-- > 0;)
    if (taken[i] && lines[i].words.empty()) lines.erase(lines.begin() + std::ptrdiff_t(i));
  return columns;
}

}  // namespace docspec
