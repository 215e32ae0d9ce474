#pragma once

#include <cstdint>
#include <span>
#include <unordered_map>
#include <utility>
#include <vector>

namespace docspec {

/// All substrings of the sequences added so far, with where each one ended last. Amortised O(1) a
/// token to add and to match ([sam-decoding] has the idea; this is Blumer's online construction
/// over several sequences).
class SuffixAutomaton {
 public:
  SuffixAutomaton();

  /// The next token belongs to a new sequence.
  void end_sequence() { last_ = 0; }
  void add(int32_t token);

  /// The longest end of a text that occurs in the automaton, moved on token by token.
  struct Match {
    int32_t state = 0;
    int32_t length = 0;
  };
  void advance(Match& match_length, int32_t token) const;
  /// Position behind the last occurrence that was added of what `match` stands for; -1 without one.
  int32_t last_end(const Match& match_length) const;
  /// The longest shorter end that occurs in other places too; length 0 where there is none.
  Match shorter(const Match& match_length) const;

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
