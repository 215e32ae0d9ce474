#include "core/decode/acceptance_model.h"

#include <algorithm>
#include <bit>
#include <queue>

namespace docspec {
namespace {

/// Acceptance rates that are assumed before anything was observed, and the number of trials that
/// they count as.
constexpr std::array<float, 9> kPrior = {.3f, .5f, .65f, .8f, .88f, .93f, .96f, .97f, .98f};
constexpr float kPriorTrials = 3;
/// Counts are halved at this number of trials: later parts of a page differ from its first ones.
constexpr float kMemory = 150;

/// Rows with a lower score are not built.
constexpr float kLeastScore = 0.002f;

/// The next token of a branch, which may get a row.
struct Tip {
  float score = 0;
  size_t branch = 0;
  size_t next = 0;  ///< index of the token
  int32_t row = 0;  ///< its parent
};

/// Orders tips by score; of equal ones the earlier branch comes first, so that the tree is
/// deterministic.
struct Later {
  bool operator()(const Tip& a, const Tip& b) const {
    return a.score != b.score ? a.score < b.score : a.branch > b.branch;
  }
};

}  // namespace

size_t AcceptanceModel::arm(std::string_view rule, std::string_view source) {
  for (size_t i = 0; i < arms_.size(); ++i)
    if (arms_[i].rule == rule && arms_[i].source == source) return i;
  arms_.push_back({std::string(rule), std::string(source), {}});
  return arms_.size() - 1;
}

/// 0, 1, 2, 3-4, 5-8, ... 65 and more.
size_t AcceptanceModel::bucket(int64_t match_length) {
  if (match_length <= 0) return 0;
  return std::min(kBuckets - 1, size_t(1 + std::bit_width(uint64_t(match_length - 1))));
}

float AcceptanceModel::acceptance_rate(size_t arm, int64_t match_length) const {
  const size_t at = bucket(match_length);
  const Count& seen = arms_[arm].counts[at];
  return std::min(0.998f, (kPrior[at] * kPriorTrials + seen.hits) / (kPriorTrials + seen.trials));
}

void AcceptanceModel::learn(const Branch& branch, std::span<const int32_t> emitted) {
  const size_t reach = std::min(branch.tokens.size(), emitted.size());
  for (size_t i = 0; i < reach; ++i) {
    Count& count = arms_[branch.arm].counts[bucket(branch.match_length + int64_t(i))];
    if (count.trials >= kMemory) count = {count.hits / 2, count.trials / 2};
    count.trials += 1;
    if (branch.tokens[i] != emitted[i]) return;
    count.hits += 1;
  }
}

DraftTree build_tree(int32_t pending, std::span<const Branch> branches,
                     const AcceptanceModel& acceptance_model, size_t max_rows) {
  DraftTree tree(pending);
  std::priority_queue<Tip, std::vector<Tip>, Later> tips;
  const auto push = [&](Tip tip) {
    const Branch& branch = branches[tip.branch];
    if (tip.next == branch.tokens.size()) return;
    tip.score *=
        acceptance_model.acceptance_rate(branch.arm, branch.match_length + int64_t(tip.next));
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
