#include "core/ops/cpu/cpu_linear.h"

#include <ATen/ATen.h>
#include <ATen/Parallel.h>
#include <gtest/gtest.h>
#include <sys/mman.h>
#include <unistd.h>

#include <array>

#include "core/ops/cpu/cpu_int4.h"
#include "core/ops/layers.h"
#include "core/ops/ops.h"
#include "tests/support/same_bits.h"

namespace docspec {
namespace {

/// A product in whole numbers as f64 does it, which holds the integer sums exactly.
at::Tensor in_whole_numbers(const Linear& layer, const at::Tensor& x) {
  at::Tensor weight = layer.weight;
  if (weight.scalar_type() == at::kByte) {
    weight = at::empty({weight.size(0), x.size(1)}, at::kChar);
    expand_int4(reinterpret_cast<const Int4Block*>(layer.weight.const_data_ptr()),
                weight.numel() / kInt4Block, weight.mutable_data_ptr<int8_t>());
  }
  const at::Tensor largest = x.abs().amax(-1, /*keepdim=*/true);
  // A number divided by a tensor would be multiplied with the tensor's reciprocals.
  const at::Tensor inverse = at::div(at::full_like(largest, kLargestInt8), largest);
  const at::Tensor rows = at::where(largest > 0, x * inverse, 0).round();
  const at::Tensor sum = at::mm(rows.to(at::kDouble), weight.to(at::kDouble).t()).to(at::kFloat);
  const at::Tensor y = sum * ((largest / kLargestInt8) * layer.scale);
  return layer.bias.defined() ? y + layer.bias : y;
}

constexpr WeightType kTypes[] = {WeightType::f32, WeightType::bf16, WeightType::int8,
                                 WeightType::int4};

/// A layer of weights of a type, from f32.
Linear layer_of(WeightType type, const at::Tensor& wide) {
  const Linear layer{wide, {}, {}, {}};
  switch (type) {
    case WeightType::bf16:
      return {wide.to(at::kBFloat16), {}, {}, {}};
    case WeightType::int8:
      return quantized(layer);
    case WeightType::int4:
      return quantized(layer, Quantization::int4);
    default:
      return layer;
  }
}

TEST(LinearKernels, EachGivesARowTheSameBitsAloneAndAmongOthers) {
  at::manual_seed(11);
  constexpr int64_t kOut = 83, kRows = 70;  // no multiples of a tile
  for (WeightType type : kTypes) {
    const bool whole = type >= WeightType::int8, bf16 = type == WeightType::bf16;
    const int64_t in = type == WeightType::int4 ? 1088 : 1111;
    const at::Tensor x = at::randn({kRows, in}), wide = at::randn({kOut, in});
    const Linear layer = layer_of(type, wide);
    for (const LinearKernel& kernel : linear_kernels(type)) {
      SCOPED_TRACE(kernel.instructions);
      const LinearWeights weights{type, layer.weight.const_data_ptr(), nullptr,
                                  whole ? layer.scale.const_data_ptr<float>() : nullptr,
                                  whole ? layer.sums.const_data_ptr<int32_t>() : nullptr};
      const auto product = [&](int64_t from, int64_t rows) {
        LinearRows packed;
        packed.reset(kernel, rows, in);
        packed.pack(x.const_data_ptr<float>() + from * in, in, 0, rows);
        at::Tensor out = at::zeros({rows, kOut});
        kernel.multiply(packed, weights, 0, 30, out.mutable_data_ptr<float>(), kOut);
        kernel.multiply(packed, weights, 30, kOut, out.mutable_data_ptr<float>(), kOut);
        return out;
      };
      const at::Tensor all = product(0, kRows);
      for (int64_t rows = 1; rows <= 64; ++rows)
        EXPECT_TRUE(same_bits(product(3, rows), all.narrow(0, 3, rows))) << rows << " rows";
      if (whole) {
        EXPECT_TRUE(same_bits(all, in_whole_numbers(layer, x)));
      } else {
        const at::Tensor rows = (bf16 ? x.to(at::kBFloat16) : x).to(at::kDouble);
        const at::Tensor wanted = at::linear(rows, layer.weight.to(at::kDouble));
        EXPECT_LT((all - wanted).abs().max().item<double>(), 2e-4);
      }
    }
  }
}

TEST(LinearKernels, AddTheLargestWholeNumbersWithoutCuttingThemOff) {
  constexpr int64_t kIn = 1024;
  const at::Tensor signs = at::where(at::arange(kIn) % 3 == 0, -1.0, 1.0).to(at::kFloat);
  const at::Tensor x = at::stack({signs, -signs, at::ones({kIn})}), wide = signs.repeat({5, 1});
  for (WeightType type : {WeightType::int8, WeightType::int4}) {
    const Linear layer = layer_of(type, wide);
    for (const LinearKernel& kernel : linear_kernels(type)) {
      LinearRows packed;
      packed.reset(kernel, 3, kIn);
      packed.pack(x.const_data_ptr<float>(), kIn, 0, 3);
      at::Tensor out = at::zeros({3, 5});
      kernel.multiply(packed,
                      {type, layer.weight.const_data_ptr(), nullptr,
                       layer.scale.const_data_ptr<float>(), layer.sums.const_data_ptr<int32_t>()},
                      0, 5, out.mutable_data_ptr<float>(), 5);
      EXPECT_TRUE(same_bits(out, in_whole_numbers(layer, x))) << kernel.instructions;
    }
  }
}

/// Memory that ends where no page is readable.
class Guarded {
 public:
  explicit Guarded(size_t bytes) : bytes_(bytes), page_(size_t(sysconf(_SC_PAGESIZE))) {
    all_ = (bytes + page_ - 1) / page_ * page_ + page_;
    base_ = static_cast<std::byte*>(
        mmap(nullptr, all_, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0));
    mprotect(base_ + all_ - page_, page_, PROT_NONE);
  }
  ~Guarded() { munmap(base_, all_); }
  Guarded(const Guarded&) = delete;
  Guarded& operator=(const Guarded&) = delete;
  std::byte* data() const { return base_ + all_ - page_ - bytes_; }

