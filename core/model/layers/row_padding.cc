#include "core/model/layers/row_padding.h"

#include <ATen/ATen.h>

#include <algorithm>
#include <numeric>
#include <vector>

#include "core/ops/ops.h"

namespace docspec {
namespace {

constexpr int64_t kMostRows = 256;  // of a pass with drafts
constexpr int64_t kPrefix = 700;    // long enough for attention's way with keys that are far

/// Pseudo-random values in (-1, 1) without a generator: the check must not disturb sampling.
at::Tensor noise(at::IntArrayRef shape, const at::TensorOptions& options) {
  int64_t n = 1;
  for (int64_t side : shape) n *= side;
  const at::Tensor i = at::arange(n, at::kDouble);
  return (i * 12.9898).sin_().mul_(43758.5453).frac_().view(shape).to(options);
}

bool holds_from(int64_t multiple, const RowCheck& check, const at::Tensor& reference) {
  for (int64_t rows : {multiple, 2 * multiple, 3 * multiple, 4 * multiple, 6 * multiple})
    for (const bool reversed : {false, true})
      if (rows <= kMostRows &&
          !at::equal(check(rows, multiple, reversed), reference.narrow(0, 0, rows)))
        return false;
  return true;
}

}  // namespace

RowCheck check_of_product(int64_t inputs, const at::Tensor& like,
                          std::function<at::Tensor(const at::Tensor& x, int64_t multiple)> run) {
  return [x = noise({kMostRows, inputs}, like.options()), run = std::move(run)](
             int64_t rows, int64_t multiple, bool reversed) {
    const at::Tensor in = x.narrow(0, 0, rows);
    return reversed ? run(in.flip(0), multiple).flip(0) : run(in, multiple);
  };
}

RowCheck check_of_attention(const Ops& ops, int64_t heads, int64_t kv_heads, int64_t dim,
                            const at::Tensor& like) {
  const bool paged = ops.paged(like, dim);
  const int64_t slots = (kPrefix + kMostRows) / kAttentionBlock * kAttentionBlock + kAttentionBlock;
  const auto wide = like.options().dtype(at::kFloat);
  const at::Tensor q = noise({kMostRows, heads, dim}, wide),
                   cached = noise({2, kv_heads, slots, dim}, paged ? like.options() : wide);
  return [&ops, paged, q, cached, group = heads / kv_heads, like](int64_t rows, int64_t multiple,
                                                                  bool) {
    at::Tensor keys = cached[0], values = cached[1];
    std::vector<at::Tensor> pages;
    if (paged) pages = pages_of(keys, values);
    std::vector<int32_t> parent(size_t(rows), -1), depth(size_t(rows), 0);
    std::iota(parent.begin(), parent.end(), -1);
    std::iota(depth.begin(), depth.end(), 0);
    const AttentionRows job{kPrefix, parent, depth, {}, pages};
    const CacheRows cache{&keys, &values, kPrefix, rows, pages, 0};
    const auto plan = ops.plan(std::span(&job, 1), {multiple, group}, like);
    return ops.attention(q.narrow(0, 0, rows), std::span(&cache, 1), *plan);
  };
}

RowPadding find_row_padding(std::span<const RowCheck> checks, int64_t least) {
  for (int64_t multiple = least; multiple <= kProductRows; multiple *= 2)
    if (std::ranges::all_of(checks, [&](const RowCheck& check) {
          return holds_from(multiple, check, check(kMostRows, multiple, false));
        }))
      return {multiple, true};
  return {};
}

}  // namespace docspec
