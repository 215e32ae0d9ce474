#include "core/model/layers/thread_bits.h"

#include <ATen/ATen.h>
#include <ATen/Parallel.h>
#include <gtest/gtest.h>

#include "core/ops/ops.h"

namespace docspec {
namespace {

TEST(ThreadBits, WhatItPromisesHoldsForOtherShapesToo) {
  const auto ops = make_aten_ops();  // knows what this CPU cannot do
  const int before = at::get_num_threads();
  EXPECT_TRUE(bits_hold_across_threads("f32", 1)) << "one thread is one thread";
  for (const char* dtype : {"f32", "bf16"}) {
    const bool promised = bits_hold_across_threads(dtype, 4);
    EXPECT_EQ(at::get_num_threads(), before);
    RecordProperty(std::string(dtype), promised ? "holds" : "differs");
    if (!promised) continue;
    const auto type = std::string_view(dtype) == "bf16" ? at::kBFloat16 : at::kFloat;
    for (const int64_t rows : {8, 16, 64}) {
      const at::Tensor x = at::randn({rows, 2048}).to(type), w = at::randn({512, 2048}).to(type);
      at::set_num_threads(1);
      const at::Tensor one = at::linear(x, w);
      for (const int threads : {2, 3, 4}) {
        at::set_num_threads(threads);
        EXPECT_TRUE(at::equal(one, at::linear(x, w))) << dtype << " rows " << rows;
      }
      at::set_num_threads(before);
    }
  }
}

}  // namespace
}  // namespace docspec
