#include "drafts/grid/cell_text.h"

#include <algorithm>
#include <cctype>
#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>

#include "core/markup/base/html_tree.h"
#include "core/text/unicode.h"
#include "drafts/lines/font_style.h"
#include "drafts/lines/glue_lines.h"
#include "drafts/lines/leaders.h"
#include "drafts/lines/line_text.h"

namespace docspec {

size_t count_letters(std::span<const Word> words) {
  size_t letters = 0;
  for (const Word& word : words) letters += count_code_points(word.text);
  return letters;
}

std::vector<Box> words_in(const Box& box, std::span<const Word> words) {
  std::vector<Box> inside;
  for (const Word& word : words)
    if (holds_middle(box, word.box)) inside.push_back(word.box);
  return inside;
}

std::vector<int> lines_within(const Box& box, std::span<const TextLine> lines) {
  std::vector<int> inside;
  for (int i = 0; i < int(lines.size()); ++i)
    if (holds_middle(box, lines[size_t(i)].box)) inside.push_back(i);
  return inside;
}

bool is_money_sign(std::string_view text) {
  return text == "$" || text == "\u20ac" || text == "\u00a3";
}

namespace {

/// "4", "12a", "b": the number of a field in a form.
bool is_field_number(std::string_view text) {
  if (text.empty() || text.size() > 3) return false;
  const auto letter = text.find_first_not_of("0123456789");
  return letter == text.npos ||
         (letter + 1 == text.size() && text[letter] >= 'a' && text[letter] <= 'z');
}

/// How far from a word the next one may stand in a phrase, in sizes of the body text, where it is
/// no other's: a number from its sign of money, a field's name from its number, text from a bullet.
/// `opens`: the word begins its phrase; a sign of money behind its number has no other.
double phrase_reach(const Word& word, bool opens, const Word& next, double em) {
  constexpr double kFieldEm = 1.5;  // from a field's number to its name; lists indent further
  constexpr double kBulletGapEm = 2, kAnyEm = 1e3;
  if (opens && is_money_sign(word.text) && !next.text.empty() &&
      std::strchr("0123456789(-", next.text[0]))
    return kAnyEm;
  if (word.text == "\u2022" && next.text != word.text) return kBulletGapEm;
  const bool named = !next.text.empty() && std::isalpha(uint8_t(next.text[0])) != 0;
  const bool field = named && is_field_number(word.text);
  return field ? std::max(kPhraseGapEm, kFieldEm - word.box.width() / em) : kPhraseGapEm;
}

}  // namespace

std::vector<PhraseRow> phrase_rows(const Box& box, std::span<const Word> words, double em) {
  constexpr double kTypedBlank = 1.4;  // letters: in type of one width a blank is one of them
  std::vector<Box> inside;
  std::vector<const Word*> own;
  for (const Word& word : words)
    if (holds_middle(box, word.box)) {
      inside.push_back(word.box);
      own.push_back(&word);
    }
  std::vector<PhraseRow> rows;
  for (const auto& row : group_rows(inside)) {
    rows.emplace_back();
    const Word* last = nullptr;
    for (int i : row) {
      const Word& word = *own[size_t(i)];
      // letter_px is 0 where the layer's blanks are known.
      const bool opens = last && rows.back().back() == last->box;
      if (last &&
          word.box.x0 - rows.back().back().x1 <=
              std::max(phrase_reach(*last, opens, word, em) * em, kTypedBlank * letter_px(*last)))
        rows.back().back() = unite(rows.back().back(), word.box);
      else
        rows.back().push_back(word.box);
      last = &word;
    }
  }
  return rows;
}

size_t count_phrases(const Box& box, std::span<const Word> words, double em) {
  size_t count = 0;
  for (const PhraseRow& row : phrase_rows(box, words, em)) count += row.size();
  return count;
}

PhraseRow phrase_columns(const Box& box, std::span<const Word> words, double em) {
  constexpr size_t kMostLines = 3;
  const std::vector<PhraseRow> rows = phrase_rows(box, words, em);
  if (rows.size() > kMostLines) return {};
  PhraseRow all;
  for (const PhraseRow& row : rows) all.insert(all.end(), row.begin(), row.end());
  std::sort(all.begin(), all.end(), [](const Box& a, const Box& b) { return a.x0 < b.x0; });
  PhraseRow columns;
  for (const Box& phrase : all)
    if (columns.empty() || phrase.x0 - columns.back().x1 > kPhraseGapEm * em)
      columns.push_back(phrase);
    else
      columns.back() = unite(columns.back(), phrase);
  return columns;
}

int column_start(const RuledTable& table, int c) {
  for (const GridCell& cell : table.cells)
    if (cell.column == c) return cell.box.x0;
  return -1;
}

void cut_cell(std::vector<GridCell>& out, const GridCell& cell, int c, int x) {
  GridCell left = cell, right = cell;
  left.column_span = c - cell.column;
  left.box.x1 = x;
  right.column = c;
  right.column_span = cell.column_span - left.column_span;
  right.box.x0 = x;
  out.insert(out.end(), {left, right});
}

void sort_cells(std::vector<GridCell>& cells) {
  std::stable_sort(cells.begin(), cells.end(), [](const GridCell& a, const GridCell& b) {
    return std::pair(a.row, a.column) < std::pair(b.row, b.column);
  });
}

namespace {

/// A cell's text without the rules beside it, which OCR takes for letters.
std::string without_rules(const std::string& text) {
  constexpr std::string_view kRules = "| ";
  const size_t from = text.find_first_not_of(kRules);
  return from == text.npos ? "" : text.substr(from, text.find_last_not_of(kRules) + 1 - from);
}

/// The lines of one cell, read as it is turned. `own`: its words.
MarkedText cell_text(std::span<const Word> words, const std::vector<int>& own,
                     const LineJoiner& joiner) {
  std::vector<Word> upright;
  std::vector<Box> boxes;
  for (int i : own) {
    upright.push_back(words[size_t(i)]);
    upright.back().box = turned_upright(words[size_t(i)].box, words[size_t(own[0])].quarter_turns);
    upright.back().quarter_turns = 0;
    boxes.push_back(upright.back().box);
  }
  MarkedText text;
  for (const auto& line : group_rows(boxes)) joiner.add(text, marked_line(upright, line));
  return text;
}

}  // namespace

std::string table_html(std::span<const GridCell> cells, std::span<const Word> words,
                       std::span<const int> own, const LineJoiner& joiner) {
  std::vector<std::vector<int>> inside(cells.size());
  for (int i : own) {
    const Box& box = words[i].box;
    const int x = (box.x0 + box.x1) / 2, y = (box.y0 + box.y1) / 2;
    const auto far = [&](const Box& cell) {  // 0 inside
      return std::max({0, cell.x0 - x, x - cell.x1}) + std::max({0, cell.y0 - y, y - cell.y1});
    };
    const auto home = std::min_element(cells.begin(), cells.end(),
                                       [&](auto& a, auto& b) { return far(a.box) < far(b.box); });
    inside[size_t(home - cells.begin())].push_back(i);
  }
  std::string html = "<table>";
  int row = -1;
  for (size_t c = 0; c < cells.size(); ++c) {
    const GridCell& cell = cells[c];
    for (; row < cell.row; ++row) html += row < 0 ? "<tr>" : "</tr><tr>";
    html += "<td";
    if (cell.column_span > 1) html += " colspan=\"" + std::to_string(cell.column_span) + "\"";
    if (cell.row_span > 1) html += " rowspan=\"" + std::to_string(cell.row_span) + "\"";
    html += ">";
    const std::string text = without_leaders(cell_text(words, inside[c], joiner).text);
    const bool by_ocr = !inside[c].empty() && is_of_ocr(words[size_t(inside[c].front())].font);
    html += escape_html(by_ocr ? without_rules(text) : text, false) + "</td>";
  }
  return html + "</tr></table>";
}

}  // namespace docspec
