#include "core/ops/cpu/cpu_linear_amx.h"

#include "core/ops/cpu/instruction_set.h"

#if defined(__x86_64__) && defined(__linux__) && defined(__GNUC__) && !defined(__clang__)
#include <cpuid.h>
#include <immintrin.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <array>

namespace docspec {

LinearRows::Line* spare_lines(int64_t n) {
  static thread_local std::vector<LinearRows::Line> lines;
  if (int64_t(lines.size()) < n) lines.resize(size_t(n));
  return lines.data();
}

}  // namespace docspec

#pragma GCC push_options
#pragma GCC target("avx512f,avx512bw,avx512vl,amx-tile,amx-bf16,amx-int8")
#include "core/ops/cpu/cpu_amx_tile.h"

namespace docspec {
namespace {

// Weights are taken as they lie, 16 outputs by one line; rows are woven (16 words by a block's
// rows); a product is 16 outputs by those rows.
constexpr int64_t kOutputs = 2 * kTile;  // worked on together: a line of rows serves two tiles
constexpr int64_t kAhead = 8;            // lines of each output that are fetched before their use

using Line = LinearRows::Line;

/// 32 outputs' weights, line by line; the last line and outputs that are missing come from a copy
/// with zeros where the matrix ends.
struct AmxWeights {
  const std::byte* from;
  int64_t stride;         // bytes from one output to the next
  int64_t whole;          // lines that are read where they lie
  const std::byte* tail;  // the lines after them, [lines][32]
};

/// One call's share of the outputs.
template <bool int8>
struct AmxShare {
  const LinearRows& x;
  const LinearWeights& weights;
  int64_t last;
  float* out;
  int64_t out_row;

  int64_t width = block_width(x.rows());
  int64_t lines = x.stride();
  int64_t bytes = x.in() * (int8 ? 1 : 2);  // of an output's weights
  const std::byte* all = static_cast<const std::byte*>(weights.weight);

  /// Fetches line `line` of 32 outputs from `first` on; lines beyond the last are those of the next
  /// 32.
  void fetch(int64_t first, int64_t line) const {
    const int64_t whole = std::max<int64_t>(1, bytes / kLine);
    first += line / whole * kOutputs;
    line %= whole;
    for (int64_t i = first; i < std::min(first + kOutputs, last); ++i)
      _mm_prefetch(all + i * bytes + line * kLine, _MM_HINT_T1);
  }

  /// Products of 32 outputs with one block of rows or two.
  template <bool two>
  void blocks(const AmxWeights& w, int64_t first, int64_t row, int64_t turn, int64_t turns) const {
    const auto* a = reinterpret_cast<const std::byte*>(x.row(row));
    const auto* b = reinterpret_cast<const std::byte*>(x.row(row + (two ? width : 0)));
    const int64_t step = width * kLine;  // bytes of a line of the block
    _tile_zero(0);
    _tile_zero(2);
    if constexpr (two) {
      _tile_zero(1);
      _tile_zero(3);
    }
    for (int64_t line = 0; line < lines; ++line) {
      const bool here = line < w.whole;
      const std::byte* const from =
          here ? w.from + line * kLine : w.tail + (line - w.whole) * kLine * kOutputs;
      const int64_t stride = here ? w.stride : kLine;
      _tile_loadd(4, from, stride);
      _tile_loadd(5, from + kTile * stride, stride);
      _tile_loadd(6, a + line * step, 4 * width);
      multiply_tiles<int8, 0>();
      multiply_tiles<int8, 2>();
      if constexpr (two) {
        _tile_loadd(7, b + line * step, 4 * width);
        multiply_tiles<int8, 1>();
        multiply_tiles<int8, 3>();
      }
      const int64_t done = turn * lines + line;  // memory is read evenly over all blocks
      if (done % turns == 0) fetch(first, done / turns + kAhead);
    }
    Tile tile{};
    const auto keep = [&](int64_t output, int64_t first_row) {
      transpose(tile);
      this->keep(tile, output, first_row);
    };
    _tile_stored(0, tile.data(), kLine);
    keep(first, row);
    _tile_stored(2, tile.data(), kLine);
    keep(first + kTile, row);
    if constexpr (two) {
      _tile_stored(1, tile.data(), kLine);
      keep(first, row + width);
      _tile_stored(3, tile.data(), kLine);
      keep(first + kTile, row + width);
    }
  }

  /// sums: [rows of the block][16 outputs].
  DOCSPEC_INLINE void keep(const Tile& sums, int64_t output, int64_t row) const {
    const int64_t count = std::min(kTile, last - output);
    if (count <= 0) return;
    const auto some = [&](const float* from) {
      Vector to{};
      std::memcpy(&to, from + output, size_t(count) * sizeof *from);
      return to;
    };
    const Vector bias = weights.bias ? some(weights.bias) : Vector{};
    Vector scale{};
    Integers of_weights{};
    if constexpr (int8) {
      scale = some(weights.scale);
      std::memcpy(&of_weights, weights.sums + output, size_t(count) * sizeof(int32_t));
    }
    for (int64_t r = row; r < std::min(row + width, x.rows()); ++r) {
      const Integers& from = sums[size_t(r - row)];
      Vector to;
      if constexpr (int8) {
        to = __builtin_convertvector(from - 128 * of_weights, Vector);
        to *= x.scale(r) * scale;
        settle_rounded(to);
      } else {
        std::memcpy(&to, &from, sizeof to);
      }
      if (weights.bias) to += bias;
      std::memcpy(out + r * out_row + output, &to, size_t(count) * sizeof(float));
    }
  }

