#pragma once

#include <cstdint>
#include <functional>
#include <span>

namespace at {
class Tensor;
}

namespace docspec {

class Ops;

/// The largest multiple that is tried, and the number of rows of every product of a pass where
/// matrix libraries leave no other choice (cuda/cuda_ops.cc).
inline constexpr int64_t kProductRows = 64;

/// Numbers of rows a product may have in an exact pass.
struct RowPadding {
  int64_t multiple = 16;  ///< passes are padded to a multiple of so many rows
  bool exact = false;     ///< rows were bit-equal at every count tried
};

/// A step of a pass on random rows, always the same ones: what becomes of the first `rows` of them
/// in a pass that is padded to multiples of `multiple`. Returns [rows, ...], in their order, though
/// they run the other way round where `reversed`.
using RowCheck = std::function<at::Tensor(int64_t rows, int64_t multiple, bool reversed)>;

/// Of `run`: [rows, inputs] -> [rows, ...], on rows like those of `like`.
RowCheck check_of_product(int64_t inputs, const at::Tensor& like,
                          std::function<at::Tensor(const at::Tensor& x, int64_t multiple)> run);
/// Of attention, of rows that follow each other after a prefix; caches are as `like` or, where
/// they are not paged, f32.
RowCheck check_of_attention(const Ops& ops, int64_t heads, int64_t kv_heads, int64_t dim,
                            const at::Tensor& like);

/// The self-check at start: runs the steps of a pass at several row counts and returns the smallest
/// of `least`, 2 `least`, ... up to kProductRows from which on a row's bits no longer depend on the
/// others (design.md, batch invariance). Matrix libraries choose their kernels by shape, so this is
/// a property of the machine at hand.
RowPadding find_row_padding(std::span<const RowCheck> checks, int64_t least);

}  // namespace docspec
