#include "drafts/layout/page_margins.h"

#include <algorithm>
#include <cctype>
#include <cstdlib>
#include <map>
#include <string>

#include "drafts/layout/page_numbers.h"
#include "drafts/layout/text_openings.h"
#include "drafts/lines/leaders.h"
#include "drafts/lines/line_text.h"

namespace docspec {
namespace {

/// One row of lines at the top or bottom, `from` and `to` counted from that edge of the page.
struct MarginRow {
  std::vector<int> lines;
  int from = 0, to = 0;
  double size_px = 0;
  size_t chars = 0;
  bool number = false, imprint = false, prose = false, stays = false, centred = false;
  bool only_number = true;  // and nothing else
  bool page_named = false;  // "Page 3"
  bool mid_page = false;
  bool flush_right = false;  // and not as wide as half the text
  bool dated = false;        // "October 2023"
  bool own_font = false;     // smaller than the text, in a font that the text has not
  bool title = false;        // one bold line in the middle
};

/// What both margins of a page are told by.
struct PageText {
  Box box;               // of upright lines
  size_t on_side = 0;    // lines that are not
  size_t letters = 0;    // bytes of all words
  std::string font;      // of most of them
  bool listing = false;  // some of its lines are code

  PageText(std::span<const Word> words, const std::vector<TextLine>& lines) {
    size_t typed = 0;
    for (const TextLine& line : lines) {
      typed += line.mono;
      if (line.quarter_turns % 2 == 0)
        box = unite(box, line.box);
      else
        ++on_side;
    }
    constexpr size_t kLeastLines = 3;
    listing = typed >= kLeastLines && typed * 10 < lines.size() * 9;  // else the page is typed
    std::map<std::string, size_t> by_font;
    for (const Word& word : words) {
      letters += word.text.size();
      if ((by_font[word.font] += word.text.size()) > by_font[font]) font = word.font;
    }
  }
};

class Margin {
 public:
  Margin(const PageInput& page, const std::vector<TextLine>& lines, const PageText& text,
         double body_px, bool top)
      : page_(page), lines_(lines), text_(text), body_px_(body_px), top_(top) {
    find_rows();
  }

