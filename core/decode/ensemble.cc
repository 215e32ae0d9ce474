#include "core/decode/ensemble.h"

#include <algorithm>
#include <bit>
#include <queue>

namespace docspec {
namespace {

/// What is believed before anything was seen, and for how many trials that counts.
constexpr std::array<float, 9> kPrior = {.3f, .5f, .65f, .8f, .88f, .93f, .96f, .97f, .98f};
constexpr float kPriorTrials = 3;
/// Older evidence fades: a page's later parts are not like its first.
constexpr float kMemory = 150;

/// Rows less likely than this are not worth the time of looking for them.
constexpr float kLeastScore = 0.002f;

/// The next token of a branch that is to get a row.
struct Tip {
  float score = 0;
  size_t branch = 0;
  size_t next = 0;  ///< index of the token
  int32_t row = 0;  ///< its parent
};

/// The likelier first; of equals the earlier branch, so that growing is deterministic.
struct Later {
  bool operator()(const Tip& a, const Tip& b) const {
    return a.score != b.score ? a.score < b.score : a.branch > b.branch;
  }
};

}  // namespace

size_t Ensemble::voice(std::string_view rule, std::string_view source) {
  for (size_t i = 0; i < voices_.size(); ++i)
    if (voices_[i].rule == rule && voices_[i].source == source) return i;
  voices_.push_back({std::string(rule), std::string(source), {}});
  return voices_.size() - 1;
}

/// 0, 1, 2, 3-4, 5-8, ... 65 and more.
size_t Ensemble::bucket(int64_t match) {
  if (match <= 0) return 0;
  return std::min(kBuckets - 1, size_t(1 + std::bit_width(uint64_t(match - 1))));
}

float Ensemble::chance(size_t voice, int64_t match) const {
  const size_t at = bucket(match);
  const Count& seen = voices_[voice].counts[at];
  return std::min(0.998f, (kPrior[at] * kPriorTrials + seen.hits) / (kPriorTrials + seen.trials));
}

void Ensemble::learn(const Branch& branch, std::span<const int32_t> emitted) {
  const size_t reach = std::min(branch.tokens.size(), emitted.size());
  for (size_t i = 0; i < reach; ++i) {
    Count& count = voices_[branch.voice].counts[bucket(branch.match + int64_t(i))];
    if (count.trials >= kMemory) count = {count.hits / 2, count.trials / 2};
    count.trials += 1;
    if (branch.tokens[i] != emitted[i]) return;
    count.hits += 1;
  }
}

DraftTree grow_tree(int32_t pending, std::span<const Branch> branches, const Ensemble& ensemble,
                    size_t max_rows) {
  DraftTree tree(pending);
  std::priority_queue<Tip, std::vector<Tip>, Later> tips;
  const auto push = [&](Tip tip) {
    const Branch& branch = branches[tip.branch];
    if (tip.next == branch.tokens.size()) return;
    tip.score *= ensemble.chance(branch.voice, branch.match + int64_t(tip.next));
    if (tip.score > kLeastScore) tips.push(tip);
  };
  for (size_t k = 0; k < branches.size(); ++k) push({branches[k].weight, k, 0, 0});
  while (!tips.empty()) {
    Tip tip = tips.top();
    tips.pop();
    const Branch& branch = branches[tip.branch];
    tip.row = tree.add(tip.row, branch.tokens[tip.next], branch.source, tip.score, max_rows);
    if (tip.row < 0) continue;  // full: only tokens that are there already find a row
    ++tip.next;
    push(tip);
  }
  return tree;
}

}  // namespace docspec
