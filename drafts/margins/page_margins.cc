#include "drafts/margins/page_margins.h"

#include <algorithm>
#include <cctype>
#include <cstdlib>
#include <cstring>
#include <string>

#include "core/base/median.h"
#include "drafts/margins/cut_off_lines.h"
#include "drafts/margins/handouts.h"
#include "drafts/margins/margin_rows.h"
#include "drafts/margins/outer_numbers.h"
#include "drafts/margins/page_numbers.h"

namespace docspec {
namespace {

class Margin {
 public:
  Margin(const PageInput& page, const std::vector<TextLine>& lines, const RulingLines& rules,
         const PageText& text, double body_px, bool top)
      : page_(page), lines_(lines), rules_(rules), text_(text), body_px_(body_px), top_(top) {
    MarginRows margin(page, lines, text, body_px, top);
    rows_ = std::move(margin.rows);
    gaps_ = std::move(margin.gaps);
  }

  /// Lines of the outermost rows that are running headers or footers.
  std::vector<int> furniture() const {
    std::vector<int> found;
    for (size_t n = rows_.size() - (rows_.empty() ? 0 : 1); n > 0 && found.empty(); --n)
      if (are_furniture(n) || is_ruled_off(n))
        for (size_t r = 0; r < n; ++r)
          found.insert(found.end(), rows_[r].lines.begin(), rows_[r].lines.end());
    // Where a page of the Web was printed, its own number may stand below the text, far up.
    const size_t next = size_t(std::find_if(rows_.begin(), rows_.end(),
                                            [&](const MarginRow& row) {
                                              return std::find(found.begin(), found.end(),
                                                               row.lines.front()) == found.end();
                                            }) -
                               rows_.begin());
    if (next + 1 < rows_.size() &&
        (top_ ? next > 0 && goes_with_header(rows_[next], rows_[next + 1])
              : ends_text(rows_[next], rows_[next + 1])))
      found.insert(found.end(), rows_[next].lines.begin(), rows_[next].lines.end());
    return found;
  }

 private:
  /// Whether paragraphs of the page stand `gap` apart.
  bool parts_paragraphs(double gap) const {
    constexpr double kSame = 0.15;
    constexpr std::ptrdiff_t kLeast = 2;
    return std::count_if(gaps_.begin(), gaps_.end(),
                         [&](int other) { return std::abs(other - gap) <= kSame * gap; }) >= kLeast;
  }

  /// Whether a row is a number alone in the middle, below the last row of the text, or right below
  /// one that is as wide as the text.
  bool ends_text(const MarginRow& row, const MarginRow& text) const {
    constexpr double kLeastGap = 0.8;
    constexpr size_t kMostDigits = 3;
    return row.only_number && row.lines.size() == 1 && row.chars <= kMostDigits && row.mid_page &&
           row.size_px < 1.2 * body_px_ && row.from < text.from - kLeastGap * body_px_ &&
           (text.from - row.to > kLeastGap * body_px_ || text.chars > kShortRow) &&
           text.chars > row.chars * 4;
  }

  /// Whether a row below a running header is of it: short and small in the middle of the page,
  /// above text at the margin ("Opinion of the Court").
  bool goes_with_header(const MarginRow& row, const MarginRow& text) const {
    constexpr double kSmall = 0.92, kLeastGap = 0.4;
    return row.lines.size() == 1 && row.mid_page && row.centred && !row.stays && !row.title &&
           row.chars < kShortRow / 2 && row.size_px < kSmall * body_px_ && !text.centred &&
           text.size_px > row.size_px && text.from - row.to > kLeastGap * body_px_;
  }

  /// Whether a row of words begins where the next one does, in letters of its size: an item of the
  /// same list, say, that names a year.
  bool continues(const MarginRow& row, const MarginRow& next) const {
    if (row.only_number || row.page_named || row.imprint) return false;
    const TextLine &line = lines_[size_t(row.lines.front())],
                   &other = lines_[size_t(next.lines.front())];
    return std::abs(line.box.x0 - other.box.x0) < 0.3 * line.size_px &&
           std::abs(line.size_px - other.size_px) < 0.05 * line.size_px;
  }

