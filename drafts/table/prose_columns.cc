#include "drafts/table/prose_columns.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <cstdlib>
#include <string>
#include <string_view>
#include <vector>

#include "drafts/grid/cell_text.h"
#include "drafts/grid/table_columns.h"
#include "drafts/grid/white_strips.h"
#include "drafts/lines/bullets.h"
#include "drafts/lines/font_style.h"
#include "drafts/lines/line_text.h"
#include "drafts/lines/text_blocks.h"

namespace docspec {
namespace {

/// The lines of one column, from the top, and how many of them continue the one above.
struct ColumnText {
  size_t lines = 0, words = 0, continued = 0;
  std::vector<Box> boxes;  // of the lines

  bool wordy() const {
    constexpr double kLeastWords = 3.2;
    return lines > 2 && double(words) >= kLeastWords * double(lines);
  }

  /// Whether most lines begin at one edge and reach, more or less, another, as those of a table
  /// hardly do. Of a few lines some must go on with the one above.
  bool fills_column() const {
    constexpr size_t kLeastLines = 5, kFew = 8;
    constexpr int kLeastWidth = 10;  // heights of a line
    if (lines < kLeastLines || !wordy() || (lines < kFew && continued * 5 < lines)) return false;
    std::vector<int> starts, widths;
    for (const Box& box : boxes) {
      starts.push_back(box.x0);
      widths.push_back(box.width());
    }
    std::sort(starts.begin(), starts.end());
    std::sort(widths.begin(), widths.end());
    const int start = starts[starts.size() / 2], width = widths[widths.size() * 9 / 10];
    const auto full = std::count_if(boxes.begin(), boxes.end(), [&](const Box& box) {
      return std::abs(box.x0 - start) * 2 < box.height() && box.width() * 4 > width * 3 &&
             width > kLeastWidth * box.height();
    });
    return size_t(full) * 10 >= lines * 7;
  }
};

/// The numbers with which lines of one column begin, and how many lines have words.
struct ColumnNumbers {
  size_t count = 0, words = 0;
  int first = 0, last = 0;
  bool rise = true;
};

}  // namespace

bool is_prose(const TableGrid& grid, std::span<const Word> words) {
  std::vector<ColumnText> columns(size_t(grid.columns));
  for (const CellLines& cell : grid.cells) {
    ColumnText& column = columns[size_t(cell.column)];
    for (const std::vector<int>& line : cell.lines) {
      if (line.empty()) continue;
      const bool small = std::islower(uint8_t(words[size_t(line.front())].text[0])) != 0;
      column.continued += small && column.lines > 0;
      column.words += line.size();
      ++column.lines;
      column.boxes.emplace_back();
      for (int w : line) column.boxes.back() = unite(column.boxes.back(), words[size_t(w)].box);
    }
  }
  constexpr std::ptrdiff_t kLeastColumns = 2;
  const auto full = std::count_if(columns.begin(), columns.end(),
                                  [](const ColumnText& column) { return column.fills_column(); });
  if (full >= kLeastColumns) return true;
  constexpr double kLeastContinued = 0.4;
  // Two text columns of so many lines are no table, whatever stands beside them.
  constexpr size_t kLong = 12;
  size_t lines = 0, continued = 0, words_of_text = 0, all_words = 0, wordy = 0, longest = kLong;
  for (const ColumnText& column : columns) {
    all_words += column.words;
    if (!column.wordy()) continue;
    ++wordy;
    lines += column.lines - 1;
    continued += column.continued;
    words_of_text += column.words;
    longest = std::min(longest, column.lines);
  }
  const bool continues = lines > 0 && double(continued) >= kLeastContinued * double(lines);
  return continues && (wordy == columns.size() ||
                       (wordy > 1 && longest >= kLong && words_of_text * 10 >= all_words * 6));
}

bool lists_contents(const TableGrid& grid, std::span<const Word> words) {
  constexpr size_t kLeastNumbers = 3, kMostDigits = 4, kLeastColumns = 2;
  std::vector<ColumnNumbers> columns(size_t(grid.columns));
  for (const CellLines& cell : grid.cells)
    for (const auto& line : cell.lines) {
      ColumnNumbers& own = columns[size_t(cell.column)];
      const std::string text = line_text(words, line);
      const size_t digits = std::min(text.find_first_not_of("0123456789"), text.size());
      own.words += count_digits(text) * 2 < text.size();
      if (digits == 0 || digits > kMostDigits) continue;
      const int number = std::stoi(text.substr(0, digits));
      if (own.count == 0) own.first = number;
      own.rise &= own.count == 0 || number > own.last;
      own.last = number;
      ++own.count;
    }
  size_t found = 0;
  int last = -1;
  for (size_t c = 0; c < columns.size(); ++c) {
    const ColumnNumbers& own = columns[c];
    if (own.count < kLeastNumbers) continue;
    const bool beside = c + 1 < columns.size() && columns[c + 1].count < kLeastNumbers &&
                        columns[c + 1].words >= kLeastNumbers;
    if (!own.rise || own.first <= last || (own.words * 2 < own.count && !beside)) return false;
    last = own.last;
    ++found;
  }
  return found >= kLeastColumns;
}

bool are_lists(const TableGrid& grid, std::span<const Word> words) {
  constexpr size_t kLeastBullets = 2;
  std::vector<size_t> cells(size_t(grid.columns), 0), bullets = cells, marks = cells;
  for (const CellLines& cell : grid.cells) {
    const std::vector<int>& line = cell.lines.front();
    if (line.empty()) return false;  // not read yet
    const std::string& first = words[size_t(line.front())].text;
    ++cells[size_t(cell.column)];
    bullets[size_t(cell.column)] += is_bullet(first);
    marks[size_t(cell.column)] += is_list_marker(first);
  }
  for (size_t c = 1; c < cells.size(); ++c)
    if (bullets[c] >= kLeastBullets && bullets[c] == cells[c] && marks[0] == cells[0]) return true;
  return false;
}

bool lists_code(const TableGrid& grid, std::span<const Word> words) {
  std::array<size_t, 2> all{}, code{}, opened{};  // words of the columns; cells that begin so
  const auto is_code = [&](int w) { return font_style(words[size_t(w)].font).mono; };
  for (const CellLines& cell : grid.cells) {
    const size_t c = cell.column > 0;
    if (!cell.lines.front().empty()) opened[c] += is_code(cell.lines.front().front());
    for (const auto& line : cell.lines)
      for (int w : line) ++all[c], code[c] += is_code(w);
  }
  const auto nearly_all = [&](size_t c) { return code[c] * 5 >= all[c] * 4; };
  const auto hardly_any = [&](size_t c) {
    return code[c] * 5 <= all[c] || (opened[c] == 0 && code[c] * 2 <= all[c]);
  };
  return (nearly_all(0) && hardly_any(1)) || (hardly_any(0) && nearly_all(1));
}

std::vector<bool> find_listed(const std::vector<TextLine>& lines, std::span<const Word> words) {
  constexpr size_t kLeast = 4, kLeastLetters = 16;  // lines; letters of one, names are shorter
  constexpr double kMostGap = 0.8;                  // em
  constexpr std::string_view kSigns = "(){};=\"<>#";
  std::vector<bool> listed(lines.size(), false);
  std::vector<int> typed;
  for (int i = 0; i < int(lines.size()); ++i)
    if (lines[size_t(i)].mono && lines[size_t(i)].quarter_turns == 0) typed.push_back(i);
  if (typed.size() * 5 > lines.size() * 4) return listed;
  std::stable_sort(typed.begin(), typed.end(),
                   [&](int a, int b) { return lines[size_t(a)].box.y0 < lines[size_t(b)].box.y0; });
  struct Listing {
    std::vector<int> lines;
    Box box;
  };
  std::vector<Listing> listings;
  for (const int i : typed) {
    const TextLine& line = lines[size_t(i)];
    const auto above = std::find_if(listings.begin(), listings.end(), [&](const Listing& one) {
      return line.box.y0 - one.box.y1 < kMostGap * line.size_px && line.box.x0 < one.box.x1 &&
             line.box.x1 > one.box.x0;
    });
    Listing& own = above == listings.end() ? listings.emplace_back() : *above;
    own.lines.push_back(i);
    own.box = unite(own.box, line.box);
  }
  const auto has_sign = [&](int i) {
    return line_text(words, lines[size_t(i)].words).find_first_of(kSigns) != std::string::npos;
  };
  // The entries of a table's other column stand level with its lines.
  const auto has_entry = [&](int i) {
    constexpr double kLevel = 0.3;  // em
    const TextLine& own = lines[size_t(i)];
    return std::any_of(lines.begin(), lines.end(), [&](const TextLine& line) {
      return !line.mono && std::abs(line.middle() - own.middle()) < kLevel * own.size_px;
    });
  };
  for (const Listing& listing : listings) {
    const size_t count = listing.lines.size();
    const auto how_many = [&](const auto& is) {
      return size_t(std::count_if(listing.lines.begin(), listing.lines.end(), is));
    };
    size_t letters = 0;
    for (const int i : listing.lines) letters += lines[size_t(i)].chars;
    if (count < kLeast || letters < kLeastLetters * count || how_many(has_sign) * 2 < count ||
        how_many(has_entry) * 5 >= count * 4)
      continue;
    for (const int i : listing.lines) listed[size_t(i)] = true;
  }
  return listed;
}

bool is_of_columns(const std::vector<int>& group, const std::vector<TextLine>& lines,
                   const Gutters& gutters) {
  const Box box = box_of(group, lines);
  constexpr double kLeastWords = 3.2;
  const double em = lines[size_t(group.front())].size_px;
  const auto wordy = [&](auto at_edge) {
    size_t words = 0, count = 0;
    for (int i : group)
      if (at_edge(lines[size_t(i)].box)) words += lines[size_t(i)].words.size(), ++count;
    return double(words) >= kLeastWords * double(count);
  };
  const auto at_left = [&](const Box& line) { return std::abs(line.x0 - box.x0) < em; };
  const auto at_right = [&](const Box& line) { return std::abs(line.x1 - box.x1) < em; };
  const auto goes_on = [&](const TextLine& line, const Gutter& gutter) {
    const double gap = std::max(box.y0 - line.middle(), line.middle() - box.y1);
    return gap >= 0 && gap <= 1.5 * em && line.quarter_turns == 0 &&
           ((line.box.x1 < gutter.x1 && at_left(line.box) && wordy(at_left)) ||
            (line.box.x0 > gutter.x0 && at_right(line.box) && wordy(at_right)));
  };
  const auto lies_across = [&](const Gutter& gutter) {
    return box.x0 < gutter.x0 && box.x1 > gutter.x1 &&
           std::any_of(lines.begin(), lines.end(),
                       [&](const TextLine& line) { return goes_on(line, gutter); });
  };
  return std::any_of(gutters.all().begin(), gutters.all().end(), lies_across) ||
         std::any_of(gutters.rules().begin(), gutters.rules().end(), [&](const Box& rule) {
           return rule.y0 < box.y1 && rule.y1 > box.y0 && lies_across({rule.x0, rule.x1});
         });
}

bool parts_columns(const std::vector<TextLine>& lines, int x, double em) {
  constexpr size_t kLeast = 3;
  constexpr double kLevel = 0.2, kRough = 0.25, kReach = 0.2;  // em; of the lower line
  const auto reaches = [](const Box& a, const Box& b, double share) {
    return std::min(a.y1, b.y1) - std::max(a.y0, b.y0) > share * std::min(a.height(), b.height());
  };
  std::vector<Box> left, right;
  for (const TextLine& line : lines) {
    const bool at_left = line.box.x1 <= x;
    if (line.quarter_turns != 0 || (!at_left && line.box.x0 < x)) continue;
    const bool hidden = std::any_of(lines.begin(), lines.end(), [&](const TextLine& other) {
      const bool between = at_left ? other.box.x0 >= line.box.x1 && other.box.x1 <= x
                                   : other.box.x1 <= line.box.x0 && other.box.x0 >= x;
      return between && reaches(line.box, other.box, 0.5);
    });
    if (!hidden) (at_left ? left : right).push_back(line.box);
  }
  const bool rough = !lines.empty() && lines.front().rough_size;
  size_t level = 0, askew = 0;
  if (left.size() > right.size()) std::swap(left, right);
  for (const Box& a : left) {
    bool beside = false, even = false;
    for (const Box& b : right) {
      if (!reaches(a, b, kReach)) continue;
      beside = true;
      even |= std::min({std::abs(a.y0 - b.y0), std::abs(a.y1 - b.y1),
                        std::abs(a.y0 + a.y1 - b.y0 - b.y1) / 2}) <= (rough ? kRough : kLevel) * em;
    }
    level += even, askew += beside && !even;
  }
  return askew >= kLeast && askew * 3 >= level;
}

std::vector<Box> between_columns(std::vector<Box> walls, const std::vector<TextLine>& lines,
                                 double em) {
  std::erase_if(walls, [&](const Box& wall) {
    std::vector<TextLine> along;
    for (const TextLine& line : lines)
      if (line.middle() > wall.y0 && line.middle() < wall.y1) along.push_back(line);
    return !parts_columns(along, wall.x0, em);
  });
  return walls;
}

Gutters page_columns(const PageInput& page, const RulingLines& rules) {
  Gutters found = find_gutters(page.words);
  if (are_rendered(page.words))
    found.set_walls(walls_of(whites_between(rules, page.words, page.dpi), page.words, page.dpi));
  return found;
}

bool lies_across(const std::vector<int>& group, const std::vector<TextLine>& lines,
                 const Gutters& gutters, std::span<const Box> rules, double em) {
  const Box box = box_of(group, lines);
  const std::vector<TextLine> own = chosen_lines(group, lines);
  const auto is_parted_at = [&](int x) {
    Box left, right;
    for (const TextLine& line : own) {
      if (line.box.x1 <= x) left = unite(left, line.box);
      if (line.box.x0 >= x) right = unite(right, line.box);
    }
    const auto parts_rows = [&](const Box& rule) {
      return rule.x0 < x && rule.x1 > x && rule.y0 > std::max(left.y0, right.y0) &&
             rule.y1 < std::min(left.y1, right.y1);
    };
    return x > box.x0 + em && x < box.x1 - em &&
           std::none_of(rules.begin(), rules.end(), parts_rows) && parts_columns(own, x, em);
  };
  return std::any_of(
             gutters.all().begin(), gutters.all().end(),
             [&](const Gutter& gutter) { return is_parted_at((gutter.x0 + gutter.x1) / 2); }) ||
         std::any_of(gutters.walls().begin(), gutters.walls().end(), [&](const Box& wall) {
           return wall.y0 < box.y1 && wall.y1 > box.y0 && is_parted_at(wall.x0);
         });
}

bool is_spaced_prose(const std::vector<int>& group, const std::vector<TextLine>& lines) {
  constexpr size_t kLeastWords = 4;
  constexpr double kEdge = 1, kNear = 0.9;  // em
  const Box box = box_of(group, lines);
  const double em = lines[size_t(group.front())].size_px;
  const auto goes_on = [&](bool above) {
    return std::any_of(lines.begin(), lines.end(), [&](const TextLine& line) {
      const int gap = above ? box.y0 - line.box.y1 : line.box.y0 - box.y1;
      const bool beside = above ? line.middle() > box.y0 : line.middle() < box.y1;
      return !beside && gap < kNear * em && line.words.size() >= kLeastWords &&
             std::abs(line.box.x0 - box.x0) < kEdge * em &&
             std::abs(line.box.x1 - box.x1) < kEdge * em;
    });
  };
  return goes_on(true) && goes_on(false);
}

bool holds_articles(const RuledTable& table, std::span<const Box> words) {
  constexpr size_t kManyRows = 20, kWordy = 4;  // kWordy: words in a row
  size_t inside = 0;
  for (const GridCell& cell : table.cells) {
    std::vector<Box> own;
    for (const Box& word : words)
      if (holds_middle(cell.box, word)) own.push_back(word);
    const size_t rows = group_rows(own).size();
    if (rows >= kManyRows && own.size() >= kWordy * rows) inside += own.size();
  }
  return inside * 5 >= words.size() * 2;
}

std::vector<int> text_beside(const std::vector<int>& group, const std::vector<TextLine>& lines) {
  constexpr size_t kLeastLines = 5, kLeastWords = 3;
  const double em = lines[size_t(group.front())].size_px;
  Box box, text;
  for (int i : group) box = unite(box, lines[size_t(i)].box);
  std::vector<int> own;
  size_t words = 0;
  for (int i : group)
    if (lines[size_t(i)].box.x0 - box.x0 < em) {
      own.push_back(i);
      text = unite(text, lines[size_t(i)].box);
      words += lines[size_t(i)].words.size();
    }
  const auto goes_on = [&](const TextLine& line) {
    const double gap = std::max(text.y0 - line.box.y1, line.box.y0 - text.y1);
    return std::abs(line.box.x0 - text.x0) < em / 2 && line.box.x1 < text.x1 + em &&
           gap > -em / 2 && gap < em && line.words.size() >= kLeastWords &&
           line.box.width() * 2 > text.width();
  };
  const bool is_text = own.size() >= kLeastLines && words >= kLeastWords * own.size() &&
                       std::any_of(lines.begin(), lines.end(), goes_on);
  return is_text ? own : std::vector<int>();
}

std::vector<int> text_beside_labels(const std::vector<int>& group,
                                    const std::vector<TextLine>& lines,
                                    std::span<const Word> words) {
  constexpr size_t kLeastLabels = 3;
  constexpr double kFar = 3;  // em
  std::vector<int> labels, text;
  Box box;
  for (int i : group) {
    const TextLine& line = lines[size_t(i)];
    if (line.words.empty() || !words[size_t(line.words.back())].text.ends_with(':')) continue;
    labels.push_back(i);
    box = unite(box, line.box);
  }
  if (labels.size() < kLeastLabels) return {};
  const double em = lines[size_t(labels.front())].size_px;
  for (int i : labels)
    if (std::abs(lines[size_t(i)].box.x0 - box.x0) > em / 2 &&
        std::abs(lines[size_t(i)].box.x1 - box.x1) > em / 2)
      return {};
  for (int i : group)
    if (box.x0 - lines[size_t(i)].box.x1 > kFar * em) text.push_back(i);
  const auto left = [&](int i) { return lines[size_t(i)].box.x0 < box.x0 - em; };
  return std::count_if(group.begin(), group.end(), left) == std::ptrdiff_t(text.size())
             ? text
             : std::vector<int>();
}

}  // namespace docspec
