#pragma once

#include "core/ops.h"

namespace docspec {

/// Row statistics by plain loops: what every other Ops must equal.
class PlainOps : public Ops {
 public:
  RowStats row_stats(const at::Tensor& logits, std::span<const int32_t> token,
                     std::span<const int32_t> parent) const override;
};

}  // namespace docspec
