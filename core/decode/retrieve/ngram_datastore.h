#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string_view>
#include <vector>

#include "core/decode/align/proposer.h"
#include "core/decode/propose/suffix_index.h"

namespace docspec {

struct RetrievalOptions {
  int32_t least_match = 2;
  size_t depth = 10;  ///< tokens of a phrase; [double] found no gain beyond
};

/// The n-gram datastore of [double] as one job sees it, in three layers: history (earlier pages and
/// the output), the prior (texts of the user) and branches that were rejected elsewhere. Unlike the
/// published code it takes the longest match and its latest occurrence, keeps one running index,
/// and gives short phrases at the end of a text.
class NgramDatastore {
 public:
  /// `prior` may be nullptr.
  NgramDatastore(std::shared_ptr<const SuffixIndex> prior,
                 std::span<const std::vector<int32_t>> earlier, const RetrievalOptions& options);

  /// Moves on to `output`, which must begin with the output of the last call.
  void follow(std::span<const int32_t> output);
  /// Keeps the branches that were rejected directly after an accepted row, each with its first
  /// continuation.
  void observe(const Observation& step);

  struct Phrase {
    std::span<const int32_t> tokens;  ///< valid until the next call that changes the datastore
    std::string_view layer;           ///< "history", "prior", "refused"
    int64_t match_length = 0;         ///< tokens that agreed before it
  };
  /// Phrases that may follow the output, layer by layer.
  std::vector<Phrase> phrases() const { return phrases(match_); }
  /// The phrase of the longest match that may follow the output and then `ahead`; empty if there is
  /// none.
  std::span<const int32_t> phrase_after(std::span<const int32_t> ahead) const;

 private:
  static constexpr size_t kContext = 4;      ///< tokens by which a rejected branch is found again
  static constexpr size_t kRejected = 4096;  ///< most tokens of rejected branches that are kept

  /// The match of the current text in each layer.
  struct Matches {
    SuffixAutomaton::Match history, prior, rejected;
  };
  void advance(Matches& matches, int32_t token) const;
  std::vector<Phrase> phrases(const Matches& matches) const;
  void keep(const DraftTree& tree, int32_t row, const std::vector<int32_t>& before);

  const RetrievalOptions options_;
  const std::shared_ptr<const SuffixIndex> prior_;
  SuffixIndex history_, rejected_;
  Matches match_;
  std::vector<int32_t> context_;
  size_t seen_ = 0;
};

}  // namespace docspec
