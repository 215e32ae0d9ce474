#include "core/ops/cpu/cpu_int4.h"
#include "core/ops/cpu/cpu_linear_amx.h"
#include "core/ops/cpu/cpu_linear_avx.h"
#include "core/ops/cpu/instruction_set.h"

#if defined(__x86_64__) && defined(__GNUC__) && !defined(__clang__)
#include <immintrin.h>

#include <algorithm>
#include <cstring>
#include <stdexcept>
#include <vector>

#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wmaybe-uninitialized"  // in GCC 12's own header
#pragma GCC push_options
#pragma GCC target("avx512f,avx512bw,avx512vl,avx512vnni,avx512bf16")
#include "core/ops/cpu/cpu_linear_tile.h"

namespace docspec {
namespace {

/// Processes 64 bytes of weights and of a row per step.
template <class W, class R>
struct Lines : PlainColumns<W> {
  static constexpr int64_t kStep = 64 / sizeof(W);
  static constexpr int kTall = 8;
  static constexpr int wide(int rows) { return rows > 4 ? 3 : 4; }
  static constexpr bool kHasPart = true, kWoven = true;
  using Row = R;
  using Weights = __m512i;
  using Values = __m512i;
  DOCSPEC_INLINE static void load(Weights& to, const W* from) { to = _mm512_loadu_si512(from); }
  DOCSPEC_INLINE static void load_row(Values& to, const Row* from) {
    to = _mm512_loadu_si512(from);
  }
  DOCSPEC_INLINE static void prefetch(const W* from) { fetch(from); }
};

struct QuadruplesOfInt8 : Lines<int8_t, uint8_t> {
  static constexpr int64_t kMostOfPart = int64_t{1} << 40;
  static constexpr int32_t kOffset = 128;
  using Sum = Integers;
  DOCSPEC_INLINE static void add(Sum& sum, const Values& x, const Weights& w) {
    sum = Integers(_mm512_dpbusd_epi32(__m512i(sum), x, w));
  }
  DOCSPEC_INLINE static int32_t total(const Sum& sum) { return sum_of(sum); }
};

/// 64 weights of int4 are turned into int8 and multiplied as those.
DOCSPEC_INLINE void expand_block(const Int4Block* from, __m512i& to) {
  const auto list = [&](int group) DOCSPEC_INLINED {
    return _mm_load_si128(
        reinterpret_cast<const __m128i*>(kInt4Weights[from->sizes[group]].data()));
  };
  const __m256i pairs = _mm256_loadu_si256(reinterpret_cast<const __m256i*>(from->pairs));
  const __m512i shift = _mm512_set_epi64(4, 4, 4, 4, 0, 0, 0, 0);
  const __m512i numbers = _mm512_and_si512(_mm512_srlv_epi64(_mm512_broadcast_i64x4(pairs), shift),
                                           _mm512_set1_epi8(15));
  const __m512i lists =
      _mm512_mask_broadcast_i32x4(_mm512_broadcast_i32x4(list(0)), 0xff00, list(1));
  to = _mm512_shuffle_epi8(lists, numbers);
}

/// Turned into int8 for eight rows at once.
struct QuadruplesOfInt4 : Int4Columns {
  static constexpr bool kWoven = true;
  static constexpr int kTall = 8;
  static constexpr int wide(int rows) { return rows > 4 ? 3 : 4; }
  static constexpr int32_t kOffset = QuadruplesOfInt8::kOffset;
  using Row = uint8_t;
  using Weights = __m512i;
  using Values = __m512i;
  using Sum = Integers;
  DOCSPEC_INLINE static void load(Weights& to, const Column& from) { expand_block(from.block, to); }
  DOCSPEC_INLINE static void load_row(Values& to, const Row* from) {
    QuadruplesOfInt8::load_row(to, from);
  }
  DOCSPEC_INLINE static void add(Sum& sum, const Values& x, const Weights& w) {
    QuadruplesOfInt8::add(sum, x, w);
  }
  DOCSPEC_INLINE static int32_t total(const Sum& sum) { return sum_of(sum); }
};

struct DotPairsOfBf16 : Lines<uint16_t, uint16_t> {
  static constexpr int64_t kMostOfPart = 1536;
  using Sum = Vector;
  DOCSPEC_INLINE static void add(Sum& sum, const Values& x, const Weights& w) {
    sum = Vector(_mm512_dpbf16_ps(__m512(sum), __m512bh(x), __m512bh(w)));
  }
  DOCSPEC_INLINE static float total(const Sum& sum) { return sum_of(sum); }
};

void expand_avx512(const Int4Block* from, int64_t count, int8_t* to) {
  for (int64_t i = 0; i < count; ++i) {
    __m512i wide;
    expand_block(from + i, wide);
    _mm512_storeu_si512(to + i * kInt4Block, wide);
  }
}

}  // namespace

void linear_avx512_bf16(const LinearRows& x, const LinearWeights& weights, int64_t first,
                        int64_t last, float* out, int64_t out_row) {
  share<DotPairsOfBf16>(x, weights, first, last, out, out_row);
}
void linear_avx512_vnni(const LinearRows& x, const LinearWeights& weights, int64_t first,
                        int64_t last, float* out, int64_t out_row) {
  share<QuadruplesOfInt8>(x, weights, first, last, out, out_row);
}
void linear_avx512_int4(const LinearRows& x, const LinearWeights& weights, int64_t first,
                        int64_t last, float* out, int64_t out_row) {
  share<QuadruplesOfInt4>(x, weights, first, last, out, out_row);
}
void linear_amx_int4(const LinearRows& x, const LinearWeights& weights, int64_t first, int64_t last,
                     float* out, int64_t out_row) {
  multiply_expanded(x, weights, first, last, out, out_row, expand_avx512, linear_amx_int8);
}

}  // namespace docspec
#pragma GCC pop_options
#pragma GCC diagnostic pop

namespace docspec {

bool has_avx512_vnni() {
  return instruction_set() == InstructionSet::avx512 && __builtin_cpu_supports("avx512vnni") &&
         __builtin_cpu_supports("avx512bw") && __builtin_cpu_supports("avx512vl");
}
bool has_avx512_bf16() {
  return instruction_set() == InstructionSet::avx512 && __builtin_cpu_supports("avx512bf16") &&
         __builtin_cpu_supports("avx512bw");
}

}  // namespace docspec
#else
namespace docspec {

bool has_avx512_vnni() {
  return false;
}
bool has_avx512_bf16() {
  return false;
}
void linear_avx512_bf16(const LinearRows&, const LinearWeights&, int64_t, int64_t, float*,
                        int64_t) {}
void linear_avx512_vnni(const LinearRows&, const LinearWeights&, int64_t, int64_t, float*,
                        int64_t) {}
void linear_avx512_int4(const LinearRows&, const LinearWeights&, int64_t, int64_t, float*,
                        int64_t) {}
void linear_amx_int4(const LinearRows&, const LinearWeights&, int64_t, int64_t, float*, int64_t) {}

}  // namespace docspec
#endif
