#include "drafts/ocr/ppocr/fast_lines.h"

#include <algorithm>
#include <cmath>

#include "core/ops/cpu/cpu_row_stats.h"
#include "drafts/ocr/ppocr/layers/depthwise.h"

namespace docspec::ppocr {
namespace {

/// A layer of all rows of x [..., in] f32, contiguous -> [..., the layer's width()].
at::Tensor run_layer(const IntegerLayer& layer, const at::Tensor& x) {
  std::vector<int64_t> sizes = x.sizes().vec();
  sizes.back() = layer.width();
  const at::Tensor out = at::empty(sizes, x.options());
  run_rows(layer, x.const_data_ptr<float>(), x.numel() / layer.in(), LayerActivation::none,
           {out.mutable_data_ptr<float>(), layer.width()});
  return out;
}

/// Joins the statistics of logits and of those after them, which start at class `first`; the
/// second best is left out.
void join(CpuRowStats& all, const CpuRowStats& next, int32_t first) {
  const double larger = std::max(all.logsumexp, next.logsumexp);
  all.logsumexp = float(
      larger + std::log(std::exp(all.logsumexp - larger) + std::exp(next.logsumexp - larger)));
  if (next.top <= all.top) return;
  all.top = next.top;
  all.argmax = first + next.argmax;
}

}  // namespace

FastLines::FastLines(IntegerKind kind, const WeightOf& weight,
                     const std::vector<std::vector<int64_t>>& strides)
    : stem_(kind, weight), blocks_(make_fast_blocks(kind, weight, strides)) {
  const auto linear = [&](const std::string& name) {
    return make_integer_layer(kind, weight(name + ".weight"), weight(name + ".bias"));
  };
  const auto norm = [&](const std::string& name) {
    return Norm{weight(name + ".weight"), weight(name + ".bias")};
  };
  skip_ = linear("neck.skip");
  reduce_ = linear("neck.reduce");
  const int64_t width = reduce_.width(), more = width - reduce_.out();
  const at::Tensor filter = weight("neck.local.weight").flatten(1).t();  // [7, channels]
  local_ = at::constant_pad_nd(filter.unsqueeze(0), {0, more, 0, 0, 3, 3}).contiguous();
  local_bias_ = at::constant_pad_nd(weight("neck.local.bias"), {0, more});
  for (const std::string name : {"layers.0.", "layers.1."})
    layers_.push_back({norm(name + "norm1"), norm(name + "norm2"), linear(name + "qkv"),
                       linear(name + "out"), linear(name + "up"), linear(name + "down")});
  norm_ = norm("norm");
  constexpr int64_t kClasses = 1008;  // rows of 4 KiB would fall on one another in the cache
  const at::Tensor head = weight("head.weight"), bias = weight("head.bias");
  for (int64_t first = 0; first < head.size(0); first += kClasses) {
    const int64_t last = std::min(first + kClasses, head.size(0));
    head_.push_back(
        make_integer_layer(kind, head.slice(0, first, last), bias.slice(0, first, last)));
  }
}

/// x: [n, steps, channels] f32 -> likewise.
at::Tensor FastLines::layer(const Layer& layer, const at::Tensor& x) const {
  constexpr int64_t kHeads = 8;
  const int64_t n = x.size(0), steps = x.size(1), channels = x.size(2);
  const auto norm = [&](const Norm& norm, const at::Tensor& y) {
    return at::layer_norm(y, {channels}, norm.weight, norm.bias, 1e-6);
  };
  const at::Tensor qkv = run_layer(layer.qkv, norm(layer.norm1, x))
                             .narrow(2, 0, 3 * channels)
                             .unflatten(2, {3, kHeads, channels / kHeads})
                             .permute({2, 0, 3, 1, 4});
  const at::Tensor seen = at::scaled_dot_product_attention(qkv[0], qkv[1], qkv[2]);
  const at::Tensor mixed = seen.transpose(1, 2).reshape({n, steps, channels});
  const at::Tensor y = x + run_layer(layer.out, mixed).narrow(2, 0, channels);
  const at::Tensor wide = at::silu(run_layer(layer.up, norm(layer.norm2, y)));
  return y + run_layer(layer.down, wide).narrow(2, 0, channels);
}

/// What the classes' logits are made of: [n, steps, channels] f32.
at::Tensor FastLines::features(const at::Tensor& lines) const {
  at::Tensor x = stem_.run(lines);
  for (const FastBlock& block : blocks_) x = block.run(x);
  x = at::avg_pool2d(x.permute({0, 3, 1, 2}), {3, 2}, {3, 2}).select(2, 0).transpose(1, 2);
  x = x.contiguous();
  const int64_t n = x.size(0), steps = x.size(1), channels = norm_.weight.size(0);
  const at::Tensor skip = at::silu(run_layer(skip_, x));
  x = at::silu(run_layer(reduce_, x));
  const at::Tensor local = at::empty_like(x);
  for (int64_t i = 0; i < n; ++i)
    run_depthwise(x[i].const_data_ptr<float>(), {1, int(steps), int(x.size(2))},
                  {local_.const_data_ptr<float>(), local_bias_.const_data_ptr<float>(), 7, 1, 1},
                  local[i].mutable_data_ptr<float>(), nullptr);
  const auto real = [&](const at::Tensor& y) { return y.narrow(2, 0, channels); };
  x = real(x + at::silu(local)).contiguous();
  for (const Layer& next : layers_) x = layer(next, x);
  return at::layer_norm(x, {channels}, norm_.weight, norm_.bias, 1e-6) + real(skip);
}

std::vector<StepChoice> FastLines::best_classes(const at::Tensor& lines) const {
  const at::Tensor x = features(lines).flatten(0, 1).contiguous();
  constexpr int64_t kRows = IntegerLayer::kRows;
  AlignedVector<float> logits(size_t(kRows * head_[0].width()));
  std::vector<StepChoice> out;
  for (int64_t first = 0; first < x.size(0); first += kRows) {
    const int64_t rows = std::min(kRows, x.size(0) - first);
    std::vector<CpuRowStats> best(size_t(rows), {0, -INFINITY, -INFINITY, -INFINITY});
    int32_t classes = 0;
    for (const IntegerLayer& part : head_) {
      part.run(x[first].const_data_ptr<float>(), int(rows), LayerActivation::none,
               {logits.data(), part.width()});
      for (int64_t i = 0; i < rows; ++i)
        join(best[size_t(i)], cpu_row_stats(logits.data() + i * part.width(), part.out()), classes);
      classes += part.out();
    }
    for (const CpuRowStats& stats : best)
      out.push_back({stats.argmax, std::exp(double(stats.top) - stats.logsumexp)});
  }
  return out;
}

}  // namespace docspec::ppocr