  /// Whether the innermost of `n` rows, three at least, are lines set one below the other, as those
  /// of an address are: a number in it is a house's, not the page's, unless it has a line to itself
  /// at an edge of the foot.
  bool is_block(size_t n) const {
    constexpr size_t kLeast = 3;
    if (n < kLeast) return false;
    for (size_t r = n - kLeast; r < n; ++r) {
      const MarginRow& row = rows_[r];
      if (row.only_number || row.page_named || row.imprint) return false;
      if (!top_ && row.edge_number) return false;
      if (r + 1 == n) break;
      const bool below = std::any_of(row.lines.begin(), row.lines.end(), [&](int a) {
        return std::any_of(rows_[r + 1].lines.begin(), rows_[r + 1].lines.end(), [&](int b) {
          const Box &one = lines_[size_t(a)].box, &other = lines_[size_t(b)].box;
          return std::abs(one.x0 - other.x0) < 0.3 * body_px_;
        });
      });
      if (!below || rows_[r + 1].from - row.to > body_px_) return false;
    }
    return true;
  }

  /// Whether a row at the foot is a line of the text: as large, long, and ending as a sentence
  /// does.
  bool is_line_of_text(const MarginRow& row) const {
    const auto& own = lines_[size_t(row.lines.front())].words;
    return row.lines.size() == 1 && !row.imprint && row.chars >= kShortRow && !own.empty() &&
           row.size_px >= 0.98 * body_px_ &&
           std::strchr(".:,;-", page_.words[size_t(own.back())].text.back());
  }

  /// Whether one of the `n` outermost rows is of the text's size beside an outermost one that is
  /// clearly smaller or in a font of its own, which that row has not: the first line of the text
  /// below what a browser prints at the edge, say.
  bool reaches_text(size_t n) const {
    constexpr double kSmall = 0.9, kOfText = 0.98;
    const bool smaller = rows_[0].size_px < kSmall * body_px_;
    return std::any_of(rows_.begin() + 1, rows_.begin() + std::ptrdiff_t(n),
                       [&](const MarginRow& row) {
                         return row.size_px > kOfText * body_px_ && !row.only_number &&
                                (smaller || (row.of_text && !rows_[0].of_text));
                       });
  }

  /// Whether the `n` outermost rows are in one type, of another font and size than the row that
  /// follows: they need no white to be parted from it.
  bool are_in_other_type(size_t n) const {
    constexpr double kOther = 0.1, kSame = 0.05;
    const double size = rows_[0].size_px;
    return std::abs(size - rows_[n].size_px) > kOther * size &&
           std::all_of(rows_.begin(), rows_.begin() + std::ptrdiff_t(n), [&](const MarginRow& row) {
             return !row.of_text && !row.title && std::abs(row.size_px - size) < kSame * size;
           });
  }

  /// Whether white of `gap` pixels is `times` as wide as what the lines of the page have usually.
  bool is_wider(double gap, double times) const {
    return gaps_.empty() || gap > times * median(std::vector<double>(gaps_.begin(), gaps_.end()));
  }

  /// Whether the outermost row says by itself what it is, however near the text stands.
  bool is_plain_furniture(const MarginRow& row, double depth, double gap) const {
    constexpr double kOverlap = 0.3;  // em: tall letters
    if (row.owner && depth < 0.09 && row.size_px < 2.2 * body_px_) return true;
    if (gap < -kOverlap * body_px_) return false;
    constexpr size_t kMostParts = 3;  // more are cells of a table
    const bool dated = top_ && row.dated && row.flush_right && row.own_font && depth < 0.1;
    const bool printed = row.lines.size() <= kMostParts && row.size_px < 2.2 * body_px_ &&
                         (row.printed ? depth < 0.06 : row.print_mark && depth < 0.045);
    const bool imprint = row.imprint && row.at_both_ends && depth < 0.05 && !row.prose;
    const bool tiny = row.only_number && row.mid_page && depth < 0.08;
    if (row.tabs && depth < 0.08 && gap > 2 * body_px_) return true;
    // However large it is set.
    const bool number_alone = row.only_number && row.lines.size() == 1 && depth < 0.045;
    if (number_alone && gap > 1.5 * row.size_px) return true;
    return dated || printed || (imprint && row.size_px <= body_px_) ||
           (tiny && row.size_px < 0.7 * body_px_);
  }

