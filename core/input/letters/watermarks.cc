#include "core/input/letters/watermarks.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <string>
#include <utility>

#include "core/base/median.h"
#include "core/text/unicode.h"

namespace docspec {
namespace {

using Run = std::vector<size_t>;  // words of one text, in reading order

struct Centre {
  double x = 0, y = 0;
};

Centre middle(const Box& box) {
  return {(box.x0 + box.x1) / 2.0, (box.y0 + box.y1) / 2.0};
}

bool turned(const Word& word) {
  return word.quarter_turns % 2 != 0;
}

/// The slope of the text that `next` continues `word` in, along the direction of reading; 0 where
/// it does not: where one box ends the other begins, and it stands higher or lower.
double slope(const Word& word, const Word& next) {
  constexpr int kJoint = 2;  // pixels
  constexpr double kFlat = 0.1, kSteep = 1.5;
  if (word.quarter_turns != next.quarter_turns) return 0;
  const int joint = word.quarter_turns == 0   ? next.box.x0 - word.box.x1
                    : word.quarter_turns == 1 ? next.box.y0 - word.box.y1
                    : word.quarter_turns == 2 ? word.box.x0 - next.box.x1
                                              : word.box.y0 - next.box.y1;
  if (std::abs(joint) > kJoint) return 0;
  const Centre a = middle(word.box), b = middle(next.box);
  const double along = turned(word) ? b.y - a.y : b.x - a.x;
  const double aside = turned(word) ? b.x - a.x : b.y - a.y;
  const double found = along != 0 ? aside / along : 0;
  return std::abs(found) >= kFlat && std::abs(found) <= kSteep ? found : 0;
}

/// Whether all of a run rises, or falls, at about the same angle.
bool is_straight(const Run& run, const std::vector<Word>& words) {
  constexpr double kAlike = 2;
  std::vector<double> slopes;
  for (size_t i = 1; i < run.size(); ++i) slopes.push_back(slope(words[run[i - 1]], words[run[i]]));
  const double usual = median(slopes);
  return std::all_of(slopes.begin(), slopes.end(), [&](double s) {
    return s * usual > 0 && s / usual < kAlike && usual / s < kAlike;
  });
}

/// The runs of words in one font and size, each as long as it goes.
std::vector<Run> runs_among(const std::vector<size_t>& group, const std::vector<Word>& words) {
  std::map<size_t, size_t> next;
  std::map<size_t, bool> continues;
  for (const size_t i : group)
    for (const size_t j : group)
      if (i != j && !continues[j] && !next.contains(i) && slope(words[i], words[j]) != 0) {
        next[i] = j;
        continues[j] = true;
      }
  std::vector<Run> runs;
  for (const size_t i : group) {
    if (continues[i]) continue;
    Run run = {i};
    while (next.contains(run.back()) && run.size() < group.size())
      run.push_back(next.at(run.back()));
    runs.push_back(std::move(run));
  }
  return runs;
}

/// Whether a large word is printed across others that have another size.
bool lies_across(const Word& large, const std::vector<Word>& words) {
  constexpr int kLeast = 12;
  int below = 0;
  for (const Word& word : words) {
    const Centre at = middle(word.box);
    below += word.font_size_pt < large.font_size_pt / 2 && at.x > large.box.x0 &&
             at.x < large.box.x1 && at.y > large.box.y0 && at.y < large.box.y1;
  }
  return below >= kLeast;
}

}  // namespace

std::vector<bool> find_watermarks(const std::vector<Word>& words) {
  constexpr double kLarge = 1.5, kOverprint = 2.5;  // times the page's usual size
  constexpr size_t kMostLetters = 3;                // of a piece
  constexpr size_t kLeastPieces = 3, kLeastSteep = 2, kMostGroup = 400;
  std::vector<bool> found(words.size(), false);
  std::vector<double> sizes;
  for (const Word& word : words)
    for (size_t n = word.font_size_pt > 0 ? count_code_points(word.text) : 0; n > 0; --n)
      sizes.push_back(word.font_size_pt);
  if (sizes.empty()) return found;
  const double usual = median(std::move(sizes));
  const auto style = [](const Word& word) {
    return std::pair(word.font, std::lround(10 * word.font_size_pt));
  };
  std::map<std::pair<std::string, long>, std::vector<size_t>> groups;
  for (size_t i = 0; i < words.size(); ++i)
    if (words[i].font_size_pt >= kLarge * usual && count_code_points(words[i].text) <= kMostLetters)
      groups[style(words[i])].push_back(i);
  for (const auto& [own, group] : groups) {
    if (group.size() > kMostGroup) continue;
    size_t aslant = 0;
    for (const Run& run : runs_among(group, words)) {
      const size_t least = turned(words[run.front()]) ? kLeastSteep : kLeastPieces;
      if (run.size() < least || !is_straight(run, words)) continue;
      aslant += run.size();
      for (const size_t i : run) found[i] = true;
    }
    if (aslant * 2 > group.size())
      for (size_t i = 0; i < words.size(); ++i)
        if (style(words[i]) == own) found[i] = true;
  }
  for (size_t i = 0; i < words.size(); ++i)
    if (words[i].font_size_pt >= kOverprint * usual && lies_across(words[i], words))
      found[i] = true;
  return found;
}

}  // namespace docspec
