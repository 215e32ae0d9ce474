#pragma once

#include <cstdint>
#include <span>

namespace at {
class Tensor;
}

namespace docspec {

/// Numbers of rows a product may have in an exact pass.
struct RowPadding {
  int64_t multiple = 16;  ///< passes are padded to a multiple of so many rows
  bool exact = false;     ///< rows were bit-equal at every count tried
};

/// The self-check at start: multiplies random rows by `weights` ([out, in] each, one of each shape
/// used; f32 or bf16, any device) and, as logits, by `head` at several row counts and returns the
/// smallest multiple of 8 from which on a row's bits no longer depend on the others (algorithms.md
/// 6.7). Matrix libraries choose their kernels by shape, so this is a property of the
/// machine at hand.
RowPadding find_row_padding(std::span<const at::Tensor> weights, const at::Tensor& head,
                            int64_t head_dim);

}  // namespace docspec
