#include "core/model/kv_cache.h"

#include <ATen/ATen.h>

#include <algorithm>
#include <stdexcept>

#include "core/ops/transfer.h"

namespace docspec {

LayeredKvCache::LayeredKvCache(const Ops& ops, int64_t layers, int64_t kv_heads, int64_t head_dim,
                               const at::Tensor& like)
    : ops_(ops), layers_(layers), paged_(ops.paged(like, head_dim)) {
  const auto type = like.is_cuda() ? like.scalar_type() : at::kFloat;
  empty_ = at::empty({kv_heads, 0, head_dim}, like.options().dtype(type));
  if (!paged_) rows_.assign(size_t(2 * layers), empty_);
}

LayeredKvCache::~LayeredKvCache() = default;

void LayeredKvCache::reserve(int64_t slots) {
  const int64_t heads = empty_.size(0), dim = empty_.size(2);
  if (paged_) {
    const auto pages = size_t((slots + kAttentionBlock - 1) / kAttentionBlock);
    pages_.resize(std::min(pages, pages_.size()));  // pages of an uncommitted pass are released
    while (pages_.size() < pages)
      pages_.push_back(at::zeros({layers_, 2, heads, kAttentionBlock, dim}, empty_.options()));
    return;
  }
  if (slots <= rows_[0].size(1)) return;
  // A quarter more than needed: growth copies each slot a few times in total, not once per step.
  const int64_t blocks = (slots + slots / 4) / kAttentionBlock + 1;
  for (at::Tensor& old : rows_) {
    at::Tensor grown = at::zeros({heads, blocks * kAttentionBlock, dim}, old.options());
    grown.narrow(1, 0, length_).copy_(old.narrow(1, 0, length_));
    old = grown;
  }
}

void LayeredKvCache::begin_pass(int64_t rows) {
  reserve(length_ + rows);
  appended_ = rows;
}

CacheRows LayeredKvCache::rows(int64_t layer) {
  CacheRows rows{nullptr, nullptr, length_, appended_, pages_, layer};
  if (!paged_) {
    rows.keys = &rows_[size_t(layer)];
    rows.values = &rows_[size_t(layers_ + layer)];
  }
  return rows;
}

void LayeredKvCache::commit(std::span<const int32_t> rows) {
  std::vector<int64_t> from;
  for (size_t i = 0; i < rows.size(); ++i) {
    if (rows[i] < int32_t(i) || rows[i] >= appended_ || (i > 0 && rows[i] <= rows[i - 1]))
      throw std::invalid_argument("KvCache::commit: not a path through the appended rows");
    if (rows[i] != int32_t(i) || !from.empty())  // rows 0, 1, 2, ... already lie in place
      from.push_back(length_ + rows[i]);
  }
  const int64_t to = length_ + int64_t(rows.size() - from.size());
  if (!from.empty() && paged_) ops_.gather_pages(pages_, from, to);
  if (!from.empty() && !paged_) ops_.gather_rows(rows_, from, to);
  if (pass_hidden_.defined() && !rows.empty()) {
    const at::Tensor index = at::tensor(at::ArrayRef<int32_t>(rows.data(), rows.size()), at::kInt);
    hidden_.push_back(pass_hidden_.index_select(0, send_to_device(index, pass_hidden_.device())));
  }
  pass_hidden_.reset();
  length_ += int64_t(rows.size());
  appended_ = 0;
}

at::Tensor LayeredKvCache::take_hidden() {
  at::Tensor out;
  if (!hidden_.empty()) out = hidden_.size() == 1 ? hidden_[0] : at::cat(hidden_);
  hidden_.clear();
  return out;
}

void LayeredKvCache::drop(int64_t rows) {
  if (rows < 0 || rows > length_ - visual_end)
    throw std::invalid_argument("KvCache::drop: not so many rows after the image");
  length_ -= rows;
  appended_ = 0;
}

}  // namespace docspec