  /// Whether the outermost row stands in the margin, short and clearly apart from the lines below.
  bool is_far_out(const MarginRow& row, const MarginRow& next, double depth, double gap) const {
    if (row.prose || row.chars >= kShortRow || page_.width_px > page_.height_px) return false;
    const bool alone = row.lines.size() == 1 && depth < 0.045 && row.size_px < 1.3 * body_px_ &&
                       gap > 1.5 * body_px_ && is_wider(gap, 2.5);
    const bool both = row.at_both_ends && !next.at_both_ends && depth < 0.065 &&
                      row.size_px < 1.05 * body_px_ && gap > 0.6 * body_px_;
    return alone || both;
  }

  /// Whether the outermost row is set apart from the text by more than a line, not larger than it,
  /// and either far out in the margin or with a page number at hand.
  bool is_furniture(const MarginRow& row, const MarginRow& next) const {
    const double depth = double(row.to) / page_.height_px, gap = next.from - row.to;
    if (is_plain_furniture(row, depth, gap) || is_far_out(row, next, depth, gap)) return true;
    const double outer = row.imprint ? 0.12 : row.number ? 0.11 : 0.1;
    const bool foot = row.only_number && row.mid_page && gap > 3 * body_px_;
    const bool short_row = row.chars < kShortRow;
    const bool wide = top_ && row.own_font && depth < 0.14 && !row.prose &&
                      (row.number ? row.chars < 2 * kShortRow : row.centred && short_row);
    const bool placed =
        wide || depth < outer ? !row.prose : row.number && depth < (foot ? 0.25 : 0.2) && short_row;
    // Below a listing in small letters the number has the size of a text that is not there.
    const bool page_number =
        row.only_number || (row.number && (depth < outer || row.imprint || row.at_both_ends));
    const bool address = row.imprint && depth < 0.06;  // of a page that a browser printed
    // Where most of the page is a table in small letters, its margins have the text's size.
    const bool edge_number = (!top_ || row.bar_number) && row.number && short_row && depth < 0.08;
    const bool date = row.flush_right && row.dated && depth < 0.08;
    const bool to_right = row.flush_right && depth < 0.06 && next.size_px > 1.3 * body_px_;
    constexpr size_t kLongTitle = 40;  // letters
    const double largest_font = edge_number || date ? 2.2
                                : to_right          ? 1.3
                                : page_number || address
                                    ? (row.imprint                                  ? 1.5
                                       : row.at_both_ends && row.chars < kLongTitle ? 1.9
                                                                                    : 1.35)
                                    : 1.1;
    const bool lone = row.only_number && depth < 0.05 && (row.mid_page || row.flush_right);
    const bool small_imprint = !top_ && row.imprint && row.size_px < 0.85 * body_px_;
    const bool below = !top_ && row.only_number && row.centred && row.mid_page;
    const double least = row.page_named                ? 0.1
                         : below && is_wider(gap, 1.5) ? 0.45
                         : lone || small_imprint       ? 0.3
                         : row.number && next.stays    ? 0.1
                         : row.number                  ? 0.8
                         : row.centred && depth < 0.1  ? 0.6
                                                       : 1.3;
    // A row as far from the next as those are from each other is of them.
    const bool even = rows_.size() > 2 && gap < 1.2 * (rows_[2].from - next.to);
    constexpr double kSmall = 0.8;
    const bool like_text = row.size_px > kSmall * body_px_;
    if ((even || (like_text && parts_paragraphs(gap))) && !row.number && !row.imprint &&
        !row.centred)
      return false;
    if (even && continues(row, next)) return false;
    const double white = least * (row.number ? std::min(row.size_px, body_px_) : row.size_px);
    return placed && row.size_px <= largest_font * body_px_ && gap > white;
  }

