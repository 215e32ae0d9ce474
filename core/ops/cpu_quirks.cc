#include "core/ops/cpu_quirks.h"

#if defined(__x86_64__)  // CPUID has no portable form
#include <cpuid.h>
#endif

#if defined(__GLIBC__)
#include <malloc.h>
#endif

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <cstdlib>
#include <fstream>
#include <limits>
#include <new>
#include <numeric>
#include <thread>
#include <vector>

#include "core/base/stopwatch.h"
#include "core/ops/cpu/instruction_set.h"

namespace docspec {

bool amx_is_unusable() {
#if defined(__x86_64__)
  unsigned a = 0, b = 0, c = 0, d = 0;
  constexpr unsigned kAmxTile = 1u << 24;
  if (!__get_cpuid_count(7, 0, &a, &b, &c, &d) || !(d & kAmxTile)) return false;
  return !__get_cpuid_count(0x1d, 0, &a, &b, &c, &d) || a == 0;
#else
  return false;
#endif
}

void limit_libraries() {
  const InstructionSet set = instruction_set();
  if (std::getenv("DOCSPEC_CPU") && set != InstructionSet::avx512) {
    const bool avx2 = set == InstructionSet::avx2;
    setenv("ATEN_CPU_CAPABILITY", avx2 ? "avx2" : "default", /*overwrite=*/0);
    setenv("ONEDNN_MAX_CPU_ISA", avx2 ? "AVX2" : "SSE41", /*overwrite=*/0);
    setenv("MKL_ENABLE_INSTRUCTIONS", avx2 ? "AVX2" : "SSE4_2", /*overwrite=*/0);
  } else if (amx_is_unusable()) {
    setenv("ONEDNN_MAX_CPU_ISA", "AVX512_CORE_FP16", /*overwrite=*/0);
  }
}

void keep_freed_memory() {
#if defined(__GLIBC__)
  mallopt(M_MMAP_MAX, 0);
  mallopt(M_TRIM_THRESHOLD, std::numeric_limits<int>::max());
  mallopt(M_TOP_PAD, 64 << 20);
  mallopt(M_ARENA_MAX, 1);  // the other arenas of threads cannot hold such tensors
#endif
}

double memory_read_gb_s(std::size_t bytes) try {
  const std::vector<uint64_t> data(bytes / sizeof(uint64_t), 1);
  const std::size_t cores = std::max(1u, std::thread::hardware_concurrency());
  const std::size_t part = data.size() / cores;
  std::atomic<uint64_t> total = 0;  // read for something
  double best = 0;
  for (int round = 0; round < 3; ++round) {
    const Stopwatch stopwatch;
    std::vector<std::jthread> readers;
    for (std::size_t i = 0; i < cores; ++i)
      readers.emplace_back([&, from = data.data() + i * part] {
        total += std::accumulate(from, from + part, uint64_t{0});
      });
    readers.clear();
    best = std::max(best, double(cores * part * sizeof(uint64_t)) / 1e9 / stopwatch.seconds());
  }
  return total > 0 ? best : 0;
} catch (const std::bad_alloc&) {
  return 0;
}

std::string cpu_name() {
  std::ifstream info("/proc/cpuinfo");
  for (std::string line; std::getline(info, line);)
    if (line.starts_with("model name") && line.find(": ") != line.npos)
      return line.substr(line.find(": ") + 2);
  return "unknown processor";
}

}  // namespace docspec
