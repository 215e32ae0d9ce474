#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "core/model/language_model.h"

namespace docspec {

/// A cache that records tokens, so that a test can see what a commit kept. Misuse throws
/// std::logic_error: rows outside the last tree, a path that is no path, a forward before commit.
class ToyCache : public KvCache {
 public:
  int64_t length() const override { return int64_t(tokens_.size()); }
  void commit(std::span<const int32_t> rows) override;
  const std::vector<int32_t>& tokens() const { return tokens_; }

 private:
  friend class ToyLm;
  void append(const DraftTree& tree);

  std::vector<int32_t> tokens_;
  std::vector<int32_t> tree_token_, tree_parent_;  ///< of the last forward, until commit
};

struct ToyOptions {
  int64_t vocab = 97;
  uint64_t seed = 1;
  int order = 0;      ///< logits depend on the last `order` tokens; 0 = on the whole path
  int32_t stop = -1;  ///< a token whose chance is `stop_rate` at every place
  double stop_rate = 0;
  double spread = 4;  ///< logits lie in [-spread, spread]
};

/// A deterministic language model: each row's logits are a hash of the whole path to it (cache,
/// then ancestors), so a wrong mask, order, batch or commit changes them. Records its passes.
class ToyLm : public LanguageModel {
 public:
  explicit ToyLm(const ToyOptions& options) : options_(options) {}
  int64_t vocab_size() const override { return options_.vocab; }
  at::Tensor forward(std::span<const SequenceInput> jobs,
                     const ForwardOptions& options) const override;

  /// A cache that holds `prompt`.
  std::unique_ptr<ToyCache> prefill(const std::vector<int32_t>& prompt) const;
  /// [1, vocab] logits after `path`.
  at::Tensor logits_after(const std::vector<int32_t>& path) const;

  /// Rows of each job of each pass so far.
  const std::vector<std::vector<size_t>>& passes() const { return passes_; }

 private:
  void fill(std::span<const int32_t> path, float* row) const;

  ToyOptions options_;
  mutable std::vector<std::vector<size_t>> passes_;
};

}  // namespace docspec
