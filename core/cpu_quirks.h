#pragma once

#include <string>

namespace docspec {

/// Some virtual machines report AMX tiles but hide their sizes (CPUID leaf 1D is zero): oneDNN then
/// generates code for tiles of no size and dies of an illegal instruction in its first bf16
/// product. Limits oneDNN to AVX-512 there, unless ONEDNN_MAX_CPU_ISA says otherwise. Call before
/// the first product.
void avoid_unusable_amx();

/// The processor as it calls itself; "unknown processor" where it does not say.
std::string cpu_name();

}  // namespace docspec
