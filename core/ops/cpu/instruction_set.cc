#include "core/ops/cpu/instruction_set.h"

#include <cstdlib>
#include <string_view>

namespace docspec {
namespace {

InstructionSet of_processor() {
#if defined(__x86_64__) && defined(__GNUC__)
  __builtin_cpu_init();
  if (!__builtin_cpu_supports("avx2") || !__builtin_cpu_supports("fma")) return InstructionSet::any;
  return __builtin_cpu_supports("avx512f") ? InstructionSet::avx512 : InstructionSet::avx2;
#else
  return InstructionSet::any;
#endif
}

InstructionSet allowed() {
  const InstructionSet most = of_processor();
  const char* const asked = std::getenv("DOCSPEC_CPU");
  for (const InstructionSet set : {InstructionSet::any, InstructionSet::avx2})
    if (asked && std::string_view(asked) == name_of(set) && set < most) return set;
  return most;
}

}  // namespace

InstructionSet instruction_set() {
  static const InstructionSet set = allowed();
  return set;
}

const char* name_of(InstructionSet set) {
  return set == InstructionSet::any ? "any" : set == InstructionSet::avx2 ? "avx2" : "avx512";
}

}  // namespace docspec
