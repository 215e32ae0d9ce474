#pragma once

#include <ATen/core/Tensor.h>

#include <map>
#include <string>
#include <vector>

#include "core/model/checkpoint/checkpoint.h"
#include "core/ops/layers.h"

namespace docspec {

/// Hands a checkpoint's tensors to the modules of a model in one dtype and place, and keeps book of
/// those that are missing or of another shape, so that one message can name them all.
class Weights {
 public:
  /// `checkpoint` must outlive it. A tensor already of `dtype` and on the CPU stays a view of the
  /// mapped file.
  /// `quantization`: of product(), head(), image_product() and table().
  Weights(const Checkpoint& checkpoint, at::ScalarType dtype, at::Device device,
          Quantization quantization = Quantization::none)
      : checkpoint_(checkpoint), dtype_(dtype), device_(device), quantization_(quantization) {}

  virtual ~Weights() = default;

  /// The tensor, or an undefined one when it is missing, of another shape or not of floats. One
  /// that a module holds already is shared.
  virtual at::Tensor get(const std::string& name, const std::vector<int64_t>& shape);
  /// `name`.weight [out, in] and, if asked for, `name`.bias [out].
  Linear linear(const std::string& name, int64_t in, int64_t out, bool bias = false);
  /// `linear` as a language model takes it: quantized where the run is in int8 or int4.
  Linear product(const std::string& name, int64_t in, int64_t out, bool bias = false);
  /// The product with a tensor that is held already.
  Linear product(const at::Tensor& weight);
  /// `linear` to logits: in int8 in a run of int4, too.
  Linear head(const std::string& name, int64_t in, int64_t out);
  /// `linear` as a vision tower takes it: in int8 in a run of int4, and else as it is stored.
  Linear image_product(const std::string& name, int64_t in, int64_t out, bool bias = false);
  /// The head of a model whose embeddings `name`.weight, [rows, width], are its weights.
  Linear tied_head(const at::Tensor& embeddings);
  /// In a run of int4 the rows of `embeddings`, `name`.weight, as weights of int8; it is made one
  /// row, which tells its kind. Undefined in another run.
  Linear table(const std::string& name, at::Tensor& embeddings, const Linear& tied_head);
  RmsNorm norm(const std::string& name, int64_t size, double eps);
  /// `name`.weight and `name`.bias.
  LayerNorm layer_norm(const std::string& name, int64_t size, double eps);

  /// Counts the stored tensors with `part` in their names as known: the published file has them,
  /// and nothing reads them.
  void pass_over(std::string_view part) const;

  const Checkpoint& checkpoint() const { return checkpoint_; }
  /// Every tensor asked for, in order.
  const std::vector<TensorInfo>& expected() const { return expected_; }
  /// One line a fault: "model.norm.weight: missing, expected [64]". Empty when all is well.
  const std::vector<std::string>& faults() const { return faults_; }
  /// Of all that is held; what a quantized product was made from is not.
  int64_t bytes() const { return bytes_; }
  /// Throws Error(dependency) with the first faults and their number, when there are any.
  void require_all() const;

 private:
  Quantization at_least_int8() const {
    return quantization_ == Quantization::int4 ? Quantization::int8 : quantization_;
  }
  Linear rounded(const at::Tensor& weight, Quantization to);
  Linear instead(const std::string& name, const Linear& full, Quantization to);

  const Checkpoint& checkpoint_;
  at::ScalarType dtype_;
  at::Device device_;
  Quantization quantization_;
  int64_t bytes_ = 0;
  using Held = c10::weak_intrusive_ptr<c10::TensorImpl, c10::UndefinedTensorImpl>;
  std::map<std::string, Held> held_;  ///< by name
  std::vector<TensorInfo> expected_;
  std::vector<std::string> faults_;
};

}  // namespace docspec
