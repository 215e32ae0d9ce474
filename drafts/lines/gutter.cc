#include "drafts/lines/gutter.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include "core/text/unicode.h"
#include "drafts/lines/font_style.h"
#include "drafts/lines/text_lines.h"

namespace docspec {
namespace {

constexpr int kStep = 2;       // pixels
constexpr int kLeastRows = 6;  // with words on a side

using Rows = std::vector<std::vector<Box>>;  // each from left to right

int percentile(std::vector<int> values, double share) {
  const auto at = values.begin() + std::ptrdiff_t(share * double(values.size() - 1));
  std::nth_element(values.begin(), at, values.end());
  return *at;
}

template <class F>
int percentile(const Rows& rows, double share, const F& of) {
  std::vector<int> values;
  for (const std::vector<Box>& row : rows) values.push_back(int(of(row)));
  return percentile(std::move(values), share);
}

Rows rows_of(const std::vector<Box>& boxes) {
  Rows rows;
  for (const auto& row : group_rows(boxes)) {
    rows.emplace_back();
    for (const int i : row) rows.back().push_back(boxes[size_t(i)]);
  }
  return rows;
}

/// Rows with words to the left of x, to its right, and those that run across.
struct Sides {
  int left = 0, right = 0, across = 0;
  int clear = 0;  ///< rows one below the other of which none runs across, at most

