#include "core/model/checkpoint/weights.h"

#include <ATen/ATen.h>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include "core/base/error.h"

namespace docspec {

at::Tensor Weights::get(const std::string& name, const std::vector<int64_t>& shape) {
  if (const auto known = held_.find(name); known != held_.end())
    if (const at::Tensor held(known->second.lock()); held.defined() && held.sizes().vec() == shape)
      return held;
  expected_.push_back({name, "", shape, ""});
  if (!checkpoint_.has(name)) {
    faults_.push_back(fmt::format("{}: missing, expected [{}]", name, fmt::join(shape, ", ")));
    constexpr size_t kMost = 10'000;  // a config.json may ask for any number of layers
    if (faults_.size() > kMost) require_all();
    return {};
  }
  const at::Tensor stored = checkpoint_.tensor(name);
  if (stored.sizes().vec() != shape) {
    faults_.push_back(fmt::format("{}: shape [{}], expected [{}]", name,
                                  fmt::join(stored.sizes().vec(), ", "), fmt::join(shape, ", ")));
    return {};
  }
  if (!stored.is_floating_point()) {
    faults_.push_back(
        fmt::format("{}: dtype {}, expected floats", name, toString(stored.scalar_type())));
    return {};
  }
  const at::Tensor held = stored.to(device_, dtype_);
  // A converted tensor needs its file no more: never two copies of more than one tensor.
  if (!held.is_alias_of(stored)) checkpoint_.release(name);
  bytes_ += int64_t(held.nbytes());
  held_.insert_or_assign(name, Held(held.getIntrusivePtr()));
  return held;
}

Linear Weights::linear(const std::string& name, int64_t in, int64_t out, bool bias) {
  Linear layer;
  layer.weight = get(name + ".weight", {out, in});
  if (bias) layer.bias = get(name + ".bias", {out});
  return layer;
}

Linear Weights::rounded(const at::Tensor& weight, Quantization to) {
  if (to == Quantization::none || !weight.defined()) return {weight, {}, {}, {}};
  const Linear out = quantized({weight, {}, {}, {}}, to);
  bytes_ += int64_t(out.weight.nbytes() + out.scale.nbytes() + out.sums.nbytes());
  return out;
}

/// The rounded product in the place of `full`, of which the weights are let go.
Linear Weights::instead(const std::string& name, const Linear& full, Quantization to) {
  Linear layer = rounded(full.weight, to);
  layer.bias = full.bias;
  if (layer.scale.defined()) {
    bytes_ -= int64_t(full.weight.nbytes());
    checkpoint_.release(name + ".weight");
  }
  return layer;
}

Linear Weights::product(const at::Tensor& weight) {
  return rounded(weight, quantization_);
}

Linear Weights::product(const std::string& name, int64_t in, int64_t out, bool bias) {
  return instead(name, linear(name, in, out, bias), quantization_);
}

Linear Weights::head(const std::string& name, int64_t in, int64_t out) {
  return instead(name, linear(name, in, out), at_least_int8());
}

Linear Weights::image_product(const std::string& name, int64_t in, int64_t out, bool bias) {
  const bool int4 = quantization_ == Quantization::int4;
  return instead(name, linear(name, in, out, bias), int4 ? Quantization::int8 : Quantization::none);
}

Linear Weights::tied_head(const at::Tensor& embeddings) {
  return rounded(embeddings, at_least_int8());
}

Linear Weights::table(const std::string& name, at::Tensor& embeddings, const Linear& tied_head) {
  if (quantization_ != Quantization::int4 || !embeddings.defined()) return {};
  const Linear full{embeddings, {}, {}, {}};
  embeddings = embeddings.narrow(0, 0, 1).clone();
  if (!tied_head.weight.defined()) return instead(name, full, Quantization::int8);
  bytes_ -= int64_t(full.weight.nbytes());
  checkpoint_.release(name + ".weight");
  return tied_head;
}

RmsNorm Weights::norm(const std::string& name, int64_t size, double eps) {
  return {get(name + ".weight", {size}), eps};
}

LayerNorm Weights::layer_norm(const std::string& name, int64_t size, double eps) {
  return {get(name + ".weight", {size}), get(name + ".bias", {size}), eps};
}

void Weights::pass_over(std::string_view part) const {
  for (const TensorInfo& tensor : checkpoint_.tensors())
    if (tensor.name.find(part) != std::string::npos) checkpoint_.tensor(tensor.name);
}

void Weights::require_all() const {
  if (faults_.empty()) return;
  std::string text = checkpoint_.folder().string() + ": ";
  for (size_t i = 0; i < faults_.size() && i < 5; ++i) text += (i ? "; " : "") + faults_[i];
  if (faults_.size() > 5) text += fmt::format("; and {} more", faults_.size() - 5);
  throw Error(
      ExitCode::dependency,
      text + "; run 'docspec model verify' for the whole list and download the model again");
}

}  // namespace docspec
