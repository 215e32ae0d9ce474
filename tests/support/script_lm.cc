#include "tests/support/script_lm.h"

#include <ATen/ATen.h>

#include <stdexcept>

#include "core/decode/align/draft_aligner.h"
#include "core/decode/verify/exact_verifier.h"
#include "tests/support/kernel_ops.h"

namespace docspec {
namespace {

class ScriptCache : public KvCache {
 public:
  int64_t length() const override { return length_; }
  void commit(std::span<const int32_t> rows) override { length_ += int64_t(rows.size()); }

 private:
  int64_t length_ = 1;
};

}  // namespace

std::unique_ptr<KvCache> ScriptLm::prefill() const {
  return std::make_unique<ScriptCache>();
}

at::Tensor ScriptLm::forward(std::span<const SequenceInput> jobs, const ForwardOptions&) const {
  int64_t total = 0;
  for (const SequenceInput& job : jobs) total += int64_t(job.tree->rows());
  if (!logits_.defined() || logits_.size(0) < total) {
    logits_ = at::zeros({total, vocab_}, at::kFloat);
    said_.clear();
  }
  auto* const logits = logits_.mutable_data_ptr<float>();  // only a number a row changes
  for (size_t r = 0; r < said_.size(); ++r) logits[int64_t(r) * vocab_ + said_[r]] = 0;
  said_.clear();
  int64_t row = 0;
  for (const SequenceInput& job : jobs) {
    const DraftTree& tree = *job.tree;
    const size_t at = size_t(job.cache->length()) - 1;  // index in the script of the pending token
    std::vector<bool> right(tree.rows());
    for (size_t r = 0; r < tree.rows(); ++r, ++row) {
      const size_t place = at + size_t(tree.depth()[r]);
      right[r] = (r == 0 || right[size_t(tree.parent()[r])]) && place < script_.size() &&
                 tree.token()[r] == script_[place];
      const bool known = right[r] && place + 1 < script_.size();
      said_.push_back(known ? script_[place + 1] : vocab_ - 1);
      logits[row * vocab_ + said_.back()] = 9;
    }
  }
  return logits_.narrow(0, 0, total);
}

SimulatedPage simulate_page(std::mt19937& rng, double rate, size_t tokens) {
  std::vector<double> weights;
  for (int i = 0; i < 4000; ++i) weights.push_back(1.0 / (i + 3));
  std::discrete_distribution<int32_t> word(weights.begin(), weights.end());
  std::uniform_real_distribution<double> unit;
  SimulatedPage page;
  const auto misread = [&] { return int32_t(4000 + rng() % 49); };
  for (size_t i = 0; i < tokens; ++i) {
    const int32_t token = word(rng);
    page.truth.push_back(token);
    const double fate = unit(rng);
    if (fate < rate * 0.6) {
      page.draft.push_back(misread());
    } else if (fate >= rate * 0.8 && fate < rate) {
      page.draft.insert(page.draft.end(), {token, misread()});
    } else if (fate >= rate) {
      page.draft.push_back(token);
    }
  }
  return page;
}

DecodeStats run_script(const ScriptLm& lm, const std::string& propose,
                       std::span<const DraftTokens> drafts, size_t max_nodes,
                       const Tokenizer* tokenizer, bool beside, std::vector<TraceStep>* steps) {
  const auto ops = beside ? make_kernel_ops() : make_cpu_ops();
  const auto verifier = make_exact_verifier();
  JobLimits limits;
  limits.max_new_tokens = int64_t(lm.script().size());
  std::vector<Job> jobs;
  Job& job =
      jobs.emplace_back(JobLabel{1, "page", {}}, std::vector<int32_t>{0}, lm.prefill(), limits);
  ProposerInput known{drafts, -1, tokenizer, nullptr, {}};
  known.aligner = std::make_shared<DraftAligner>(drafts, tokenizer);
  if (!propose.empty())
    for (const Spec& spec : parse_spec_list("--propose", propose, forms(proposers())))
      job.add(make_proposer(spec, known));
  job.start(lm.script().front(), 1);
  DecodeOptions options;
  options.cost.fixed = max_nodes;
  const DecodeStats stats = decode(lm, *ops, *verifier, nullptr, jobs, options);
  if (!std::equal(job.output().begin(), job.output().end(), lm.script().begin(), lm.script().end()))
    throw std::runtime_error("the output is not the script");
  if (steps) steps->assign(job.steps().begin(), job.steps().end());
  return stats;
}

}  // namespace docspec
