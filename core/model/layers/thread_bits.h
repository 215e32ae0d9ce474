#pragma once

#include <string_view>

namespace docspec {

/// Whether products of a model of this dtype ("f32", "bf16", "int8", "int4") have the same bits
/// with one thread as with any number up to `most_threads`: asked of the library itself, in
/// milliseconds. MKL's f32 products do not (they split long sums among threads), oneDNN's bf16
/// products do. Leaves at's number of threads as it was.
bool bits_hold_across_threads(std::string_view dtype, int most_threads);

}  // namespace docspec
