#include "core/decode/propose/suffix_index.h"

#include <algorithm>

namespace docspec {

void SuffixIndex::begin_text() {
  automaton_.end_sequence();
  begins_.push_back(automaton_.text().size());
}

void SuffixIndex::add_text(std::span<const int32_t> ids) {
  begin_text();
  for (const int32_t id : ids) automaton_.add(id);
}

std::vector<SuffixIndex::Phrase> SuffixIndex::phrases(SuffixAutomaton::Match match, int32_t least,
                                                      size_t depth) const {
  constexpr int kPhrases = 2;
  std::vector<Phrase> out;
  for (int64_t k = 0; k < kPhrases && match.length >= std::max(1, least); ++k) {
    const int32_t from = automaton_.last_end(match);
    if (from > 0) {
      // The text of the token before `from` ends where the next one begins.
      const auto next = std::lower_bound(begins_.begin(), begins_.end(), size_t(from));
      const size_t end = next == begins_.end() ? size() : *next;
      const size_t length = std::min(depth, end - std::min(end, size_t(from)));
      if (length > 0)
        out.push_back({automaton_.text().subspan(size_t(from), length), match.length, k,
                       size_t(next - begins_.begin()) - 1});
    }
    match = automaton_.shorter(match);
  }
  return out;
}

}  // namespace docspec
