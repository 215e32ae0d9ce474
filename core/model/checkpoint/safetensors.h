#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "core/model/checkpoint/checkpoint.h"

namespace docspec {

/// One tensor of a safetensors file and where its bytes lie, counted from the start of the file.
struct StoredTensor {
  TensorInfo info;
  uint64_t begin = 0, end = 0;
};

/// Bytes per element of a safetensors dtype ("BF16" = 2); 0 when the name is not known.
size_t dtype_bytes(std::string_view dtype);

/// The tensors of a safetensors file whose first bytes are `head` (8-byte little-endian length,
/// JSON header) and whose size is `file_bytes`, sorted by name. Everything is checked: length,
/// JSON, each dtype, shape x size = offsets, offsets inside the file, no overlap, no name twice.
/// Throws Error(dependency) "WHERE: tensor 'NAME': ...".
std::vector<StoredTensor> parse_safetensors_header(std::string_view head, uint64_t file_bytes,
                                                   const std::string& file_name,
                                                   const std::string& where);

}  // namespace docspec
