#include "core/model/layers/row_padding.h"

#include <ATen/ATen.h>

#include <functional>
#include <vector>

#include "core/ops/layers.h"
#include "core/ops/ops.h"

namespace docspec {
namespace {

constexpr int64_t kMostRows = 256;       // a prefill chunk
constexpr int64_t kMostOutputs = 16384;  // enough of a head to meet its kernel

/// Pseudo-random values in (-1, 1) without a generator: the check must not disturb sampling.
at::Tensor noise(at::IntArrayRef shape, const at::Tensor& like) {
  int64_t n = 1;
  for (int64_t side : shape) n *= side;
  const at::Tensor i = at::arange(n, at::kDouble);
  return (i * 12.9898).sin_().mul_(43758.5453).frac_().view(shape).to(like.options());
}

using Product =
    std::function<at::Tensor(int64_t rows)>;  // [.., rows, ..] with rows in dimension -2

bool same_rows(const at::Tensor& a, const at::Tensor& b) {
  const int64_t rows = std::min(a.size(-2), b.size(-2));
  return at::equal(a.narrow(-2, 0, rows), b.narrow(-2, 0, rows));
}

bool holds_from(int64_t multiple, const Product& product, const at::Tensor& reference) {
  for (int64_t rows : {multiple, 2 * multiple, 3 * multiple, 4 * multiple, 6 * multiple})
    if (rows <= kMostRows && !same_rows(product(rows), reference)) return false;
  return true;
}

}  // namespace

RowPadding find_row_padding(std::span<const at::Tensor> weights, const at::Tensor& head,
                            int64_t head_dim) {
  std::vector<Product> products;
  for (const at::Tensor& weight : weights)
    products.push_back([w = weight.slice(0, 0, kMostOutputs),
                        x = noise({kMostRows, weight.size(1)}, weight)](int64_t rows) {
      return at::linear(x.narrow(0, 0, rows), w);
    });
  products.push_back([w = head.slice(0, 0, kMostOutputs),
                      x = noise({kMostRows, head.size(1)}, head)](int64_t rows) {
    return wide_product(x.narrow(0, 0, rows), w);
  });
  const at::Tensor like = weights[0].to(at::kFloat).slice(0, 0, 1);
  const at::Tensor keys = noise({2, head_dim, kAttentionBlock}, like);
  const at::Tensor values = noise({2, kAttentionBlock, head_dim}, like);
  const at::Tensor q = noise({2, kMostRows, head_dim}, like);
  const at::Tensor p = noise({2, kMostRows, kAttentionBlock}, like);
  const auto first = [](const at::Tensor& x, int64_t rows) {
    return x.narrow(1, 0, rows).contiguous();
  };
  products.push_back([&](int64_t rows) { return at::bmm(first(q, rows), keys); });
  products.push_back([&](int64_t rows) { return at::bmm(first(p, rows), values); });

  RowPadding found{8, true};
  for (const Product& product : products) {
    const at::Tensor reference = product(kMostRows);
    while (found.multiple <= 64 && !holds_from(found.multiple, product, reference))
      found.multiple *= 2;
  }
  if (found.multiple > 64) found = {16, false};
  return found;
}

}  // namespace docspec
