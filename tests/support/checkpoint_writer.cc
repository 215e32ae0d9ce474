#include "tests/support/checkpoint_writer.h"

#include <nlohmann/json.hpp>

namespace docspec::test {

std::string safetensors_bytes(const std::string& header, const std::string& data) {
  std::string out;
  for (int shift = 0; shift < 64; shift += 8) out += char(uint64_t(header.size()) >> shift & 255);
  return out + header + data;
}

std::string safetensors_bytes(const std::vector<RawTensor>& tensors) {
  nlohmann::json header = {{"__metadata__", {{"format", "pt"}}}};
  std::string data;
  for (const RawTensor& tensor : tensors) {
    header[tensor.name] = {{"dtype", tensor.dtype},
                           {"shape", tensor.shape},
                           {"data_offsets", {data.size(), data.size() + tensor.bytes.size()}}};
    data += tensor.bytes;
  }
  std::string text = header.dump();
  text.resize((text.size() + 7) / 8 * 8, ' ');
  return safetensors_bytes(text, data);
}

}  // namespace docspec::test
