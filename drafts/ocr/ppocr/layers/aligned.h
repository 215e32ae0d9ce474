#pragma once

#include <cstddef>
#include <new>
#include <vector>

namespace docspec::ppocr {

/// Memory from a boundary of the cache's lines on.
template <class T>
struct AlignedMemory {
  using value_type = T;
  static constexpr std::align_val_t kLine{64};

  AlignedMemory() = default;
  template <class U>
  AlignedMemory(const AlignedMemory<U>&) {}

  T* allocate(size_t n) { return static_cast<T*>(::operator new(n * sizeof(T), kLine)); }
  void deallocate(T* from, size_t) { ::operator delete(from, kLine); }
  bool operator==(const AlignedMemory&) const { return true; }
};

/// Numbers that the widest registers and tiles are loaded from: each of those would otherwise come
/// from two lines of the cache, at half the speed.
template <class T>
using AlignedVector = std::vector<T, AlignedMemory<T>>;

}  // namespace docspec::ppocr
