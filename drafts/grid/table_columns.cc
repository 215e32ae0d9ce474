#include "drafts/grid/table_columns.h"

#include <algorithm>
#include <cctype>
#include <cstdlib>
#include <utility>

#include "drafts/grid/cell_text.h"
#include "drafts/lines/font_style.h"
#include "drafts/lines/glue_lines.h"

namespace docspec {
namespace {

/// Two numbers, not the groups of one written as "12 000", nor day and year, "26, 2016".
bool two_numbers(const Word& left, const Word& right) {
  if (left.text.ends_with(',')) return false;
  const size_t before = count_digits(left.text), after = count_digits(right.text);
  return is_numeric(left.text) && is_numeric(right.text) && before > 1 && after > 1 &&
         (right.text.size() != 3 || after != 3);
}

bool ends_amount(std::string_view text) {
  return std::isdigit(uint8_t(text.back())) != 0 || text.ends_with(')') || text == "\u2014" ||
         text == "\u2013";
}

/// The number of an account in groups, "NL28 RABO 0174 9625 25", that begins with word `k` of a
/// line: how many words it has; 0 where there is none.
size_t account_words(const TextLine& line, size_t k, std::span<const Word> words) {
  constexpr size_t kGroup = 4, kLeastGroups = 4;
  const auto text = [&](size_t i) -> const std::string& {
    return words[size_t(line.words[i])].text;
  };
  const auto is_digit = [](char c) { return std::isdigit(uint8_t(c)) != 0; };
  const auto is_capital = [](char c) { return std::isupper(uint8_t(c)) != 0; };
  const std::string& first = text(k);
  if (first.size() != kGroup || !is_capital(first[0]) || !is_capital(first[1]) ||
      !is_digit(first[2]) || !is_digit(first[3]))
    return 0;
  size_t end = k + 1;
  for (bool whole = true; whole && end < line.words.size(); ++end) {
    const std::string& group = text(end);
    whole = group.size() == kGroup;
    const bool digits = std::all_of(group.begin(), group.end(), is_digit);
    const bool bank = end == k + 1 && whole && std::all_of(group.begin(), group.end(), is_capital);
    if (group.size() > kGroup || (!digits && !bank)) break;
  }
  return end - k >= kLeastGroups ? end - k : 0;
}

/// A line cut at its wide blanks.
void cut_line(TextLine line, std::span<const Word> words, double gap_px,
              std::vector<TextLine>& out) {
  if (line.words.empty()) {  // found in a raster, not read yet
    out.push_back(line);
    return;
  }
  std::erase_if(line.words, [&](int i) {  // a line of the table, which OCR took for a letter
    return words[size_t(i)].text == "|" && words[size_t(i)].font.empty();
  });
  size_t account_end = 0;  // of the number of an account, whose groups are one
  for (size_t k = 0; k < line.words.size(); ++k) {
    const Word& word = words[size_t(line.words[k])];
    const Box& box = word.box;
    const bool of_account = k < account_end;
    if (!of_account) account_end = k + account_words(line, k, words);
    const Word* last = k > 0 ? &words[size_t(line.words[k - 1])] : nullptr;
    const int gap = last ? box.x0 - last->box.x1 : 0;
    // However near, "$" behind an amount opens the next one.
    const bool amount = last && is_money_sign(word.text) && gap > 0 && ends_amount(last->text);
    // The blank of code is as wide as its letters.
    const bool code = last && font_style(last->font).mono && font_style(word.font).mono;
    if (!last || amount ||
        (!of_account && (gap > std::max(gap_px, code ? line.size_px : 0.0) ||
                         (gap > 0.4 * gap_px && two_numbers(*last, word))))) {
      out.push_back(line);
      out.back().words.clear();
      out.back().box = {};
    }
    out.back().words.push_back(line.words[k]);
    out.back().box = unite(out.back().box, box);
  }
}

/// Joins "$" alone to the amount behind it, which may stand at the other edge of its column.
void join_money(std::vector<TextLine>& phrases, std::span<const Word> words) {
  constexpr std::string_view kAmount = "0123456789(-.";
  const auto text = [&](const TextLine& phrase) -> std::string_view {
    return phrase.words.empty() ? std::string_view() : words[size_t(phrase.words[0])].text;
  };
  for (const auto& row : group_rows(phrases))
    for (size_t k = 0; k + 1 < row.size(); ++k) {
      TextLine &sign = phrases[size_t(row[k])], &amount = phrases[size_t(row[k + 1])];
      const std::string_view next = text(amount);
      if (sign.words.size() != 1 || !is_money_sign(text(sign)) || next.empty() ||
          (kAmount.find(next[0]) == kAmount.npos && next != "\u2014" && next != "\u2013"))
        continue;
      amount.words.insert(amount.words.begin(), sign.words[0]);
      amount.box = unite(amount.box, sign.box);
      sign.box = {};
    }
  std::erase_if(phrases, [](const TextLine& phrase) { return phrase.box.empty(); });
}

/// Whether the middle of `box` stands in the white between two neighbours of a row, both of which
/// it covers in part: it is centred over them.
bool straddles(const Box& box, const std::vector<TextLine>& phrases, const std::vector<int>& row) {
  const int middle = (box.x0 + box.x1) / 2;
  for (size_t k = 1; k < row.size(); ++k) {
    const Box &left = phrases[size_t(row[k - 1])].box, &right = phrases[size_t(row[k])].box;
    if (left.x1 < middle && middle < right.x0 && left.x1 > box.x0 && right.x0 < box.x1) return true;
  }
  return false;
}

/// Phrases over two others or more in a good part of the rows. Those of the first row, where it has
/// hardly half as many as others, may stand over a part of these alone.
std::vector<bool> spanning(const std::vector<TextLine>& phrases,
                           const std::vector<std::vector<int>>& rows, double em) {
  constexpr double kOver = 0.3;  // em
  std::vector<bool> out(phrases.size(), false);
  size_t most = 0;
  for (const auto& row : rows) most = std::max(most, row.size());
  for (const auto& own : rows) {
    const bool heads = &own == &rows.front() && own.size() * 2 < most + 1;
    for (int i : own) {
      const Box& box = phrases[size_t(i)].box;
      size_t above_two = 0;
      for (const auto& row : rows) {
        const auto below = std::count_if(row.begin(), row.end(), [&](int k) {
          const Box& other = phrases[size_t(k)].box;
          const int middle = (other.x0 + other.x1) / 2;
          const int common = std::min(other.x1, box.x1) - std::max(other.x0, box.x0);
          return (middle > box.x0 && middle < box.x1) || (heads && common > kOver * em);
        });
        above_two += &row != &own && (below >= 2 || straddles(box, phrases, row));
      }
      out[size_t(i)] = above_two >= 2 && above_two * 10 >= rows.size() * 3;
    }
  }
  return out;
}

std::vector<ColumnSpan> strips(const std::vector<TextLine>& phrases, const std::vector<bool>& out,
                               size_t rows, double gap_px) {
  Box all;
  for (const TextLine& phrase : phrases) all = unite(all, phrase.box);
  std::vector<int> cover(size_t(std::max(0, all.width())) + 1, 0);
  for (size_t i = 0; i < phrases.size(); ++i) {
    const Box& box = phrases[i].box;
    if (out[i] || box.empty()) continue;  // `all` does not hold an empty one
    for (int x = box.x0; x < box.x1; ++x) ++cover[size_t(x - all.x0)];
  }
  const int tolerated = int(rows) / 12;
  std::vector<ColumnSpan> columns;
  for (int x = 0; x < all.width(); ++x) {
    if (cover[size_t(x)] <= tolerated) continue;
    if (columns.empty() || x - columns.back().to > gap_px) columns.push_back({x, x});
    columns.back().to = x + 1;
  }
  for (ColumnSpan& column : columns) column.from += all.x0, column.to += all.x0;
  return columns;
}

/// The columns of the phrases but those `out`: rows that are one phrase, as a note among the
/// items of a bill, may lie across several.
std::vector<ColumnSpan> strips_of_rows(const std::vector<TextLine>& phrases,
                                       const std::vector<std::vector<int>>& rows,
                                       std::vector<bool> out, double gap_px) {
  constexpr size_t kLeastOthers = 4;
  std::vector<ColumnSpan> columns = strips(phrases, out, rows.size(), gap_px);
  size_t alone = 0;
  for (const auto& row : rows)
    if (row.size() == 1) out[size_t(row[0])] = true, ++alone;
  if (alone == 0 || alone * 2 > rows.size() || rows.size() < alone + kLeastOthers) return columns;
  std::vector<ColumnSpan> more = strips(phrases, out, rows.size(), gap_px);
  if (more.size() != columns.size() + 1) return columns;
  const auto holds = [&](const std::vector<int>& row, const ColumnSpan& column) {
    return std::any_of(row.begin(), row.end(), [&](int i) {
      const Box& box = phrases[size_t(i)].box;
      return box.x0 < column.to && box.x1 > column.from;
    });
  };
  size_t c = 0;  // the column that is parted
  while (c + 1 < columns.size() && more[c].to >= columns[c].to) ++c;
  const auto both = std::count_if(rows.begin(), rows.end(), [&](const auto& row) {
    return row.size() > 1 && holds(row, more[c]) && holds(row, more[c + 1]);
  });
  return size_t(both) * 4 >= (rows.size() - alone) * 3 ? more : columns;
}

/// The columns and, where the first row names all of them, those that it alone has, as of a
/// discount that nothing has: `strips` takes a phrase of many rows for one that runs across two
/// columns.
std::vector<ColumnSpan> with_named(std::vector<ColumnSpan> columns,
                                   const std::vector<TextLine>& phrases,
                                   const std::vector<int>& head) {
  constexpr size_t kLeastHeads = 4;
  if (head.size() < kLeastHeads) return columns;
  const auto is_named = [&](const ColumnSpan& column) {
    return std::any_of(head.begin(), head.end(), [&](int i) {
      const Box& box = phrases[size_t(i)].box;
      return column.from < box.x1 && column.to > box.x0;
    });
  };
  if (!std::all_of(columns.begin(), columns.end(), is_named)) return columns;
  for (int i : head) {
    const Box& box = phrases[size_t(i)].box;
    if (std::none_of(columns.begin(), columns.end(), [&](const ColumnSpan& column) {
          return column.from < box.x1 && column.to > box.x0;
        }))
      columns.push_back({box.x0, box.x1});
  }
  std::sort(columns.begin(), columns.end(), [](auto& a, auto& b) { return a.from < b.from; });
  return columns;
}

/// A head at one side of its column and the values at the other would be two columns: one of the
/// first row alone, and one that the first row does not name. Joined where the row names all then.
std::vector<ColumnSpan> join_heads(const std::vector<ColumnSpan>& columns,
                                   const std::vector<TextLine>& phrases,
                                   const std::vector<std::vector<int>>& rows) {
  const auto holds = [&](const std::vector<int>& row, const ColumnSpan& column) {
    return std::any_of(row.begin(), row.end(), [&](int i) {
      const Box& box = phrases[size_t(i)].box;
      return box.x0 < column.to && box.x1 > column.from;
    });
  };
  const auto heads_alone = [&](const ColumnSpan& column) {
    return holds(rows[0], column) &&
           std::none_of(rows.begin() + 1, rows.end(),
                        [&](const auto& row) { return holds(row, column); });
  };
  std::vector<ColumnSpan> joined;
  for (size_t c = 0; c < columns.size(); ++c) {
    joined.push_back(columns[c]);
    if (c + 1 == columns.size()) break;
    const ColumnSpan& next = columns[c + 1];
    if ((heads_alone(columns[c]) && !holds(rows[0], next)) ||
        (heads_alone(next) && !holds(rows[0], columns[c])))
      joined.back().to = columns[++c].to;
  }
  const bool all = std::all_of(joined.begin() + 1, joined.end(),
                               [&](const ColumnSpan& column) { return holds(rows[0], column); });
  return all ? joined : columns;
}

/// A phrase and what of it begins with its word `k`, as two.
std::pair<TextLine, TextLine> cut_phrase(const TextLine& phrase, size_t k,
                                         std::span<const Word> words) {
  std::pair<TextLine, TextLine> parts(phrase, phrase);
  const auto at = phrase.words.begin() + std::ptrdiff_t(k);
  parts.first.words.assign(phrase.words.begin(), at);
  parts.second.words.assign(at, phrase.words.end());
  for (TextLine* part : {&parts.first, &parts.second}) {
    part->box = {};
    for (int i : part->words) part->box = unite(part->box, words[size_t(i)].box);
  }
  return parts;
}

/// Whether a box ends where a column does, or stands in the middle of it.
bool is_straight(const Box& box, const ColumnSpan& column, double em) {
  return std::abs(box.x1 - column.to) < em / 2 ||
         std::abs(box.x0 + box.x1 - column.from - column.to) < em;
}

/// Which word of a phrase of the `head` begins the second of two heads with no more than a blank
/// between them, "VAT Price incl. VAT", each straight over its column of amounts; 0 where it does
/// not hold such heads. `row`: the one below.
size_t second_head(const TextLine& head, const std::vector<const TextLine*>& row,
                   std::span<const Word> words, const std::vector<ColumnSpan>& columns, double em) {
  const auto has_number = [&](const ColumnSpan& column) {
    return std::any_of(row.begin(), row.end(), [&](const TextLine* phrase) {
      return phrase->box.x0 < column.to && phrase->box.x1 > column.from &&
             is_numeric(words[size_t(phrase->words.back())].text);
    });
  };
  constexpr size_t kMostWords = 6;
  for (size_t k = 1; k < head.words.size() && head.words.size() <= kMostWords; ++k) {
    const auto [left, right] = cut_phrase(head, k, words);
    for (size_t c = 1; c < columns.size(); ++c)
      if (is_straight(left.box, columns[c - 1], em) && is_straight(right.box, columns[c], em) &&
          has_number(columns[c - 1]) && has_number(columns[c]))
        return k;
  }
  return 0;
}

/// Neighbouring numbers that stand in two columns are two cells, near as they are, and so are heads
/// of the first row.
std::vector<TextLine> cells_apart(const std::vector<TextLine>& phrases,
                                  const std::vector<std::vector<int>>& rows,
                                  std::span<const Word> words,
                                  const std::vector<ColumnSpan>& columns, double em) {
  const auto column = [&](const Box& box) {
    const int middle = (box.x0 + box.x1) / 2;
    return std::find_if(columns.begin(), columns.end(),
                        [&](const ColumnSpan& c) { return middle < c.to; });
  };
  std::vector<const TextLine*> below;  // the first row
  if (rows.size() > 1)
    for (int i : rows[1]) below.push_back(&phrases[size_t(i)]);
  std::vector<TextLine> out;
  for (size_t i = 0; i < phrases.size(); ++i) {
    TextLine rest = phrases[i];
    const bool heads = rows[0].size() + 2 >= columns.size() &&
                       std::find(rows[0].begin(), rows[0].end(), int(i)) != rows[0].end();
    for (size_t k = 1; k < rest.words.size(); ++k) {
      const Word &a = words[size_t(rest.words[k - 1])], &b = words[size_t(rest.words[k])];
      const bool numbers = is_numeric(a.text) && !a.text.ends_with(',') && is_numeric(b.text) &&
                           column(a.box) != column(b.box);
      if (!numbers && !(heads && k == second_head(rest, below, words, columns, em))) continue;
      auto parts = cut_phrase(rest, k, words);
      out.push_back(std::move(parts.first));
      rest = std::move(parts.second);
      k = 0;
    }
    out.push_back(std::move(rest));
  }
  return out;
}

}  // namespace

size_t count_digits(std::string_view text) {
  return size_t(
      std::count_if(text.begin(), text.end(), [](char c) { return std::isdigit(uint8_t(c)); }));
}

bool is_numeric(std::string_view word) {
  for (const std::string_view sign : {"\u00b1", "\u2013", "\u2212", "\u2264", "\u2265"})
    if (word.starts_with(sign)) word.remove_prefix(sign.size());
  return count_digits(word) * 2 >= word.size();
}

TableColumns find_columns(const std::vector<TextLine>& lines, std::span<const Word> words,
                          double em_px) {
  constexpr double kPhraseEm = 0.45;  // wider than a blank between words
  constexpr double kStripEm = 0.1;
  TableColumns found;
  constexpr double kTypedBlank = 1.6;  // letters: a blank and what is white beside it
  const double gap = std::max((lines.front().mono ? 1.0 : kPhraseEm) * em_px,
                              kTypedBlank * typed_letter_px(words));
  for (const TextLine& line : lines) cut_line(line, words, gap, found.phrases);
  join_money(found.phrases, words);
  const auto rows = group_rows(found.phrases);
  found.columns = with_named(
      strips_of_rows(found.phrases, rows, spanning(found.phrases, rows, em_px), kStripEm * em_px),
      found.phrases, rows[0]);
  if (found.columns.size() > 1) found.columns = join_heads(found.columns, found.phrases, rows);
  found.phrases = cells_apart(found.phrases, rows, words, found.columns, em_px);
  return found;
}

std::pair<int, int> columns_at_rule(const TableColumns& found, const Box& head,
                                    std::span<const Box> rules, double em,
                                    const std::function<bool(const Box&)>& counts) {
  const ColumnSpan all{found.columns.front().from, found.columns.back().to};
  for (const Box& rule : rules) {
    const bool below = rule.y0 > head.y1 - 0.4 * em && rule.y0 < head.y1 + 0.9 * em;
    if (!below || rule.x0 > head.x0 + 2 || rule.x1 < head.x1 - 2 ||
        rule.width() * 10 > (all.to - all.from) * 9 || !counts(rule))
      continue;
    int first = -1, last = -1;
    for (int c = 0; c < int(found.columns.size()); ++c) {
      const int middle = (found.columns[size_t(c)].from + found.columns[size_t(c)].to) / 2;
      if (middle < rule.x0 || middle > rule.x1) continue;
      if (first < 0) first = c;
      last = c;
    }
    if (last > first) return {first, last - first + 1};
  }
  return {0, 0};
}

}  // namespace docspec
