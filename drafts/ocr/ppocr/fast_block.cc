#include "drafts/ocr/ppocr/fast_block.h"

#include "drafts/ocr/ppocr/layers/depthwise.h"

namespace docspec::ppocr {

IntegerLayer make_integer_layer(IntegerKind kind, const at::Tensor& weight,
                                const at::Tensor& bias) {
  const at::Tensor rows = weight.flatten(1).contiguous();
  const at::Tensor floats = bias.to(at::kFloat).contiguous();
  return {kind, rows.const_data_ptr<float>(), floats.const_data_ptr<float>(), int(rows.size(0)),
          int(rows.size(1))};
}

FastBlock::FastBlock(IntegerKind kind, const WeightOf& weight, int down, int across)
    : down_(down),
      across_(across),
      token_(weight("token.weight").squeeze(1).permute({1, 2, 0}).contiguous()),
      token_bias_(weight("token.bias")),
      expand_(make_integer_layer(kind, weight("expand.weight"), weight("expand.bias"))),
      reduce_(make_integer_layer(kind, weight("reduce.weight"), weight("reduce.bias"))) {
  if (!weight("squeeze.weight").defined()) return;
  squeeze_ = weight("squeeze.weight").flatten(1);
  squeeze_bias_ = weight("squeeze.bias");
  excite_ = weight("excite.weight").flatten(1);
  excite_bias_ = weight("excite.bias");
}

std::vector<FastBlock> make_fast_blocks(IntegerKind kind, const WeightOf& weight,
                                        const std::vector<std::vector<int64_t>>& strides) {
  std::vector<FastBlock> out;
  for (size_t i = 0; i < strides.size(); ++i) {
    const std::string name = "blocks." + std::to_string(i) + ".";
    out.emplace_back(
        kind, [&](const std::string& end) { return weight(name + end); }, int(strides[i][0]),
        int(strides[i][1]));
  }
  return out;
}

at::Tensor FastBlock::run(const at::Tensor& x) const {
  const int64_t n = x.size(0), channels = x.size(3), outputs = reduce_.out();
  const ImageShape shape = {int(x.size(1)), int(x.size(2)), int(channels)};
  const DepthwiseFilter filter = {token_.const_data_ptr<float>(),
                                  token_bias_.const_data_ptr<float>(), 3, down_, across_};
  const ImageShape to = filter.outputs(shape);
  const bool residual = down_ == 1 && across_ == 1 && outputs == channels;
  const at::Tensor out = at::empty({n, to.height, to.width, outputs}, x.options());
  const int64_t line = int64_t(to.width) * channels, out_line = int64_t(to.width) * outputs;
  if (!squeeze_.defined()) {
    // Line by line: what the filter makes of it is still in the cache when it is multiplied.
    const at::Tensor token = residual ? at::Tensor() : at::empty({line}, x.options());
    for (int64_t i = 0; i < n * to.height; ++i) {
      float* const made = out.mutable_data_ptr<float>() + i * out_line;
      float* const between = residual ? made : token.mutable_data_ptr<float>();
      run_depthwise_line(x[i / to.height].const_data_ptr<float>(), shape, filter,
                         int(i % to.height), between, nullptr);
      run_channels(expand_, reduce_, between, to.width, nullptr, made);
    }
    return out;
  }
  const at::Tensor token =
      residual ? out : at::empty({n, to.height, to.width, channels}, x.options());
  at::Tensor factors = at::empty({n, channels}, x.options());
  for (int64_t i = 0; i < n; ++i)
    run_depthwise(x[i].const_data_ptr<float>(), shape, filter, token[i].mutable_data_ptr<float>(),
                  factors[i].mutable_data_ptr<float>());
  const at::Tensor narrow = at::linear(factors, squeeze_, squeeze_bias_).relu_();
  factors = at::linear(narrow, excite_, excite_bias_).mul_(1.0 / 6).add_(0.5).clamp_(0, 1);
  for (int64_t i = 0; i < n; ++i)
    run_channels(expand_, reduce_, token[i].mutable_data_ptr<float>(), to.height * to.width,
                 factors[i].const_data_ptr<float>(), out[i].mutable_data_ptr<float>());
  return out;
}

}  // namespace docspec::ppocr
