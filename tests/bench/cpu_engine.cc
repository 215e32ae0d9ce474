// Milliseconds of a pass of dots.ocr's language model (random weights, full geometry) by its number
// of rows, beside what the machine's memory allows, in one run. See README.md.
//
//   docspec_cpu_engine [--dtype bf16|int8|int4|f32] [--geometry dots_ocr] [--layers N] [--threads
//   N]
//                      [--prompt ROWS] [--rounds N] [--clock wall|cpu] [--trees yes]
//                      [--prefill ROWS]
//
// --prefill ROWS: the better one of two prompts of so many rows, after the passes.
// --trees yes: memory of passes over trees, and the time of their commits (tree_pass.h).
// --clock cpu: passes by the process's CPU time (replay_model.h).
#include <ATen/ATen.h>
#include <ATen/Parallel.h>

#include <algorithm>
#include <atomic>
#include <iostream>
#include <map>
#include <numeric>

#include "core/ops/cpu/cpu_linear.h"
#include "core/ops/cpu_quirks.h"
#include "tests/bench/tree_pass.h"

using namespace docspec;
using nlohmann::json;

namespace {

constexpr int64_t kSweepBytes = int64_t{3} << 30;
constexpr size_t kRowCounts[] = {1, 2, 4, 8, 16, 32, 64};

/// f(first, last) of every thread's part of the bytes; milliseconds.
template <class F>
double timed_parts(int64_t bytes, const F& f) {
  const int64_t threads = at::get_num_threads(), part = bytes / threads;
  const double begin = now_ms();
  at::parallel_for(0, threads, 1, [&](int64_t a, int64_t b) {
    for (int64_t t = a; t < b; ++t) f(t * part, (t + 1) * part);
  });
  return now_ms() - begin;
}

/// Both ways to read 3 GB: plain sums, and a product with one row over weights that lie in a row.
struct Sweep {
  at::Tensor bytes = at::ones({kSweepBytes}, at::kChar);
  std::vector<float> out = std::vector<float>(size_t(kSweepBytes / kColumn));
  std::vector<int32_t> sums = std::vector<int32_t>(out.size());
  std::vector<float> scale = std::vector<float>(out.size(), 1);
  static constexpr int64_t kColumn = 1536;  // bytes; int8 weights of one output

  double stream() const {
    const auto* data = reinterpret_cast<const uint64_t*>(bytes.const_data_ptr());
    std::atomic<uint64_t> all = 0;
    const double ms = timed_parts(kSweepBytes, [&](int64_t first, int64_t last) {
      all += std::accumulate(data + first / 8, data + last / 8, uint64_t{0});
    });
    return all > 0 ? ms : 0;
  }
  double product() {
    const std::vector<float> row(kColumn, 1);
    const LinearKernel& kernel = linear_kernels(WeightType::int8).front();
    LinearRows x;
    x.reset(kernel, 1, kColumn);
    x.pack(row.data(), kColumn, 0, 1);
    const LinearWeights weights{WeightType::int8, bytes.const_data_ptr(), nullptr, scale.data(),
                                sums.data()};
    return timed_parts(kSweepBytes, [&](int64_t first, int64_t last) {
      kernel.multiply(x, weights, (first + kColumn - 1) / kColumn, last / kColumn, out.data(), 0);
    });
  }
};

/// By `clock`, milliseconds.
double pass_ms(const Engine& engine, LayeredKvCache& cache, size_t rows, Clock clock) {
  DraftTree chain(0);
  for (size_t row = 1; row < rows; ++row) chain.add(int32_t(row - 1), 0, 0, 1, rows);
  const SequenceInput job{&chain, &cache, nullptr};
  const double begin = clock();
  engine.trunk->forward(std::span(&job, 1), {.padded = false});
  return clock() - begin;
}

}  // namespace

#ifndef _OPENMP
#error "compile with -fopenmp: at::parallel_for would run on one thread"
#endif

