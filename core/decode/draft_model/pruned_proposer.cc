#include "core/decode/draft_model/pruned_proposer.h"

#include <ATen/ATen.h>

#include <algorithm>
#include <numeric>

#include "core/ops/ops.h"

namespace docspec {
namespace {

class PrunedProposer : public Proposer {
 public:
  PrunedProposer(const TargetView& target, std::unique_ptr<FocalSelector> selector, int64_t tokens)
      : target_(target), selector_(std::move(selector)), tokens_(size_t(tokens)) {}

  std::vector<Candidate> propose(std::span<const int32_t> output) override {
    chain_.clear();
    const Fixation* fixation = target_.lm ? selector_->fixation(0, output) : nullptr;
    if (!fixation) return {};
    DraftTree tree(output.back());
    while (chain_.size() < tokens_) {
      const SequenceInput job{&tree, target_.cache, fixation, &sight_};
      const at::Tensor logits = target_.lm->forward(std::span(&job, 1), {});
      const RowStats rows = target_.ops->row_stats(logits, tree.token(), tree.parent());
      chain_.push_back(rows.argmax.back());
      tree.add(int32_t(tree.rows()) - 1, chain_.back(), 0, 1, tokens_ + 1);
    }
    Candidate candidate{chain_, "pruned"};
    candidate.rule = "pruned";
    candidate.match_length = int64_t(output.size());
    return {candidate};
  }

  bool apart() const override { return false; }

  void observe(const Observation& step) override {
    if (chain_.empty()) return;
    const auto differs =
        std::mismatch(chain_.begin(), chain_.end(), step.emitted.begin(), step.emitted.end());
    // Row k of the chain's last pass saw k tokens of it; the whole chain was not seen by any.
    const auto agreed = size_t(differs.first - chain_.begin());
    std::vector<int32_t> rows(std::min(agreed, chain_.size() - 1) + 1);
    std::iota(rows.begin(), rows.end(), 0);
    selector_->committed(0, rows, sight_);
  }

 private:
  TargetView target_;
  std::unique_ptr<FocalSelector> selector_;
  size_t tokens_;
  std::vector<int32_t> chain_;
  VisualAttentionStats sight_;
};

}  // namespace

std::unique_ptr<Proposer> make_pruned_proposer(const TargetView& target,
                                               std::unique_ptr<FocalSelector> selector,
                                               int64_t tokens) {
  return std::make_unique<PrunedProposer>(target, std::move(selector), tokens);
}

}  // namespace docspec
