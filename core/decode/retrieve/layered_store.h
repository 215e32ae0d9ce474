#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string_view>
#include <vector>

#include "core/decode/align/proposer.h"
#include "core/decode/retrieve/phrase_layer.h"

namespace docspec {

struct RetrievalOptions {
  int32_t least_match = 2;
  size_t depth = 10;  ///< tokens of a phrase; [double] found no gain beyond
};

/// The store of [double] as one job sees it, in three layers: history (earlier pages and the
/// output), the prior (texts the user owns) and branches that were refused elsewhere. Unlike the
/// published code: longest match and latest occurrence, one running index, short phrases at a
/// text's end.
class LayeredStore {
 public:
  /// `prior` may be nullptr.
  LayeredStore(std::shared_ptr<const PhraseLayer> prior,
               std::span<const std::vector<int32_t>> earlier, const RetrievalOptions& options);

  /// Goes on to this output: it begins with that of the last call.
  void follow(std::span<const int32_t> output);
  /// Keeps what was refused right behind an accepted path, with its likeliest continuation.
  void observe(const Observation& step);

  struct Phrase {
    std::span<const int32_t> tokens;  ///< until the next call that changes the store
    std::string_view layer;           ///< "history", "prior", "refused"
    int64_t match_length = 0;         ///< tokens that agreed before it
  };
  /// What may follow the output, layer by layer.
  std::vector<Phrase> phrases() const { return phrases(match_); }
  /// What may follow the output and then `ahead`: the phrase of the longest match; empty when there
  /// is none.
  std::span<const int32_t> phrase_behind(std::span<const int32_t> ahead) const;

 private:
  static constexpr size_t kContext = 4;     ///< tokens by which a refused branch is found again
  static constexpr size_t kRefused = 4096;  ///< tokens of refused branches that are kept

  /// How far the text at hand agrees with each layer.
  struct Matches {
    SuffixAutomaton::Match history, prior, refused;
  };
  void advance(Matches& match_length, int32_t token) const;
  std::vector<Phrase> phrases(const Matches& match_length) const;
  void keep(const DraftTree& tree, int32_t row, const std::vector<int32_t>& before);

  const RetrievalOptions options_;
  const std::shared_ptr<const PhraseLayer> prior_;
  PhraseLayer history_, refused_;
  Matches match_;
  std::vector<int32_t> context_;
  size_t seen_ = 0;
};

}  // namespace docspec
