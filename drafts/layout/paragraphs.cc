#include "drafts/layout/paragraphs.h"

#include <algorithm>
#include <cctype>
#include <string>
#include <string_view>
#include <utility>

#include "core/text/unicode.h"
#include "drafts/layout/paragraph_rows.h"
#include "drafts/layout/text_openings.h"
#include "drafts/lines/bullets.h"
#include "drafts/lines/leaders.h"
#include "drafts/lines/line_text.h"

namespace docspec {
namespace {

using Row = ParagraphRow;

bool is_dash(const std::string& word) {
  return word == "-" || word == "\u2013" || word == "\u2014";
}

bool opens_item(const std::string& word, bool after_item, bool after_end) {
  if (!is_list_marker(word)) return false;
  const char last = word.back();
  const bool numbered = (last >= '0' && last <= '9') || is_dash(word);
  return numbered ? after_item : (uint8_t(last) >= 0x80 || last == '*' || after_item || after_end);
}

bool is_count(const std::string& word) {
  return word.size() > 2 && word[0] == '(' &&
         word.find_first_not_of("0123456789", 1) == word.size() - 1 && word.back() == ')';
}

/// The number of an item of a Chinese text that a row begins: "3、第三", "3.第三", "3. 第三"; 0 for
/// other rows.
int cjk_item_number(const Row& row, const std::vector<TextLine>& lines,
                    std::span<const Word> words) {
  const std::vector<int>& own = lines[size_t(row.lines.front())].words;
  std::string_view text = words[size_t(own[0])].text;
  size_t digits = 0;
  while (digits < text.size() && text[digits] >= '0' && text[digits] <= '9') ++digits;
  if (digits == 0 || digits > 2) return 0;
  const int number = std::stoi(std::string(text.substr(0, digits)));
  text.remove_prefix(digits);
  const bool comma = text.starts_with("、"), wide = text.starts_with("．");
  if (!comma && !wide && !text.starts_with('.')) return 0;
  text.remove_prefix(comma || wide ? std::string_view("、").size() : 1);
  const uint32_t next = !text.empty()     ? first_code_point(text)
                        : own.size() == 1 ? 0
                                          : first_code_point(words[size_t(own[1])].text);
  return comma ? (next >= '0' && next <= '9' ? 0 : number) : is_cjk(next) ? number : 0;
}

/// "Q12.", "P3:" before a question.
bool is_numbered_label(const std::string& word) {
  constexpr size_t kLongest = 5;
  return word.size() > 2 && word.size() <= kLongest && std::isupper(uint8_t(word[0])) &&
         word.find_first_not_of("0123456789", 1) == word.size() - 1 &&
         (word.back() == '.' || word.back() == ':');
}

/// Whether "(1)" and the like stand within the rows: those that open a row count in sentences, too.
bool counts_in_sentences(const std::vector<Row>& rows, const std::vector<TextLine>& lines,
                         std::span<const Word> words) {
  const auto counts = [&](int w) { return is_count(words[size_t(w)].text); };
  return std::any_of(rows.begin(), rows.end(), [&](const Row& row) {
    const std::vector<int>& first = lines[row.lines.front()].words;
    return std::any_of(first.begin() + 1, first.end(), counts);
  });
}

/// Which rows begin with a number, of up to four digits without a mark, that is one more than that
/// of the numbered row before, or one less than the next one's: entries of a catalogue. Three at
/// least, for a number may open a line of text, too.
std::vector<bool> counted_rows(const std::vector<Row>& rows, const std::vector<TextLine>& lines,
                               std::span<const Word> words) {
  constexpr std::ptrdiff_t kLeast = 3;
  std::vector<bool> counted(rows.size(), false);
  size_t last = 0;
  int last_number = -1;
  for (size_t i = 0; i < rows.size(); ++i) {
    const std::string& mark = first_word(rows[i], lines, words);
    const bool alone = rows[i].lines.size() == 1 && lines[rows[i].lines.front()].words.size() == 1;
    if (alone || mark.size() > 4 || mark.find_first_not_of("0123456789") != mark.npos) continue;
    const int number = std::stoi(mark);
    if (last_number >= 0 && number == last_number + 1) counted[last] = counted[i] = true;
    last = i;
    last_number = number;
  }
  if (std::count(counted.begin(), counted.end(), true) < kLeast) counted.assign(rows.size(), false);
  return counted;
}

/// The mark before "(b)" or "(iii)": "(a)", "(ii)"; empty where there is none.
std::string mark_before(const std::string& mark) {
  static constexpr std::string_view kRoman[] = {"(i)",  "(ii)",  "(iii)",  "(iv)", "(v)",
                                                "(vi)", "(vii)", "(viii)", "(ix)", "(x)"};
  const auto roman = std::find(std::begin(kRoman), std::end(kRoman), mark);
  if (roman != std::end(kRoman))
    return roman == std::begin(kRoman) ? "" : std::string(*(roman - 1));
  const bool letter = mark.size() == 3 && mark[0] == '(' && mark[2] == ')' && mark[1] > 'a' &&
                      std::islower(uint8_t(mark[1]));
  return letter ? std::string{'(', char(mark[1] - 1), ')'} : "";
}

/// Whether the mark that opens row `at` goes on counting within a sentence: the one before it
/// stands within a row above.
bool counts_on(const std::vector<Row>& rows, size_t at, const std::vector<TextLine>& lines,
               std::span<const Word> words) {
  const std::string before = mark_before(first_word(rows[at], lines, words));
  if (before.empty()) return false;
  for (size_t i = at; i-- > 0;) {
    if (first_word(rows[i], lines, words) == before) return false;
    for (const int line : rows[i].lines)
      for (const int w : lines[line].words)
        if (words[size_t(w)].text == before) return true;
  }
  return false;
}

/// "B.", "IV." before the name of a section.
bool is_heading_mark(const std::string& word) {
  return word.size() > 1 && word.ends_with('.') &&
         (word.size() == 2 ? std::isupper(uint8_t(word[0])) != 0
                           : word.find_first_not_of("IVX") == word.size() - 1);
}

/// Whether sentences go on in rows that begin left of `margin`: those further in begin paragraphs.
bool goes_on_at_margin(const std::vector<Row>& rows, double margin,
                       const std::vector<TextLine>& lines, std::span<const Word> words) {
  for (size_t i = 1; i < rows.size(); ++i)
    if (rows[i].box.x0 < margin && !ends_sentence(last_word(rows[i - 1], lines, words)))
      return true;
  return false;
}

/// Whether a word begins with Chinese, also behind a quotation mark or dots.
bool opens_cjk(std::string_view word) {
  for (size_t at = 0; at < word.size();) {
    const uint32_t c = next_code_point(word, at);
    if (c != 0x201C && c != 0x2018 && c != 0x2026) return is_cjk(c);
  }
  return false;
}

std::vector<TextBlock> paragraphs_of(const TextBlock& block, const std::vector<TextLine>& lines,
                                     std::span<const Word> words) {
  const std::vector<Row> rows = rows_of(block, lines);
  const bool listing =  // not the addresses of notes
      std::all_of(block.begin(), block.end(), [&](int i) { return lines[i].mono; }) &&
      !opens_note(rows[0], lines, words);
  if (lines[block.front()].words.empty() || rows.size() == 1 ||
      lines[block.front()].quarter_turns != 0 ||
      (listing && !is_bullet(first_word(rows[0], lines, words))))
    return {block};
  const double em = lines[block.front()].size_px;
  Box all = box_of(block, lines);
  std::vector<int> edges;
  for (const Row& row : rows) edges.push_back(row.box.x1);
  all.x1 = column_edge(std::move(edges), em);
  const double usual_pitch = line_pitch(rows);
  const bool dashes = std::count_if(rows.begin(), rows.end(), [&](const Row& row) {
                        return is_dash(first_word(row, lines, words));
                      }) > 1;
  const bool counts = counts_in_sentences(rows, lines, words);
  const std::vector<bool> counted = counted_rows(rows, lines, words);
  const std::vector<bool> entries = entry_starts(rows, all.x0, lines, words, em);
  const double flush =
      (lines[block.front()].rough_size ? 0.8 : 0.3) * em;  // a scan's edge may tilt
  const bool at_margin = goes_on_at_margin(rows, all.x0 + 0.3 * em, lines, words);
  std::vector<TextBlock> parts;
  bool in_item = false, in_note = false;
  size_t item_row = 0;    // the first one of the open item
  int item_x0 = 0;        // where the text of the open item starts, after its marker
  std::string item_mark;  // "[12]" opens a reference, whose lines may end in any way
  int item_number = 0;    // of the last row that began with "3、" or "3.第三"
  for (size_t i = 0; i < rows.size(); ++i) {
    bool start = i == 0;
    const bool ended = i > 0 && ends_sentence(last_word(rows[i - 1], lines, words));
    const bool note = opens_note(rows[i], lines, words);
    const std::string& mark = first_word(rows[i], lines, words);
    const int number = cjk_item_number(rows[i], lines, words);
    const bool listed = in_item || i == 0 || (dashes && ended && is_dash(mark));
    bool item = !note && !(counts && is_count(mark)) && !counts_on(rows, i, lines, words) &&
                opens_item(mark, listed, ended);
    if (i > 0) {
      const Box &row = rows[i].box, &before = rows[i - 1].box;
      const bool short_before = before.x1 < all.x1 - std::max(2 * em, 0.2 * all.width());
      // The next word had room: the line was ended on purpose.
      const int next_word =
          is_cjk(first_code_point(mark))  // which may be broken behind any character
              ? int(em)
              : words[lines[rows[i].lines.front()].words.front()].box.width();
      const std::string& last = last_word(rows[i - 1], lines, words);
      const bool forced = !last.ends_with('-') && all.x1 - before.x1 > next_word + 2 * em;
      // In a narrow column a sentence may end far from the edge, before a word that had no room.
      const bool no_room = all.x1 - before.x1 <= next_word && 2 * next_word < all.width() &&
                           last.ends_with('.') && mark.size() > 1 && std::islower(uint8_t(mark[1]));
      const bool cjk_indent =
          at_margin && row.x0 > all.x0 + 0.7 * em && row.x0 < all.x0 + 2.7 * em && opens_cjk(mark);
      const bool indented = (row.x0 > before.x0 + 0.7 * em &&
                             (forced || !hang(row.x0, before.x0, rows.size() == 2, lines, em)) &&
                             before.x0 < all.x0 + 0.3 * em &&
                             (i + 1 == rows.size() || rows[i + 1].box.x0 < row.x0 - 0.5 * em)) ||
                            cjk_indent;
      // The first line of a paragraph in Chinese is two characters in, whatever the last one ends
      // in, but so is the second line of "4、" where the first one is full.
      const bool full_item = !forced && !ended && cjk_item_number(rows[i - 1], lines, words) > 0;
      const bool cjk_first = cjk_indent && !in_item && !full_item &&
                             before.x0 < all.x0 + 0.3 * em &&
                             (i + 1 == rows.size() || rows[i + 1].box.x0 < all.x0 + 0.3 * em);
      // "(a) Tenure shall", indented, goes on at the margin.
      const bool small = std::islower(uint8_t(mark[0])) != 0 && !lines[rows[i].lines.front()].mono;
      const char end = last.back();
      const bool goes_on = !forced && (small || mark[0] == '(') &&
                           std::string_view(".!?").find(end) == std::string_view::npos;
      const bool in_reference = in_item && item_mark.starts_with('[');
      // "I. Korhonen" goes on with a line that had no room for it, and so does "J. Physiol. 3"
      // behind a full stop, where the item has a number.
      const bool initial = in_item && mark.size() == 2 && std::isupper(uint8_t(mark[0])) &&
                           row.x0 > item_x0 - 0.5 * em &&
                           (!ended || in_reference || std::isdigit(uint8_t(item_mark[0])));
      // "8 received" goes on with an item, too: a number that opens one stands left of the text.
      const bool amount =
          in_item && row.x0 > item_x0 - 0.5 * em &&
          (std::isdigit(uint8_t(mark.back())) || (std::isdigit(uint8_t(mark[0])) && !ended));
      // "[387]", what a reference is cited for, below its text.
      const bool remark_of_item =
          in_item && !in_reference && mark.starts_with('[') && row.x0 > item_x0 - 0.5 * em;
      const bool cited = in_note && std::isdigit(uint8_t(mark[0]));  // "p." "11."
      // "et al. [35] show" goes on with a full line, and the line after it begins as it does.
      const bool named = !in_item && mark.starts_with('[') && !short_before && !forced &&
                         std::abs(row.x0 - before.x0) < 0.3 * em &&
                         (i + 1 == rows.size() || std::abs(rows[i + 1].box.x0 - row.x0) < 0.3 * em);
      // "the command of Col." "W. R. Hartshorne", of whom more is said.
      const bool of_name = !in_item && mark.size() == 2 && std::isupper(uint8_t(mark[0])) &&
                           mark[1] == '.' && !short_before && !forced &&
                           std::abs(row.x0 - before.x0) < 0.3 * em;
      const bool bare = mark.find_first_not_of("0123456789") == mark.npos;  // "718" more teams
      const bool other_mark = in_item && uint8_t(item_mark[0]) >= 0x80 && bare;
      // "Advances" "- EUROCRYPT 2011" in a reference.
      const bool within = in_item && is_dash(mark) && !is_dash(item_mark) && !ended && !forced;
      // "(90) days" goes on with the item "(b)".
      const bool aside = in_item && !ended && mark.size() > 2 && mark[0] == '(' &&
                         std::isdigit(uint8_t(mark[1])) && item_mark.size() > 1 &&
                         std::isalpha(uint8_t(item_mark[1]));
      item &= !(aside || within || initial || amount || cited || named || of_name || other_mark ||
                remark_of_item);
      // An item of which the first line alone is indented, as those of paragraphs are, goes on.
      const bool comes_back = in_item && !item && item_row + 1 == i && !ended && !forced &&
                              before.x0 > row.x0 + 0.7 * em && row.x0 < all.x0 + flush &&
                              all.x1 - before.x1 < next_word;
      if (comes_back) in_item = false;
      const bool outdented =
          in_item && !goes_on && row.x0 < before.x0 - 0.8 * em && row.x0 < all.x0 + 0.5 * em;
      const bool after_item =
          in_item && !goes_on && !in_reference && row.x0 < item_x0 - 0.5 * em && (forced || ended);
      const double pitch = rows[i].middle() - rows[i - 1].middle();
      const bool gap = pitch > 1.22 * usual_pitch && ((ended && !(small && end == ')')) || forced);
      const bool remark = in_note && ended && first_word(rows[i], lines, words).ends_with(':');
      // A long line that ends where the next one does runs around something, as that one does.
      const bool set_off = short_before && forced && parts.back().size() == 1 &&
                           (std::abs(row.x1 - before.x1) > em || row.width() < 10 * em) &&
                           is_set_off(rows[i - 1], rows[i], lines, words);
      // "B. Data acquisition" above an indented sentence.
      const bool lettered = i == 1 && short_before && forced && !ended &&
                            is_heading_mark(first_word(rows[0], lines, words)) &&
                            std::isupper(uint8_t(mark[0])) && row.x0 > before.x0 + 0.7 * em;
      // "2. INSPECTION AND ACCEPTANCE" above what it says.
      const bool titled = in_item && item_row + 1 == i && short_before && forced &&
                          is_in_capitals(text_of(rows[i - 1], lines, words)) &&
                          !is_in_capitals(text_of(rows[i], lines, words));
      const bool marked =
          ((ended || forced) && (opens_cjk_item(mark) || is_numbered_label(mark))) ||
          (number > 0 && (number == item_number + 1 || row.x0 < before.x0 - 0.8 * em)) ||
          opens_cjk_section(mark);
      // "17. 内景" above an indented paragraph.
      const bool below_item = in_item && item_row + 1 == i && cjk_indent &&
                              all.x1 - before.x1 > 1.5 * em &&
                              std::abs(row.x0 - before.x0) < 0.5 * em;
      const bool labelled = ended && opens_labelled(rows[i], rows[i - 1], lines, words);
      // A paragraph as wide as the column begins left of an address.
      const bool widened = !in_item && forced && short_before && before.x0 > row.x0 + 1.5 * em &&
                           row.width() > 2 * before.width() &&
                           std::abs(row.x0 + row.x1 - before.x0 - before.x1) > 4 * em;
      start = item || note || labelled || marked || below_item || widened || set_off || lettered ||
              titled || remark || outdented || after_item || gap || cjk_first ||
              (!in_item && indented && (short_before || ended)) ||
              (((short_before && !no_room) || forced) && ended && !in_reference) ||
              ends_with_leader(text_of(rows[i - 1], lines, words)) || counted[i] ||
              (counted[i - 1] && forced);
      if (!entries.empty() && !item && !note) start = entries[i] && (ended || !entries[i - 1]);
      start &= lines[rows[i].lines.front()].size_px > 0.8 * em;  // not at a row of indices
    }
    if (start) {
      if (number > 0) item_number = number;
      parts.emplace_back();
      in_item = item, in_note = note;
      if (item) item_row = i, item_x0 = text_start(rows[i], lines, words), item_mark = mark;
    }
    parts.back().insert(parts.back().end(), rows[i].lines.begin(), rows[i].lines.end());
  }
  return parts;
}

}  // namespace

std::vector<TextBlock> split_paragraphs(const TextBlock& block, const std::vector<TextLine>& lines,
                                        std::span<const Word> words) {
  const auto from_right = std::count_if(block.begin(), block.end(), [&](int i) {
    return is_read_from_right(words, lines[size_t(i)].words);
  });
  if (size_t(from_right) * 2 <= block.size()) return paragraphs_of(block, lines, words);
  std::vector<TextLine> mirrored = lines;  // as if it were read from the left
  for (const int i : block) {
    TextLine& line = mirrored[size_t(i)];
    line.box.x0 = -lines[size_t(i)].box.x1, line.box.x1 = -lines[size_t(i)].box.x0;
    std::reverse(line.words.begin(), line.words.end());
  }
  return paragraphs_of(block, mirrored, words);
}

}  // namespace docspec
