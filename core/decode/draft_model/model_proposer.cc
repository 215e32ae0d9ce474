#include "core/decode/draft_model/model_proposer.h"

#include <algorithm>
#include <deque>
#include <exception>
#include <numeric>

#include "core/decode/draft_model/draft_gate.h"

namespace docspec {
namespace {

/// A token of a draft with the distributions that it came from.
struct Drafted {
  int32_t token = -1;
  Distribution distribution;           ///< the mixture; the token was sampled from it or is its top
  std::vector<Distribution> variants;  ///< the distributions that were mixed
};
using Draft = std::vector<Drafted>;

/// Until the acceptance model has learnt about the draft model, its tokens are rated like those of
/// an n-gram match of this length.
constexpr int64_t kMatch = 4;

std::vector<int32_t> tokens_of(const Draft& draft) {
  std::vector<int32_t> out;
  for (const Drafted& drafted : draft) out.push_back(drafted.token);
  return out;
}

/// The `n` likeliest tokens; the lower id wins a tie.
std::vector<int32_t> likeliest(const Distribution& distribution, size_t n) {
  std::vector<int32_t> order(distribution.size());
  std::iota(order.begin(), order.end(), 0);
  n = std::min(n, order.size());
  std::partial_sort(order.begin(), order.begin() + std::ptrdiff_t(n), order.end(),
                    [&](int32_t a, int32_t b) {
                      return distribution[size_t(a)] != distribution[size_t(b)]
                                 ? distribution[size_t(a)] > distribution[size_t(b)]
                                 : a < b;
                    });
  order.resize(n);
  return order;
}

class ModelProposer : public Proposer {
 public:
  ModelProposer(std::unique_ptr<DraftModelSession> session, std::unique_ptr<NgramDatastore> store,
                const ModelDraftOptions& options, std::function<void(std::string_view why)> failed)
      : session_(std::move(session)),
        store_(std::move(store)),
        options_(options),
        failed_(std::move(failed)),
        weights_(session_->variants(), options.weights),
        drafts_(options.rng ? options.width : 1) {}
  ~ModelProposer() override {
    if (gated_round_) options_.gate->drop();
  }

  std::vector<Candidate> propose(std::span<const int32_t> output) override {
    if (!session_) return {};
    if (store_) store_->follow(output);
    gated_round_ = options_.gate && !options_.rng;
    if (gated_round_ && !options_.gate->begin()) {
      for (Draft& draft : drafts_) draft.clear();  // the output moves on without it
      return {};
    }
    output_.assign(output.begin(), output.end());
    extend();
    return candidates();
  }

  bool can_run_concurrently() const override { return false; }

  void observe(const Observation& step) override {
    if (gated_round_) options_.gate->end(int64_t(step.emitted.size()));
    gated_round_ = false;
    if (!session_) return;
    if (store_) store_->observe(step);
    learn(step);
    roll_back(step);
  }

 private:
  void extend() {
    try {
      for (size_t k = 0; k < drafts_.size(); ++k) extend(drafts_[k], k);
    } catch (const std::exception& error) {
      session_.reset();
      for (Draft& draft : drafts_) draft.clear();
      failed_(error.what());
    }
  }

  void extend(Draft& draft, size_t chain);
  std::vector<Candidate> candidates();
  void add_siblings(std::vector<Candidate>& to);
  void learn(const Observation& step);
  void roll_back(const Observation& step);

  bool is_stop(int32_t token) const {
    return std::find(options_.stop_ids.begin(), options_.stop_ids.end(), token) !=
           options_.stop_ids.end();
  }

