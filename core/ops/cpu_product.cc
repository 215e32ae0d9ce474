#include "core/ops/cpu_product.h"

#include <ATen/ATen.h>

#include <algorithm>
#include <atomic>
#include <vector>

#include "core/ops/cpu/cpu_linear.h"
#include "core/ops/cpu/cpu_linear_amx.h"
#include "core/ops/cpu/cpu_threads.h"
#include "core/ops/layers.h"

namespace docspec {
namespace {

constexpr int64_t kWorthProducts = 1 << 20;  // weights x rows: with less, one thread
constexpr int64_t kWorthPacking = 1 << 16;   // likewise (numbers of rows)
constexpr int64_t kShareBytes = 512 << 10;   // weights that a thread takes at a time
constexpr int64_t kManyRows = 32;            // with so many rows it takes three times as much

/// Columns of one layer, written after those of the layers before it.
struct LinearShare {
  LinearWeights weights;
  int64_t first, last, place;
};

LinearWeights weights_of(const Linear& layer) {
  const auto floats = [](const at::Tensor& x) {
    return x.defined() ? x.const_data_ptr<float>() : nullptr;
  };
  const auto type = layer.weight.scalar_type();
  return {type == at::kByte    ? WeightType::int4
          : type == at::kChar  ? WeightType::int8
          : type == at::kFloat ? WeightType::f32
                               : WeightType::bf16,
          layer.weight.const_data_ptr(), floats(layer.bias), floats(layer.scale),
          layer.sums.defined() ? layer.sums.const_data_ptr<int32_t>() : nullptr};
}

std::vector<LinearShare> shares_of(std::span<const LinearWeights> weights,
                                   std::span<const Linear* const> layers, int64_t rows,
                                   int64_t together) {
  std::vector<LinearShare> shares;
  const int64_t bytes = rows < kManyRows ? kShareBytes : 3 * kShareBytes;
  int64_t place = 0;
  for (size_t i = 0; i < layers.size(); ++i) {
    const at::Tensor& weight = layers[i]->weight;
    const int64_t out = weight.size(0);
    const auto row_bytes = std::max<int64_t>(1, weight.size(1) * int64_t(weight.element_size()));
    const int64_t each = std::min(bytes / row_bytes, out / at::get_num_threads());
    const int64_t step = std::max(together, each / together * together);
    for (int64_t first = 0; first < out; first += step)
      shares.push_back({weights[i], first, std::min(first + step, out), place});
    place += out;
  }
  return shares;
}

void pack(const float* x, int64_t rows, int64_t in, const LinearKernel& kernel, LinearRows& to) {
  to.reset(kernel, rows, in);
  share_out(rows * in >= kWorthPacking, (rows + LinearRows::kBlock - 1) / LinearRows::kBlock,
            [&](int64_t begin, int64_t end) {
              to.pack(x, in, begin * LinearRows::kBlock, std::min(rows, end * LinearRows::kBlock));
            });
}

}  // namespace

at::Tensor cpu_product(const at::Tensor& x, std::span<const Linear* const> layers) {
  static thread_local LinearRows packed;  // its memory is used again
  const int64_t rows = x.size(0), in = x.size(1);
  int64_t outputs = 0;
  std::vector<at::Tensor> biases;  // in f32
  std::vector<LinearWeights> weights;
  for (const Linear* layer : layers) {
    outputs += layer->weight.size(0);
    Linear wide = *layer;
    if (wide.bias.defined()) wide.bias = biases.emplace_back(wide.bias.to(at::kFloat));
    weights.push_back(weights_of(wide));
  }
  at::Tensor out = at::empty({rows, outputs}, x.options());
  const LinearKernel& kernel = linear_kernels(weights[0].type).front();
  const std::vector<LinearShare> shares = shares_of(weights, layers, rows, kernel.outputs);
  for (int64_t first = 0; first < rows; first += kernel.most_rows) {
    const int64_t n = std::min(kernel.most_rows, rows - first);
    pack(x.const_data_ptr<float>() + first * in, n, in, kernel, packed);
    const LinearRows& operand = packed;  // of this thread, in all threads
    float* to = out.mutable_data_ptr<float>() + first * outputs;
    std::atomic<size_t> next = 0;
    const auto work = [&](int64_t, int64_t) {
      for (size_t i = next++; i < shares.size(); i = next++)
        kernel.multiply(operand, shares[i].weights, shares[i].first, shares[i].last,
                        to + shares[i].place, outputs);
    };
    share_out(n * in * outputs >= kWorthProducts, at::get_num_threads(), work);
  }
  return out;
}

bool multiplies_tiles() {
  return has_amx_bf16();
}

}  // namespace docspec
