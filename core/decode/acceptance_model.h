#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/model/draft_tree.h"

namespace docspec {

/// A candidate as the tree takes it.
struct Branch {
  std::span<const int32_t> tokens;
  int16_t source = 0;        ///< of the job's reports
  size_t arm = 0;            ///< of the acceptance model
  int64_t match_length = 0;  ///< how much agreed before its first token
  float weight = 1;          ///< belief relative to others of its arm, in (0, 1]
};

/// What each kind of proposal turned out to be worth: per arm (rule and draft source) and match
/// length, the chance that the next token is accepted. A pass reveals it for every candidate, also
/// for those that got no row, as far as the emitted tokens reach. Steers proposals only, so it
/// never changes what an exact rule emits.
class AcceptanceModel {
 public:
  /// Index of a arm, made on first use.
  size_t arm(std::string_view rule, std::string_view source);
  /// RandomSource that the token behind `match` agreeing ones is accepted, in (0, 1).
  float acceptance_rate(size_t arm, int64_t match_length) const;
  /// `emitted`: the tokens that came, whoever proposed them.
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

/// Merges the branches below `pending`, at most `max_rows` rows in all, in descending order of
/// score: the product of the chances along the path. So the first n rows are the best n.
DraftTree build_tree(int32_t pending, std::span<const Branch> branches,
                     const AcceptanceModel& acceptance_model, size_t max_rows);

}  // namespace docspec
