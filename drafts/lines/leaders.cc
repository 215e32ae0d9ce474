#include "drafts/lines/leaders.h"

#include <algorithm>
#include <cstdlib>
#include <string>
#include <utility>

#include "drafts/lines/gutter.h"
#include "drafts/lines/text_lines.h"

namespace docspec {
namespace {

constexpr std::string_view kLeader = "....";

bool is_page_number(const std::string& text) {
  return text.size() <= 4 && (text.find_first_not_of("0123456789") == text.npos ||
                              text.find_first_not_of("ivxlc") == text.npos);
}

bool is_arabic(const std::string& text) {
  return !text.empty() && text.find_first_not_of("0123456789") == text.npos;
}

/// Whether a word is more than a number: "1.2" is none.
bool is_name(const Word& word) {
  return word.text.find_first_not_of("0123456789.") != word.text.npos;
}

/// White before the word at `k` of a row.
int gap_before(std::span<const Word> words, const std::vector<int>& row, size_t k) {
  return words[size_t(row[k])].box.x0 - words[size_t(row[k - 1])].box.x1;
}

/// Writes the ellipses of a leader ("Index…………4") as dots; Chinese has two of them in a row.
void spell_leaders(std::vector<Word>& words) {
  constexpr size_t kLeast = 9;  // dots
  constexpr std::string_view kEllipsis = "…", kDots = "...";
  for (Word& word : words) {
    for (size_t at = word.text.find(kEllipsis); at != word.text.npos;) {
      size_t end = at;
      std::string dots;
      while (end < word.text.size()) {
        const bool three = word.text.compare(end, kEllipsis.size(), kEllipsis) == 0;
        if (!three && word.text[end] != '.') break;
        dots += three ? kDots : ".";
        end += three ? kEllipsis.size() : 1;
      }
      if (dots.size() >= kLeast)
        word.text.replace(at, end - at, dots);
      else
        dots = word.text.substr(at, end - at);
      at = word.text.find(kEllipsis, at + dots.size());
    }
  }
}

/// How many words of dots stand before the last word of a row.
size_t dots_before_last(std::span<const Word> words, const std::vector<int>& row) {
  size_t dots = 0;
  for (size_t k = row.size() - 1; k-- > 0;) {
    const std::string& text = words[size_t(row[k])].text;
    if (!is_dots(text)) break;
    dots += text.size();
  }
  return dots;
}

/// Whether a row is a text and, far behind it, a page number.
bool is_entry(std::span<const Word> words, const std::vector<int>& row) {
  constexpr double kFar = 3, kNear = 1.5;  // heights of the number
  if (row.size() < 2 || !is_page_number(words[size_t(row.back())].text)) return false;
  const int em = words[size_t(row.back())].box.height();
  for (size_t k = 1; k < row.size(); ++k) {
    const int gap = gap_before(words, row, k);
    if (k + 1 == row.size() ? gap < kFar * em : gap > kNear * em) return false;
  }
  return is_name(words[size_t(row[0])]);
}

/// The right edges of the page numbers of a list of contents without leaders, or with some that are
/// drawn: six entries or more, nothing between them, whose numbers never fall.
std::vector<int> edges_of_contents(std::span<const Word> words,
                                   const std::vector<std::vector<int>>& rows) {
  constexpr size_t kLeastEntries = 6;
  std::vector<int> edges;
  int first = 0, page = 0;
  for (const auto& row : rows) {
    const std::string& text = row.empty() ? std::string() : words[size_t(row.back())].text;
    const bool entry = is_entry(words, row) && is_arabic(text);
    const int number = entry ? std::stoi(text) : 0;
    const int edge = entry ? words[size_t(row.back())].box.x1 : 0;
    if (entry && !edges.empty() && std::abs(edge - edges.front()) <= 2 && number >= page) {
      edges.push_back(edge);
      page = number;
      continue;
    }
    if (edges.size() >= kLeastEntries && page > first) return edges;
    edges.clear();
    if (entry) edges = {edge}, first = page = number;
  }
  return edges.size() >= kLeastEntries && page > first ? edges : std::vector<int>();
}

/// The page number of an entry whose number follows its text at a gap, and that gap; 0: no entry.
std::pair<int, int> entry_at_gap(std::span<const Word> words, const std::vector<int>& row) {
  if (row.size() < 2) return {};
  const Word& number = words[size_t(row.back())];
  if (!is_page_number(number.text) || !is_arabic(number.text)) return {};
  const int gap = gap_before(words, row, row.size() - 1);
  constexpr int kMostEm = 4;  // further away it stands in a column of numbers
  if (gap < number.box.height() || gap > kMostEm * number.box.height()) return {};
  for (size_t k = 1; k + 1 < row.size(); ++k)
    if (gap_before(words, row, k) * 2 > gap) return {};
  const bool named =
      std::any_of(row.begin(), row.end() - 1, [&](int k) { return is_name(words[size_t(k)]); });
  return named ? std::pair(std::stoi(number.text), gap) : std::pair(0, 0);
}

/// The rows of a list of contents whose numbers follow the text at one gap instead of standing
/// below each other: eight or more, at most one line without a number between two, whose numbers
/// never fall.
std::vector<const std::vector<int>*> contents_at_gap(std::span<const Word> words,
                                                     const std::vector<std::vector<int>>& rows) {
  constexpr size_t kLeastEntries = 8;
  constexpr int kMostBetween = 1;
  std::vector<const std::vector<int>*> list;
  int page = 0, gap = 0, between = 0;
  const auto is_list = [&] { return list.size() >= kLeastEntries; };
  for (const auto& row : rows) {
    const auto [number, wide] = entry_at_gap(words, row);
    if (number == 0 && !list.empty() && ++between <= kMostBetween) continue;
    const bool same = number > 0 && !list.empty() && number >= page && std::abs(wide - gap) <= 2;
    if (!same && is_list()) return list;
    if (!same) list.clear();
    between = 0;
    if (number == 0) continue;
    if (list.empty()) gap = wide;
    list.push_back(&row);
    page = number;
  }
  return is_list() ? list : std::vector<const std::vector<int>*>();
}

Word leader_between(const Word& before, const Word& next) {
  const int inset = next.box.height() / 4;
  Word leader = before;
  leader.text = kLeader;
  leader.box = {before.box.x1 + inset, before.box.y0, next.box.x0 - inset, before.box.y1};
  return leader;
}

/// The rows of each column of a page where page numbers follow dots: the entries of the columns of
/// a list of contents are rows of their own.
std::vector<std::vector<std::vector<int>>> rows_by_column(std::span<const Word> words) {
  constexpr size_t kLeastDots = 4;
  std::vector<Box> boxes;
  for (const Word& word : words) boxes.push_back(word.quarter_turns == 0 ? word.box : Box());
  const auto rows = group_rows(boxes);
  std::vector<Word> led(words.begin(), words.end());  // with leaders as far as the numbers
  for (const std::vector<int>& row : rows) {
    size_t dots = 0;
    for (size_t k = 0; k < row.size(); ++k) {
      const Word& word = words[size_t(row[k])];
      if (dots >= kLeastDots && is_page_number(word.text))
        led.push_back(leader_between(words[size_t(row[k - 1])], word));
      dots = is_dots(word.text) ? dots + word.text.size() : 0;
    }
  }
  const Gutters gutters = led.size() > words.size() ? find_gutters(led) : Gutters();
  if (gutters.all().empty()) return {rows};
  std::vector<std::vector<Box>> own(gutters.all().size() + 1);
  std::vector<std::vector<int>> index(own.size());
  for (size_t i = 0; i < words.size(); ++i) {
    const auto is_left = [&](const Gutter& gutter) {
      return gutter.x0 + gutter.x1 <= 2 * boxes[i].x0;
    };
    const auto at = std::count_if(gutters.all().begin(), gutters.all().end(), is_left);
    own[size_t(at)].push_back(boxes[i]);
    index[size_t(at)].push_back(int(i));
  }
  std::vector<std::vector<std::vector<int>>> columns;
  for (size_t c = 0; c < own.size(); ++c) {
    columns.push_back(group_rows(own[c]));
    for (std::vector<int>& row : columns.back())
      for (int& k : row) k = index[c][size_t(k)];
  }
  return columns;
}

/// The leaders that the rows of one column lack.
std::vector<Word> leaders_of(std::span<const Word> words,
                             const std::vector<std::vector<int>>& rows) {
  constexpr size_t kLeastDots = 4, kLeastRows = 2;
  constexpr int kNearEm = 3;
  std::vector<Word> leaders;
  const auto last = [&](const std::vector<int>& row) -> const Word& {
    return words[size_t(row.back())];
  };
  std::vector<int> edges;  // where the page numbers of rows with leaders end
  for (const auto& row : rows)
    if (row.size() > 1 && is_page_number(last(row).text) &&
        dots_before_last(words, row) >= kLeastDots)
      edges.push_back(last(row).box.x1);
  if (edges.size() < kLeastRows) edges = edges_of_contents(words, rows);
  if (edges.empty()) {
    for (const std::vector<int>* row : contents_at_gap(words, rows))
      leaders.push_back(leader_between(words[size_t((*row)[row->size() - 2])], last(*row)));
    return leaders;
  }
  std::nth_element(edges.begin(), edges.begin() + std::ptrdiff_t(edges.size() / 2), edges.end());
  const int edge = edges[edges.size() / 2];
  for (const auto& row : rows) {
    if (row.size() < 2 || !is_page_number(last(row).text)) continue;
    const Word& number = last(row);
    const int em = number.box.height();
    // A running head has its page number there, too.
    const bool near = std::any_of(rows.begin(), rows.end(), [&](const std::vector<int>& other) {
      return &other != &row && std::abs(last(other).box.y0 - number.box.y0) < kNearEm * em;
    });
    if (std::abs(number.box.x1 - edge) * 2 > em || !near) continue;
    for (size_t k = 1; k < row.size(); ++k) {
      const Word &before = words[size_t(row[k - 1])], &next = words[size_t(row[k])];
      const bool dots = is_dots(next.text);
      const bool leads = k + 1 == row.size() || (dots && !is_page_number(before.text));
      if (!leads || (next.box.x0 - before.box.x1) * 2 < em) continue;
      leaders.push_back(leader_between(before, next));
    }
  }
  return leaders;
}

}  // namespace

bool is_dots(std::string_view word) {
  return word.find_first_not_of('.') == word.npos;
}

void add_leaders(std::vector<Word>& words) {
  spell_leaders(words);
  std::vector<Word> leaders;
  for (const auto& rows : rows_by_column(words))
    for (Word& leader : leaders_of(words, rows)) leaders.push_back(std::move(leader));
  words.insert(words.end(), leaders.begin(), leaders.end());
}

bool ends_with_leader(std::string_view text) {
  const size_t last = text.find_last_not_of("0123456789ivxlc, ");  // "33, 69" in an index
  if (last == text.npos || last + 1 == text.size() || text.ends_with(',') || text.ends_with(' '))
    return false;
  int dots = 0;
  for (size_t at = last + 1; at-- > 0 && (text[at] == '.' || text[at] == ' ');)
    dots += text[at] == '.';
  return dots >= 4;
}

std::string without_leaders(std::string_view text) {
  constexpr int kLeast = 4;
  std::string out;
  for (size_t at = 0; at < text.size();) {
    const size_t end = std::min(text.find_first_not_of(". ", at), text.size());
    const std::string_view run = text.substr(at, end - at);
    if (std::count(run.begin(), run.end(), '.') >= kLeast)
      out += end < text.size() ? " ... " : "";
    else
      out += run;
    at = end;
    while (at < text.size() && text[at] != '.' && text[at] != ' ') out += text[at++];
  }
  return out;
}

}  // namespace docspec
