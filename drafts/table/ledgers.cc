#include "drafts/table/ledgers.h"

#include <algorithm>
#include <optional>
#include <string>

#include "drafts/grid/table_columns.h"
#include "drafts/lines/line_text.h"
#include "drafts/lines/text_blocks.h"
#include "drafts/table/prose_columns.h"
#include "drafts/table/table_structure.h"

namespace docspec {
namespace {

/// A row of a ledger: what it is about at the left, figures at the right, or one of both.
struct LedgerRow {
  int label = -1, name = -1;  // indices of lines, if it has them
  std::vector<int> figures;   // indices of lines, from left to right
  bool parted = false;        // so wide a gap between them that they look like two text columns

  bool is_entry() const { return label >= 0 && !figures.empty(); }
};

/// The row as one of a ledger; nothing if another thing stands there.
std::optional<LedgerRow> ledger_row(const std::vector<int>& row, const std::vector<TextLine>& lines,
                                    std::span<const Word> words, int width_px,
                                    const Gutters& gutters, Ledger kind) {
  const size_t longest = kind == Ledger::amounts ? 80 : 120;  // characters of a label
  constexpr size_t kMostWords = 3;                            // of one figure
  constexpr double kLeastGap = 2, kWidestGap = 0.35;          // em, of the page
  const auto is_figure = [&](const TextLine& line) {
    return line.words.size() <= kMostWords &&
           std::all_of(line.words.begin(), line.words.end(), [&](int w) {
             const std::string& text = words[size_t(w)].text;
             return is_numeric(text) || text == "-" || text == "\u2013" || text == "$" ||
                    text == "\u20ac" || text == "\u00a3" || text == "%";
           });
  };
  LedgerRow found;
  for (int i : row) {
    const TextLine& line = lines[size_t(i)];
    if (line.quarter_turns != 0) return std::nullopt;
    if (is_figure(line))
      found.figures.push_back(i);
    else if (found.label < 0 && found.figures.empty() && line.chars <= longest)
      found.label = i;
    else if (kind == Ledger::contents && found.name < 0 && found.figures.empty() &&
             line.chars <= longest)
      found.name = i;
    else
      return std::nullopt;
  }
  if (!found.is_entry()) return found;
  const Box& label = lines[size_t(found.name < 0 ? found.label : found.name)].box;
  const Box& figure = lines[size_t(found.figures[0])].box;
  if (figure.x0 - label.x1 < kLeastGap * lines[size_t(found.label)].size_px) return std::nullopt;
  found.parted = figure.x0 - label.x1 > kWidestGap * width_px || gutters.parts(label, figure);
  return found;
}

/// Whether rows are a ledger and no numbered formulas or numbered lines: the last figures end at
/// one edge, and half of them are amounts, or all are numbers of pages, which hardly ever fall.
bool is_ledger(std::span<const LedgerRow> rows, const std::vector<TextLine>& lines,
               std::span<const Word> words, Ledger kind) {
  constexpr size_t kLeastEntries = 4;
  constexpr size_t kLeastDigits = 3, kLongNumber = 5;  // of an amount; of one without marks
  constexpr size_t kMostPageDigits = 4, kLeastPages = 6;
  std::vector<int> ends, pages;
  size_t amounts = 0, parted = 0, falls = 0;
  double em = 0;
  for (const LedgerRow& row : rows) {
    if (!row.is_entry()) continue;
    const TextLine& last = lines[size_t(row.figures.back())];
    const std::string text = line_text(words, last.words);
    em = last.size_px;
    ends.push_back(last.box.x1);
    parted += row.parted;
    const size_t digits = count_digits(text);
    const bool money = text.find_first_of("$%") != text.npos || text.ends_with("\u20ac") ||
                       text.ends_with("\u00a3");
    if (digits == text.size() && digits <= kMostPageDigits && row.figures.size() == 1) {
      const int page = std::stoi(text);
      falls += !pages.empty() && page < pages.back();
      pages.push_back(page);
    }
    amounts += !text.starts_with('(') &&
               (money || digits >= kLongNumber ||
                (digits >= kLeastDigits && text.find_first_of(".,") != text.npos));
  }
  const bool contents = pages.size() == ends.size() && pages.size() >= kLeastPages &&
                        falls * 10 < pages.size() && pages.front() < pages.back();
  if (ends.size() < kLeastEntries || parted * 3 < ends.size() ||
      (kind == Ledger::amounts ? amounts * 2 < ends.size() : !contents))
    return false;
  std::sort(ends.begin(), ends.end());
  const int edge = ends[ends.size() / 2];
  const auto at_edge =
      std::count_if(ends.begin(), ends.end(), [&](int x) { return std::abs(x - edge) <= em; });
  return size_t(at_edge) * 5 >= ends.size() * 4 && ends.size() * 2 >= rows.size();
}

/// Whether a row is the head of the ledger below it: short names without digits, three at least,
/// the first one over the labels and the last one over the figures.
bool heads_ledger(const std::vector<int>& head, const std::vector<int>& ledger,
                  const std::vector<TextLine>& lines, std::span<const Word> words) {
  constexpr size_t kLeastNames = 3, kMostWords = 3;
  constexpr double kNear = 2.2;  // em
  if (head.size() < kLeastNames) return false;
  Box box, all;
  for (int i : ledger) all = unite(all, lines[size_t(i)].box);
  for (int i : head) {
    const TextLine& line = lines[size_t(i)];
    box = unite(box, line.box);
    if (line.words.size() > kMostWords || count_digits(line_text(words, line.words)) > 0)
      return false;
  }
  const double em = lines[size_t(ledger.front())].size_px;
  return all.y0 - box.y1 < kNear * em && all.y0 > box.y1 && std::abs(box.x0 - all.x0) < em &&
         std::abs(box.x1 - all.x1) < 2 * em;
}

}  // namespace

std::vector<std::vector<int>> find_ledgers(const std::vector<std::vector<int>>& groups,
                                           const std::vector<TextLine>& lines,
                                           std::span<const Word> words, int width_px,
                                           const Gutters& gutters, Ledger kind) {
  constexpr double kWidestSpace = 4;  // em between two rows
  constexpr int kMostLabels = 2;      // rows without figures, one after the other
  std::vector<std::vector<int>> ledgers;
  std::vector<LedgerRow> rows;
  std::vector<int> above, before;  // the row above the ledger, and the one above the next row
  int labels = 0, bottom = 0;
  const auto end = [&] {
    while (!rows.empty() && !rows.back().is_entry()) rows.pop_back();
    std::vector<int> found;
    for (const LedgerRow& row : rows) {
      for (int i : {row.label, row.name})
        if (i >= 0) found.push_back(i);
      found.insert(found.end(), row.figures.begin(), row.figures.end());
    }
    if (is_ledger(rows, lines, words, kind) && !is_of_columns(found, lines, gutters) &&
        table_grid(chosen_lines(found, lines), words)) {
      if (heads_ledger(above, found, lines, words))
        found.insert(found.begin(), above.begin(), above.end());
      ledgers.push_back(std::move(found));
    }
    rows.clear();
    labels = 0;
  };
  for (const std::vector<int>& group : groups) {
    auto row = ledger_row(group, lines, words, width_px, gutters, kind);
    const TextLine& first = lines[size_t(group.front())];
    if (!row || first.box.y0 - bottom > kWidestSpace * first.size_px) end();
    labels = row && row->figures.empty() ? labels + 1 : 0;
    if (labels > kMostLabels) end();
    bottom = first.box.y1;
    if (row && (!rows.empty() || !row->figures.empty())) {
      if (rows.empty()) above = before;
      rows.push_back(std::move(*row));
    }
    before = group;
  }
  end();
  return ledgers;
}

}  // namespace docspec
