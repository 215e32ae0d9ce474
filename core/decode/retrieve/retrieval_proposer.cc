#include "core/decode/retrieve/retrieval_proposer.h"

namespace docspec {
namespace {

class RetrievalProposer : public Proposer {
 public:
  RetrievalProposer(std::shared_ptr<const SuffixIndex> prior,
                    std::span<const std::vector<int32_t>> earlier, const RetrievalOptions& options)
      : store_(std::move(prior), earlier, options) {}

  std::vector<Candidate> propose(std::span<const int32_t> output) override {
    store_.follow(output);
    std::vector<Candidate> out;
    for (const auto& phrase : store_.phrases())
      out.push_back({phrase.tokens, phrase.layer, 1, "retrieval", phrase.match_length});
    return out;
  }
  void observe(const Observation& step) override { store_.observe(step); }

 private:
  NgramDatastore store_;
};

}  // namespace

std::unique_ptr<Proposer> make_retrieval_proposer(std::shared_ptr<const SuffixIndex> prior,
                                                  std::span<const std::vector<int32_t>> earlier,
                                                  const RetrievalOptions& options) {
  return std::make_unique<RetrievalProposer>(std::move(prior), earlier, options);
}

}  // namespace docspec