  std::unique_ptr<DraftModelSession> session_;  ///< nullptr once it has failed
  const std::unique_ptr<NgramDatastore> store_;
  const ModelDraftOptions options_;
  const std::function<void(std::string_view why)> failed_;
  VariantWeights weights_;
  std::vector<int32_t> output_;
  std::vector<Draft> drafts_;  ///< continue the output; several only if they are sampled
  std::deque<std::vector<int32_t>> tokens_;  ///< storage of the last candidates
  std::deque<std::vector<Distribution>> distributions_;
  bool gated_round_ = false;  ///< a round of the gate has begun
};

/// A sampled draft keeps every token that was sampled: the place where it ends may depend on its
/// tokens only as a stopping time (Chain::distributions).
void ModelProposer::extend(Draft& draft, size_t chain) {
  if (draft.size() >= options_.passes) return;
  const std::vector<double> weights = weights_.weights();
  for (size_t pass = 0; pass < options_.passes; ++pass) {
    if (!draft.empty() && is_stop(draft.back().token)) return;
    std::vector<int32_t> ahead = tokens_of(draft);
    const size_t known = ahead.size();
    if (store_) {
      const auto phrase = store_->phrase_after(ahead);
      const auto end = std::find_if(phrase.begin(), phrase.end(), [&](int32_t id) {
        return id < 0 || id >= options_.vocab_size;
      });
      ahead.insert(ahead.end(), phrase.begin(), end);
    }
    auto distributions = session_->read(output_, ahead, known);
    for (size_t k = 0; k < distributions.size(); ++k) {
      Drafted& next = draft.emplace_back();
      next.distribution = VariantWeights::mixture(weights, distributions[k]);
      next.variants = std::move(distributions[k]);
      next.token = options_.rng ? options_.rng->draw(next.distribution, int64_t(output_.size()),
                                                     draft.size() - 1, chain)
                                : likeliest(next.distribution, 1)[0];
      const size_t at = known + k;  // index of the phrase's token at this position
      if (is_stop(next.token) || (at < ahead.size() && next.token != ahead[at])) break;
    }
  }
}

std::vector<Candidate> ModelProposer::candidates() {
  tokens_.clear();
  distributions_.clear();
  std::vector<Candidate> out;
  for (const Draft& draft : drafts_) {
    if (draft.empty()) continue;
    Candidate& candidate = out.emplace_back();
    candidate.tokens = tokens_.emplace_back(tokens_of(draft));
    candidate.source = options_.source;
    candidate.rule = options_.source;
    candidate.match_length = kMatch;
    if (!options_.rng) continue;
    auto& distributions = distributions_.emplace_back();
    for (const Drafted& drafted : draft) distributions.push_back(drafted.distribution);
    candidate.distributions = distributions;
  }
  if (!options_.rng && options_.width > 1) add_siblings(out);
  return out;
}

void ModelProposer::add_siblings(std::vector<Candidate>& to) {
  const Draft& draft = drafts_[0];
  for (size_t i = 0; i < draft.size(); ++i)
    for (const int32_t token : likeliest(draft[i].distribution, options_.width)) {
      if (token == draft[i].token) continue;
      auto& path = tokens_.emplace_back(tokens_of({draft.begin(), draft.begin() + int64_t(i)}));
      path.push_back(token);
      const double share =
          draft[i].distribution[size_t(token)] / draft[i].distribution[size_t(draft[i].token)];
      to.push_back({path, options_.source, float(share), "draft-model sibling", kMatch});
    }
}

/// Learns from each position whose prefix was accepted: also from the rejected token, but from
/// nothing after it.
void ModelProposer::learn(const Observation& step) {
  if (session_->variants() == 1 || options_.weights.rule == WeightRule::equal || !step.target)
    return;
  const Draft& draft = drafts_[0];
  for (size_t i = 0; i <= step.path.size() && i < draft.size(); ++i) {
    const int32_t row = i == 0 ? 0 : step.path[i - 1];
    if (i > 0 && step.tree.token()[size_t(row)] != draft[i - 1].token) return;
    weights_.observe(step.target(row), draft[i].variants);
  }
}

/// Keeps the part of the draft that the output has not contradicted. A draft that was accepted only
/// in part always contradicts it: the rule has emitted another token in place of the rejected one.
void ModelProposer::roll_back(const Observation& step) {
  Draft& draft = drafts_[0];
  const size_t n = step.emitted.size();
  const bool agrees = drafts_.size() == 1 && n <= draft.size() &&
                      std::equal(step.emitted.begin(), step.emitted.end(), draft.begin(),
                                 [](int32_t id, const Drafted& d) { return id == d.token; });
  if (agrees) draft.erase(draft.begin(), draft.begin() + std::ptrdiff_t(n));
  if (!agrees)
    for (Draft& any : drafts_) any.clear();
}

}  // namespace

std::unique_ptr<Proposer> make_model_proposer(std::unique_ptr<DraftModelSession> session,
                                              std::unique_ptr<NgramDatastore> store,
                                              const ModelDraftOptions& options,
                                              std::function<void(std::string_view why)> failed) {
  return std::make_unique<ModelProposer>(std::move(session), std::move(store), options,
                                         std::move(failed));
}

}  // namespace docspec
