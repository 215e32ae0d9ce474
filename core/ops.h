#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace at {
class Tensor;
}

namespace docspec {

/// What verification needs to know of each row of a pass; a few numbers a row, on the host.
struct RowStats {
  std::vector<int32_t> argmax;      ///< ties to the lowest id
  std::vector<float> top_logit;     ///< logit of argmax
  std::vector<float> second_logit;  ///< best logit of any other id
  std::vector<float> logsumexp;
  std::vector<float> own_logit;  ///< logit of row i's token in its parent's row (row 0: 0)
};

/// The tensor operations that one device must offer. The ATen version (ops_aten.cc) runs anywhere
/// and is the reference that every other implementation must equal.
class Ops {
 public:
  virtual ~Ops() = default;

  /// Statistics of packed tree rows. logits: [rows, vocab] f32 on the device; token, parent:
  /// [rows], parent indexes rows of `logits` (-1 for a root). One small device -> host copy.
  virtual RowStats row_stats(const at::Tensor& logits, std::span<const int32_t> token,
                             std::span<const int32_t> parent) const = 0;
};

}  // namespace docspec