  /// 32 outputs' weights; what is missing of them or of their last line is zero.
  AmxWeights weights_of(int64_t first) const {
    const int64_t count = std::min(kOutputs, last - first);
    const std::byte* const from = all + first * bytes;
    AmxWeights w{from, bytes, count < kOutputs ? 0 : bytes / kLine, nullptr};
    if (w.whole == lines) return w;
    Line* const copies = spare_lines((lines - w.whole) * kOutputs);
    std::memset(copies, 0, size_t((lines - w.whole) * kOutputs * kLine));
    for (int64_t i = 0; i < count; ++i)
      for (int64_t line = w.whole; line * kLine < bytes; ++line)
        std::memcpy(copies[(line - w.whole) * kOutputs + i].bytes, from + i * bytes + line * kLine,
                    size_t(std::min(kLine, bytes - line * kLine)));
    w.tail = copies[0].bytes;
    settle();
    return w;
  }

  void run(int64_t first) const {
    const int64_t pairs = (x.rows() + 2 * width - 1) / (2 * width);
    for (int64_t line = 0; line < kAhead; ++line) fetch(first, line);
    for (; first < last; first += kOutputs) {
      const AmxWeights w = weights_of(first);
      for (int64_t pair = 0; pair < pairs; ++pair) {
        const int64_t row = pair * 2 * width;
        if (row + width < x.rows())
          blocks<true>(w, first, row, pair, pairs);
        else
          blocks<false>(w, first, row, pair, pairs);
      }
    }
  }
};

template <bool int8>
void multiply(const LinearRows& x, const LinearWeights& weights, int64_t first, int64_t last,
              float* out, int64_t out_row) {
  const TileShapes shapes(block_width(x.rows()));
  settle();
  _tile_loadconfig(&shapes);
  AmxShare<int8>{x, weights, last, out, out_row}.run(first);
  _tile_release();
}

}  // namespace

void linear_amx_bf16(const LinearRows& x, const LinearWeights& weights, int64_t first, int64_t last,
                     float* out, int64_t out_row) {
  multiply<false>(x, weights, first, last, out, out_row);
}
void linear_amx_int8(const LinearRows& x, const LinearWeights& weights, int64_t first, int64_t last,
                     float* out, int64_t out_row) {
  multiply<true>(x, weights, first, last, out, out_row);
}

void weave_rows(const Line* rows, int64_t count, int64_t width, int64_t stride, Line* to) {
  for (int64_t line = 0; line < stride; ++line) {
    Tile tile{};
    for (int64_t r = 0; r < count; ++r) load(tile[size_t(r)], rows[r * stride + line].bytes);
    transpose(tile);
    std::byte* words = to[line * width].bytes;
    for (const Integers& word : tile) {
      std::memcpy(words, &word, size_t(4 * width));
      words += 4 * width;
    }
  }
}

}  // namespace docspec
#pragma GCC pop_options

namespace docspec {
namespace {

/// Leaf 7 of CPUID names the tiles (bit 24) and what multiplies them; a process must ask the system
/// for their room. Some virtual machines hide leaf 1D, the tiles' sizes; palette 1 has only these.
bool has_tiles(unsigned product) {
  if (instruction_set() != InstructionSet::avx512) return false;
  constexpr unsigned kTiles = 1u << 24, kAsk = 0x1023, kTileData = 18;
  unsigned a = 0, b = 0, c = 0, d = 0;
  if (!__get_cpuid_count(7, 0, &a, &b, &c, &d)) return false;
  if (!(d & kTiles) || !(d & product) || !__builtin_cpu_supports("avx512bw")) return false;
  return syscall(SYS_arch_prctl, kAsk, kTileData) == 0;
}

}  // namespace

bool has_amx_bf16() {
  return has_tiles(1u << 22);
}
bool has_amx_int8() {
  return has_tiles(1u << 25);
}

}  // namespace docspec
#else
namespace docspec {

bool has_amx_bf16() {
  return false;
}
bool has_amx_int8() {
  return false;
}
void linear_amx_bf16(const LinearRows&, const LinearWeights&, int64_t, int64_t, float*, int64_t) {}
void linear_amx_int8(const LinearRows&, const LinearWeights&, int64_t, int64_t, float*, int64_t) {}
LinearRows::Line* spare_lines(int64_t) {
  return nullptr;
}
void weave_rows(const LinearRows::Line*, int64_t, int64_t, int64_t, LinearRows::Line*) {}

}  // namespace docspec
#endif
