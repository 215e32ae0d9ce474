#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "tests/support/files.h"

namespace docspec::test {

/// One tensor to write: its bytes must be what dtype and shape need.
struct RawTensor {
  std::string name, dtype;
  std::vector<int64_t> shape;
  std::string bytes;
};

/// The bytes of a safetensors file with this JSON header, which may be wrong on purpose.
std::string safetensors_bytes(const std::string& header, const std::string& data);
/// The bytes of a correct safetensors file.
std::string safetensors_bytes(const std::vector<RawTensor>& tensors);

}  // namespace docspec::test
