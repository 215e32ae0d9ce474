#include "core/ops/cpu/cpu_int4.h"
#include "core/ops/cpu/cpu_linear_avx.h"
#include "core/ops/cpu/instruction_set.h"

#if defined(__x86_64__) && defined(__GNUC__) && !defined(__clang__)
#include <immintrin.h>

#include <algorithm>
#include <cstring>
#include <stdexcept>
#include <vector>

#pragma GCC push_options
#pragma GCC target("avx2,fma")
#include "core/ops/cpu/cpu_linear_tile.h"

namespace docspec {
namespace {

DOCSPEC_INLINE float total_of(__m256 x) {
  const __m128 four = _mm_add_ps(_mm256_castps256_ps128(x), _mm256_extractf128_ps(x, 1));
  const __m128 two = _mm_add_ps(four, _mm_movehl_ps(four, four));
  return _mm_cvtss_f32(_mm_add_ss(two, _mm_movehdup_ps(two)));
}
DOCSPEC_INLINE int32_t total_of(__m256i x) {
  const __m128i four = _mm_add_epi32(_mm256_castsi256_si128(x), _mm256_extracti128_si256(x, 1));
  const __m128i two = _mm_add_epi32(four, _mm_shuffle_epi32(four, 0x4e));
  return _mm_cvtsi128_si32(_mm_add_epi32(two, _mm_shuffle_epi32(two, 0xb1)));
}
DOCSPEC_INLINE __m256i load_bytes(const void* from) {
  return _mm256_loadu_si256(static_cast<const __m256i*>(from));
}

/// Shared by the kinds of weights: sums of sixteen registers hold a tile of 4 x 2.
template <class W, class R>
struct Halves : PlainColumns<W> {
  static constexpr int kTall = 4;
  static constexpr int wide(int rows) { return rows > 2 ? 2 : 4; }
  static constexpr bool kHasPart = true;
  using Row = R;
  DOCSPEC_INLINE static void prefetch(const W* from) { fetch(from); }
};

struct EightFloats : Halves<float, float> {
  static constexpr int64_t kStep = 8, kMostOfPart = 1024;
  using Weights = __m256;
  using Values = __m256;
  using Sum = __m256;
  DOCSPEC_INLINE static void load(Weights& to, const float* from) { to = _mm256_loadu_ps(from); }
  DOCSPEC_INLINE static void load_row(Values& to, const Row* from) { to = _mm256_loadu_ps(from); }
  DOCSPEC_INLINE static void add(Sum& sum, const Values& x, const Weights& w) {
    sum = _mm256_fmadd_ps(x, w, sum);
  }
  DOCSPEC_INLINE static float total(const Sum& sum) { return total_of(sum); }
};

/// bf16 weights become the f32 that they are the upper half of, 16 at a time: those at even places
/// and those at odd ones. Rows are packed in the same order.
struct EightPairs : Halves<uint16_t, float> {
  static constexpr int64_t kStep = 16, kMostOfPart = 1536;
  struct Weights {
    __m256 even, odd;
  };
  using Values = Weights;
  using Sum = __m256;
  DOCSPEC_INLINE static void load(Weights& to, const uint16_t* from) {
    const __m256i pairs = load_bytes(from);
    to.even = _mm256_castsi256_ps(_mm256_slli_epi32(pairs, 16));
    to.odd = _mm256_castsi256_ps(_mm256_and_si256(pairs, _mm256_set1_epi32(int(0xffff0000))));
  }
  DOCSPEC_INLINE static void load_row(Values& to, const Row* from) {
    to.even = _mm256_loadu_ps(from);
    to.odd = _mm256_loadu_ps(from + 8);
  }
  DOCSPEC_INLINE static void add(Sum& sum, const Values& x, const Weights& w) {
    sum = _mm256_fmadd_ps(x.even, w.even, sum);
    sum = _mm256_fmadd_ps(x.odd, w.odd, sum);
  }
  DOCSPEC_INLINE static float total(const Sum& sum) { return total_of(sum); }
};

/// Bytes of a row and their absolute values.
struct SignedBytes {
  __m256i size, x;
};

/// size(x) sign(x) w: two products of at most 127 x 127 stay within 16 bits, so that nothing is
/// ever cut off.
DOCSPEC_INLINE void add_bytes(__m256i& sum, const SignedBytes& x, __m256i w) {
  const __m256i pairs = _mm256_maddubs_epi16(x.size, _mm256_sign_epi8(w, x.x));
  sum = _mm256_add_epi32(sum, _mm256_madd_epi16(pairs, _mm256_set1_epi16(1)));
}
DOCSPEC_INLINE void load_signed(SignedBytes& to, const int8_t* from) {
  to.x = load_bytes(from);
  to.size = _mm256_abs_epi8(to.x);
}

struct BytesOfInt8 : Halves<int8_t, int8_t> {
  static constexpr int64_t kStep = 32, kMostOfPart = int64_t{1} << 40;
  static constexpr int32_t kOffset = 0;
  using Weights = __m256i;
  using Values = SignedBytes;
  using Sum = __m256i;
  DOCSPEC_INLINE static void load(Weights& to, const int8_t* from) { to = load_bytes(from); }
  DOCSPEC_INLINE static void load_row(Values& to, const Row* from) { load_signed(to, from); }
  DOCSPEC_INLINE static void add(Sum& sum, const Values& x, const Weights& w) {
    add_bytes(sum, x, w);
  }
  DOCSPEC_INLINE static int32_t total(const Sum& sum) { return total_of(sum); }
};

struct TwoGroups {
  __m256i a, b;
};

/// 64 weights of int4 as int8.
DOCSPEC_INLINE void expand_block(const Int4Block* from, TwoGroups& to) {
  const auto list = [&](int group) DOCSPEC_INLINED {
    return _mm256_broadcastsi128_si256(
        _mm_load_si128(reinterpret_cast<const __m128i*>(kInt4Weights[from->sizes[group]].data())));
  };
  const __m256i pairs = load_bytes(from->pairs), low = _mm256_set1_epi8(15);
  to.a = _mm256_shuffle_epi8(list(0), _mm256_and_si256(pairs, low));
  to.b = _mm256_shuffle_epi8(list(1), _mm256_and_si256(_mm256_srli_epi16(pairs, 4), low));
}

struct SignedInt4 : Int4Columns {
  static constexpr int kTall = 4;
  static constexpr int wide(int rows) { return rows > 2 ? 2 : 4; }
  static constexpr int32_t kOffset = 0;
  using Row = int8_t;
  using Weights = TwoGroups;
  struct Values {
    SignedBytes a, b;
  };
  using Sum = __m256i;
  DOCSPEC_INLINE static void load(Weights& to, const Column& from) { expand_block(from.block, to); }
  DOCSPEC_INLINE static void load_row(Values& to, const Row* from) {
    load_signed(to.a, from);
    load_signed(to.b, from + kInt4Group);
  }
  DOCSPEC_INLINE static void add(Sum& sum, const Values& x, const Weights& w) {
    add_bytes(sum, x.a, w.a);
    add_bytes(sum, x.b, w.b);
  }
  DOCSPEC_INLINE static int32_t total(const Sum& sum) { return total_of(sum); }
};

}  // namespace

void linear_avx2_f32(const LinearRows& x, const LinearWeights& weights, int64_t first, int64_t last,
                     float* out, int64_t out_row) {
  share<EightFloats>(x, weights, first, last, out, out_row);
}
void linear_avx2_bf16(const LinearRows& x, const LinearWeights& weights, int64_t first,
                      int64_t last, float* out, int64_t out_row) {
  share<EightPairs>(x, weights, first, last, out, out_row);
}
void linear_avx2_int8(const LinearRows& x, const LinearWeights& weights, int64_t first,
                      int64_t last, float* out, int64_t out_row) {
  share<BytesOfInt8>(x, weights, first, last, out, out_row);
}
void linear_avx2_int4(const LinearRows& x, const LinearWeights& weights, int64_t first,
                      int64_t last, float* out, int64_t out_row) {
  share<SignedInt4>(x, weights, first, last, out, out_row);
}

}  // namespace docspec
#pragma GCC pop_options

namespace docspec {

bool has_avx2() {
  return instruction_set() >= InstructionSet::avx2;
}

}  // namespace docspec
#else
namespace docspec {

bool has_avx2() {
  return false;
}
void linear_avx2_f32(const LinearRows&, const LinearWeights&, int64_t, int64_t, float*, int64_t) {}
void linear_avx2_bf16(const LinearRows&, const LinearWeights&, int64_t, int64_t, float*, int64_t) {}
void linear_avx2_int8(const LinearRows&, const LinearWeights&, int64_t, int64_t, float*, int64_t) {}
void linear_avx2_int4(const LinearRows&, const LinearWeights&, int64_t, int64_t, float*, int64_t) {}

}  // namespace docspec
#endif