int main(int argc, char** argv) try {
  limit_libraries();
  const std::string dtype = option(argc, argv, "dtype", "bf16");
  const int rounds = std::stoi(option(argc, argv, "rounds", "7"));
  const int64_t prompt = std::stoll(option(argc, argv, "prompt", "512"));
  at::set_num_threads(std::stoi(option(argc, argv, "threads", "2")));
  Engine engine(geometry(option(argc, argv, "geometry", "dots_ocr"),
                         std::stoll(option(argc, argv, "layers", "0"))),
                dtype);
  auto cache = engine.trunk->new_cache();
  const double begin = now_ms();
  engine.extend(*cache, prompt);
  const double prefill = now_ms() - begin;
  const auto fresh = continued(*cache);  // uncommitted passes make a cache grow
  const std::string clock_name = option(argc, argv, "clock", "wall");
  const Clock clock = clock_by(clock_name);
  Sweep sweep;
  std::map<size_t, std::vector<double>> times;
  std::vector<double> streams, products;
  for (int round = 0; round <= rounds; ++round) {  // the first one warms up
    const bool counts = round > 0;
    const double stream = sweep.stream(), product = sweep.product();
    if (counts) streams.push_back(stream), products.push_back(product);
    for (const size_t rows : kRowCounts) {
      const double ms = pass_ms(engine, *cache, rows, clock);
      if (counts) times[rows].push_back(ms);
    }
  }
  const auto best = [](const std::vector<double>& x) {
    return *std::min_element(x.begin(), x.end());
  };
  const auto median = [](std::vector<double> x) {
    std::nth_element(x.begin(), x.begin() + ptrdiff_t(x.size() / 2), x.end());
    return x[x.size() / 2];
  };
  const WeightType type = dtype == "f32"    ? WeightType::f32
                          : dtype == "int8" ? WeightType::int8
                          : dtype == "int4" ? WeightType::int4
                                            : WeightType::bf16;
  const int64_t head = dtype == "int4" ? engine.head : 0;  // in int8
  const double weight = dtype == "f32" ? 4 : dtype == "int8" ? 1 : dtype == "int4" ? 34.0 / 64 : 2;
  const int64_t bytes = int64_t(double(engine.read - head) * weight) + head +
                        prompt * engine.trunk->bytes(at::kCPU).per_token;
  const double gb = double(kSweepBytes) / 1e6;
  const double fastest = std::max(gb / best(streams), gb / best(products));  // GB/s
  json out = {{"dtype", dtype},
              {"instructions", linear_kernels(type).front().instructions},
              {"cpu", cpu_name()},
              {"threads", at::get_num_threads()},
              {"clock", clock_name},
              {"prompt_rows", prompt},
              {"prefill_ms", prefill},
              {"bytes_of_a_pass", bytes},
              {"stream_read_gb_s", gb / best(streams)},
              {"product_sweep_gb_s", gb / best(products)},
              {"decode_ms", best(times[1])},
              {"limit_ms", double(bytes) / 1e6 / fastest}};
  for (const auto& [rows, ms] : times) {
    out["rows_ms"][std::to_string(rows)] = best(ms);
    out["rows_ms_median"][std::to_string(rows)] = median(ms);
  }
  if (const int64_t rows = std::stoll(option(argc, argv, "prefill", "0")); rows > 0) {
    std::vector<double> prompts;
    for (int i = 0; i < 2; ++i) {
      const auto own = engine.trunk->new_cache();
      const double start = clock();
      engine.extend(*own, rows);
      prompts.push_back(clock() - start);
    }
    out["prompt_ms"][std::to_string(rows)] = best(prompts);
  }
  if (option(argc, argv, "trees", "no") == "yes") {
    for (const size_t rows : kRowCounts)
      out["commit_ms"][std::to_string(rows)] = commit_ms(engine, *fresh, rows, clock);
    tree_pass_memory(engine, *fresh, 1);  // what is allocated once
    for (const size_t rows : kRowCounts)
      out["tree_bytes"][std::to_string(rows)] = tree_pass_memory(engine, *fresh, rows);
  }
  out["share_of_limit"] = out["limit_ms"].get<double>() / best(times[1]);
  std::cout << out.dump(1) << "\n";
} catch (const std::exception& e) {
  std::cerr << "cpu_engine: " << e.what() << "\n";
  return 1;
}