  /// How much of a strip between them there is; 0 = none.
  int strip() const {
    const int least = std::min(left, right);
    return least < kLeastRows ? 0 : std::max(0, least - 3 * across);
  }
};

/// Whether a row has no blank of an em at x.
bool runs_across(const std::vector<Box>& row, int x, int em) {
  size_t left = 0;
  while (left < row.size() && row[left].x1 <= x) ++left;
  if (left == row.size()) return false;
  return row[left].x0 < x || (left > 0 && row[left].x0 - row[left - 1].x1 < em);
}

Sides sides_of(const Rows& rows, int x, int em) {
  Sides sides;
  int clear = 0;
  for (const std::vector<Box>& row : rows)
    if (runs_across(row, x, em)) {
      ++sides.across;
      clear = 0;
    } else {
      sides.left += row.front().x1 <= x, sides.right += row.back().x0 >= x;
      sides.clear = std::max(sides.clear, ++clear);
    }
  return sides;
}

/// Words on one side of x, without those of lines that run across, in rows of their own: two
/// columns need not have their lines at the same heights.
Rows side_of(const Rows& rows, int x, int em, bool left) {
  std::vector<Box> boxes;
  for (const std::vector<Box>& row : rows)
    for (const Box& box : row)
      if (!runs_across(row, x, em) && (left ? box.x1 <= x : box.x0 >= x)) boxes.push_back(box);
  return rows_of(boxes);
}

/// Whether a white strip runs down between the words, as between the columns of a table.
bool has_strip(const Rows& rows, int em) {
  Box all;
  for (const std::vector<Box>& row : rows)
    for (const Box& box : row) all = unite(all, box);
  for (int x = all.x0; x < all.x1; x += kStep)
    if (sides_of(rows, x, em).strip() > 0) return true;
  return false;
}

/// Many words in a row, few of them far apart, or those one here and one there: justified.
bool prose(const Rows& rows, int wide, int em) {
  constexpr int kLeastWords = 3;
  const auto gappy = std::count_if(rows.begin(), rows.end(), [&](const std::vector<Box>& row) {
    for (size_t i = 1; i < row.size(); ++i)
      if (row[i].x0 - row[i - 1].x1 >= wide) return true;
    return false;
  });
  return percentile(rows, 0.5, [](const auto& row) { return row.size(); }) >= kLeastWords &&
         (gappy * 5 <= std::ptrdiff_t(rows.size()) * 2 || !has_strip(rows, em));
}

/// Whether nearly all rows begin at x or at one indent from it, as those of a dialogue do, whose
/// paragraphs have one line or two.
bool indents(const Rows& rows, int x, int em) {
  std::vector<int> indented;
  size_t flush = 0;
  for (const std::vector<Box>& row : rows)
    if (std::abs(row.front().x0 - x) < em)
      ++flush;
    else
      indented.push_back(row.front().x0);
  if (indented.empty() || flush * 7 < rows.size()) return false;
  const int indent = percentile(indented, 0.5);
  const auto same = std::count_if(indented.begin(), indented.end(),
                                  [&](int at) { return std::abs(at - indent) < em / 2; });
  return indent - x < 3 * em && (flush + size_t(same)) * 10 >= rows.size() * 9;
}

/// Whether nearly all rows begin at one of a few edges from x on, two and more of them at each, and
/// end at one, as the entries of a list of contents do by their levels and page numbers.
bool list_contents(const Rows& rows, int x, int em) {
  constexpr size_t kMostLevels = 4;
  std::vector<int> begins;
  for (const std::vector<Box>& row : rows) begins.push_back(row.front().x0);
  std::sort(begins.begin(), begins.end());
  size_t levels = 0, entries = 0;
  for (size_t from = 0, to = 0; from < begins.size(); from = to) {
    while (to < begins.size() && begins[to] - begins[from] < em / 2) ++to;
    if (to - from < 2 || begins[from] < x - em || begins[from] > x + 6 * em) continue;
    ++levels, entries += to - from;
  }
  const int end = percentile(rows, 0.5, [](const auto& row) { return row.back().x1; });
  const auto even = std::count_if(rows.begin(), rows.end(), [&](const auto& row) {
    return std::abs(row.back().x1 - end) * 4 < em;
  });
  return levels <= kMostLevels && std::min(entries, size_t(even)) * 7 >= rows.size() * 6;
}

/// Running text on both sides of x, `least` pixels apart and more, and a right column whose lines
/// begin at one place, or, where they run around a picture, below one another.
std::optional<Gutter> between_prose(const Rows& rows, int x, int em, int least) {
  const Rows left = side_of(rows, x, least, true), right = side_of(rows, x, least, false);
  if (left.empty() || right.empty()) return std::nullopt;
  const auto begin = [](const auto& row) { return row.front().x0; };
  const Gutter gutter{percentile(left, 0.95, [](const auto& row) { return row.back().x1; }),
                      percentile(right, 0.1, begin)};
  const int width = gutter.x1 - gutter.x0, wide = std::max(width, 3 * em / 2);
  if (width < em / 2 || !prose(left, wide, em) || !prose(right, wide, em)) return std::nullopt;
  size_t at_gutter = 0, below = 0;
  for (size_t i = 0; i < right.size(); ++i) {
    at_gutter += std::abs(begin(right[i]) - gutter.x1) < em;
    below += i > 0 && std::abs(begin(right[i]) - begin(right[i - 1])) < em;
  }
  const bool aligned = at_gutter * 5 >= right.size() * 2;
  const bool around = at_gutter * 5 >= right.size() && below * 4 >= right.size() * 3;
  if (!aligned && !around && !indents(right, gutter.x1, em) && !list_contents(right, gutter.x1, em))
    return std::nullopt;
  return gutter;
}

/// One of several columns: its rows, and the places of their ends.
struct Column {
  Rows rows;
  int x0 = 0, x1 = 0;

  explicit Column(const std::vector<Box>& boxes) : rows(rows_of(boxes)) {
    if (rows.empty()) return;
    x0 = percentile(rows, 0.1, [](const auto& row) { return row.front().x0; });
    x1 = percentile(rows, 0.95, [](const auto& row) { return row.back().x1; });
  }

