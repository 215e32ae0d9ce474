#include "core/decode/propose/automaton_proposer.h"

#include <string>
#include <utility>

#include "core/decode/propose/suffix_index.h"

namespace docspec {
namespace {

/// The index also holds the output, except for its last token: the output never matches its own
/// end.
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
    // The output continues after the new text: in the index it is cut in two.
    const bool begun = std::exchange(output_begun_, false);
    add_text(draft.source, draft.ids);
    if (begun) begin_output();
  }

  std::vector<Candidate> propose(std::span<const int32_t> output) override {
    for (; seen_ < output.size(); ++seen_) {
      if (seen_ > 0) index_.add(output[seen_ - 1]);
      index_.advance(match_, output[seen_]);
    }
    std::vector<Candidate> out;
    for (const auto& phrase :
         index_.phrases(match_, int32_t(options_.least_match), options_.max_suffix))
      out.push_back({phrase.tokens, sources_[phrase.text], 1,
                     takes_drafts_ ? "automaton" : "history",
                     phrase.match_length - phrase.order});  // the second choice is rated lower
    return out;
  }

  void observe(const Observation&) override {}

 private:
  void add_text(const std::string& source, std::span<const int32_t> ids) {
    index_.add_text(ids);
    sources_.push_back(source);
  }

  void begin_output() {
    index_.begin_text();
    sources_.push_back("output");
    output_begun_ = true;
  }

  const AutomatonOptions options_;
  const bool takes_drafts_;
  SuffixIndex index_;
  std::vector<std::string> sources_;  ///< of the index's texts, in order
  bool output_begun_ = false;         ///< the last text of the index is the output
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