  /// Lines of the outermost rows that are running headers or footers.
  std::vector<int> furniture() const {
    std::vector<int> found;
    for (size_t n = rows_.size() - (rows_.empty() ? 0 : 1); n > 0 && found.empty(); --n)
      if (are_furniture(n))
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
  static constexpr size_t kMostRows = 5;
  static constexpr size_t kShort = 60;  // letters of a header further in

  /// The outermost rows and one more, from the edge.
  void find_rows() {
    std::vector<int> upright;
    for (int i = 0; i < int(lines_.size()); ++i)
      if (lines_[size_t(i)].quarter_turns % 2 == 0) upright.push_back(i);
    std::vector<Box> boxes;
    for (int i : upright) boxes.push_back(lines_[size_t(i)].box);
    auto rows = group_rows(boxes);
    if (!top_) std::reverse(rows.begin(), rows.end());
    std::vector<Box> row_boxes(rows.size());
    for (size_t r = 0; r < rows.size(); ++r)
      for (const int i : rows[r]) row_boxes[r] = unite(row_boxes[r], boxes[size_t(i)]);
    for (size_t r = 2; r < rows.size(); ++r)
      gaps_.push_back(top_ ? row_boxes[r].y0 - row_boxes[r - 1].y1
                           : row_boxes[r - 1].y0 - row_boxes[r].y1);
    for (size_t r = 0; r < std::min(rows.size(), kMostRows + 1); ++r) {
      for (int& i : rows[r]) i = upright[size_t(i)];
      rows_.push_back(summary(std::move(rows[r])));
    }
  }

  MarginRow summary(std::vector<int> row) const {
    MarginRow out{std::move(row)};
    Box box;
    std::string text;
    for (int i : out.lines) {
      const TextLine& line = lines_[size_t(i)];
      box = unite(box, line.box);
      out.size_px = std::max(out.size_px, line.size_px);
      out.chars += line.chars;
      out.number |= has_number(line, page_.words);
      out.only_number &= is_number(line, page_.words);
      out.page_named |= out.lines.size() == 1 && names_page(line, page_.words);
      if (!line.words.empty()) text += line_text(page_.words, line.words) + ' ';
      out.prose |= line.chars > 80 && line.size_px > 0.95 * body_px_;
    }
    out.from = top_ ? box.y0 : page_.height_px - box.y1;
    out.to = top_ ? box.y1 : page_.height_px - box.y0;
    out.imprint = has_imprint(text);
    if (text.ends_with(' ')) text.pop_back();
    out.stays = opens_caption(text) || (ends_with_leader(text) && !out.imprint) ||
                (!top_ && is_note(out.lines, text)) ||
                (text_.listing && !out.number && is_typed(out.lines));
    if (top_ && at_both_ends(out.lines) && text.find_first_of("0123456789") != text.npos) {
      out.number = true;
      out.prose = false;
    }
    out.mid_page = std::abs(box.x0 + box.x1 - page_.width_px) < page_.width_px / 20;
    out.flush_right =
        std::abs(box.x1 - text_.box.x1) < body_px_ && box.width() * 2 < text_.box.width();
    out.centred = box.x0 > text_.box.x0 + 0.12 * text_.box.width();
    out.title = out.lines.size() == 1 && lines_[size_t(out.lines[0])].bold && out.mid_page;
    const std::string last = text.substr(text.rfind(' ') + 1);
    out.dated = out.lines.size() == 1 && last.size() == 4 && last.size() < text.size() &&
                text.size() < kShort / 2 && (last.starts_with("19") || last.starts_with("20")) &&
                std::all_of(last.begin(), last.end(), is_numeral);
    const bool names_table = text.starts_with("Table") || text.starts_with("Fig");
    out.own_font = out.size_px < 0.95 * body_px_ && !names_table && !is_of_text(out.lines);
    return out;
  }

  /// Whether a row is in the font of most of the page's letters, or in none that is known; on a
  /// page of little text, as slides are, none is.
  bool is_of_text(const std::vector<int>& row) const {
    constexpr size_t kLeastLetters = 500;
    if (text_.letters < kLeastLetters || page_.width_px > page_.height_px) return true;
    const auto& first = lines_[size_t(row.front())].words;
    const std::string font = first.empty() ? "" : page_.words[size_t(first.front())].font;
    return font.empty() || font == text_.font;
  }

  bool is_typed(const std::vector<int>& row) const {
    return std::all_of(row.begin(), row.end(), [&](int i) { return lines_[size_t(i)].mono; });
  }

  /// Two lines, one at each edge of the text, with white between them.
  bool at_both_ends(const std::vector<int>& row) const {
    if (row.size() != 2) return false;
    const TextLine &first = lines_[size_t(row[0])], &last = lines_[size_t(row[1])];
    const Box &left = first.box, &right = last.box;
    const bool number = is_number(first, page_.words) || is_number(last, page_.words);
    return left.x0 < text_.box.x0 + body_px_ && right.x1 > text_.box.x1 - body_px_ &&
           right.x0 - left.x1 > (number ? 3 * body_px_ : text_.box.width() / 4);
  }

  /// Whether a footnote begins: a raised number, a sign, or a number before a sentence.
  bool is_note(const std::vector<int>& row, const std::string& text) const {
    if (!opens_note(text)) return false;
    if (!is_numeral(text[0])) return true;
    std::vector<int> words;
    for (int i : row)
      words.insert(words.end(), lines_[size_t(i)].words.begin(), lines_[size_t(i)].words.end());
    if (words.size() < 2) return false;
    const Word &mark = page_.words[size_t(words[0])], &next = page_.words[size_t(words[1])];
    if (mark.font_size_pt < 0.85 * next.font_size_pt) return true;
    const auto small = std::count_if(words.begin(), words.end(), [&](int i) {
      return std::islower(uint8_t(page_.words[size_t(i)].text[0]));
    });
    return words.size() >= 8 && small * 2 > std::ptrdiff_t(words.size());
  }

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
           (text.from - row.to > kLeastGap * body_px_ || text.chars > kShort) &&
           text.chars > row.chars * 4;
  }

