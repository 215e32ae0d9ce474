#pragma once

#include <ATen/ATen.h>

#include <cstring>
#include <vector>

#include "cuda/numbers.cuh"

namespace docspec::cuda {

inline bool of_type(const at::Tensor& x, at::ScalarType type) {
  return x.is_cuda() && x.scalar_type() == type;
}

/// Whether the kernels for rows between products take it.
inline bool taken(const at::Tensor& x) {
  return x.numel() > 0 && (of_type(x, at::kFloat) || of_type(x, at::kBFloat16));
}

/// f(float()) or f(Bfloat16()), as x's numbers are.
template <class F>
void for_type(const at::Tensor& x, const F& f) {
  if (x.scalar_type() == at::kFloat)
    f(float());
  else
    f(Bfloat16());
}
template <class T = float>
const T* numbers(const at::Tensor& x) {
  return static_cast<const T*>(x.const_data_ptr());
}
template <class T = float>
T* numbers_of(const at::Tensor& x) {
  return static_cast<T*>(x.mutable_data_ptr());
}

/// Bytes of several arrays in one tensor of a device, each at a multiple of 16: one copy.
class Upload {
 public:
  template <class T>
  size_t add(const T* array, size_t count) {
    const size_t at = bytes_.size();
    const auto* bytes = reinterpret_cast<const char*>(array);
    bytes_.insert(bytes_.end(), bytes, bytes + count * sizeof(T));
    bytes_.resize((bytes_.size() + 15) / 16 * 16);
    return at;
  }
  template <class T>
  size_t add(const std::vector<T>& array) {
    return add(array.data(), array.size());
  }
  size_t size() const { return bytes_.size(); }

  void send(const at::Device& device) {
    send_to(
        at::empty({int64_t(bytes_.size())}, at::TensorOptions().dtype(at::kByte).device(device)));
  }
  /// The same into memory that is there: [size()] bytes. To a GPU from pinned memory, so that
  /// nothing waits for the copy.
  void send_to(at::Tensor memory) {
    const auto host =
        at::empty({int64_t(bytes_.size())},
                  at::TensorOptions().dtype(at::kByte).pinned_memory(memory.is_cuda()));
    std::memcpy(host.mutable_data_ptr(), bytes_.data(), bytes_.size());
    memory.copy_(host, /*non_blocking=*/true);
    device_ = std::move(memory);
    host_ = host;  // until the copy was read
  }
  const at::Tensor& memory() const { return device_; }
  template <class T>
  T* at(size_t offset) const {
    return reinterpret_cast<T*>(static_cast<char*>(device_.data_ptr()) + offset);
  }

 private:
  std::vector<char> bytes_;
  at::Tensor host_, device_;
};

/// Row i of a host tensor that holds int32.
inline std::vector<int32_t> integers(const at::Tensor& host, int64_t i) {
  const auto* data = static_cast<const int32_t*>(host.const_data_ptr()) + i * host.size(1);
  return {data, data + host.size(1)};
}

}  // namespace docspec::cuda
