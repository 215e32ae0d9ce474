#pragma once

namespace docspec {

/// Instructions of a processor, each with those of all before it.
enum class InstructionSet { any, avx2, avx512 };

/// The most that kernels may use: those of this processor, or fewer where DOCSPEC_CPU (any,
/// avx2, avx512) says so.
InstructionSet instruction_set();

/// The names that DOCSPEC_CPU takes.
const char* name_of(InstructionSet set);

}  // namespace docspec
