#include "drafts/lines/text_blocks.h"

#include <algorithm>
#include <cctype>
#include <numeric>
#include <utility>

#include "core/base/median.h"
#include "core/text/unicode.h"
#include "drafts/lines/bullets.h"
#include "drafts/lines/leaders.h"
#include "drafts/lines/line_text.h"

namespace docspec {
namespace {

/// The nearest line that starts below (or ends above) `i` and shares a part of its width; -1 if
/// none. A far one does not count where the last line of a paragraph, shorter than the indent of
/// its first, is nearer: "of" below "    The city".
int nearest(const std::vector<TextLine>& lines, const std::vector<int>& chosen, int i, bool below) {
  constexpr double kIndent = 1.5, kFarther = 0.7, kLeast = 0.9;  // sizes
  int best = -1, outdented = -1;
  double best_distance = 0, outdented_distance = 0;
  for (int j : chosen) {
    if (j == i || lines[j].quarter_turns != lines[i].quarter_turns) continue;
    const double distance = (below ? 1 : -1) * (lines[j].middle() - lines[i].middle());
    const double em = std::min(lines[i].size_px, lines[j].size_px);
    if (distance < 0.4 * em) continue;
    const Box &first = lines[below ? i : j].box, &last = lines[below ? j : i].box;
    if (std::min(first.x1, last.x1) > std::max(first.x0, last.x0)) {
      if (best < 0 || distance < best_distance) best = j, best_distance = distance;
    } else if (last.x0 < first.x0 && first.x0 - last.x1 < kIndent * em && distance > kLeast * em &&
               lines[below ? j : i].chars > 1) {
      if (outdented < 0 || distance < outdented_distance)
        outdented = j, outdented_distance = distance;
    }
  }
  const bool is_nearer =
      outdented >= 0 &&
      (best < 0 || outdented_distance < best_distance - kFarther * lines[size_t(i)].size_px);
  return is_nearer ? outdented : best;
}

/// Whether two lines look like those of one text. `wrapped`: the first had no room for more;
/// `goes_on`: it ends within a sentence, too, whatever its letters are set in.
bool similar(const TextLine& a, const TextLine& b, bool wrapped = false, bool goes_on = false) {
  const double ratio = std::max(a.size_px, b.size_px) / std::min(a.size_px, b.size_px);
  if (a.words.empty() || b.words.empty()) return ratio < 1.4;
  const bool headings = a.bold && b.bold;  // a smaller one below is of its own
  // On a scan a line of few letters may have none that reaches up or down.
  const double rough = goes_on ? 1.6 : 1.3;
  return ratio < (a.rough_size ? rough
                  : headings   ? 1.06
                               : 1.14) &&
         (a.bold == b.bold || goes_on) && (a.mono == b.mono || wrapped);
}

/// Where lines begin and end, in pixels from the side at which reading begins.
struct LineEnds {
  bool from_right = false;
  int begin(const TextLine& line) const { return from_right ? -line.box.x1 : line.box.x0; }
  int end(const TextLine& line) const { return from_right ? -line.box.x0 : line.box.x1; }
  int first_word(const TextLine& line) const {
    return from_right ? line.words.back() : line.words.front();
  }
};

/// Whether `lower` stands below `upper`, whose first line may be indented, and which had no room
/// for its first word: a paragraph goes on, be it with words of code.
bool is_wrapped(const TextLine& upper, const TextLine& lower, const std::vector<TextLine>& lines,
                const std::vector<int>& chosen, std::span<const Word> words) {
  if (upper.words.empty() || lower.words.empty()) return false;
  const LineEnds ends{is_read_from_right(words, lower.words)};
  const double em = upper.size_px;
  const int indent = ends.begin(upper) - ends.begin(lower);
  if (indent < -3 * em || indent > 3 * em) return false;
  constexpr double kLarger = 1.15;              // a title begins there and runs over the columns
  int side = ends.end(upper), any_side = side;  // of the column, by lines of this type and by all
  size_t same = 0, hanging = 0;                 // lines that begin where the lower one does
  for (int i : chosen) {
    const TextLine& line = lines[i];
    const int aside = std::abs(ends.begin(line) - ends.begin(lower));
    if (aside >= em || &line == &upper || line.size_px > kLarger * em) continue;
    any_side = std::max(any_side, ends.end(line));
    hanging += !line.mono && aside < 0.3 * em;
    if (line.mono == upper.mono) side = std::max(side, ends.end(line)), ++same;
  }
  constexpr size_t kHanging = 2;
  if (indent < -0.5 * em && hanging < kHanging) return false;
  if (same == 0) side = any_side;
  return side - ends.end(upper) < words[size_t(ends.first_word(lower))].box.width() + 0.5 * em;
}

/// Whether the lower line begins in the bold font that the upper one ends in, and in its size: the
/// bold opening of a paragraph may stand below a heading of larger letters.
bool keeps_font(const TextLine& upper, const TextLine& lower, std::span<const Word> words) {
  constexpr double kSmaller = 0.95;  // of the upper one's letters
  const Word &last = words[size_t(upper.words.back())], &first = words[size_t(lower.words.front())];
  return upper.bold && !last.font.empty() && first.font == last.font && first.heavy == last.heavy &&
         first.font_size_pt >= kSmaller * last.font_size_pt;
}

/// Whether the lower line begins as the upper one ends, in letters of one font and size: words in
/// another type run over the end of a line.
bool keeps_type(const TextLine& upper, const TextLine& lower, std::span<const Word> words) {
  const Word &last = words[size_t(upper.words.back())], &first = words[size_t(lower.words.front())];
  return !last.font.empty() && last.font == first.font && last.heavy == first.heavy &&
         last.font_size_pt == first.font_size_pt;
}

/// Whether the lower line goes on with the sentence of the upper one, or with its bold beginning.
bool goes_on_below(const TextLine& upper, const TextLine& lower, bool wrapped,
                   std::span<const Word> words) {
  const std::string& next = words[lower.words.front()].text;
  const bool lower_case = std::islower(uint8_t(next[0])) && !next.starts_with("www.");
  const bool keeps = keeps_font(upper, lower, words);
  const std::string& last = words[upper.words.back()].text;
  const bool chinese = wrapped && upper.bold != lower.bold &&
                       upper.box.x0 >= lower.box.x0 - 0.3 * upper.size_px &&
                       is_cjk(last_code_point(last)) && is_cjk(first_code_point(next));
  // A line as wide as the column, in which strong words stand, is no heading; one that fills the
  // column above strong words goes on in them within its sentence.
  if (chinese && (upper.bold ? !last.ends_with("。")
                             : is_word(int32_t(last_code_point(last))) &&
                                   upper.box.x1 > lower.box.x1 - upper.size_px))
    return true;
  // Arabic and Hebrew have no small letters.
  if (wrapped && is_read_from_right(words, lower.words) && is_read_from_right(words, upper.words))
    return is_word(int32_t(last_code_point(words[size_t(upper.words.front())].text)));
  return lower_case ? wrapped || keeps : wrapped && keeps && upper.bold && !lower.bold;
}

/// Whether paragraphs open in bold words and a bold line is such an opening, as long as its line:
/// two others at least begin where it does, in its font, and go on in another.
bool is_bold_opening(const TextLine& line, const std::vector<TextLine>& lines,
                     const std::vector<int>& chosen, std::span<const Word> words) {
  constexpr std::ptrdiff_t kLeast = 2;
  if (!line.bold || line.words.empty()) return false;
  const Word& own = words[size_t(line.words.front())];
  const auto opens = [&](int i) {
    const TextLine& other = lines[size_t(i)];
    if (other.bold || other.words.empty()) return false;
    const Word &first = words[size_t(other.words.front())],
               &last = words[size_t(other.words.back())];
    return std::abs(other.box.x0 - line.box.x0) < 0.3 * line.size_px && first.font == own.font &&
           first.heavy == own.heavy && first.font_size_pt == own.font_size_pt &&
           (last.font != own.font || last.heavy != own.heavy);
  };
  return !own.font.empty() && std::count_if(chosen.begin(), chosen.end(), opens) >= kLeast;
}

/// A statement in typed letters on a scan, "let y;" or "function f(x) {", below prose.
bool opens_code(const TextLine& upper, const TextLine& lower, std::span<const Word> words) {
  return lower.mono && lower.rough_size && !upper.mono && !lower.words.empty() &&
         std::string_view("{};").find(words[size_t(lower.words.back())].text.back()) !=
             std::string_view::npos;
}

bool holds_formula(const TextLine& line, std::span<const Word> words) {
  return std::any_of(line.words.begin(), line.words.end(),
                     [&](int w) { return words[size_t(w)].formula; });
}

/// "MATERIALS AND METHODS" above "Cell Culture": two headings.
bool two_headings(const TextLine& upper, const TextLine& lower, std::span<const Word> words) {
  if (!upper.bold || !lower.bold || upper.words.size() < 2) return false;
  const auto letters = [&](const TextLine& line, auto test) {
    return std::any_of(line.words.begin(), line.words.end(), [&](int w) {
      const std::string& text = words[size_t(w)].text;
      return std::any_of(text.begin(), text.end(), test);
    });
  };
  const auto is_small = [](char c) { return std::islower(uint8_t(c)) != 0; };
  const auto is_no_capital = [](char c) { return !std::isupper(uint8_t(c)); };
  return letters(lower, is_small) && !letters(upper, is_no_capital);
}

/// The largest line pitch, in font sizes, inside a block: a fifth above the usual pitch of the
/// page. Lines of text as wide as half of what is on the page tell it alone: those of code among
/// them are closer.
double largest_pitch(const std::vector<TextLine>& lines, const std::vector<int>& chosen,
                     const std::vector<int>& below) {
  Box all;
  for (const int i : chosen) all = unite(all, lines[size_t(i)].box);
  std::vector<double> pitches, of_text;
  for (size_t k = 0; k < chosen.size(); ++k) {
    const TextLine& upper = lines[size_t(chosen[k])];
    if (below[k] < 0 || !similar(upper, lines[size_t(below[k])])) continue;
    const double pitch = (lines[size_t(below[k])].middle() - upper.middle()) / upper.size_px;
    if (pitch >= 3) continue;
    pitches.push_back(pitch);
    if (!upper.mono && upper.box.width() * 2 >= all.width()) of_text.push_back(pitch);
  }
  const bool has_code =
      std::any_of(chosen.begin(), chosen.end(), [&](int i) { return lines[size_t(i)].mono; });
  if (has_code && !of_text.empty()) pitches = std::move(of_text);
  if (pitches.empty()) return 1.5;
  return std::clamp(1.2 * median(std::move(pitches)), 1.35, 2.5);
}

/// `runs_on`: a run of words in one type goes over the end of the upper line. `formula`: the
/// text goes on, and a formula in the lines may be higher than they are.
bool same_block(const TextLine& upper, const TextLine& lower, double pitch, bool wrapped,
                bool goes_on, bool runs_on, bool formula) {
  if (!runs_on && !similar(upper, lower, wrapped, goes_on)) return false;
  const double em = runs_on ? std::max(upper.size_px, lower.size_px) : upper.size_px;
  constexpr double kWarped = 1.25, kTallFormula = 1.6;
  if (goes_on && upper.rough_size) pitch *= kWarped;
  if (formula) pitch *= kTallFormula;
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

/// Whether a paragraph goes on in the lower line though it is set with more white than most of the
/// page, as below a dense abstract. In narrow columns such lines are entries, and a line that
/// begins further left is the next entry of a list. `even`: the upper line is full, and the lines
/// about it are as far apart.
bool is_spaced(const TextLine& upper, const TextLine& lower, bool even, bool goes_on) {
  constexpr double kWide = 20;  // sizes
  if (upper.rough_size || upper.box.width() < kWide * upper.size_px) return false;
  return goes_on || (even && std::abs(upper.box.x0 - lower.box.x0) < upper.size_px);
}

/// Whether Chinese goes on within its sentence from a wide line to the margin: two lines at least,
/// the first ones of paragraphs, begin two letters right of it.
bool goes_on_in_chinese(const TextLine& upper, const TextLine& lower,
                        const std::vector<TextLine>& lines, const std::vector<int>& chosen,
                        std::span<const Word> words) {
  const std::string& last = words[size_t(upper.words.back())].text;
  const auto indented = std::count_if(chosen.begin(), chosen.end(), [&](int i) {
    return std::abs(lines[size_t(i)].box.x0 - lower.box.x0 - 2 * upper.size_px) <
           0.6 * upper.size_px;
  });
  return indented > 1 && upper.box.width() > 20 * upper.size_px && is_cjk(last_code_point(last)) &&
         is_cjk(first_code_point(words[size_t(lower.words.front())].text)) &&
         !last.ends_with("。") && !last.ends_with("：");
}

/// The blocks of lines that stand upright.
std::vector<TextBlock> upright_blocks(const std::vector<TextLine>& lines,
                                      const std::vector<int>& all, std::span<const Word> words) {
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
  // In sizes; a display may leave as much.
  constexpr double kDoubleSpaced = 2.6, kEvenly = 2.75, kChinese = 3.2;
  const double pitch = largest_pitch(lines, chosen, below);
  const auto row_mates = [&](int a, int b) {  // pieces of one justified line
    return a >= 0 && b >= 0 && root(parent, a) == root(parent, b);
  };
  // Foreign words in lines of Arabic, which OCR misreads as signs, are pieces above the line below.
  const auto main_piece = [&](int upper, int lower) {
    const int other = above[lower];
    return other >= 0 && lines[upper].box.width() > lines[other].box.width() &&
           row_overlap(lines[other].box, lines[upper].box) > 0.5 &&
           is_read_from_right(words, lines[lower].words);
  };
  for (size_t k = 0; k < chosen.size(); ++k) {
    const int upper = chosen[k], lower = below[k];
    if (lower < 0) continue;
    const bool wrapped = is_wrapped(lines[upper], lines[lower], lines, chosen, words);
    const bool read = !lines[upper].words.empty() && !lines[lower].words.empty();
    const bool goes_on =
        read &&
        (goes_on_below(lines[upper], lines[lower], wrapped, words) ||
         (wrapped && !lines[lower].bold && is_bold_opening(lines[upper], lines, chosen, words)));
    const bool runs_on = read && wrapped && keeps_type(lines[upper], lines[lower], words);
    const bool formula =
        goes_on && (holds_formula(lines[upper], words) || holds_formula(lines[lower], words));
    const int next = below[size_t(std::find(chosen.begin(), chosen.end(), lower) - chosen.begin())];
    const bool even =
        evenly_set(lines, above[upper], upper, lower) || evenly_set(lines, upper, lower, next);
    const bool spaced = read && keeps_type(lines[upper], lines[lower], words) &&
                        is_spaced(lines[upper], lines[lower], wrapped && even, goes_on);
    const bool chinese = read && wrapped && even &&
                         goes_on_in_chinese(lines[upper], lines[lower], lines, chosen, words);
    const double reach = chinese  ? kChinese
                         : spaced ? std::max(pitch, wrapped && even ? kEvenly : kDoubleSpaced)
                                  : pitch;
    if (!same_block(lines[upper], lines[lower], reach, wrapped, goes_on, runs_on, formula) ||
        two_headings(lines[upper], lines[lower], words) ||
        opens_code(lines[upper], lines[lower], words))
      continue;
    if (above[lower] == upper || row_mates(above[lower], upper) ||
        (read && main_piece(upper, lower)))
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

}  // namespace

Box box_of(const TextBlock& block, const std::vector<TextLine>& lines) {
  Box box;
  for (int i : block) box = unite(box, lines[i].box);
  return box;
}

std::vector<TextBlock> group_blocks(const std::vector<TextLine>& lines,
                                    const std::vector<int>& chosen, std::span<const Word> words) {
  std::vector<TextBlock> blocks;
  for (int turns = 0; turns < 4; ++turns) {
    std::vector<int> own;
    for (int i : chosen)
      if (lines[size_t(i)].quarter_turns == turns) own.push_back(i);
    if (own.empty()) continue;
    std::vector<TextLine> turned = lines;
    std::vector<Word> turned_words(words.begin(), words.end());
    for (TextLine& line : turned) line.box = turned_upright(line.box, turns);
    for (Word& word : turned_words) word.box = turned_upright(word.box, turns);
    for (TextBlock& block : upright_blocks(turned, own, turned_words))
      blocks.push_back(std::move(block));
  }
  return blocks;
}

std::vector<TextLine> chosen_lines(const TextBlock& block, const std::vector<TextLine>& lines) {
  std::vector<TextLine> chosen;
  for (const int i : block) chosen.push_back(lines[size_t(i)]);
  return chosen;
}

void take_in_strays(std::vector<TextBlock>& blocks, const std::vector<TextLine>& lines) {
  constexpr size_t kMostWords = 3;
  std::vector<Box> boxes;
  for (const TextBlock& block : blocks) boxes.push_back(box_of(block, lines));
  for (size_t i = 0; i < blocks.size(); ++i) {
    if (blocks[i].size() != 1 || lines[size_t(blocks[i][0])].words.empty() ||
        lines[size_t(blocks[i][0])].words.size() > kMostWords)
      continue;
    for (size_t j = 0; j < blocks.size(); ++j) {
      if (blocks[j].size() < 2 || intersect(boxes[i], boxes[j]).area() * 5 < boxes[i].area() * 4)
        continue;
      blocks[j].push_back(blocks[i][0]);
      blocks[i].clear();
      break;
    }
  }
  std::erase_if(blocks, [](const TextBlock& block) { return block.empty(); });
}

}  // namespace docspec