  /// The same for the `n` outermost rows.
  bool are_furniture(size_t n) const {
    bool number = false, imprint = false, prose = false, all_numbers = true;
    double largest = 0, widest = 0;  // letters; gap between two of the rows
    for (size_t r = 0; r < n; ++r) {
      if (rows_[r].stays) return false;
      number |= rows_[r].number;
      all_numbers &= rows_[r].number;
      imprint |= rows_[r].imprint;
      prose |= rows_[r].prose;
      largest = std::max(largest, rows_[r].size_px);
      if (r > 0) widest = std::max(widest, double(rows_[r].from - rows_[r - 1].to));
    }
    if (n == 1) return is_furniture(rows_[0], rows_[1]);
    if (is_block(n)) number = false;
    if (!top_ && rows_[0].only_number && is_line_of_text(rows_[n - 1])) return false;
    const MarginRow& inner = rows_[n - 1];
    const double depth = double(inner.to) / page_.height_px;
    const double gap = rows_[n].from - inner.to;
    // A title below what a court stamps at the edge, far from it.
    const bool titled =
        top_ && inner.title && !rows_[0].title && inner.from - rows_[n - 2].to > 2 * body_px_;
    constexpr size_t kMostRows = 3;  // more are the head of a form
    if (reaches_text(n) || titled || (n > kMostRows && (top_ || !imprint))) return false;
    const bool small = largest < 0.9 * body_px_;
    const bool far = gap > 1.5 * body_px_ && is_wider(gap, 2.5);
    const bool known = number || imprint || depth < 0.065 || small;
    const double largest_font = all_numbers ? 1.6 : imprint && n == 2 ? 1.3 : 1.1;
    const double deepest = number && inner.flush_right ? 0.14
                           : number || imprint         ? 0.13
                           : small && far              ? 0.11
                                                       : 0.1;
    // The number of a header stands a little lower than its title, alone at the text's right edge.
    const bool beside = inner.only_number && inner.flush_right && depth < 0.06;
    const double least = top_ && inner.lines.size() == 1 ? 0.2 : 0.5;  // em
    const bool apart = gap > 1.2 * largest || (beside && gap > least * body_px_);
    const bool right_size = depth < deepest && largest <= largest_font * body_px_;
    if (top_ && imprint && are_in_other_type(n)) return right_size && gap > -0.3 * body_px_;
    return known && !prose && right_size && apart && gap > widest;
  }

  /// Whether a row has two parts and more that begin or end where those of the next one do: the
  /// heads of a table's columns.
  bool heads_columns(const MarginRow& row, const MarginRow& next) const {
    constexpr std::ptrdiff_t kLeast = 2;
    return std::count_if(row.lines.begin(), row.lines.end(), [&](int a) {
             return std::any_of(next.lines.begin(), next.lines.end(), [&](int b) {
               const Box &one = lines_[size_t(a)].box, &other = lines_[size_t(b)].box;
               return std::abs(one.x0 - other.x0) < 0.5 * body_px_ ||
                      std::abs(one.x1 - other.x1) < 0.5 * body_px_;
             });
           }) >= kLeast;
  }

  /// Whether a rule as wide as the text parts the `n` outermost rows from it, and is of no table or
  /// frame. Below a rule at the foot a number or an imprint has to stand: notes may, too.
  bool is_ruled_off(size_t n) const {
    constexpr size_t kMostRows = 2, kMostLetters = 100;
    constexpr double kWide = 0.7, kMostFilled = 0.75, kDeepest = 0.14;  // of text, text, page
    constexpr double kNear = 1.3, kTableHead = 0.12;  // em; of the page, to its next rule
    if (n > kMostRows || page_.width_px > page_.height_px) return false;
    bool known = top_;
    for (size_t r = 0; r < n; ++r) {
      const MarginRow& row = rows_[r];
      const bool apart = row.centred || row.at_both_ends || row.lines.size() > 2;
      const double largest = row.only_number ? 1.6 : apart ? 1.35 : 1.15;
      if (row.stays || row.title || row.chars > kMostLetters || row.size_px > largest * body_px_)
        return false;
      known |= row.number || row.imprint;
      int filled = 0;  // a line of underlined text fills the page
      for (int i : row.lines) filled += lines_[size_t(i)].box.width();
      if (filled > kMostFilled * text_.box.width()) return false;
    }
    if (!known || heads_columns(rows_[n - 1], rows_[n])) return false;
    const auto depth = [&](const Box& rule) { return top_ ? rule.y0 : page_.height_px - rule.y1; };
    const auto alike = [&](const Box& a, const Box& b) {
      return std::abs(a.x0 - b.x0) < body_px_ && std::abs(a.x1 - b.x1) < body_px_;
    };
    for (const Box& rule : rules_.across) {
      const int at = depth(rule);
      if (rule.width() < kWide * text_.box.width() || at > kDeepest * page_.height_px ||
          at < rows_[n - 1].to - 0.3 * body_px_ || at > rows_[n].from + 0.3 * body_px_ ||
          at > rows_[n - 1].to + kNear * body_px_)
        continue;
      const bool framed = std::any_of(rules_.down.begin(), rules_.down.end(), [&](const Box& down) {
        return down.y0 < rule.y1 + body_px_ / 2 && down.y1 > rule.y0 - body_px_ / 2;
      });
      const bool of_table =
          std::any_of(rules_.across.begin(), rules_.across.end(), [&](const Box& other) {
            const int further = depth(other) - at;  // a double rule is one
            return alike(rule, other) &&
                   (depth(other) < rows_[0].from ||
                    (further > 0.5 * body_px_ && further < kTableHead * page_.height_px));
          });
      return !framed && !of_table;
    }
    return false;
  }

