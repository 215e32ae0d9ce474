#include "core/cpu_quirks.h"

#if defined(__x86_64__)  // CPUID has no portable form
#include <cpuid.h>

#include <cstdlib>
#endif
#include <fstream>

namespace docspec {

void avoid_unusable_amx() {
#if defined(__x86_64__)
  unsigned a = 0, b = 0, c = 0, d = 0;
  constexpr unsigned kAmxTile = 1u << 24;
  if (!__get_cpuid_count(7, 0, &a, &b, &c, &d) || !(d & kAmxTile)) return;
  const bool has_palette = __get_cpuid_count(0x1d, 0, &a, &b, &c, &d) && a > 0;
  if (!has_palette) setenv("ONEDNN_MAX_CPU_ISA", "AVX512_CORE_FP16", /*overwrite=*/0);
#endif
}

std::string cpu_name() {
  std::ifstream info("/proc/cpuinfo");
  for (std::string line; std::getline(info, line);)
    if (line.starts_with("model name") && line.find(": ") != line.npos)
      return line.substr(line.find(": ") + 2);
  return "unknown processor";
}

}  // namespace docspec