  /// How many of its rows are running text as wide as it.
  std::ptrdiff_t full_lines(int em) const {
    constexpr size_t kLeastWords = 5;
    const auto full = [&](const std::vector<Box>& row) {
      for (size_t i = 1; i < row.size(); ++i)
        if (2 * (row[i].x0 - row[i - 1].x1) > 3 * em) return false;
      return row.size() >= kLeastWords && (row.back().x1 - row.front().x0) * 4 > (x1 - x0) * 3;
    };
    return std::count_if(rows.begin(), rows.end(), full);
  }
  bool has_text(int em) const {
    constexpr std::ptrdiff_t kLeastLines = 4;
    return full_lines(em) >= kLeastLines;
  }
};

/// The middles of the strips, of `least` pixels and more, that hardly any row runs across, or none
/// below the title of the page.
std::vector<int> strips(const Rows& rows, const Box& page, int least) {
  std::vector<int> middles;
  int from = -1;
  for (int x = page.x0 + page.width() / 10; x < page.x1 - page.width() / 10; x += kStep) {
    const Sides sides = sides_of(rows, x, least);
    const int count = int(rows.size());
    const bool free = (sides.across * 25 <= count || sides.clear * 10 >= count * 7) &&
                      std::min(sides.left, sides.right) >= kLeastRows;
    if (free && from < 0) from = x;
    if (!free && from >= 0) middles.push_back((from + x) / 2), from = -1;
  }
  return middles;
}

/// The gutters, of `least` pixels and more, between three columns and more; strips beside a column
/// without running text are within a column.
std::vector<Gutter> between_many(const std::vector<Box>& boxes, const Rows& rows, const Box& page,
                                 int em, int least) {
  constexpr size_t kLeastColumns = 3, kMostColumns = 6;
  constexpr double kMostWider = 1.6;
  std::vector<int> cuts = strips(rows, page, least);
  std::vector<Column> columns;
  for (bool again = true; again;) {
    if (cuts.size() + 1 < kLeastColumns) return {};
    columns.clear();
    std::vector<std::vector<Box>> parts(cuts.size() + 1);
    for (const Box& box : boxes) {
      const auto cut = std::upper_bound(cuts.begin(), cuts.end(), box.x0);
      if (cut == cuts.end() || *cut >= box.x1)  // else of a title that runs over them
        parts[size_t(cut - cuts.begin())].push_back(box);
    }
    for (const auto& part : parts) columns.emplace_back(part);
    const auto bare = std::find_if(columns.begin(), columns.end(),
                                   [&](const Column& column) { return !column.has_text(em); });
    again = bare != columns.end();
    if (!again) break;
    size_t cut = size_t(bare - columns.begin());  // the narrower strip beside it
    if (cut == cuts.size() ||
        (cut > 0 && columns[cut].x0 - columns[cut - 1].x1 < columns[cut + 1].x0 - columns[cut].x1))
      --cut;
    cuts.erase(cuts.begin() + std::ptrdiff_t(cut));
  }
  if (columns.size() > kMostColumns) return {};
  int widest = 0, narrowest = page.width();
  std::vector<Gutter> gutters;
  for (size_t i = 0; i < columns.size(); ++i) {
    widest = std::max(widest, columns[i].x1 - columns[i].x0);
    narrowest = std::min(narrowest, columns[i].x1 - columns[i].x0);
    if (i > 0) gutters.push_back({columns[i - 1].x1, columns[i].x0});
  }
  return widest <= kMostWider * narrowest ? gutters : std::vector<Gutter>();
}

/// The upright words of a page; without those that OCR read in a picture on a page with a text
/// layer, which has columns of its own.
struct Upright {
  std::vector<Box> boxes;
  Box page;
  int em = 0;

  explicit Upright(std::span<const Word> words) {
    std::vector<int> heights;
    const bool rendered = are_rendered(words);
    for (const Word& word : words)
      if (word.quarter_turns == 0 && !word.box.empty() && !(rendered && is_of_ocr(word.font))) {
        // A line of Chinese that OCR read is one word.
        const int parts = std::max(1, int(count_cjk(word.text)));
        for (int k = 0; k < parts; ++k)
          boxes.push_back({word.box.x0 + word.box.width() * k / parts, word.box.y0,
                           word.box.x0 + word.box.width() * (k + 1) / parts, word.box.y1});
        heights.push_back(word.box.height());
        page = unite(page, word.box);
      }
    if (!boxes.empty()) em = std::max(1, percentile(std::move(heights), 0.5));
  }
};

/// The text left and right of x, without words that run over it.
struct TwoColumns {
  Column left, right;

  TwoColumns(const Rows& rows, int x) : left(boxes(rows, x, true)), right(boxes(rows, x, false)) {}

  /// Whether they are of the same width, more or less.
  bool alike() const {
    constexpr double kMostWider = 1.25;
    const int a = left.x1 - left.x0, b = right.x1 - right.x0;
    return std::max(a, b) < kMostWider * std::min(a, b);
  }

