#include "core/decode/propose/automaton_proposer.h"

#include <algorithm>

#include "core/decode/propose/suffix_automaton.h"

namespace docspec {
namespace {

/// The output is in the automaton too, but for its last token: it never matches its own end.
class AutomatonProposer : public Proposer {
 public:
  AutomatonProposer(std::span<const DraftTokens> drafts,
                    std::span<const std::vector<int32_t>> earlier, bool takes_drafts,
                    const AutomatonOptions& options)
      : options_(options), takes_drafts_(takes_drafts) {
    for (const auto& page : earlier) add_text("page", page);
    for (const auto& draft : drafts) add(draft);
    begin_output();
  }

  void add(const DraftTokens& draft) override {
    if (!takes_drafts_) return;
    // The output goes on behind the new text: in the automaton it is cut in two.
    const bool begun = !texts_.empty() && texts_.back().end == kOpen;
    add_text(draft.source, draft.ids);
    if (begun) begin_output();
  }

  std::vector<Candidate> propose(std::span<const int32_t> output) override {
    for (; seen_ < output.size(); ++seen_) {
      if (seen_ > 0) automaton_.add(output[seen_ - 1]);
      automaton_.advance(match_, output[seen_]);
    }
    std::vector<Candidate> out;
    auto match_length = match_;
    for (int k = 0; k < kCandidates && match_length.length >= int32_t(options_.least_match); ++k) {
      const int32_t from = automaton_.last_end(match_length);
      const Text& text = text_at(from);
      const auto end = std::min(text.end, automaton_.text().size());
      if (from >= 0 && size_t(from) < end)
        out.push_back({automaton_.text().subspan(size_t(from),
                                                 std::min(end - size_t(from), options_.max_suffix)),
                       text.source, 1, takes_drafts_ ? "automaton" : "history",
                       int64_t(match_length.length) - k});
      match_length = automaton_.shorter(match_length);
    }
    return out;
  }

  void observe(const Observation&) override {}

 private:
  static constexpr int kCandidates = 2;
  struct Text {
    std::string source;
    size_t end = 0;  ///< in the automaton's text
  };

  void add_text(const std::string& source, std::span<const int32_t> ids) {
    automaton_.end_sequence();
    for (const int32_t id : ids) automaton_.add(id);
    if (!texts_.empty() && texts_.back().end == kOpen)
      texts_.back().end = automaton_.text().size() - ids.size();
    texts_.push_back({source, automaton_.text().size()});
  }

  void begin_output() {
    automaton_.end_sequence();
    texts_.push_back({"output", kOpen});
  }

  /// The text that the token before `end` belongs to.
  const Text& text_at(int32_t end) const {
    return *std::partition_point(texts_.begin(), texts_.end() - 1,
                                 [&](const Text& text) { return text.end < size_t(end); });
  }

  static constexpr size_t kOpen = size_t(-1);
  const AutomatonOptions options_;
  const bool takes_drafts_;
  SuffixAutomaton automaton_;
  std::vector<Text> texts_;  ///< in order; the last one is the output, still growing
  SuffixAutomaton::Match match_;
  size_t seen_ = 0;
};

}  // namespace

std::unique_ptr<Proposer> make_automaton_proposer(std::span<const DraftTokens> drafts,
                                                  std::span<const std::vector<int32_t>> earlier,
                                                  bool takes_drafts,
                                                  const AutomatonOptions& options) {
  return std::make_unique<AutomatonProposer>(drafts, earlier, takes_drafts, options);
}

}  // namespace docspec
