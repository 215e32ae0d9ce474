#include "core/input/aslant_words.h"

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

struct Point {
  double x = 0, y = 0;
};

Point middle(const Box& box) {
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
  const Point a = middle(word.box), b = middle(next.box);
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

/// Puts the text of a run into one of its words, the lowest on the page; the others are to go.
void join(const Run& run, std::vector<Word>& words, std::vector<bool>& gone) {
  std::string text;
  size_t lowest = run.front();
  for (const size_t i : run) {
    text += words[i].text;
    gone[i] = true;
    if (words[i].box.y1 > words[lowest].box.y1) lowest = i;
  }
  words[lowest].text = std::move(text);
  words[lowest].quarter_turns = 0;
  words[lowest].space_after = true;
  gone[lowest] = false;
}

/// Whether a large word is printed across others that have another size.
bool lies_across(const Word& large, const std::vector<Word>& words) {
  constexpr int kLeast = 3;
  int below = 0;
  for (const Word& word : words) {
    const Point at = middle(word.box);
    below += word.font_size_pt < large.font_size_pt / 2 && at.x > large.box.x0 &&
             at.x < large.box.x1 && at.y > large.box.y0 && at.y < large.box.y1;
  }
  return below >= kLeast;
}

}  // namespace

void settle_aslant_words(std::vector<Word>& words) {
  constexpr double kLarge = 1.5, kOverprint = 2.5;  // times the page's usual size
  constexpr size_t kLeastWords = 3, kMostGroup = 400;
  std::vector<double> sizes;
  std::map<std::pair<std::string, long>, std::vector<size_t>> groups;
  const auto key = [&](const Word& word) {
    return std::pair(word.font, std::lround(10 * word.font_size_pt));
  };
  for (size_t i = 0; i < words.size(); ++i) {
    if (words[i].font_size_pt <= 0) continue;
    for (size_t n = count_code_points(words[i].text); n > 0; --n)
      sizes.push_back(words[i].font_size_pt);
    constexpr size_t kMostLetters = 3;  // of a piece
    if (count_code_points(words[i].text) <= kMostLetters)
      groups[key(words[i])].push_back(i);
  }
  if (sizes.empty()) return;
  const double usual = median(std::move(sizes));
  std::vector<bool> gone(words.size(), false);
  for (const auto& [font, group] : groups) {
    if (group.size() > kMostGroup) continue;
    const bool large = words[group.front()].font_size_pt >= kLarge * usual;
    size_t aslant = 0;
    for (const Run& run : runs_among(group, words)) {
      const bool steep = large && turned(words[run.front()]) && run.size() + 1 >= kLeastWords;
      if ((run.size() < kLeastWords && !steep) || !is_straight(run, words)) continue;
      aslant += run.size();
      if (!large)
        join(run, words, gone);
      else
        for (const size_t i : run) gone[i] = true;
    }
    if (large && aslant * 2 > group.size())
      for (size_t i = 0; i < words.size(); ++i)
        if (words[i].font_size_pt > 0 && key(words[i]) == font) gone[i] = true;
  }
  for (size_t i = 0; i < words.size(); ++i)
    if (words[i].font_size_pt >= kOverprint * usual && lies_across(words[i], words)) gone[i] = true;
  size_t at = 0;
  std::erase_if(words, [&](const Word&) { return gone[at++]; });
}

}  // namespace docspec