 private:
  static std::vector<Box> boxes(const Rows& rows, int x, bool left) {
    std::vector<Box> found;
    for (const std::vector<Box>& row : rows)
      for (const Box& box : row)
        if (left ? box.x1 <= x : box.x0 >= x) found.push_back(box);
    return found;
  }
};

/// Whether the text of two columns ends early in the second, as on a last page: a long column and
/// a few lines of the same width, and nothing runs across.
bool ends_early(const Rows& rows, int x, int em) {
  constexpr std::ptrdiff_t kLong = 12, kFew = 2;
  if (sides_of(rows, x, em).across > 0) return false;
  const TwoColumns columns(rows, x);
  return columns.left.full_lines(em) >= kLong && columns.right.full_lines(em) >= kFew &&
         columns.alike();
}

/// The gutter, of `least` pixels and more, between two columns.
std::optional<Gutter> between_two(const Upright& words, Rows rows, int least) {
  const auto is_number = [&](const std::vector<Box>& row) {
    return row.size() == 1 && row[0].width() < 2 * words.em;
  };
  if (is_number(rows.back())) rows.pop_back();  // of the page, in no column
  int at = 0, most = 0;
  const int middle = (words.page.x0 + words.page.x1) / 2, reach = words.page.width() / 5;
  for (int x = middle - reach; x <= middle + reach; x += kStep)
    if (const int strip = sides_of(rows, x, least).strip(); strip > most) most = strip, at = x;
  for (int x = middle - reach; most == 0 && x <= middle + reach; x += kStep)
    if (ends_early(rows, x, words.em)) most = 1, at = x;
  return most > 0 ? between_prose(rows, at, words.em, least) : std::nullopt;
}

}  // namespace

bool Gutters::parts(const Box& left, const Box& right) const {
  return std::any_of(all_.begin(), all_.end(),
                     [&](const Gutter& gutter) { return gutter.parts(left, right); }) ||
         std::any_of(walls_.begin(), walls_.end(), [&](const Box& wall) {
           return left.x1 <= wall.x0 && right.x0 >= wall.x1 && left.y0 < wall.y1 &&
                  left.y1 > wall.y0;
         });
}

bool Gutters::ruled(const Box& left, const Box& right) const {
  constexpr double kWhite = 0.4;  // of a word's height, else the rule is drawn across the word
  const int y = (std::max(left.y0, right.y0) + std::min(left.y1, right.y1)) / 2;
  const int height = std::min(left.height(), right.height()), reach = height / 4;
  if (right.x0 - left.x1 < kWhite * height) return false;
  return std::any_of(rules_.begin(), rules_.end(), [&](const Box& rule) {
    const int x = (rule.x0 + rule.x1) / 2;
    return y >= rule.y0 && y < rule.y1 && x > left.x1 - reach && x < right.x0 + reach;
  });
}

bool Gutter::parts(const Box& left, const Box& right) const {
  const int width = x1 - x0, gap = right.x0 - left.x1, height = right.height();
  // A line that reaches into the gutter, and the blank of an em and more to the right column.
  if (left.x1 < x1 && std::abs(right.x0 - x1) * 4 < height && gap > height) return true;
  return left.x1 <= x0 + width / 2 && right.x0 >= x1 - width / 2 && 5 * gap >= 3 * width;
}

std::optional<Gutter> find_gutter(std::span<const Word> words) {
  const Upright upright(words);
  if (upright.boxes.empty()) return std::nullopt;
  return between_two(upright, rows_of(upright.boxes), upright.em);
}

Gutters find_gutters(std::span<const Word> words) {
  const Upright upright(words);
  if (upright.boxes.empty()) return {};
  const Rows rows = rows_of(upright.boxes);
  const int em = upright.em;
  auto many = between_many(upright.boxes, rows, upright.page, em, em);
  if (!many.empty()) return Gutters(std::move(many));
  if (const auto two = between_two(upright, rows, em)) return two;
  // Columns of gazettes, and LaTeX's two of 11 points, are nearer: no blanks of a page lie above
  // each other in all of its rows.
  many = between_many(upright.boxes, rows, upright.page, em, 3 * em / 5);
  if (!many.empty()) return Gutters(std::move(many));
  const auto two = between_two(upright, rows, 4 * em / 5);
  if (!two) return {};
  const TwoColumns columns(rows, (two->x0 + two->x1) / 2);
  return columns.alike() && columns.left.has_text(em) && columns.right.has_text(em) ? two
                                                                                    : std::nullopt;
}

}  // namespace docspec
