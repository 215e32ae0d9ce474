#pragma once

#include <ATen/core/Tensor.h>

#include <bit>
#include <cstdint>
#include <functional>
#include <vector>

#include "core/ops/ops.h"

namespace docspec {

/// Passes of one model, recorded so that one of the same shape is played again without the host's
/// work for each layer. The host makes the plan and the inputs; all else is in the record.
class GraphCache {
 public:
  virtual ~GraphCache() = default;

  /// Number of rows that a pass of `rows` rows is padded to (BatchLayout::rows): only a few
  /// numbers, multiples of `row_multiple`, so that one graph serves many passes.
  static int64_t rows(int64_t rows, int64_t row_multiple) {
    return row_multiple * int64_t(std::bit_ceil(size_t((rows + row_multiple - 1) / row_multiple)));
  }

  /// The device's part of a pass. It may read its arguments, what `plan` names and the weights.
  using Body = std::function<at::Tensor(const at::Tensor& ids, const at::Tensor& angles)>;
  /// Runs `body` or plays what it did before. ids: [rows] int32, and rotary angles (Ops::rotary),
  /// both on the host: they go to the device with the plan's tables, in one copy. The result is
  /// valid until the next call.
  virtual at::Tensor run(const at::Tensor& ids, const at::Tensor& angles, const AttentionPlan& plan,
                         const Body& body) = 0;

  /// Numbers of rows of which a pass is run when the model is there, so that it is recorded before
  /// the first page comes.
  virtual std::vector<int64_t> rows_at_load() const { return {}; }
};

}  // namespace docspec
