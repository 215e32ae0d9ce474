// Milliseconds of a decoding step and of its attention with fixation and without, at the full
// geometry of a language model with random weights. See README.md.
//
//   docspec_fixation_speed [--geometry dots_ocr|qwen2_5_vl_3b] [--threads N] [--rounds N]
//                          [--batch 1,4,12] [--prefix 4096,8192] [--rows 1,8,16,32] [--keep
//                          0.05,0.25]
#include <ATen/ATen.h>
#include <ATen/Parallel.h>
#include <fmt/format.h>

#include <array>
#include <iostream>
#include <numeric>
#include <sstream>

#include "core/decode/prune/fixation_selector.h"
#include "core/ops/attention_weights.h"
#include "core/ops/cpu_quirks.h"
#include "core/ops/flops.h"
#include "tests/bench/replay_model.h"
#include "tests/support/forwarding_ops.h"

using namespace docspec;
using nlohmann::json;

namespace {

/// Adds up what a step spends in its attention sublayers: projections, rotation, attention, and the
/// choice of visual rows.
class TimedOps : public ForwardingOps {
 public:
  TimedOps() : ForwardingOps(make_cpu_ops()) {}

  mutable double attention_ms = 0;
  int64_t width = 0;  ///< inputs of the output projection

  at::Tensor linear(const at::Tensor& x, std::span<const Linear* const> layers) const override {
    const bool projection = layers.size() == 3 || (layers.size() == 1 && x.size(1) == width);
    return timed(projection, [&] { return ops_.linear(x, layers); });
  }
  at::Tensor rotate(const at::Tensor& x, const Rotary& rotary) const override {
    return timed(true, [&] { return ops_.rotate(x, rotary); });
  }
  std::unique_ptr<AttentionPlan> plan(std::span<const AttentionRows> jobs, const BatchLayout& shape,
                                      const at::Tensor& like) const override {
    return timed(true, [&] { return ops_.plan(jobs, shape, like); });
  }
  at::Tensor attention(const at::Tensor& q, std::span<const CacheRows> caches,
                       const AttentionPlan& plan, AttentionWeights* looks) const override {
    return timed(true, [&] { return ops_.attention(q, caches, plan, looks); });
  }
  at::Tensor top_k(const at::Tensor& scores, int64_t k) const override {
    return timed(true, [&] { return ops_.top_k(scores, k); });
  }

 private:
  template <class F>
  auto timed(bool counts, const F& f) const -> decltype(f()) {
    const double begin = now_ms();
    auto out = f();
    if (counts) attention_ms += now_ms() - begin;
    return out;
  }
};

std::vector<double> numbers(const std::string& list) {
  std::vector<double> out;
  std::istringstream in(list);
  for (std::string item; std::getline(in, item, ',');) out.push_back(std::stod(item));
  return out;
}

/// A cache whose `length` slots are all visual, keys and values random.
std::unique_ptr<LayeredKvCache> filled(const Qwen2Decoder& trunk, int64_t length) {
  auto cache = trunk.new_cache();
  cache->begin_pass(length);
  for (int64_t layer = 0; layer < trunk.layer_count(); ++layer) {
    const at::Tensor rows = at::randn({length, trunk.config().kv_heads, trunk.config().head_dim()});
    append_rows(rows, rows, std::array{cache->rows(layer)});
  }
  std::vector<int32_t> all(size_t(length), 0);
  std::iota(all.begin(), all.end(), 0);
  cache->commit(all);
  cache->visual_end = length;
  return cache;
}

/// Focal layers in the middle; those before see what an earlier step chose.
Fixation fixation(const Qwen2Decoder& trunk, int64_t visual, double keep, bool each,
                  const std::vector<int32_t>& last) {
  const FixationOptions defaults;
  std::vector<double> shares(size_t(trunk.layer_count()), 0);
  for (size_t i = 0; i < shares.size(); ++i) shares[i] = double(i % 5);
  Fixation out{
      std::vector<LayerView>(shares.size(), {.all = false}), kept_rows(keep, visual), each, {}};
  const std::vector<size_t> focal = focal_layers(shares, defaults.focal, defaults.gap);
  for (size_t layer = 0; layer < focal[0]; ++layer) out.layers[layer].rows = &last;
  for (const size_t layer : focal) out.layers[layer] = {.choose = true};
  return out;
}

struct Bench {
  TimedOps* ops;
  Engine engine;
  int rounds;
  std::vector<std::unique_ptr<LayeredKvCache>> caches;

