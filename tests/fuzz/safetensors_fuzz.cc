// The header of a safetensors file: any bytes give tensors inside the file or an Error.
#include <cstdint>
#include <cstdlib>

#include "core/base/error.h"
#include "core/model/checkpoint/safetensors.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  try {
    const std::string_view bytes(reinterpret_cast<const char*>(data), size);
    for (const auto& tensor : docspec::parse_safetensors_header(bytes, size, "x", "x"))
      if (tensor.begin > tensor.end || tensor.end > size) std::abort();
  } catch (const docspec::Error&) {
  }
  return 0;
}
