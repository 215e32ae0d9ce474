#include "drafts/ocr/ppocr/fast_block.h"

#include "drafts/ocr/ppocr/depthwise.h"

namespace docspec::ppocr {

IntegerLayer make_integer_layer(IntegerKind kind, const at::Tensor& weight,
                                const at::Tensor& bias) {
  const at::Tensor rows = weight.flatten(1).to(at::kFloat).contiguous();
  const at::Tensor floats = bias.to(at::kFloat).contiguous();
  return {kind, rows.const_data_ptr<float>(), floats.const_data_ptr<float>(), int(rows.size(0)),
          int(rows.size(1))};
}

FastBlock::FastBlock(IntegerKind kind, const std::function<at::Tensor(const std::string&)>& weight,
                     int down, int across)
    : down_(down),
      across_(across),
      token_(weight("token.weight").to(at::kFloat).squeeze(1).permute({1, 2, 0}).contiguous()),
      token_bias_(weight("token.bias").to(at::kFloat)),
      expand_(make_integer_layer(kind, weight("expand.weight"), weight("expand.bias"))),
      reduce_(make_integer_layer(kind, weight("reduce.weight"), weight("reduce.bias"))) {
  if (!weight("squeeze.weight").defined()) return;
  squeeze_ = weight("squeeze.weight").to(at::kFloat).flatten(1);
  squeeze_bias_ = weight("squeeze.bias").to(at::kFloat);
  excite_ = weight("excite.weight").to(at::kFloat).flatten(1);
  excite_bias_ = weight("excite.bias").to(at::kFloat);
}

at::Tensor FastBlock::run(const at::Tensor& x) const {
  const int64_t n = x.size(0), channels = x.size(3), outputs = reduce_.out();
  const ImageShape shape = {int(x.size(1)), int(x.size(2)), int(channels)};
  const int64_t height = (x.size(1) - 1) / down_ + 1, width = (x.size(2) - 1) / across_ + 1;
  const at::Tensor token = at::empty({n, height, width, channels}, x.options());
  const bool squeezes = squeeze_.defined();
  at::Tensor factors = at::empty({n, channels}, x.options());
  for (int64_t i = 0; i < n; ++i)
    run_depthwise(x[i].const_data_ptr<float>(), shape, token_.const_data_ptr<float>(),
                  token_bias_.const_data_ptr<float>(), 3, down_, across_,
                  token[i].mutable_data_ptr<float>(),
                  squeezes ? factors[i].mutable_data_ptr<float>() : nullptr);
  if (squeezes) {
    const at::Tensor narrow = at::linear(factors, squeeze_, squeeze_bias_).relu_();
    factors = at::linear(narrow, excite_, excite_bias_).mul_(1.0 / 6).add_(0.5).clamp_(0, 1);
  }
  const bool residual = down_ == 1 && across_ == 1 && outputs == channels;
  at::Tensor out = residual ? token : at::empty({n, height, width, outputs}, x.options());
  for (int64_t i = 0; i < n; ++i)
    run_channels(expand_, reduce_, token[i].const_data_ptr<float>(), height * width,
                 squeezes ? factors[i].const_data_ptr<float>() : nullptr, residual,
                 out[i].mutable_data_ptr<float>());
  return out;
}

}  // namespace docspec::ppocr
