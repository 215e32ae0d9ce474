#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "core/decode/propose/suffix_automaton.h"

namespace docspec {

/// Texts in which the continuation of the longest match is looked up, latest occurrence first. Any
/// number of readers may use it, each with its own match, while nothing is added.
class SuffixIndex {
 public:
  /// Adds a text of its own: no phrase runs past its end.
  void add_text(std::span<const int32_t> ids);
  /// Begins a text that `add` extends.
  void begin_text();
  void add(int32_t token) { automaton_.add(token); }

  struct Phrase {
    std::span<const int32_t> tokens;  ///< valid until the next add
    int64_t match_length = 0;         ///< tokens that agreed before it
    int64_t order = 0;                ///< 0 = of the longest match, 1 = of the next shorter one
    size_t text = 0;                  ///< index of the text that it comes from
  };
  /// Moves `match` on by one token of the output.
  void advance(SuffixAutomaton::Match& match, int32_t token) const {
    automaton_.advance(match, token);
  }
  /// Returns what followed the longest match and the next shorter one, each of at least `least`
  /// tokens: phrases of at most `depth` tokens. A match at the end of a text gives a shorter phrase
  /// or none.
  std::vector<Phrase> phrases(SuffixAutomaton::Match match, int32_t least, size_t depth) const;
  size_t size() const { return automaton_.text().size(); }

 private:
  SuffixAutomaton automaton_;
  std::vector<size_t> begins_;  ///< of the texts, ascending
};

}  // namespace docspec
