#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "core/decode/propose/suffix_automaton.h"

namespace docspec {

/// Texts in which what follows the longest match is looked up, latest occurrence first. One layer
/// of the store of [double]; any number of readers, each with its own match, while nothing is
/// added.
class PhraseLayer {
 public:
  /// A text of its own: no phrase runs over its ends.
  void add_text(std::span<const int32_t> ids);
  /// Begins a text that `add` lets grow.
  void begin_text();
  void add(int32_t token) { automaton_.add(token); }

  struct Phrase {
    std::span<const int32_t> tokens;  ///< until the next add
    int64_t match_length = 0;         ///< tokens that agreed before it
  };
  /// Moves `match` on by one token of the output.
  void advance(SuffixAutomaton::Match& match_length, int32_t token) const {
    automaton_.advance(match_length, token);
  }
  /// What followed the longest match and the next shorter one of at least `least` tokens, `depth`
  /// tokens at most; a match at a text's end has a shorter phrase or none.
  std::vector<Phrase> phrases(SuffixAutomaton::Match match_length, int32_t least,
                              size_t depth) const;
  size_t size() const { return automaton_.text().size(); }

 private:
  SuffixAutomaton automaton_;
  std::vector<size_t> begins_;  ///< of the texts, ascending
};

}  // namespace docspec