 private:
  size_t bytes_, page_, all_;
  std::byte* base_;
};

TEST(LinearKernels, ReadNothingBehindTheWeights) {
  for (WeightType type : kTypes)
    for (const LinearKernel& kernel : linear_kernels(type))
      for (const auto& [in, out] : {std::pair{64, 32}, {65, 33}, {31, 5}, {1, 1}, {1024, 47}}) {
        const bool int4 = type == WeightType::int4;
        if (int4 && in % kInt4Block != 0) continue;
        const size_t bytes = type == WeightType::f32    ? 4 * size_t(in)
                             : type == WeightType::bf16 ? 2 * size_t(in)
                             : int4 ? size_t(in / kInt4Block) * sizeof(Int4Block)
                                    : size_t(in);
        const Guarded weights(bytes * size_t(out)), scale(4 * size_t(out)), sums(4 * size_t(out)),
            bias(4 * size_t(out));
        const std::vector<float> x(size_t(20 * in), 1);
        const Guarded to(4 * size_t(20 * out));
        LinearRows rows;
        rows.reset(kernel, 20, in);
        rows.pack(x.data(), in, 0, 20);
        const auto floats = [](const Guarded& g) { return reinterpret_cast<float*>(g.data()); };
        std::fill_n(floats(bias), out, 3.0f);
        kernel.multiply(rows,
                        {type, weights.data(), floats(bias), floats(scale),
                         reinterpret_cast<const int32_t*>(sums.data())},
                        0, out, floats(to), out);
        for (int i = 0; i < 20 * out; ++i)
          ASSERT_EQ(floats(to)[i], 3) << kernel.instructions << " " << in << " x " << out;
      }
}

/// A product of each kind and shape: parts of sums, last steps that are no whole vectors, outputs
/// that are no multiple of a tile.
class CpuLinear : public testing::TestWithParam<std::tuple<const char*, int, int>> {
 protected:
  CpuLinear() {
    at::manual_seed(uint64_t(in_ * 31 + out_));
    const std::string type = std::get<0>(GetParam());
    const auto dtype = type == "f32" ? at::kFloat : at::kBFloat16;
    layer_.weight = at::randn({out_, in_}).to(dtype);
    layer_.bias = at::randn({out_}).to(dtype);
    if (type == "int8") layer_ = quantized(layer_);
    if (type == "int4") layer_ = quantized(layer_, Quantization::int4);
    x_ = at::randn({37, in_});
    x_[5].mul_(1000);  // one row's size must not tell in another
    x_[6].zero_();
  }
  at::Tensor product(const Ops& ops, const at::Tensor& x) const {
    return ops.linear(x, std::array{&layer_});
  }

