#include "core/decode/propose/cursor_proposer.h"

namespace docspec {
namespace {

class CursorProposer : public Proposer {
 public:
  CursorProposer(std::shared_ptr<DraftAligner> aligner, int32_t stop_token, size_t max_suffix)
      : aligner_(std::move(aligner)), stop_(stop_token), max_suffix_(max_suffix) {}

  std::vector<Candidate> propose(std::span<const int32_t> output) override {
    aligner_->follow(output);
    tokens_.clear();
    std::vector<Candidate> out;
    const auto add = [&](std::vector<int32_t> ids, const Continuation& place, std::string_view rule,
                         int64_t match_length) {
      if (ids.empty()) return;
      tokens_.push_back(std::move(ids));
      out.push_back({tokens_.back(), aligner_->draft(place.draft).source(), 1, rule, match_length});
    };
    const auto& places = aligner_->places();
    for (const Continuation& place : places) {
      const KeyedDraft& draft = aligner_->draft(place.draft);
      std::vector<int32_t> ids = draft.rest(place.symbol, aligner_->trail(), max_suffix_);
      const bool first = &place == &places[0];
      if (first) {
        add(draft.other_blank(ids, !aligner_->trail().empty()), place, "other blank", 0);
        if (aligner_->at_end() && stop_ >= 0) add({stop_}, place, "stop", 0);
      }
      add(std::move(ids), place, place.rule, place.match_length);
    }
    return out;
  }

  void observe(const Observation&) override {}

 private:
  std::shared_ptr<DraftAligner> aligner_;
  const int32_t stop_;
  const size_t max_suffix_;
  std::vector<std::vector<int32_t>> tokens_;  ///< storage of the last candidates
};

}  // namespace

std::unique_ptr<Proposer> make_cursor_proposer(std::shared_ptr<DraftAligner> aligner,
                                               int32_t stop_token, size_t max_suffix) {
  return std::make_unique<CursorProposer>(std::move(aligner), stop_token, max_suffix);
}

}  // namespace docspec
