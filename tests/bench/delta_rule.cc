// CPU milliseconds of one recurrent layer at the sizes of Qwen3.5 (delta rule, convolution and
// commit, without the products), by chunk and by the pass. One thread, CPU time, so that what else
// the machine does counts little. See README.md.
//
//   docspec_delta_rule [--heads 16] [--rounds N]
#include "core/ops/delta_rule.h"

#include <ATen/ATen.h>
#include <ATen/Parallel.h>

#include <ctime>
#include <iostream>
#include <nlohmann/json.hpp>
#include <numeric>
#include <random>
#include <string>

using namespace docspec;

namespace {

double cpu_ms() {
  timespec now{};
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
  return 1e3 * double(now.tv_sec) + 1e-6 * double(now.tv_nsec);
}

/// A tree of `rows` rows with a trunk and branches off it, as proposers make them; 1 branch = a
/// chain.
std::vector<int32_t> tree(int64_t rows, int64_t branches) {
  std::vector<int32_t> parent{-1};
  for (int64_t row = 1; row < rows; ++row) {
    const int64_t length = std::max<int64_t>(1, rows / branches);
    parent.push_back(row % length == 0 ? int32_t(row / length - 1) : int32_t(row - 1));
  }
  return parent;
}

struct Bench {
  DeltaShape shape;
  DeltaWeights weights;
  int rounds;

  /// Milliseconds of a pass and of the commit of its first half path, averaged over all places
  /// since the boundary.
  std::pair<double, double> run(const std::vector<int32_t>& parent) const {
    const auto n = int64_t(parent.size());
    const at::Tensor x = at::randn({n, shape.channels()}), gates = at::randn({n, 2 * shape.heads});
    DeltaRows rows = empty_delta_rows(shape, x);
    std::vector<int32_t> path;  // to the last row, the half of it
    for (int32_t row = int32_t(n) - 1; row >= 0; row = parent[size_t(row)])
      path.insert(path.begin(), row);
    path.resize((path.size() + 1) / 2);
    int64_t length = 0, passes = 0;
    double pass = 0, commit = 0;
    for (int round = -1; round < rounds; ++round) {  // the first one warms up
      const int64_t end = length + 2 * shape.chunk * (round < 0 ? 1 : 2);
      while (length < end) {
        const double begin = cpu_ms();
        const DeltaPlan plan = plan_delta(length, shape.chunk, parent);
        delta_rule(convolve(x, rows, plan, weights), gates, rows, plan, shape, weights);
        const double middle = cpu_ms();
        commit_delta(rows, length % shape.chunk, path, shape);
        length += int64_t(path.size());
        if (round < 0) continue;
        pass += middle - begin;
        commit += cpu_ms() - middle;
        ++passes;
      }
    }
    return {pass / double(passes), commit / double(passes)};
  }
};

}  // namespace

int main(int argc, char** argv) {
  const auto option = [&](const std::string& name, int64_t otherwise) {
    for (int i = 1; i + 1 < argc; ++i)
      if (argv[i] == "--" + name) return int64_t(std::stoll(argv[i + 1]));
    return otherwise;
  };
  at::set_num_threads(1);
  nlohmann::json out = {{"unit", "CPU milliseconds of one layer, one thread"}};
  for (const int64_t chunk : {16, 32, 64, 128}) {
    const int64_t heads = option("heads", 16);
    Bench bench{{heads, 16, 128, 128, 4, chunk}, {}, int(option("rounds", 6))};
    bench.weights = {at::randn({4, bench.shape.channels()}), -at::rand({heads}),
                     at::randn({heads})};
    nlohmann::json& here = out["chunk"][std::to_string(chunk)];
    here["cache_kib"] = delta_bytes(bench.shape) / 1024;
    for (const int64_t rows : {1, 8, 16, 32, 64})
      for (const int64_t branches : {1, 8}) {
        if (rows < 2 * branches && branches > 1) continue;
        const auto [pass, commit] = bench.run(tree(rows, branches));
        const std::string name =
            std::to_string(rows) + (branches > 1 ? " in 8 branches" : " in a chain");
        here["pass_ms"][name] = pass;
        here["commit_ms"][name] = commit;
      }
    here["pass_ms"]["256 of a prompt"] = bench.run(tree(256, 1)).first;
  }
  std::cout << out.dump(1) << "\n";
}
