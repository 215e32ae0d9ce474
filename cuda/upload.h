#pragma once

#include <ATen/ATen.h>

#include <cstring>
#include <vector>

namespace docspec::cuda {

/// Bytes of several arrays in one device tensor, each at a multiple of 16: one copy.
class Upload {
 public:
  template <class T>
  size_t add(const T* numbers, size_t count) {
    const size_t at = bytes_.size(), size = count * sizeof(T);
    bytes_.resize((at + size + 15) / 16 * 16);
    if (size > 0) std::memcpy(bytes_.data() + at, numbers, size);
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
  /// The same into memory that is there: [size()] bytes.
  void send_to(at::Tensor memory) {
    const auto host = at::empty({int64_t(bytes_.size())},
                                at::TensorOptions().dtype(at::kByte).pinned_memory(true));
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

}  // namespace docspec::cuda
