#include "drafts/text/hard_breaks.h"

#include <algorithm>
#include <cctype>
#include <cstdlib>
#include <utility>

#include "core/base/median.h"
#include "core/text/unicode.h"
#include "drafts/lines/text_lines.h"

namespace docspec {
namespace {

bool hyphenated(const std::string& word) {
  return word.ends_with('-') || word.ends_with("\u2010") || word.ends_with("\u00AD");
}

/// Rows of few words that begin with a capital or a number, or have far more room than they take;
/// verses of any length.
bool are_names(std::span<const Word> words, const std::vector<std::vector<int>>& rows,
               double free) {
  constexpr size_t kMeanWords = 4, kMostWords = 3;
  constexpr size_t kVerses = 5, kFewVerses = 4;
  constexpr double kRoom = 0.5, kMuchRoom = 2, kVerseRoom = 0.25, kFewRoom = 0.6;  // text widths
  size_t count = 0, most = 0;
  bool capitals = true;
  for (const auto& row : rows) {
    const unsigned char first = uint8_t(words[size_t(row.front())].text[0]);
    capitals &= std::isupper(first) || std::isdigit(first);
    count += row.size();
    most = std::max(most, row.size());
  }
  // Sentences that run over their lines seldom have a capital at the start of all.
  const bool verses = capitals && ((rows.size() >= kVerses && free > kVerseRoom) ||
                                   (rows.size() >= kFewVerses && free > kFewRoom));
  return verses || (capitals && free > kRoom && count <= kMeanWords * rows.size()) ||
         (free > kMuchRoom && most <= kMostWords);
}

/// Chinese rows with room beside them, each of which ends a sentence.
bool are_chinese_verses(std::span<const Word> words, const std::vector<std::vector<int>>& rows,
                        double free) {
  constexpr double kRoom = 0.25;  // text widths
  static constexpr std::u32string_view kEnds = U"。？！；”";
  return free > kRoom && std::all_of(rows.begin(), rows.end(), [&](const std::vector<int>& row) {
           const uint32_t last = last_code_point(words[size_t(row.back())].text);
           return kEnds.find(char32_t(last)) != kEnds.npos;
         });
}

/// Rows that have their middles in common, and not their ends.
bool are_centred(const std::vector<Box>& rows, double em) {
  int middles = 0, starts = 0;
  for (const Box& row : rows) {
    middles = std::max(middles, std::abs(row.x0 + row.x1 - rows[0].x0 - rows[0].x1) / 2);
    starts = std::max(starts, std::abs(row.x0 - rows[0].x0));
  }
  return middles < 0.3 * em && starts > em;
}

/// Rows that begin with numbers of one form, such as "09-13654" and "09-13655": the entries of a
/// list.
bool are_numbered(std::span<const Word> words, const std::vector<std::vector<int>>& rows) {
  constexpr size_t kLeastRows = 3;
  constexpr std::ptrdiff_t kLeastDigits = 4;
  const auto form = [&](const std::vector<int>& row) {
    std::string text = words[size_t(row.front())].text;
    for (char& c : text)
      if (std::isdigit(uint8_t(c))) c = '0';
    return text;
  };
  const std::string first = form(rows.front());
  return rows.size() >= kLeastRows && std::count(first.begin(), first.end(), '0') >= kLeastDigits &&
         std::all_of(rows.begin(), rows.end(), [&](const auto& row) { return form(row) == first; });
}

/// Rows of which half and more are nothing but an address of the net or a telephone number.
bool are_contacts(std::span<const Word> words, const std::vector<std::vector<int>>& rows) {
  constexpr std::ptrdiff_t kLeast = 2, kLeastDigits = 7;
  const auto contacts = std::count_if(rows.begin(), rows.end(), [&](const auto& row) {
    const std::string& text = words[size_t(row.front())].text;
    const bool number = text.find_first_not_of("0123456789+-.()/") == text.npos &&
                        std::count_if(text.begin(), text.end(), [](char c) {
                          return std::isdigit(uint8_t(c));
                        }) >= kLeastDigits;
    return row.size() == 1 && (number || text.starts_with("www.") || text.starts_with("http") ||
                               text.find('@') != text.npos);
  });
  return contacts >= kLeast && contacts * 2 >= std::ptrdiff_t(rows.size());
}

/// Whether a sign that may open no line is the second letter of a Chinese row.
bool opens_with_sign(std::span<const Word> words, const std::vector<int>& row) {
  static constexpr std::u32string_view kSigns = U"。，、；！？）”」》";
  std::string text;
  for (size_t k = 0; k < std::min<size_t>(row.size(), 2); ++k) text += words[size_t(row[k])].text;
  size_t at = 0;
  next_code_point(text, at);
  return at < text.size() && kSigns.find(char32_t(next_code_point(text, at))) != kSigns.npos;
}

/// Whether a row begins a step of a proof.
bool opens_step_row(std::span<const Word> words, const std::vector<int>& row) {
  const std::string& first = words[size_t(row.front())].text;
  return first.starts_with("∴") || first.starts_with("∵") || first.starts_with("$\\therefore") ||
         first.starts_with("$\\because");
}

std::vector<bool> breaks_by_place(std::span<const Word> words,
                                  const std::vector<std::vector<int>>& rows, int free_px) {
  constexpr size_t kProseWords = 6;
  std::vector<bool> breaks(rows.size(), false);
  if (rows.size() < 2) return breaks;
  double width = 1;
  for (const auto& row : rows)
    width = std::max(width,
                     double(words[size_t(row.back())].box.x1 - words[size_t(row.front())].box.x0));
  if (are_numbered(words, rows) || are_contacts(words, rows) ||
      are_chinese_verses(words, rows, free_px / width)) {
    std::fill(breaks.begin() + 1, breaks.end(), true);
    return breaks;
  }
  std::vector<Box> boxes;
  std::vector<int> heights;
  Box all;
  std::vector<int> edges;
  for (const auto& row : rows) {
    boxes.emplace_back();
    for (int i : row) {
      boxes.back() = unite(boxes.back(), words[size_t(i)].box);
      heights.push_back(words[size_t(i)].box.height());
    }
    all = unite(all, boxes.back());
    edges.push_back(boxes.back().x1);
  }
  const int em = median(std::move(heights));
  const int right = column_edge(std::move(edges), em);
  std::vector<bool> fits(rows.size(), false), breaks_cjk(rows.size(), false);
  for (size_t i = 1; i < rows.size(); ++i) {
    // An index of a formula makes a row of its own.
    if (boxes[i].y0 + boxes[i].y1 - boxes[i - 1].y0 - boxes[i - 1].y1 < 2 * 0.7 * em) return breaks;
    const int next = words[size_t(rows[i].front())].box.width();
    // Lines that end at one place are justified, though another be too long for the column.
    const auto mates = std::count_if(boxes.begin(), boxes.end() - 1, [&](const Box& row) {
      return std::abs(row.x1 - boxes[i - 1].x1) <= em / 8;
    });
    const bool justified = mates > 1 && rows[i - 1].size() >= kProseWords;
    fits[i] = !justified && right - boxes[i - 1].x1 > next + 2 * em;
    // Chinese may be broken behind any character: a line ends early because it is to end there, but
    // for a letter whose sign opens no line.
    const double room = opens_with_sign(words, rows[i]) ? 3 : 2;
    breaks_cjk[i] = mates == 1 && right - boxes[i - 1].x1 > room * em &&
                    is_cjk(last_code_point(words[size_t(rows[i - 1].back())].text)) &&
                    is_cjk(first_code_point(words[size_t(rows[i].front())].text));
  }
  // Text runs around something where neighbouring lines end at one place, far from the edge.
  const auto runs_around = [&](size_t row) {
    const std::string& last = words[size_t(rows[row].back())].text;
    const auto like = [&](size_t other) {
      return other + 1 < rows.size() && std::abs(boxes[other].x1 - boxes[row].x1) < 2 * em;
    };
    return std::isalpha(uint8_t(last.back())) && rows[row].size() >= kProseWords &&
           (like(row + 1) || (row > 0 && like(row - 1)));
  };
  // A paragraph's line that ends far from the edge, before a sentence.
  for (size_t i = 1; i < rows.size(); ++i)
    breaks[i] = breaks_cjk[i] ||
                (fits[i] && right - boxes[i - 1].x1 > 0.25 * all.width() &&
                 std::isupper(uint8_t(words[size_t(rows[i].front())].text[0])) &&
                 !hyphenated(words[size_t(rows[i - 1].back())].text) && !runs_around(i - 1));
  const auto forced = size_t(std::count(fits.begin(), fits.end(), true));
  const double free = double(free_px) / std::max(1, all.width());
  const bool names = are_names(words, rows, free) || (free > 1 && are_centred(boxes, em));
  if (forced * 2 < rows.size() - 1 && !names) return breaks;
  // Sentences that go on from row to row run around something: the column is narrower there.
  size_t small = 0;
  for (size_t i = 1; i < rows.size(); ++i)
    small += fits[i] && std::islower(uint8_t(words[size_t(rows[i].front())].text[0]));
  if (small * 2 > forced && !names) return breaks;
  for (size_t i = 1; i < rows.size(); ++i) {
    const std::string& next = words[size_t(rows[i].front())].text;
    const bool full = right - boxes[i - 1].x1 < em;
    const bool goes_on = !fits[i] && !names && (full || std::islower(uint8_t(next[0])));
    breaks[i] = !goes_on && !hyphenated(words[size_t(rows[i - 1].back())].text);
  }
  return breaks;
}

}  // namespace

std::vector<bool> hard_breaks(std::span<const Word> words,
                              const std::vector<std::vector<int>>& rows, int free_px) {
  std::vector<bool> breaks = breaks_by_place(words, rows, free_px);
  for (size_t i = 1; i < rows.size(); ++i) breaks[i] = breaks[i] || opens_step_row(words, rows[i]);
  return breaks;
}

int free_beside(const Region& region, const std::vector<Region>& regions) {
  Box text;
  for (const Region& other : regions) text = unite(text, other.box);
  int left = text.x0, right = text.x1;
  for (const Region& other : regions) {
    if (other.id == region.id || other.box.y1 <= region.box.y0 || other.box.y0 >= region.box.y1)
      continue;
    if (other.box.x1 <= region.box.x0) left = std::max(left, other.box.x1);
    if (other.box.x0 >= region.box.x1) right = std::min(right, other.box.x0);
  }
  return right - left - region.box.width();
}

}  // namespace docspec
