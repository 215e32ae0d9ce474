// The engine on a GPU, random weights at full geometry, beside what the memory allows: attention of
// tree rows against flash attention of the same rows, passes by their number of rows. See
// README.md.
//
//   docspec_cuda_engine [--geometry dots_ocr|qwen2_5_vl_3b|qwen3_5_2b|qwen3_5_4b] [--prompt ROWS]
//                       [--rounds N] [--passes alone]
//
// Without a GPU it prints {"skipped": "no CUDA device"}.
#include <ATen/ATen.h>

#include "core/model/draft_tree.h"
#include "core/ops/attention_weights.h"
#include "core/ops/graph_cache.h"
#include "tests/bench/replay_model.h"

using namespace docspec;
using nlohmann::json;

namespace {

constexpr int64_t kSweepBytes = int64_t{4} << 30;

const auto kGpu = at::TensorOptions().device(at::kCUDA);

void wait() {
  at::zeros({1}, kGpu).item();
}

/// Milliseconds of f on the GPU: the fastest of some rounds of `times` calls, so that what the host
/// does for one of them is hidden behind the ones before.
template <class F>
double gpu_ms(int rounds, int times, const F& f) {
  double best = 0;
  for (int round = 0; round <= rounds; ++round) {
    wait();
    const double begin = now_ms();
    for (int i = 0; i < times; ++i) f();
    wait();
    const double ms = (now_ms() - begin) / times;
    if (round == 1 || (round > 1 && ms < best)) best = ms;
  }
  return best;
}

/// A tree as drafts make it: a trunk, and a branch of four rows at every eighth.
DraftTree tree_of(size_t rows) {
  DraftTree tree(0);
  int32_t trunk = 0;
  for (size_t row = 1; row < rows; ++row) {
    const bool branch = row % 8 >= 4;
    const int32_t parent = branch && row % 8 > 4 ? int32_t(row) - 1 : trunk;
    tree.add(parent, int32_t(row), 0, 1, rows);
    if (!branch) trunk = int32_t(row);
  }
  return tree;
}

json attention_at(const Ops& ops, int64_t prefix, size_t rows, const json& text, double gb_per_s,
                  int rounds) {
  const int64_t heads = text["num_attention_heads"], kv_heads = text["num_key_value_heads"],
                dim = head_dim(text), n = int64_t(rows),
                slots = (prefix + n + kAttentionBlock - 1) / kAttentionBlock * kAttentionBlock;
  const auto random = [&](std::vector<int64_t> sizes) {
    return at::randn(sizes, kGpu.dtype(at::kBFloat16));
  };
  const at::Tensor keys = random({kv_heads, slots, dim}), values = random({kv_heads, slots, dim}),
                   q = random({n, heads, dim});
  const at::Tensor wide = q.to(at::kFloat);
  const std::vector<at::Tensor> pages = pages_of(keys, values);
  const DraftTree tree = tree_of(rows);
  const AttentionRows job{prefix, tree.parent(), tree.depth(), {}, pages};
  const std::vector<CacheRows> caches = {{nullptr, nullptr, prefix, n, pages, 0}};
  const auto ours = [&](const AttentionPlan& plan) { return ops.attention(wide, caches, plan); };
  // The same rows as a chain; nothing is masked, which only helps it.
  const at::Tensor fq = q.transpose(0, 1).unsqueeze(0),
                   fk = keys.narrow(1, 0, prefix + n).unsqueeze(0),
                   fv = values.narrow(1, 0, prefix + n).unsqueeze(0);
  const auto flash = [&](const AttentionPlan&) {
    return at::scaled_dot_product_attention(fq, fk, fv, {}, 0.0, false, std::nullopt, true);
  };
  const auto new_plan = [&] { return ops.plan(std::span(&job, 1), {1, heads / kv_heads}, keys); };
  const auto eager_ms = [&](const auto& attend) {
    const auto plan = new_plan();
    return gpu_ms(rounds, 50, [&] { attend(*plan); });
  };
  // As passes run them: recorded, a layer after the other; eagerly the host may be what is timed.
  const auto graph_ms = [&](const auto& attend) {
    constexpr int kLayers = 28;
    const auto graphs = ops.graph_cache(keys);
    const at::Tensor ids = at::zeros({n}, at::kInt);
    const at::Tensor none = at::zeros({n, dim / 2});
    return gpu_ms(rounds, 10,
                  [&] {
                    const auto plan = new_plan();
                    graphs->run(ids, none, *plan, [&](const at::Tensor&, const at::Tensor&) {
                      at::Tensor out;
                      for (int layer = 0; layer < kLayers; ++layer) out = attend(*plan);
                      return out;
                    });
                  }) /
           kLayers;
  };
  const double ours_ms = graph_ms(ours), flash_ms = graph_ms(flash);
  const double bytes = 2.0 * double(kv_heads * (prefix + n) * dim) * 2;
  const double limit = bytes / 1e6 / gb_per_s;
  return {{"prefix", prefix},
          {"rows", rows},
          {"ours_ms", ours_ms},
          {"flash_ms", flash_ms},
          {"ratio", ours_ms / flash_ms},
          {"eager", {{"ours_ms", eager_ms(ours)}, {"flash_ms", eager_ms(flash)}}},
          {"read_once_ms", limit},
          {"times_the_limit", ours_ms / limit}};
}

/// One recurrent layer of a pass, without its products, and its commit.
json recurrent_at(const Ops& ops, const DeltaShape& shape, size_t rows, int rounds) {
  const auto random = [&](std::vector<int64_t> sizes) {
    return at::randn(sizes, kGpu.dtype(at::kFloat));
  };
  const auto n = int64_t(rows);
  const at::Tensor x = random({n, shape.channels()}), gates = random({n, 2 * shape.heads});
  const DeltaWeights weights{random({shape.taps, shape.channels()}), -random({shape.heads}).abs(),
                             random({shape.heads})};
  const DraftTree tree = tree_of(rows);
  const std::vector<int32_t> path = {0};
  DeltaRows kept = empty_delta_rows(shape, x);
  int64_t length = 0;
  const auto pass = [&] {
    const DeltaPlan plan = plan_delta(length, shape.chunk, tree.parent());
    const DeltaJob job{&kept, &plan};
    ops.recur(x, gates, std::span(&job, 1), shape, weights);
  };
  const auto commit = [&] {
    pass();
    ops.commit_delta(std::span(&kept, 1), length++ % shape.chunk, path, shape);
  };
  return {{"rows", rows},
          {"pass_ms", gpu_ms(rounds, 32, pass)},
          {"pass_and_commit_ms", gpu_ms(rounds, 32, commit)}};  // the state moves once in 32
}

struct PassTime {
  double ms = 0, host_ms = 0;  ///< of a pass; of what the host does for one while the GPU is busy
};

PassTime time_passes(const Engine& engine, LayeredKvCache& cache, size_t rows, int rounds) {
  const DraftTree tree = tree_of(rows);
  const SequenceInput job{&tree, &cache, nullptr};
  const auto pass = [&] { engine.trunk->forward(std::span(&job, 1), {}); };
  const double ms = gpu_ms(rounds, 5, pass), begin = now_ms();
  for (int i = 0; i < 5; ++i) pass();
  return {ms, (now_ms() - begin) / 5};
}

}  // namespace

