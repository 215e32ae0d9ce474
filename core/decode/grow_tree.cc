#include "core/decode/grow_tree.h"

#include <queue>

namespace docspec {
namespace {

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

DraftTree grow_tree(int32_t pending, std::span<const Branch> branches, size_t max_rows) {
  DraftTree tree(pending);
  std::priority_queue<Tip, std::vector<Tip>, Later> tips;
  for (size_t k = 0; k < branches.size(); ++k)
    if (!branches[k].tokens.empty()) tips.push({branches[k].score, k, 0, 0});
  while (!tips.empty()) {
    Tip tip = tips.top();
    tips.pop();
    const Branch& branch = branches[tip.branch];
    tip.row = tree.add(tip.row, branch.tokens[tip.next], branch.source, tip.score, max_rows);
    if (tip.row < 0 || ++tip.next == branch.tokens.size()) continue;
    tip.score *= kDecay;
    tips.push(tip);
  }
  return tree;
}

}  // namespace docspec