  const PageInput& page_;
  const std::vector<TextLine>& lines_;
  const RulingLines& rules_;
  const PageText& text_;
  const double body_px_;
  const bool top_;
  std::vector<MarginRow> rows_;
  std::vector<int> gaps_;
};

}  // namespace

std::vector<Place> margin_places(const PageInput& page, const std::vector<TextLine>& lines,
                                 const RulingLines& rules, double body_px) {
  constexpr double kEdge = 0.1, kSide = 0.15;  // of the width; the second where no text stands
  std::vector<Place> places(lines.size(), Place::body);
  constexpr size_t kMostOnTheirSide = 2;  // more are the labels of a table or a drawing
  const PageText text(page.words, lines);
  for (size_t i = 0; i < lines.size(); ++i) {
    const Box& box = lines[i].box;
    const double left = double(box.x1) / page.width_px, right = 1 - double(box.x0) / page.width_px;
    const bool outside = !text.box.empty() && text.on_side <= kMostOnTheirSide &&
                         (box.x1 <= text.box.x0 || box.x0 >= text.box.x1);
    if (lines[i].quarter_turns % 2 && std::min(left, right) < (outside ? kSide : kEdge))
      places[i] = Place::header;
  }
  for (const bool left : {true, false})
    for (int i : cut_off_lines(page, lines, left, body_px)) places[size_t(i)] = Place::header;
  for (int i : Margin(page, lines, rules, text, body_px, true).furniture())
    places[size_t(i)] = Place::header;
  for (int i : Margin(page, lines, rules, text, body_px, false).furniture())
    places[size_t(i)] = Place::footer;
  for (int i : outer_numbers(page, lines))
    places[size_t(i)] =
        2 * lines[size_t(i)].box.y0 < page.height_px ? Place::header : Place::footer;
  repeat_furniture(lines, page.words, places);
  // A number that has a page to itself is its own.
  if (lines.size() == 1 && is_number(lines[0], page.words) &&
      page.height_px - lines[0].box.y1 < 0.12 * page.height_px)
    places[0] = Place::footer;
  // Words that have a page to themselves are its text.
  if (std::find(places.begin(), places.end(), Place::body) == places.end())
    for (size_t i = 0; i < lines.size(); ++i)
      if (lines[i].quarter_turns % 2 == 0 && !is_number(lines[i], page.words))
        places[i] = Place::body;
  return places;
}

void keep_text_above(const std::vector<Box>& pictures, const std::vector<TextLine>& lines,
                     std::vector<Place>& places) {
  std::vector<size_t> header;  // from the lowest line up
  for (size_t i = 0; i < lines.size(); ++i)
    if (places[i] == Place::header && lines[i].quarter_turns % 2 == 0) header.push_back(i);
  std::sort(header.begin(), header.end(),
            [&](size_t a, size_t b) { return lines[a].box.y0 > lines[b].box.y0; });
  if (header.empty()) return;
  size_t rows = 1;  // the lines that stand close to each other
  while (rows < header.size() && lines[header[rows - 1]].box.y0 - lines[header[rows]].box.y1 <
                                     lines[header[rows]].size_px / 2)
    ++rows;
  if (rows == header.size()) return;
  const Box& lowest = lines[header[0]].box;
  const int above = lines[header[rows - 1]].box.y0 - lines[header[rows]].box.y1;
  const bool kept = std::any_of(pictures.begin(), pictures.end(), [&](const Box& picture) {
    return picture.y0 > lowest.y0 && picture.y0 - lowest.y1 < above && picture.x0 < lowest.x1 &&
           picture.x1 > lowest.x0;
  });
  for (size_t k = 0; kept && k < rows; ++k) places[header[k]] = Place::body;
}

}  // namespace docspec