int main(int argc, char** argv) try {
  const std::string device = device_or_skip("cuda");
  if (device.empty()) return 0;
  const int rounds = std::stoi(option(argc, argv, "rounds", "7"));
  const int64_t prompt = std::stoll(option(argc, argv, "prompt", "5120"));
  const std::string shape = option(argc, argv, "geometry", "dots_ocr");
  const at::Tensor bytes = at::ones({kSweepBytes / 4}, kGpu.dtype(at::kFloat));
  const double read_ms = gpu_ms(rounds, 5, [&] { bytes.sum(); });
  const double gb_per_s = double(kSweepBytes) / 1e6 / read_ms;
  json out = {{"note", "The weights are random: passes cost what they cost with trained ones."},
              {"device", device_name(device)},
              {"geometry", shape},
              {"read_gb_per_s", gb_per_s},
              {"prompt_rows", prompt}};
  Engine engine(geometry(shape, 0), "bf16", nullptr, device);
  const bool passes_alone = option(argc, argv, "passes", "") == "alone";
  for (const size_t rows : {16, 64})
    for (const int64_t prefix : {2048, 4096, 8192, 16384})
      if (!passes_alone)
        out["attention"].push_back(
            attention_at(*engine.ops, prefix, rows, geometry(shape, 0), gb_per_s, rounds));
  if (engine.hybrid && !passes_alone)
    for (const size_t rows : {1, 8, 16, 32, 64, 128})
      out["recurrent_layer"].push_back(
          recurrent_at(*engine.ops, engine.hybrid->delta, rows, rounds));
  engine.prefill(prompt);
  out["lm_prefill_ms"] = engine.prefill_ms;
  const double limit =
      double(engine.read * 2 + prompt * engine.trunk->bytes(engine.device).per_token) / 1e6 /
      gb_per_s;
  out["limit_ms"] = limit;
  double one = 0;
  for (const size_t rows : {1, 8, 16, 32, 64, 128}) {
    const auto [ms, host_ms] = time_passes(engine, *engine.prompt, rows, rounds);
    if (rows == 1) one = ms;
    out["host_ms"][std::to_string(rows)] = host_ms;
    out["rows_ms"][std::to_string(rows)] = ms;
    out["times_one_row"][std::to_string(rows)] = ms / one;
  }
  out["share_of_limit"] = limit / one;
  if (!passes_alone) out["vision_ms"] = vision_ms(device, *engine.ops);
  std::cout << out.dump(1) << "\n";
} catch (const std::exception& e) {
  std::cerr << "cuda_engine: " << e.what() << "\n";
  return 1;
}
