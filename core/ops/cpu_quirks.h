#pragma once

#include <cstddef>
#include <string>

namespace docspec {

/// Whether this processor reports AMX tiles and hides their sizes (CPUID leaf 1D is zero).
bool amx_is_unusable();

/// Some virtual machines have such an AMX: oneDNN then generates code for tiles of no size and dies
/// of an illegal instruction in its first bf16 product. Limits oneDNN to AVX-512 there, and where
/// DOCSPEC_CPU asks for less it limits oneDNN, MKL and libtorch, too, unless their own variables
/// are set. Call before the first product.
void limit_libraries();

/// Keeps memory that this process frees. The rows of an image are tensors of megabytes, made and
/// freed in each layer; by default the C library gives such memory back at once, and the kernel
/// clears it anew each time, which took a quarter of a vision tower's time.
void keep_freed_memory();

/// How fast all cores together read memory, in GB/s: the best of a few readings of `bytes`, of
/// which caches should hold little. Takes a second or so for 1 GiB. 0 when the memory cannot be
/// had.
double memory_read_gb_s(std::size_t bytes);

/// The processor as it calls itself; "unknown processor" where it does not say.
std::string cpu_name();

}  // namespace docspec
