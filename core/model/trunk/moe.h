#pragma once

#include <ATen/core/Tensor.h>

#include <string>
#include <vector>

#include "core/ops/layers.h"

namespace docspec {

class ConfigReader;
class Ops;
class Weights;

/// DeepSeek-V2's mixture of experts; 0 experts = none.
struct MoeConfig {
  int64_t experts = 0, chosen = 0, shared = 0;  ///< shared: seen by every row
  int64_t intermediate = 0;                     ///< of one expert
  double scale = 1;                             ///< of the chosen experts' weights
  std::vector<bool> layers;                     ///< which of the trunk's layers have experts

  bool in(int64_t layer) const { return experts > 0 && layers[size_t(layer)]; }
  /// Throws Error(dependency) naming the key that is missing or not supported.
  static MoeConfig read(const ConfigReader& text);
};

/// A layer's experts: each row goes through the `chosen` ones that its router scores best, and
/// through the shared ones. Rows that share an expert go through it as one product, and a row's
/// experts are summed in the order of their numbers, so that its bits do not depend on the others.
class Moe {
 public:
  /// Reads `prefix`gate, shared_experts and experts, which are stored one by one or all in one.
  Moe(const MoeConfig& config, int64_t hidden, Weights& weights, const std::string& prefix);

  /// x: [rows, hidden] as Ops::working gives it; products are padded to multiples of
  /// `row_multiple` rows. Returns the same shape.
  at::Tensor operator()(const Ops& ops, const at::Tensor& x, int64_t row_multiple) const;

 private:
  struct Expert {
    Linear gate, up, down;
    at::Tensor operator()(const Ops& ops, const at::Tensor& x) const;
  };

  MoeConfig config_;
  Linear router_;  // [experts, hidden], never quantized
  std::vector<Expert> experts_;
  Expert shared_;
};

}  // namespace docspec
