#pragma once

#include <cstdint>
#include <functional>

namespace at {
class Tensor;
}

namespace docspec {

class Ops;
struct Rotary;

/// Every patch of an image attends all others; queries, keys and values are made in tiles.
/// `qkv`: rows [n, width] -> [n, 3 * width], query, key and value side by side. x: [patches,
/// width]; returns the same shape, not yet projected.
at::Tensor tiled_attention(const Ops& ops, const at::Tensor& x, int64_t heads, const Rotary& rotary,
                           const std::function<at::Tensor(const at::Tensor& rows)>& qkv);

}  // namespace docspec
