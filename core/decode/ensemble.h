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
  int16_t source = 0;  ///< of the job's reports
  size_t voice = 0;    ///< of the ensemble
  int64_t match = 0;   ///< how much agreed before its first token
  float weight = 1;    ///< belief relative to others of its voice, in (0, 1]
};

/// What each kind of proposal turned out to be worth: per voice (rule and draft source) and match
/// length, the chance that the next token is accepted. A pass reveals it for every candidate, also
/// for those that got no row, as far as the emitted tokens reach. Steers proposals only, so it
/// never changes what an exact rule emits.
class Ensemble {
 public:
  /// Index of a voice, made on first use.
  size_t voice(std::string_view rule, std::string_view source);
  /// Chance that the token behind `match` agreeing ones is accepted, in (0, 1).
  float chance(size_t voice, int64_t match) const;
  /// `emitted`: the tokens that came, whoever proposed them.
  void learn(const Branch& branch, std::span<const int32_t> emitted);

 private:
  static constexpr size_t kBuckets = 9;
  struct Count {
    float hits = 0, trials = 0;
  };
  struct Voice {
    std::string rule, source;
    std::array<Count, kBuckets> counts;
  };
  static size_t bucket(int64_t match);

  std::vector<Voice> voices_;
};

/// Merges the branches below `pending`, at most `max_rows` rows in all, in descending order of
/// score: the product of the chances along the path. So the first n rows are the best n.
DraftTree grow_tree(int32_t pending, std::span<const Branch> branches, const Ensemble& ensemble,
                    size_t max_rows);

}  // namespace docspec
