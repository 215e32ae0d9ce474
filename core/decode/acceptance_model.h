#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/model/draft_tree.h"

namespace docspec {

/// A candidate in the form that the tree takes.
struct Branch {
  std::span<const int32_t> tokens;
  int16_t source = 0;        ///< index of the name in reports
  size_t arm = 0;            ///< of the acceptance model
  int64_t match_length = 0;  ///< tokens that agreed before its first one
  float weight = 1;          ///< relative to other branches of its arm, in (0, 1]
};

/// Estimates, for each arm (proposing rule and draft source) and match length, the probability that
/// the next token is accepted. A pass gives evidence for every candidate, also for those that got
/// no row, as far as the emitted tokens reach. It changes proposals only, so it never changes what
/// an exact rule emits.
class AcceptanceModel {
 public:
  /// Index of an arm; the arm is made at its first use.
  size_t arm(std::string_view rule, std::string_view source);
  /// Probability in (0, 1) that the token after `match_length` agreeing tokens is accepted.
  float acceptance_rate(size_t arm, int64_t match_length) const;
  /// `emitted`: the tokens of the step, from any proposer.
  void learn(const Branch& branch, std::span<const int32_t> emitted);

 private:
  static constexpr size_t kBuckets = 9;
  struct Count {
    float hits = 0, trials = 0;
  };
  struct Arm {
    std::string rule, source;
    std::array<Count, kBuckets> counts;
  };
  static size_t bucket(int64_t match_length);

  std::vector<Arm> arms_;
};

/// Merges the branches into a tree below `pending`, with at most `max_rows` rows, in descending
/// order of score. The score of a row is the product of the acceptance rates along its path, so the
/// first n rows are the best n.
DraftTree build_tree(int32_t pending, std::span<const Branch> branches,
                     const AcceptanceModel& acceptance_model, size_t max_rows);

}  // namespace docspec
