#pragma once

#include <cstdint>
#include <span>
#include <unordered_map>
#include <utility>
#include <vector>

namespace docspec {

/// All substrings of the sequences added so far, and where each one ended last. Adding and matching
/// cost amortised O(1) per token ([sam-decoding] has the idea; this is Blumer's online construction
/// over several sequences).
class SuffixAutomaton {
 public:
  SuffixAutomaton();

  /// The next token belongs to a new sequence.
  void end_sequence() { last_ = 0; }
  void add(int32_t token);

  /// The longest suffix of a text that occurs in the automaton; `advance` extends it by a token.
  struct Match {
    int32_t state = 0;
    int32_t length = 0;
  };
  void advance(Match& match, int32_t token) const;
  /// Position after the last added occurrence of the matched string; -1 if there is none.
  int32_t last_end(const Match& match) const;
  /// The longest shorter suffix that also occurs elsewhere; length 0 if there is none.
  Match shorter(const Match& match) const;

  /// Tokens in the order they were added.
  std::span<const int32_t> text() const { return text_; }

 private:
  struct State {
    int32_t length = 0, link = -1, last_end = -1;
    std::vector<std::pair<int32_t, int32_t>> next;  ///< token -> state; few, but for the root
  };
  int32_t next(int32_t state, int32_t token) const;
  void set_next(int32_t state, int32_t token, int32_t to);
  int32_t split(int32_t parent, int32_t token, int32_t state);

  std::vector<State> states_;
  std::unordered_map<int32_t, int32_t> root_;
  std::vector<int32_t> text_;
  int32_t last_ = 0;
};

}  // namespace docspec