  /// Whether a row below a running header is of it: short and small in the middle of the page,
  /// above text at the margin ("Opinion of the Court").
  bool goes_with_header(const MarginRow& row, const MarginRow& text) const {
    constexpr double kSmall = 0.92, kLeastGap = 0.4;
    return row.lines.size() == 1 && row.mid_page && row.centred && !row.stays && !row.title &&
           row.chars < kShort / 2 && row.size_px < kSmall * body_px_ && !text.centred &&
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
  /// of an address are: a number in it is a house's, not the page's.
  bool is_block(size_t n) const {
    constexpr size_t kLeast = 3;
    if (n < kLeast) return false;
    for (size_t r = n - kLeast; r < n; ++r) {
      const MarginRow& row = rows_[r];
      if (row.only_number || row.page_named || row.imprint) return false;
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

  /// Whether one of the `n` outermost rows is of the text's size beside an outermost one that is
  /// clearly smaller: the first line of the text below what a browser prints at the edge, say.
  bool reaches_text(size_t n) const {
    constexpr double kSmall = 0.9, kOfText = 0.98;
    return rows_[0].size_px < kSmall * body_px_ &&
           std::any_of(rows_.begin() + 1, rows_.begin() + std::ptrdiff_t(n),
                       [&](const MarginRow& row) {
                         return row.size_px > kOfText * body_px_ && !row.only_number;
                       });
  }

  /// Whether the `n` outermost rows are set apart from the text by more than a line, not larger
  /// than it, and either far out in the margin or with a page number at hand.
  bool are_furniture(size_t n) const {
    bool number = false, imprint = false, prose = false, stays = false, all_numbers = true;
    double largest = 0;
    int widest = 0;  // gap between two of the rows
    for (size_t r = 0; r < n; ++r) {
      number |= rows_[r].number;
      all_numbers &= rows_[r].number;
      imprint |= rows_[r].imprint;
      prose |= rows_[r].prose;
      stays |= rows_[r].stays;
      largest = std::max(largest, rows_[r].size_px);
      if (r > 0) widest = std::max(widest, rows_[r].from - rows_[r - 1].to);
    }
    const double depth = double(rows_[n - 1].to) / page_.height_px;
    if (stays) return false;
    if (is_block(n)) number = false;
    const double gap = rows_[n].from - rows_[n - 1].to;
    if (n == 1) {
      const double outer = imprint ? 0.12 : number ? 0.11 : 0.1;
      const bool foot = rows_[0].only_number && rows_[0].mid_page && gap > 3 * body_px_;
      const bool wide = top_ && rows_[0].own_font && rows_[0].centred && depth < 0.14 &&
                        rows_[0].chars < kShort && !prose;
      const bool placed = wide || depth < outer
                              ? !prose
                              : number && depth < (foot ? 0.25 : 0.2) && rows_[0].chars < kShort;
      // Below a listing in small letters the number has the size of a text that is not there.
      const bool page_number = rows_[0].only_number || (number && (depth < outer || imprint));
      const bool address = imprint && depth < 0.05;  // of a page that a browser printed
      // Where most of the page is a table in small letters, its margins have the text's size.
      const bool foot_number = !top_ && number && rows_[0].chars < kShort && depth < 0.08;
      const bool date = rows_[0].flush_right && rows_[0].dated && depth < 0.08;
      const bool to_right =
          rows_[0].flush_right && depth < 0.06 && rows_[1].size_px > 1.3 * body_px_;
      const double largest_font = foot_number || date      ? 2.2
                                  : to_right               ? 1.25
                                  : page_number || address ? (imprint ? 1.5 : 1.35)
                                                           : 1.1;
      const bool lone = rows_[0].only_number && rows_[0].mid_page && depth < 0.05;
      const bool small_imprint = !top_ && imprint && rows_[0].size_px < 0.85 * body_px_;
      const double least = rows_[0].page_named               ? 0.1
                           : lone || small_imprint           ? 0.3
                           : number && rows_[1].stays        ? 0.1
                           : number                          ? 0.8
                           : rows_[0].centred && depth < 0.1 ? 0.6
                                                             : 1.3;
      // A row as far from the next as those are from each other is of them.
      const bool even = rows_.size() > 2 && gap < 1.2 * (rows_[2].from - rows_[1].to);
      if ((even || parts_paragraphs(gap)) && !number && !imprint && !rows_[0].centred) return false;
      if (even && continues(rows_[0], rows_[1])) return false;
      const double white = least * (number ? std::min(largest, body_px_) : largest);
      return placed && largest <= largest_font * body_px_ && gap > white;
    }
    // A title below what a court stamps at the edge, far from it.
    const bool titled = top_ && rows_[n - 1].title && !rows_[0].title &&
                        rows_[n - 1].from - rows_[n - 2].to > 2 * body_px_;
    if (reaches_text(n) || titled) return false;
    const bool known = number || imprint || depth < 0.065 || largest < 0.9 * body_px_;
    return known && !prose && depth < (number || imprint ? 0.13 : 0.1) &&
           largest <= (all_numbers ? 1.6 : 1.1) * body_px_ && gap > 1.2 * largest && gap > widest;
  }

  const PageInput& page_;
  const std::vector<TextLine>& lines_;
  const PageText& text_;
  const double body_px_;
  const bool top_;
  std::vector<MarginRow> rows_;
  std::vector<int> gaps_;  // of white between all rows of the page but the outermost and the next
};

/// Lines at the left or right edge of a scan of which a few letters are seen: those of the next
/// page or column. Nothing else reaches as far out as they do.
std::vector<int> cut_off_lines(const PageInput& page, const std::vector<TextLine>& lines, bool left,
                               double body_px) {
  constexpr size_t kLeast = 5, kMostLetters = 6;
  constexpr double kMostWidth = 4, kWhite = 0.5;  // em
  const double edge = 3 + 0.004 * page.width_px;
  const auto depth = [&](const TextLine& line) {
    return left ? line.box.x1 : page.width_px - line.box.x0;
  };
  std::vector<int> found;
  int deepest = 0;
  size_t of_letters = 0;
  for (int i = 0; i < int(lines.size()); ++i) {
    const TextLine& line = lines[size_t(i)];
    const double from = left ? line.box.x0 : page.width_px - line.box.x1;
    if (!line.rough_size || line.quarter_turns != 0 || line.words.empty() || from > edge ||
        depth(line) > kMostWidth * body_px || line.chars > kMostLetters)
      continue;
    found.push_back(i);
    deepest = std::max(deepest, depth(line));
    of_letters += std::islower(uint8_t(page.words[size_t(line.words.front())].text[0])) != 0;
  }
  if (found.size() < kLeast || of_letters * 2 < found.size()) return {};
  const bool alone = std::all_of(lines.begin(), lines.end(), [&](const TextLine& line) {
    const int near = left ? line.box.x0 : page.width_px - line.box.x1;
    return std::find(found.begin(), found.end(), int(&line - lines.data())) != found.end() ||
           near > deepest + kWhite * body_px;
  });
  return alone ? found : std::vector<int>();
}

}  // namespace

std::vector<Place> margin_places(const PageInput& page, const std::vector<TextLine>& lines,
                                 double body_px) {
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
  for (int i : Margin(page, lines, text, body_px, true).furniture())
    places[size_t(i)] = Place::header;
  for (int i : Margin(page, lines, text, body_px, false).furniture())
    places[size_t(i)] = Place::footer;
  // Words that have a page to themselves are its text.
  if (std::find(places.begin(), places.end(), Place::body) == places.end())
    for (size_t i = 0; i < lines.size(); ++i)
      if (lines[i].quarter_turns % 2 == 0 && !is_number(lines[i], page.words))
        places[i] = Place::body;
  return places;
}

}  // namespace docspec
