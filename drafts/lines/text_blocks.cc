#include "drafts/lines/text_blocks.h"

#include <algorithm>
#include <cctype>
#include <numeric>
#include <utility>

#include "core/base/median.h"
#include "drafts/lines/bullets.h"
#include "drafts/lines/leaders.h"

namespace docspec {
namespace {

/// The nearest line that starts below (or ends above) `i` and shares a part of its width; -1 if
/// none.
int nearest(const std::vector<TextLine>& lines, const std::vector<int>& chosen, int i, bool below) {
  int best = -1;
  double best_distance = 0;
  for (int j : chosen) {
    if (j == i || lines[j].quarter_turns != lines[i].quarter_turns) continue;
    const double distance = (below ? 1 : -1) * (lines[j].middle() - lines[i].middle());
    if (distance < 0.4 * std::min(lines[i].size_px, lines[j].size_px)) continue;
    if (std::min(lines[i].box.x1, lines[j].box.x1) <= std::max(lines[i].box.x0, lines[j].box.x0))
      continue;
    if (best < 0 || distance < best_distance) best = j, best_distance = distance;
  }
  return best;
}

/// Whether two lines look like those of one text. `wrapped`: the first had no room for more;
/// `goes_on`: it ends within a sentence, too, whatever its letters are set in.
bool similar(const TextLine& a, const TextLine& b, bool wrapped = false, bool goes_on = false) {
  const double ratio = std::max(a.size_px, b.size_px) / std::min(a.size_px, b.size_px);
  if (a.words.empty() || b.words.empty()) return ratio < 1.4;
  return ratio < (a.rough_size ? 1.3 : 1.14) && (a.bold == b.bold || goes_on) &&
         (a.mono == b.mono || wrapped);
}

/// Whether `lower` stands below `upper`, whose first line may be indented, and which had no room
/// for its first word: a paragraph goes on, be it with words of code.
bool is_wrapped(const TextLine& upper, const TextLine& lower, const std::vector<TextLine>& lines,
                const std::vector<int>& chosen, std::span<const Word> words) {
  const double em = upper.size_px;
  const int indent = upper.box.x0 - lower.box.x0;
  if (upper.words.empty() || lower.words.empty() || indent < -3 * em || indent > 3 * em)
    return false;
  int right = upper.box.x1, any_right = right;  // of the column, by lines of this type and by all
  size_t same = 0, hanging = 0;                 // lines that begin where the lower one does
  for (int i : chosen) {
    const TextLine& line = lines[i];
    const int aside = std::abs(line.box.x0 - lower.box.x0);
    if (aside >= em) continue;
    any_right = std::max(any_right, line.box.x1);
    hanging += !line.mono && aside < 0.3 * em;
    if (line.mono == upper.mono) right = std::max(right, line.box.x1), ++same;
  }
  constexpr size_t kHanging = 2;
  if (indent < -0.5 * em && hanging < kHanging) return false;
  if (same == 0) right = any_right;
  return right - upper.box.x1 < words[lower.words.front()].box.width() + 0.5 * em;
}

/// Whether the lower line begins in the bold font that the upper one ends in.
bool keeps_font(const TextLine& upper, const TextLine& lower, std::span<const Word> words) {
  const std::string& font = words[upper.words.back()].font;
  return upper.bold && !font.empty() && words[lower.words.front()].font == font;
}

/// The largest line pitch, in font sizes, inside a block: a fifth above the usual pitch of the
/// page.
double largest_pitch(const std::vector<TextLine>& lines, const std::vector<int>& chosen,
                     const std::vector<int>& below) {
  std::vector<double> pitches;
  for (size_t k = 0; k < chosen.size(); ++k) {
    if (below[k] < 0 || !similar(lines[chosen[k]], lines[below[k]])) continue;
    const double pitch =
        (lines[below[k]].middle() - lines[chosen[k]].middle()) / lines[chosen[k]].size_px;
    if (pitch < 3) pitches.push_back(pitch);
  }
  if (pitches.empty()) return 1.5;
  return std::clamp(1.2 * median(std::move(pitches)), 1.35, 2.5);
}

bool same_block(const TextLine& upper, const TextLine& lower, double pitch, bool wrapped,
                bool goes_on) {
  if (!similar(upper, lower, wrapped, goes_on)) return false;
  const double em = upper.size_px;
  const double limit = (upper.mono && lower.mono ? 2.4 : upper.words.empty() ? 2.0 : pitch) * em;
  if (lower.middle() - upper.middle() > limit) return false;
  const int common = std::min(upper.box.x1, lower.box.x1) - std::max(upper.box.x0, lower.box.x0);
  return common * 2 >= std::min(upper.box.width(), lower.box.width()) ||
         std::abs(upper.box.x0 - lower.box.x0) < 3 * em;
}

int root(std::vector<int>& parent, int i) {
  while (parent[i] != i) i = parent[i] = parent[parent[i]];
  return i;
}

/// One row of a block: segments of one baseline.
struct Row {
  std::vector<int> lines;
  Box box;
  double middle() const { return (box.y0 + box.y1) / 2.0; }
};

std::vector<Row> rows_of(const TextBlock& block, const std::vector<TextLine>& lines) {
  std::vector<Box> boxes;
  for (int i : block) boxes.push_back(lines[i].box);
  std::vector<Row> rows;
  for (const auto& group : group_rows(boxes)) {
    Row row;
    for (int k : group) {
      row.lines.push_back(block[k]);
      row.box = unite(row.box, boxes[k]);
    }
    rows.push_back(row);
  }
  return rows;
}

const std::string& first_word(const Row& row, const std::vector<TextLine>& lines,
                              std::span<const Word> words) {
  return words[lines[row.lines.front()].words.front()].text;
}
const std::string& last_word(const Row& row, const std::vector<TextLine>& lines,
                             std::span<const Word> words) {
  return words[lines[row.lines.back()].words.back()].text;
}

bool ends_sentence(const std::string& word) {
  return !word.empty() && std::string_view(".:;!?)\"").find(word.back()) != std::string_view::npos;
}

/// Where the text after a list marker starts.
int text_start(const Row& row, const std::vector<TextLine>& lines, std::span<const Word> words) {
  const std::vector<int>& first = lines[row.lines.front()].words;
  if (first.size() > 1) return words[first[1]].box.x0;
  return row.lines.size() > 1 ? lines[row.lines[1]].box.x0 : row.box.x0;
}

/// The lower quartile of the distances of rows: that of lines in a paragraph, not of the gaps.
double line_pitch(const std::vector<Row>& rows) {
  std::vector<double> pitches;
  for (size_t i = 1; i < rows.size(); ++i)
    pitches.push_back(rows[i].middle() - rows[i - 1].middle());
  std::nth_element(pitches.begin(), pitches.begin() + pitches.size() / 4, pitches.end());
  return pitches[pitches.size() / 4];
}

std::string text_of(const Row& row, const std::vector<TextLine>& lines,
                    std::span<const Word> words) {
  std::string text;
  for (int i : row.lines)
    for (int w : lines[i].words) text += words[w].text;
  return text;
}

/// Whether a row begins with the raised number of a footnote.
bool opens_note(const Row& row, const std::vector<TextLine>& lines, std::span<const Word> words) {
  std::vector<int> first;
  for (int i : row.lines) first.insert(first.end(), lines[i].words.begin(), lines[i].words.end());
  if (first.size() < 2) return false;
  const Word &mark = words[size_t(first[0])], &next = words[size_t(first[1])];
  return std::isdigit(uint8_t(mark.text[0])) && mark.font_size_pt > 0 &&
         mark.font_size_pt < 0.85 * next.font_size_pt;
}

/// Whether all of a row is in one font, and what follows in another: a heading above its paragraph.
bool is_set_off(const Row& row, const Row& next, const std::vector<TextLine>& lines,
                std::span<const Word> words) {
  const std::string& font = words[size_t(lines[row.lines.front()].words.front())].font;
  const auto has_font = [&](int w) { return words[size_t(w)].font == font; };
  const auto own = [&](int i) {
    return std::all_of(lines[i].words.begin(), lines[i].words.end(), has_font);
  };
  const auto others = [&](int i) {
    return std::none_of(lines[i].words.begin(), lines[i].words.end(), has_font);
  };
  return !font.empty() && std::all_of(row.lines.begin(), row.lines.end(), own) &&
         std::all_of(next.lines.begin(), next.lines.end(), others);
}

/// Whether paragraphs hang: as many of the page's lines begin at `x`, where the second line
/// of one does, as where the first one does.
bool hang(int x, int first_x, const std::vector<TextLine>& lines, double em) {
  constexpr std::ptrdiff_t kLeast = 3;
  const auto at = [&](int edge) {
    return std::count_if(lines.begin(), lines.end(), [&](const TextLine& line) {
      return std::abs(line.box.x0 - edge) < 0.3 * em;
    });
  };
  const auto second = at(x);
  return second >= kLeast && second >= at(first_x);
}

bool opens_item(const std::string& word, bool after_item, bool after_end) {
  if (!is_list_marker(word)) return false;
  const char last = word.back();
  const bool numbered =
      (last >= '0' && last <= '9') || word == "-" || word == "\u2013" || word == "\u2014";
  return numbered ? after_item : (uint8_t(last) >= 0x80 || last == '*' || after_item || after_end);
}

/// "B.", "IV." before the name of a section.
bool is_heading_mark(const std::string& word) {
  return word.size() > 1 && word.ends_with('.') &&
         (word.size() == 2 ? std::isupper(uint8_t(word[0])) != 0
                           : word.find_first_not_of("IVX") == word.size() - 1);
}

/// Words that are far smaller than a line whose height they share, and stand above or below its
/// own: indices that form a line because there are several. For each line its base, or -1.
std::vector<int> bases_of_indices(const std::vector<TextLine>& lines,
                                  const std::vector<int>& chosen) {
  constexpr size_t kMostWords = 6;
  constexpr double kSmall = 0.8, kShared = 0.15;
  std::vector<int> bases(lines.size(), -1);
  for (int i : chosen) {
    const TextLine& line = lines[i];
    if (line.words.empty() || line.words.size() > kMostWords || line.rough_size) continue;
    double most = kShared * line.box.height();
    for (int j : chosen) {
      const TextLine& base = lines[j];
      const int shared = std::min(line.box.y1, base.box.y1) - std::max(line.box.y0, base.box.y0);
      if (shared <= most || line.size_px > kSmall * base.size_px || base.words.empty() ||
          line.box.x0 < base.box.x0 || line.box.x1 > base.box.x1 + base.size_px ||
          line.quarter_turns != base.quarter_turns)
        continue;
      most = shared;
      bases[size_t(i)] = j;
    }
  }
  // The base of a base is larger than both.
  for (int& base : bases)
    while (base >= 0 && bases[size_t(base)] >= 0) base = bases[size_t(base)];
  return bases;
}

}  // namespace

Box box_of(const TextBlock& block, const std::vector<TextLine>& lines) {
  Box box;
  for (int i : block) box = unite(box, lines[i].box);
  return box;
}

std::vector<TextBlock> group_blocks(const std::vector<TextLine>& lines, const std::vector<int>& all,
                                    std::span<const Word> words) {
  const std::vector<int> bases = bases_of_indices(lines, all);
  std::vector<int> chosen;
  for (int i : all)
    if (bases[size_t(i)] < 0) chosen.push_back(i);
  std::vector<int> parent(lines.size()), below(chosen.size()), above(lines.size(), -1);
  std::iota(parent.begin(), parent.end(), 0);
  for (size_t k = 0; k < chosen.size(); ++k) {
    below[k] = nearest(lines, chosen, chosen[k], true);
    above[chosen[k]] = nearest(lines, chosen, chosen[k], false);
  }
  const double pitch = largest_pitch(lines, chosen, below);
  const auto row_mates = [&](int a, int b) {  // pieces of one justified line
    return a >= 0 && b >= 0 && root(parent, a) == root(parent, b);
  };
  for (size_t k = 0; k < chosen.size(); ++k) {
    const int upper = chosen[k], lower = below[k];
    if (lower < 0 || lines[upper].quarter_turns % 2) continue;
    const bool wrapped = is_wrapped(lines[upper], lines[lower], lines, chosen, words);
    const bool goes_on = !lines[upper].words.empty() && !lines[lower].words.empty() &&
                         std::islower(uint8_t(words[lines[lower].words.front()].text[0])) &&
                         (wrapped || keeps_font(lines[upper], lines[lower], words));
    if (!same_block(lines[upper], lines[lower], pitch, wrapped, goes_on)) continue;
    if (above[lower] == upper || row_mates(above[lower], upper))
      parent[root(parent, lower)] = root(parent, upper);
  }
  std::vector<TextBlock> blocks;
  std::vector<int> home(lines.size(), -1);
  for (int i : chosen) {
    const int r = root(parent, i);
    if (home[r] < 0) {
      home[r] = int(blocks.size());
      blocks.emplace_back();
    }
    blocks[home[r]].push_back(i);
  }
  for (int i : all)
    if (const int base = bases[size_t(i)]; base >= 0) blocks[home[root(parent, base)]].push_back(i);
  return blocks;
}

std::vector<TextBlock> split_paragraphs(const TextBlock& block, const std::vector<TextLine>& lines,
                                        std::span<const Word> words) {
  const std::vector<Row> rows = rows_of(block, lines);
  if (lines[block.front()].words.empty() || rows.size() == 1 ||
      (lines[block.front()].mono && !is_bullet(first_word(rows[0], lines, words))))
    return {block};
  const double em = lines[block.front()].size_px;
  Box all = box_of(block, lines);
  std::vector<int> edges;
  for (const Row& row : rows) edges.push_back(row.box.x1);
  all.x1 = column_edge(std::move(edges), em);
  const double usual_pitch = line_pitch(rows);
  std::vector<TextBlock> parts;
  bool in_item = false, in_note = false;
  int item_x0 = 0;  // where the text of the open item starts, after its marker
  for (size_t i = 0; i < rows.size(); ++i) {
    bool start = i == 0;
    const bool ended = i > 0 && ends_sentence(last_word(rows[i - 1], lines, words));
    const bool note = opens_note(rows[i], lines, words);
    bool item = !note && opens_item(first_word(rows[i], lines, words), in_item || i == 0, ended);
    if (i > 0) {
      const Box &row = rows[i].box, &before = rows[i - 1].box;
      const bool short_before = before.x1 < all.x1 - std::max(2 * em, 0.2 * all.width());
      // The next word had room: the line was ended on purpose.
      const int next_word = words[lines[rows[i].lines.front()].words.front()].box.width();
      const bool parted = last_word(rows[i - 1], lines, words).ends_with('-');
      const bool forced = !parted && all.x1 - before.x1 > next_word + 2 * em;
      const bool indented = row.x0 > before.x0 + 0.7 * em &&
                            (forced || !hang(row.x0, before.x0, lines, em)) &&
                            before.x0 < all.x0 + 0.3 * em &&
                            (i + 1 == rows.size() || rows[i + 1].box.x0 < row.x0 - 0.5 * em);
      // "(a) Tenure shall", indented, goes on at the margin.
      const bool goes_on =
          !forced && std::islower(uint8_t(first_word(rows[i], lines, words)[0])) &&
          std::string_view(".:;!?").find(last_word(rows[i - 1], lines, words).back()) ==
              std::string_view::npos;
      const bool outdented =
          in_item && !goes_on && row.x0 < before.x0 - 0.8 * em && row.x0 < all.x0 + 0.5 * em;
      // "I. Korhonen" goes on with a line that had no room for it: a name, and no mark.
      const std::string& mark = first_word(rows[i], lines, words);
      const bool initial = in_item && mark.size() == 2 && std::isupper(uint8_t(mark[0])) &&
                           row.x0 > item_x0 - 0.5 * em && !ended;
      // "8 received" goes on with an item, too: a number that opens one stands left of the text.
      const bool amount =
          in_item && row.x0 > item_x0 - 0.5 * em &&
          (std::isdigit(uint8_t(mark.back())) || (std::isdigit(uint8_t(mark[0])) && !ended));
      const bool in_reference = in_note && std::isdigit(uint8_t(mark[0]));  // "p." "11."
      if (initial || amount || in_reference) item = false;
      const bool after_item =
          in_item && !goes_on && row.x0 < item_x0 - 0.5 * em && (forced || ended);
      const double pitch = rows[i].middle() - rows[i - 1].middle();
      const bool gap = pitch > 1.22 * usual_pitch && (ended || forced);
      const bool remark = in_note && ended && first_word(rows[i], lines, words).ends_with(':');
      const bool set_off = short_before && forced && parts.back().size() == 1 &&
                           is_set_off(rows[i - 1], rows[i], lines, words);
      // "B. Data acquisition" above an indented sentence.
      const bool lettered = i == 1 && short_before && forced && !ended &&
                            is_heading_mark(first_word(rows[0], lines, words)) &&
                            std::isupper(uint8_t(mark[0])) && row.x0 > before.x0 + 0.7 * em;
      start = item || note || set_off || lettered || remark || outdented || after_item || gap ||
              (!in_item && indented && (short_before || ended)) ||
              ((short_before || forced) && ended) ||
              ends_with_leader(text_of(rows[i - 1], lines, words));
      start &= lines[rows[i].lines.front()].size_px > 0.8 * em;  // not at a row of indices
    }
    if (start) {
      parts.emplace_back();
      in_item = item;
      in_note = note;
      if (item) item_x0 = text_start(rows[i], lines, words);
    }
    parts.back().insert(parts.back().end(), rows[i].lines.begin(), rows[i].lines.end());
  }
  return parts;
}

}  // namespace docspec
