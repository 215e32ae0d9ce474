#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "core/model/draft_tree.h"
#include "core/ops/ops.h"

namespace docspec {

struct Draws;

/// One tree's part of the statistics of a pass: row r of the tree is row `first + r` of the pass.
/// Log-probabilities are after the logit processors, at temperature 1.
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

/// The tokens that a rule accepts from one tree: rows in path order, without row 0, and the
/// target's own token after the last of them.
struct Acceptance {
  std::vector<int32_t> path;
  int32_t bonus = -1;
};

/// The acceptance that follows the choices of the rows of one tree. `place`: path_positions() of
/// the choices.
Acceptance acceptance_along_path(std::span<const int32_t> place, std::span<const int32_t> choice);

/// A pure function from a tree and its statistics to accepted tokens, at least the bonus token.
class Verifier {
 public:
  virtual ~Verifier() = default;
  virtual Acceptance verify(const DraftTree& tree, const TreeStats& stats) const = 0;
  /// False if the output may differ from the plain decode. The decoder then proposes no stop
  /// tokens: an approximate rule must not end a page early.
  virtual bool exact() const = 0;
  /// True for rules at temperature > 0, which sample from TreeStats::draws. If such a rule is
  /// exact, the distribution of the output is the target's, whatever was proposed.
  virtual bool samples() const { return false; }
  /// True for a rule that samples one token per row and follows it: a device may sample them
  /// (Draws::drawn).
  virtual bool follows() const { return false; }
  /// True for rules that use the distributions of sampled drafts. Other rules accept more of the
  /// likeliest tokens of a draft model than of sampled ones.
  virtual bool reads_draft_distributions() const { return false; }
};

}  // namespace docspec
