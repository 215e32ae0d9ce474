#include "drafts/margins/margin_rows.h"

#include <algorithm>
#include <cctype>
#include <cstdlib>
#include <map>
#include <string>
#include <utility>

#include "drafts/layout/text_openings.h"
#include "drafts/lines/leaders.h"
#include "drafts/lines/line_text.h"
#include "drafts/margins/page_numbers.h"

namespace docspec {
namespace {

/// Says what the rows of one margin are.
class RowReader {
 public:
  RowReader(const PageInput& page, const std::vector<TextLine>& lines, const PageText& text,
            double body_px, bool top)
      : page_(page), lines_(lines), text_(text), body_px_(body_px), top_(top) {}

  MarginRow summary(std::vector<int> row) const {
    MarginRow out{std::move(row)};
    Box box;
    std::string text;
    out.printed = true;
    for (int i : out.lines) {
      const TextLine& line = lines_[size_t(i)];
      box = unite(box, line.box);
      // What OCR sees nearly as large as the text is as large.
      constexpr double kRough = 1.15;
      const bool same = line.rough_size && line.size_px < kRough * body_px_;
      out.size_px = std::max(out.size_px, same ? std::min(line.size_px, body_px_) : line.size_px);
      out.chars += line.chars;
      out.number |= has_number(line, page_.words);
      out.only_number &= is_number(line, page_.words);
      const bool printed = is_printed_mark(line, page_.words);
      out.print_mark |= printed;
      out.printed &= printed || is_number(line, page_.words);
      out.page_named |= out.lines.size() == 1 && names_page(line, page_.words);
      if (!line.words.empty()) text += line_text(page_.words, line.words) + ' ';
      out.prose |= line.chars > 80 && line.size_px > 0.95 * body_px_;
    }
    out.printed &= out.print_mark;
    constexpr size_t kSentence = 4;  // Chinese characters
    out.prose |=
        (text.ends_with("。 ") || (text.ends_with(". ") && count_cjk(text) >= kSentence)) &&
        out.size_px > 0.95 * body_px_;
    out.from = top_ ? box.y0 : page_.height_px - box.y1;
    out.to = top_ ? box.y1 : page_.height_px - box.y0;
    out.imprint = has_imprint(text);
    // "A. Author et al., Journal of Things, ISSN 1234-5678, Vol. 3"
    if (out.imprint && out.lines.size() == 1 && lines_[size_t(out.lines[0])].bold)
      out.prose = false;
    out.owner = !top_ && names_owner(text);
    if (text.ends_with(' ')) text.pop_back();
    // The title of a slide, whose letters are large on its page.
    const bool slide = page_.width_px > page_.height_px && body_px_ * 45 > page_.height_px &&
                       top_ && out.lines.size() == 1 && !out.number;
    out.stays = opens_caption(text) || opens_cjk_item(text) || (top_ && introduces(text)) ||
                (slide && out.size_px > 0.95 * body_px_) ||
                (ends_with_leader(text) && !out.imprint) || (!top_ && is_note(out.lines, text)) ||
                (text_.listing && !out.number && is_typed(out.lines));
    out.stays |= is_numbered_item(text) && box.x1 * 2 < page_.width_px;
    out.stays |= top_ && heads_section(out.lines, text);
    out.at_both_ends = at_both_ends(out.lines);
    out.edge_number = std::any_of(out.lines.begin(), out.lines.end(), [&](int i) {
      const Box& own = lines_[size_t(i)].box;
      return is_number(lines_[size_t(i)], page_.words) &&
             (own.x0 < text_.box.x0 + body_px_ || own.x1 > text_.box.x1 - body_px_);
    });
    out.bar_number = out.lines.size() == 1 && ends_in_bar_number(text);
    out.number |= out.bar_number;
    if (top_ && out.at_both_ends && text.find_first_of("0123456789") != text.npos) {
      out.number = true;
      out.prose = false;
    }
    const auto in_middle = [&](int twice) {
      return std::abs(box.x0 + box.x1 - twice) < page_.width_px / 20;
    };
    out.mid_page = in_middle(page_.width_px) || in_middle(text_.box.x0 + text_.box.x1);
    out.flush_right =
        std::abs(box.x1 - text_.box.x1) < body_px_ && box.width() * 2 < text_.box.width();
    out.centred = box.x0 > text_.box.x0 + 0.12 * text_.box.width();
    out.tabs = top_ && has_tabs(out.lines);
    out.title = out.lines.size() == 1 && lines_[size_t(out.lines[0])].bold && out.mid_page;
    const std::string last = text.substr(text.rfind(' ') + 1);
    out.dated = out.lines.size() == 1 && last.size() == 4 && last.size() < text.size() &&
                text.size() < kShortRow / 2 && (last.starts_with("19") || last.starts_with("20")) &&
                std::all_of(last.begin(), last.end(), is_numeral);
    const bool names_table = text.starts_with("Table") || text.starts_with("Fig");
    out.of_text = is_of_text(out.lines);
    out.own_font = out.size_px < 0.95 * body_px_ && !names_table && !out.of_text;
    return out;
  }

 private:
  /// "1 Introduction" or "1. Introduction" in bold letters that are larger than the text, or at the
  /// left edge of a further column.
  bool heads_section(const std::vector<int>& row, const std::string& text) const {
    constexpr double kLarger = 1.08;
    constexpr size_t kMostDigits = 2;
    if (row.size() != 1) return false;
    const TextLine& line = lines_[size_t(row[0])];
    const size_t digits = text.find_first_not_of("0123456789");
    if (!line.bold || digits == 0 || digits > kMostDigits) return false;
    const size_t blank = digits + (text[digits] == '.');
    return blank + 1 < text.size() && text[blank] == ' ' &&
           std::isupper(uint8_t(text[blank + 1])) &&
           (line.size_px > kLarger * body_px_ || heads_column(line));
  }

