// Whether a row's bits depend on how many rows a product has, at full geometry on a GPU: each
// product of a layer and the head, as passes run them, at many numbers of rows beside 64.
//
//   docspec_gpu_exact [--geometry dots_ocr|qwen2_5_vl_3b|qwen3_5_2b|qwen3_5_4b] [--dtype bf16|f32]
//
// Without a GPU it prints {"skipped": "no CUDA device"}. Exit code 1 where passes are not exact.
#include <array>

#include "core/ops/layers.h"
#include "core/ops/ops.h"
#include "tests/bench/replay_model.h"

using namespace docspec;
using nlohmann::json;

namespace {

constexpr std::array kRows = {1, 2, 4, 8, 16, 24, 32, 48, 63, 64, 65, 96, 128, 192, 256};

/// Which rows of `product` of so many rows have other bits than in the product of 64.
template <class Product>
json bits_of(int64_t inputs, const at::TensorOptions& options, const Product& product) {
  const at::Tensor x = at::empty({256, inputs}, options).uniform_(-1, 1);
  const at::Tensor wanted = product(x.narrow(0, 0, 64));
  json out;
  for (const int rows : kRows) {
    const int64_t n = std::min(rows, 64);
    const at::Tensor same =
        product(x.narrow(0, 0, rows)).narrow(0, 0, n).eq(wanted.narrow(0, 0, n)).all(1);
    out[std::to_string(rows)] = n - same.sum().item<int64_t>();
  }
  return out;
}

}  // namespace

int main(int argc, char** argv) try {
  const std::string device = device_or_skip("cuda");
  if (device.empty()) return 0;
  const std::string shape = option(argc, argv, "geometry", "dots_ocr"),
                    dtype = option(argc, argv, "dtype", "bf16");
  const json text = geometry(shape, shape.starts_with("qwen3_5") ? 4 : 2);  // one of each kind
  const Engine engine(text, dtype, nullptr, device);
  const bool exact = engine.trunk->batch_invariant();
  const auto options =
      at::TensorOptions().device(engine.device).dtype(dtype == "f32" ? at::kFloat : at::kBFloat16);
  const auto linear = [&](int64_t inputs, int64_t outputs, bool bias) {
    const Linear layer{at::empty({outputs, inputs}, options).uniform_(-0.03, 0.03),
                       bias ? at::empty({outputs}, options).uniform_(-1, 1) : at::Tensor(),
                       {},
                       {}};
    const std::array layers = {&layer};
    return json{
        {"ours", bits_of(inputs, options,
                         [&](const at::Tensor& x) { return engine.ops->linear(x, layers); })},
        {"cublas", bits_of(inputs, options, [&](const at::Tensor& x) { return layer(x); })}};
  };
  const int64_t d = text["hidden_size"], wide = text["intermediate_size"], dim = head_dim(text),
                q = dim * text["num_attention_heads"].get<int64_t>(),
                kv = dim * text["num_key_value_heads"].get<int64_t>();
  const Linear head{
      at::empty({text["vocab_size"].get<int64_t>(), d}, options).uniform_(-0.03, 0.03), {}, {}, {}};
  json products = {{"o", linear(q, d, false)},
                   {"gate_up", linear(d, 2 * wide, false)},
                   {"down", linear(wide, d, false)},
                   {"head", {{"ours", bits_of(d, options, [&](const at::Tensor& x) {
                                return engine.ops->logits(x, head);
                              })}}}};
  if (engine.hybrid) {  // queries have gates; no product is joined with another
    const DeltaShape& delta = engine.hybrid->delta;
    const int64_t values = delta.heads * delta.value_dim;
    products["q"] = linear(d, q, false);
    products["k"] = linear(d, kv, false);
    products["recurrent qkv"] = linear(d, delta.channels(), false);
    products["recurrent gates"] = linear(d, delta.heads, false);
    products["recurrent out"] = linear(values, d, false);
  } else {
    products["qkv"] = linear(d, q + 2 * kv, true);
  }
  const json out = {{"device", device_name(device)},
                    {"geometry", shape},
                    {"dtype", dtype},
                    {"exact", exact},
                    {"rows_that_differ_from_a_product_of_64", products}};
  std::cout << out.dump(1) << "\n";
  return exact ? 0 : 1;
} catch (const std::exception& e) {
  std::cerr << "gpu_exact: " << e.what() << "\n";
  return 1;
}
