#pragma once

#include <cstdint>
#include <span>
#include <unordered_map>
#include <unordered_set>
#include <vector>

namespace at {
class Tensor;
}

namespace docspec {

class DraftTree;

/// generation_config.json's penalties; the defaults are off.
struct ProcessorSettings {
  double repetition_penalty = 1;     ///< > 1 makes tokens of prompt and output less likely
  int64_t no_repeat_ngram_size = 0;  ///< 0 = off
  /// Of so many tokens before the new one, prompt and output; 0 = of all (Unlimited-OCR's rule).
  int64_t no_repeat_ngram_window_size = 0;

  bool on() const { return repetition_penalty != 1 || no_repeat_ngram_size > 0; }
};

/// The penalties of one job, with its tokens (prompt and output) in the form that they need. Costs
/// nothing while the settings are off.
class LogitProcessor {
 public:
  explicit LogitProcessor(const ProcessorSettings& settings) : settings_(settings) {}

  /// Adds tokens of the prompt or of the output, the pending token included.
  void commit(std::span<const int32_t> tokens);

  /// Changes rows [first_row, first_row + tree.rows()) of `logits` ([rows, vocab] f32, contiguous,
  /// any device) as transformers' generate would. The text before a row is all committed tokens
  /// (the last one is row 0) and then the ancestors of the row and itself. The repetition penalty
  /// divides positive logits and multiplies others; a token that would repeat an n-gram gets -inf.
  void apply(at::Tensor& logits, int64_t first_row, const DraftTree& tree) const;

 private:
  int32_t token(int64_t position, std::span<const int32_t> ancestors) const;
  void penalize(at::Tensor& logits, int64_t first_row, const DraftTree& tree) const;
  void ban(at::Tensor& logits, int64_t first_row, const DraftTree& tree) const;
  /// Tokens that would repeat an n-gram after committed tokens and `ancestors`.
  std::vector<int32_t> banned(std::span<const int32_t> ancestors) const;

  ProcessorSettings settings_;
  std::vector<int32_t> tokens_;                                ///< all committed
  std::unordered_set<int32_t> seen_;                           ///< distinct ids of them
  std::unordered_map<uint64_t, std::vector<int64_t>> follow_;  ///< hash of n-1 tokens -> positions
};

}  // namespace docspec
