#pragma once

namespace docspec {

/// What a processor can run, each with all that stands before it.
enum class InstructionSet { any, avx2, avx512 };

/// The most that kernels may use: what this processor has, or less where DOCSPEC_CPU (any, avx2,
/// avx512) says so.
InstructionSet instruction_set();

/// The names that DOCSPEC_CPU takes.
const char* name_of(InstructionSet set);

}  // namespace docspec