  /// Whether lines of a column that is not the page's first begin where a line does.
  bool heads_column(const TextLine& line) const {
    constexpr std::ptrdiff_t kLeast = 6;
    return line.box.x0 > text_.box.x0 + text_.box.width() / 4 &&
           std::count_if(lines_.begin(), lines_.end(), [&](const TextLine& other) {
             return std::abs(other.box.x0 - line.box.x0) < 0.3 * body_px_;
           }) > kLeast;
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

  /// "(1)", which has the line to itself where a formula follows.
  static bool is_numbered_item(std::string_view text) {
    constexpr size_t kLongest = 4;  // a page's number may be longer
    return text.size() > 2 && text.size() <= kLongest && text.front() == '(' &&
           text.back() == ')' && std::all_of(text.begin() + 1, text.end() - 1, is_numeral);
  }

  bool is_typed(const std::vector<int>& row) const {
    return std::all_of(row.begin(), row.end(), [&](int i) { return lines_[size_t(i)].mono; });
  }

  /// Whether a text says what stands below it: a table that goes on from the last page, a point.
  static bool introduces(const std::string& text) {
    return text.starts_with("续表") || text.starts_with("●") || text.ends_with("：");
  }

  /// Two lines, one at each edge of the text, with white between them, or a number at one edge and
  /// words in the middle.
  bool at_both_ends(const std::vector<int>& row) const {
    if (row.size() != 2) return false;
    const TextLine &first = lines_[size_t(row[0])], &last = lines_[size_t(row[1])];
    const Box &left = first.box, &right = last.box;
    const bool number = is_number(first, page_.words) || is_number(last, page_.words);
    const auto ends_text = [&](const TextLine& line, const TextLine& other, bool at_edge) {
      return at_edge || (is_centred(line) && is_digits(closed_up(other, page_.words)));
    };
    return ends_text(first, last, left.x0 < text_.box.x0 + body_px_) &&
           ends_text(last, first, right.x1 > text_.box.x1 - body_px_) &&
           right.x0 - left.x1 > (number ? 3 * body_px_ : text_.box.width() / 4);
  }

  /// Whether a line stands in the middle of the text.
  bool is_centred(const TextLine& line) const {
    return std::abs(line.box.x0 + line.box.x1 - text_.box.x0 - text_.box.x1) < 2 * body_px_;
  }

  static bool is_digits(std::string_view text) {
    return !text.empty() && std::all_of(text.begin(), text.end(), is_numeral);
  }

  /// "Harbours | 3.5.": a heading has its number before its words.
  static bool ends_in_bar_number(std::string_view text) {
    const size_t bar = text.rfind(" | ");
    return bar != text.npos && bar > 0 && bar + 3 < text.size() && is_numeral(text[bar + 3]) &&
           text.find_first_not_of("0123456789.", bar + 3) == text.npos;
  }

  /// Whether a number stands at an end of a row of short lines that are not much larger than the
  /// text.
  bool has_tabs(const std::vector<int>& row) const {
    constexpr size_t kLeast = 3, kLongest = 30;
    const auto is_page = [&](int i) { return is_number(lines_[size_t(i)], page_.words); };
    return row.size() >= kLeast && (is_page(row.front()) || is_page(row.back())) &&
           std::count_if(
               row.begin(), row.end(),
               [&](int i) {
                 const TextLine& line = lines_[size_t(i)];
                 return !is_page(i) && line.chars < kLongest && line.size_px < 1.3 * body_px_;
               }) + 1 ==
               std::ptrdiff_t(row.size());
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

  const PageInput& page_;
  const std::vector<TextLine>& lines_;
  const PageText& text_;
  const double body_px_;
  const bool top_;
};

}  // namespace

PageText::PageText(std::span<const Word> words, const std::vector<TextLine>& lines) {
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

MarginRows::MarginRows(const PageInput& page, const std::vector<TextLine>& lines,
                       const PageText& text, double body_px, bool top) {
  constexpr size_t kMostRows = 5;
  const RowReader reader(page, lines, text, body_px, top);
  std::vector<int> upright;
  for (int i = 0; i < int(lines.size()); ++i)
    if (lines[size_t(i)].quarter_turns % 2 == 0) upright.push_back(i);
  std::vector<Box> boxes;
  for (int i : upright) boxes.push_back(lines[size_t(i)].box);
  auto all = group_rows(boxes);
  if (!top) std::reverse(all.begin(), all.end());
  std::vector<Box> row_boxes(all.size());
  for (size_t r = 0; r < all.size(); ++r)
    for (const int i : all[r]) row_boxes[r] = unite(row_boxes[r], boxes[size_t(i)]);
  for (size_t r = 2; r < all.size(); ++r)
    gaps.push_back(top ? row_boxes[r].y0 - row_boxes[r - 1].y1
                       : row_boxes[r - 1].y0 - row_boxes[r].y1);
  for (size_t r = 0; r < std::min(all.size(), kMostRows + 1); ++r) {
    for (int& i : all[r]) i = upright[size_t(i)];
    rows.push_back(reader.summary(std::move(all[r])));
  }
}

}  // namespace docspec
