#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "core/model/draft_tree.h"
#include "core/ops/ops.h"

namespace docspec {

struct Draws;

/// One tree's part of the statistics of a pass: row r of the tree is row `first + r` of the pass.
/// Log-probabilities are those after the logit processors at temperature 1.
struct TreeStats {
  const RowStats* rows = nullptr;
  size_t first = 0;
  const Draws* draws = nullptr;  ///< for rules that sample

  int32_t argmax(int32_t row) const { return rows->argmax[first + row]; }
  double top_logprob(int32_t row) const { return logprob(rows->top_logit[first + row], row); }
  double second_logprob(int32_t row) const { return logprob(rows->second_logit[first + row], row); }
  /// Log-probability of the token of `child` after its parent's row.
  double child_logprob(int32_t child, int32_t parent) const {
    return logprob(rows->own_logit[first + child], parent);
  }

 private:
  double logprob(float logit, int32_t row) const {
    return double(logit) - double(rows->logsumexp[first + row]);
  }
};

/// What a rule took of one tree: accepted rows in path order, without row 0, and the target's own
/// token after the last of them.
struct Acceptance {
  std::vector<int32_t> path;
  int32_t bonus = -1;
};

/// What lies on the way of the choices: RowStats::place and the choices, of one tree's rows.
Acceptance taken_on_way(std::span<const int32_t> place, std::span<const int32_t> choice);

/// A pure rule from a tree and its statistics to accepted tokens; at least the bonus token.
class Verifier {
 public:
  virtual ~Verifier() = default;
  virtual Acceptance verify(const DraftTree& tree, const TreeStats& stats) const = 0;
  /// False where accepted tokens may differ from the plain decode. The decoder then proposes no
  /// stop token: an approximate rule must not end a page early.
  virtual bool exact() const = 0;
  /// True for rules at temperature > 0: they draw from the distributions of TreeStats::draws. If
  /// exact, the distribution of the output is the target's, whatever was proposed.
  virtual bool samples() const { return false; }
  /// True for a rule that draws one token a row and follows it: a device may draw them
  /// (Draws::drawn).
  virtual bool follows() const { return false; }
  /// True for rules that look at the distributions that drawn tokens come with; to others a draft's
  /// likeliest tokens are worth more than drawn ones.
  virtual bool reads_draft_laws() const { return false; }
};

}  // namespace docspec