  /// Least milliseconds of a step and of its attention.
  json step(size_t batch, size_t rows, const Fixation* fixation) {
    double step_ms = 1e30, attention_ms = 1e30;
    for (int round = 0; round < rounds; ++round) {
      std::vector<DraftTree> trees(batch, DraftTree(7));
      std::vector<VisualAttentionStats> visual_stats(batch);
      std::vector<SequenceInput> jobs;
      for (size_t j = 0; j < batch; ++j) {
        for (size_t row = 1; row < rows; ++row)
          trees[j].add(int32_t(row - 1), int32_t(row), 0, 1, rows);
        jobs.push_back({&trees[j], caches[j].get(), fixation, &visual_stats[j]});
      }
      ops->attention_ms = 0;
      const double begin = now_ms();
      engine.trunk->forward(jobs, {});
      step_ms = std::min(step_ms, now_ms() - begin);
      attention_ms = std::min(attention_ms, ops->attention_ms);
    }
    return {{"step_ms", step_ms}, {"attention_ms", attention_ms}};
  }
};

}  // namespace

int main(int argc, char** argv) try {
  limit_libraries();
  at::set_num_threads(std::stoi(option(argc, argv, "threads", "2")));
  const std::string name = option(argc, argv, "geometry", "dots_ocr");
  auto ops = std::make_unique<TimedOps>();
  TimedOps* timed = ops.get();
  const json config = geometry(name, std::stoll(option(argc, argv, "layers", "0")));
  timed->width = config["hidden_size"];
  Bench bench{timed,
              Engine(config, "bf16", std::move(ops)),
              std::stoi(option(argc, argv, "rounds", "3")),
              {}};
  const Qwen2Decoder& trunk = *bench.engine.trunk;
  json out = json::array();
  for (const double prefix : numbers(option(argc, argv, "prefix", "4096,8192"))) {
    const auto visual = int64_t(prefix);
    bench.caches.clear();
    std::vector<int32_t> last;
    for (int64_t row = 0; row < kept_rows(0.05, visual); ++row) last.push_back(int32_t(20 * row));
    for (const double jobs : numbers(option(argc, argv, "batch", "1,4,12"))) {
      const auto batch = size_t(jobs);
      while (bench.caches.size() < batch) bench.caches.push_back(filled(trunk, visual));
      for (const double rows : numbers(option(argc, argv, "rows", "1"))) {
        json line = {{"geometry", name},
                     {"prefix", visual},
                     {"batch", batch},
                     {"rows", rows},
                     {"full", bench.step(batch, size_t(rows), nullptr)}};
        for (const double keep : numbers(option(argc, argv, "keep", "0.05,0.25")))
          for (const bool each : {true, false}) {
            if (rows == 1 && !each) continue;  // the same
            const Fixation view = fixation(trunk, visual, keep, each, last);
            json pruned = bench.step(batch, size_t(rows), &view);
            for (const char* part : {"step_ms", "attention_ms"})
              pruned[part == std::string("step_ms") ? "step_times" : "attention_times"] =
                  line["full"][part].get<double>() / pruned[part].get<double>();
            AttentionCost cost{trunk.layer_count(),
                               trunk.config().hidden,
                               int64_t(batch),
                               visual,
                               visual,
                               trunk.layer_count(),
                               0};
            const double full = attention_flops(cost);
            cost.full_layers = full_layers(0.1, cost.layers, FullLayers::focal);
            cost.kept = kept_rows(keep, visual);
            pruned["flops_times"] = full / attention_flops(cost);
            line[fmt::format("keep {:g}", keep) + (each ? " each" : " union")] = pruned;
          }
        std::cerr << line.dump() << '\n';
        out.push_back(line);
      }
    }
  }
  std::cout << json{{"cpu", cpu_name()}, {"threads", at::get_num_threads()}, {"rows", out}}.dump(1)
            << '\n';
} catch (const std::exception& e) {
  std::cerr << "docspec_fixation_speed: " << e.what() << '\n';
  return 1;
}
