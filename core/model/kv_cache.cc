#include "core/model/kv_cache.h"

#include <ATen/ATen.h>

#include <algorithm>
#include <stdexcept>

namespace docspec {

LayeredKvCache::LayeredKvCache(const Ops& ops, int64_t layers, int64_t kv_heads, int64_t head_dim,
                               const at::Tensor& like)
    : ops_(ops), layers_(size_t(layers)) {
  const auto type = like.is_cuda() ? like.scalar_type() : at::kFloat;
  rows_.assign(2 * layers_, at::empty({kv_heads, 0, head_dim}, like.options().dtype(type)));
}

LayeredKvCache::~LayeredKvCache() = default;

void LayeredKvCache::reserve(int64_t slots) {
  const int64_t capacity = rows_[0].size(1);
  if (slots <= capacity) return;
  // A quarter more than needed: growth copies each slot a few times in all, never once a step.
  const int64_t blocks = (slots + slots / 4) / kAttentionBlock + 1;
  for (at::Tensor& old : rows_) {
    at::Tensor grown =
        at::zeros({old.size(0), blocks * kAttentionBlock, old.size(2)}, old.options());
    grown.narrow(1, 0, length_).copy_(old.narrow(1, 0, length_));
    old = grown;
  }
}

void LayeredKvCache::begin_pass(int64_t rows) {
  reserve(length_ + rows);
  appended_ = rows;
}

NewRows LayeredKvCache::room(int64_t layer) {
  return {&rows_[size_t(layer)], &rows_[layers_ + size_t(layer)], length_, appended_};
}

void LayeredKvCache::commit(std::span<const int32_t> rows) {
  std::vector<int64_t> from;
  for (size_t i = 0; i < rows.size(); ++i) {
    if (rows[i] < int32_t(i) || rows[i] >= appended_ || (i > 0 && rows[i] <= rows[i - 1]))
      throw std::invalid_argument("KvCache::commit: not a path through the appended rows");
    if (rows[i] != int32_t(i) || !from.empty()) from.push_back(length_ + rows[i]);
  }
  if (!from.empty())  // rows 0, 1, 2, ... already lie in place
    ops_.gather_rows(rows_, from, length_ + int64_t(rows.size() - from.size()));
  length_ += int64_t(rows.size());
  appended_ = 0;
}

void LayeredKvCache::drop(int64_t rows) {
  if (rows < 0 || rows > length_ - visual_end)
    throw std::invalid_argument("KvCache::drop: not so many rows behind the image");
  length_ -= rows;
  appended_ = 0;
}

const at::Tensor& LayeredKvCache::keys(int64_t layer) const {
  return rows_[size_t(layer)];
}
const at::Tensor& LayeredKvCache::values(int64_t layer) const {
  return rows_[layers_ + size_t(layer)];
}

}  // namespace docspec