  const int64_t in_ = std::get<1>(GetParam()), out_ = std::get<2>(GetParam());
  const std::unique_ptr<Ops> ops_ = make_cpu_ops();
  Linear layer_;
  at::Tensor x_;
};

INSTANTIATE_TEST_SUITE_P(Shapes, CpuLinear,
                         testing::Combine(testing::Values("f32", "bf16", "int8", "int4"),
                                          testing::Values(16, 77, 1600, 4099),
                                          testing::Values(3, 64, 515)),
                         [](const auto& info) {
                           return std::string(std::get<0>(info.param)) + "_" +
                                  std::to_string(std::get<1>(info.param)) + "_" +
                                  std::to_string(std::get<2>(info.param));
                         });

TEST_P(CpuLinear, GivesARowTheSameBitsAloneAndAmongOthers) {
  const at::Tensor all = product(*ops_, x_);
  for (int64_t rows : {1, 2, 3, 4, 5, 6, 7, 8, 11, 16, 31})
    for (int64_t first : {int64_t{0}, 37 - rows})
      EXPECT_TRUE(same_bits(product(*ops_, x_.narrow(0, first, rows)), all.narrow(0, first, rows)))
          << rows << " rows from " << first;
}

TEST_P(CpuLinear, GivesTheSameBitsOnAnyNumberOfThreads) {
  const int before = at::get_num_threads();
  at::set_num_threads(1);
  const at::Tensor one = product(*ops_, x_);
  for (int threads : {2, 3, 5}) {
    at::set_num_threads(threads);
    EXPECT_TRUE(same_bits(product(*ops_, x_), one)) << threads << " threads";
  }
  at::set_num_threads(before);
}

TEST_P(CpuLinear, EqualsTheReference) {
  const at::Tensor y = product(*ops_, x_);
  if (layer_.scale.defined()) {  // sums of integers: no tolerance
    EXPECT_TRUE(same_bits(y, in_whole_numbers(layer_, x_)));
    return;
  }
  const at::Tensor weight = layer_.weight.to(at::kDouble);
  const at::Tensor wide = x_.to(layer_.weight.scalar_type()).to(at::kDouble);  // rounded alike
  const at::Tensor wanted = at::linear(wide, weight, layer_.bias.to(at::kDouble));
  const at::Tensor size = at::linear(wide.abs(), weight.abs()) + 1;
  EXPECT_LT(((y - wanted).abs() / size).max().item<double>(), 1e-6);
}

TEST_P(CpuLinear, PutsLayersSideBySide) {
  const at::Tensor one = product(*ops_, x_);
  const at::Tensor both = ops_->linear(x_, std::array{&layer_, &layer_});
  EXPECT_TRUE(same_bits(both, at::cat({one, one}, 1)));
}

TEST(Quantized, IsCloseToTheProductItStandsFor) {
  at::manual_seed(4);
  const Linear layer{at::randn({300, 704}), {}, {}, {}};
  const at::Tensor x = at::randn({9, 704}), wanted = layer(x);
  const auto error = [&](Quantization to) {
    return (quantized(layer, to)(x) - wanted).norm().item<double>() / wanted.norm().item<double>();
  };
  EXPECT_LT(error(Quantization::int8), 0.02);
  EXPECT_GT(error(Quantization::int8), 0);
  EXPECT_LT(error(Quantization::int4), 0.085);  // numbers with one size a group: .097
}

TEST(Quantized, IsInt8WhereTheInputsAreNoWholeBlocks) {
  EXPECT_EQ(quantized({at::ones({3, 96}), {}, {}, {}}, Quantization::int4).weight.scalar_type(),
            at::kChar);
  EXPECT_EQ(quantized({at::ones({3, 128}), {}, {}, {}}, Quantization::int4).weight.sizes(),
            (std::vector<int64_t>{3, 2 * int64_t(sizeof(Int4Block))}));
}

TEST(Quantized, GivesAWeightOfZeroWhereAllAre) {
  const Linear none = quantized({at::zeros({2, 64}), {}, {}, {}}, Quantization::int4);
  EXPECT_TRUE(at::equal(none(at::ones({1, 64})), at::zeros({1, 2})));
}

/// What CPU ops do to rows equals ATen's, and a row's bits are its own.
class CpuRows : public testing::TestWithParam<int64_t> {
 protected:
  CpuRows() { at::manual_seed(9); }
  const std::unique_ptr<Ops> cpu_ = make_cpu_ops(), aten_ = make_aten_ops();
  const int64_t d_ = GetParam();
};
INSTANTIATE_TEST_SUITE_P(Widths, CpuRows, testing::Values(2, 24, 64, 130, 1536));

TEST_P(CpuRows, NormEqualsTheReference) {
  const at::Tensor x = at::randn({70, d_}) * 30, weight = at::randn({d_});
  const at::Tensor y = cpu_->rms_norm(x, weight, 1e-6);
  EXPECT_TRUE(at::allclose(y, aten_->rms_norm(x, weight, 1e-6), 1e-5, 1e-6));
  EXPECT_TRUE(same_bits(cpu_->rms_norm(x.narrow(0, 69, 1), weight, 1e-6), y.narrow(0, 69, 1)));
}

TEST_P(CpuRows, SwigluEqualsTheReference) {
  const at::Tensor x = at::randn({70, 2 * d_}) * 60;  // far beyond where e^x overflows
  const at::Tensor y = cpu_->swiglu(x);
  EXPECT_TRUE(at::allclose(y, aten_->swiglu(x), 1e-5, 1e-6));
  EXPECT_TRUE(same_bits(cpu_->swiglu(x.narrow(0, 69, 1)), y.narrow(0, 69, 1)));
}

TEST_P(CpuRows, RotationEqualsTheReferenceFromAnyStrides) {
  const std::vector<float> angles = [&] {
    const at::Tensor a = at::randn({70 * (d_ / 2)});
    return std::vector<float>(a.const_data_ptr<float>(), a.const_data_ptr<float>() + a.numel());
  }();
  const at::Tensor packed = at::randn({70, 5 * d_});
  const Rotary rotary = make_rotary(angles, 70, packed);
  const at::Tensor x = packed.narrow(1, d_, 3 * d_).view({70, 3, d_});
  EXPECT_TRUE(at::allclose(cpu_->rotate(x, rotary), aten_->rotate(x, rotary), 1e-5, 1e-5));
}

}  // namespace
}  // namespace docspec
