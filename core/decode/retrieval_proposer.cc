#include "core/decode/retrieval_proposer.h"

#include <algorithm>

namespace docspec {
namespace {

class RetrievalProposer : public Proposer {
 public:
  RetrievalProposer(std::shared_ptr<const PhraseLayer> prior,
                    std::span<const std::vector<int32_t>> earlier, const RetrievalOptions& options)
      : options_(options), prior_(std::move(prior)) {
    for (const auto& page : earlier) history_.add_text(page);
    history_.begin_text();
  }

  std::vector<Candidate> propose(std::span<const int32_t> output) override {
    for (; seen_ < output.size(); ++seen_) {
      if (seen_ > 0) history_.add(output[seen_ - 1]);  // it never matches its own end
      history_.advance(in_history_, output[seen_]);
      refused_.advance(in_refused_, output[seen_]);
      if (prior_) prior_->advance(in_prior_, output[seen_]);
    }
    const size_t context = std::min(output.size(), kContext);
    context_.assign(output.end() - std::ptrdiff_t(context), output.end());
    std::vector<Candidate> out;
    add(history_, in_history_, "history", out);
    if (prior_) add(*prior_, in_prior_, "prior", out);
    add(refused_, in_refused_, "refused", out);
    return out;
  }

  /// Keeps what was refused right behind an accepted path, with its likeliest continuation.
  void observe(const Observation& step) override {
    if (step.emitted.empty()) return;  // the stop token ends the text
    std::vector<int32_t> before = context_;
    for (size_t i = 0; i <= step.path.size(); ++i) {
      const int32_t at = i == 0 ? 0 : step.path[i - 1];
      const int32_t taken = i < step.path.size() ? step.path[i] : -1;
      if (i > 0) before.push_back(step.tree.token()[size_t(at)]);
      for (int32_t row = at + 1; row < int32_t(step.tree.rows()); ++row)
        if (step.tree.parent()[size_t(row)] == at && row != taken) keep(step.tree, row, before);
    }
  }

 private:
  static constexpr size_t kContext = 4;     ///< tokens by which a refused branch is found again
  static constexpr size_t kRefused = 4096;  ///< tokens of refused branches that are kept

  void add(const PhraseLayer& layer, const SuffixAutomaton::Match& match, std::string_view source,
           std::vector<Candidate>& out) const {
    for (const auto& phrase : layer.phrases(match, options_.least_match, options_.depth))
      out.push_back({phrase.tokens, source, 1, "retrieval", phrase.match});
  }

  void keep(const DraftTree& tree, int32_t row, const std::vector<int32_t>& before) {
    if (refused_.size() >= kRefused) return;
    const size_t context = std::min(before.size(), kContext);
    std::vector<int32_t> text(before.end() - std::ptrdiff_t(context), before.end());
    text.push_back(tree.token()[size_t(row)]);
    for (int32_t next = row + 1, at = row; next < int32_t(tree.rows()); ++next)
      if (tree.parent()[size_t(next)] == at && text.size() < context + options_.depth) {
        text.push_back(tree.token()[size_t(next)]);
        at = next;
      }
    refused_.add_text(text);
  }

  const RetrievalOptions options_;
  const std::shared_ptr<const PhraseLayer> prior_;
  PhraseLayer history_, refused_;
  SuffixAutomaton::Match in_history_, in_prior_, in_refused_;
  std::vector<int32_t> context_;
  size_t seen_ = 0;
};

}  // namespace

std::unique_ptr<Proposer> make_retrieval_proposer(std::shared_ptr<const PhraseLayer> prior,
                                                  std::span<const std::vector<int32_t>> earlier,
                                                  const RetrievalOptions& options) {
  return std::make_unique<RetrievalProposer>(std::move(prior), earlier, options);
}

}  // namespace docspec
