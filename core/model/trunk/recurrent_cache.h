#pragma once

#include <vector>

#include "core/model/kv_cache.h"
#include "core/ops/delta_rule.h"

namespace docspec {

/// Keys and values of the attention layers, and what the recurrent layers keep: of constant size,
/// whatever the length (share/doc/recurrent.md).
class RecurrentCache : public LayeredKvCache {
 public:
  /// As LayeredKvCache, of the attention layers alone.
  RecurrentCache(const Ops& ops, int64_t attention_layers, int64_t kv_heads, int64_t head_dim,
                 const at::Tensor& like, int64_t recurrent_layers, const DeltaShape& shape);
  /// With states of its own: passes and commits write them in place.
  RecurrentCache(const RecurrentCache& other);

  void commit(std::span<const int32_t> rows) override;
  /// Throws std::logic_error where there are recurrent layers: a state cannot be wound back.
  void drop(int64_t rows) override;

  /// Of one recurrent layer.
  DeltaRows& delta_rows(size_t layer) { return layers_[layer]; }

 private:
  const DeltaShape shape_;
  std::vector<DeltaRows> layers_;
};

}  // namespace docspec
