#pragma once

#include <ATen/core/Tensor.h>

#include <cstdint>
#include <random>
#include <vector>

#include "core/decode/decoder.h"
#include "core/decode/registry.h"

namespace docspec {

/// A model that says a script, whatever it is proposed: for counting passes.
class ScriptLm : public LanguageModel {
 public:
  ScriptLm(std::vector<int32_t> script, int64_t vocab)
      : script_(std::move(script)), vocab_(vocab) {}
  int64_t vocab_size() const override { return vocab_; }
  at::Tensor forward(std::span<const SequenceInput> jobs,
                     const ForwardOptions& options) const override;
  /// A cache that holds a prompt of one token.
  std::unique_ptr<KvCache> prefill() const;
  const std::vector<int32_t>& script() const { return script_; }

 private:
  std::vector<int32_t> script_;
  int64_t vocab_;
  mutable at::Tensor logits_;          ///< [rows, vocab] of the last pass
  mutable std::vector<int64_t> said_;  ///< the token of each of its rows
};

/// A page as the simulation of algorithms.md 1.9 has it: 1500 tokens of a vocabulary of 4000, and a
/// draft with `rate` errors: 60 % substitutions, 20 % deletions, 20 % insertions.
struct SimulatedPage {
  std::vector<int32_t> truth, draft;
  static constexpr int64_t kVocab = 4050;
};
SimulatedPage simulate_page(std::mt19937& rng, double rate, size_t tokens = 1500);

/// Decodes the script with these proposers ("--propose") over the drafts; throws std::runtime_error
/// where the output is not the script. `beside`: the proposers are asked beside the passes, as on a
/// GPU. `steps`, if given, takes what each pass accepted.
DecodeStats run_script(const ScriptLm& lm, const std::string& propose,
                       std::span<const DraftTokens> drafts, size_t max_nodes,
                       const Tokenizer* tokenizer = nullptr, bool beside = false,
                       std::vector<TraceStep>* steps = nullptr);

}  // namespace docspec
