#include "core/model/trunk/recurrent_cache.h"

#include <ATen/ATen.h>

#include <stdexcept>

namespace docspec {

RecurrentCache::RecurrentCache(const Ops& ops, int64_t attention_layers, int64_t kv_heads,
                               int64_t head_dim, const at::Tensor& like, int64_t recurrent_layers,
                               const DeltaShape& shape)
    : LayeredKvCache(ops, attention_layers, kv_heads, head_dim, like), shape_(shape) {
  for (int64_t i = 0; i < recurrent_layers; ++i) layers_.push_back(empty_delta_rows(shape, like));
}

RecurrentCache::RecurrentCache(const RecurrentCache& other)
    : LayeredKvCache(other), shape_(other.shape_), layers_(other.layers_) {
  for (DeltaRows& layer : layers_)
    for (at::Tensor* all :
         {&layer.state, &layer.keys, &layer.updates, &layer.decays, &layer.inputs})
      *all = all->clone();
}

void RecurrentCache::commit(std::span<const int32_t> rows) {
  const int64_t kept = length() % shape_.chunk;
  LayeredKvCache::commit(rows);
  if (!layers_.empty()) ops_.commit_delta(layers_, kept, rows, shape_);
}

void RecurrentCache::drop(int64_t rows) {
  if (!layers_.empty())
    throw std::logic_error("RecurrentCache::drop: a recurrent state cannot be wound back");
  LayeredKvCache::drop(rows);
}

}  // namespace docspec
