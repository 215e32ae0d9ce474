// A config.json: any bytes give values or an Error, whatever getter reads them.
#include <cstdint>
#include <nlohmann/json.hpp>

#include "core/base/error.h"
#include "core/base/json_file.h"
#include "core/model/checkpoint/config_reader.h"

namespace {

using docspec::ConfigReader;

template <typename Call>
void attempt(Call call) {
  try {
    call();
  } catch (const docspec::Error&) {
  }
}

void read_all(const ConfigReader& config) {
  for (const char* key : {"hidden_size", "model_type", "eos_token_id", "tie_word_embeddings",
                          "rms_norm_eps", "fullatt_block_indexes"}) {
    attempt([&] { config.integer(key); });
    attempt([&] { config.count(key); });
    attempt([&] { config.number(key); });
    attempt([&] { config.boolean(key); });
    attempt([&] { config.string(key); });
    attempt([&] { config.integers(key); });
  }
  attempt([&] { config.dtype(); });
  attempt([&] { config.rope(); });
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  attempt([&] {
    const std::string_view bytes(reinterpret_cast<const char*>(data), size);
    const nlohmann::json root = docspec::parse_json(bytes, "config.json");
    const ConfigReader top(root);
    read_all(top);
    attempt([&] { read_all(top.text()); });
    attempt([&] { read_all(top.vision()); });
  });
  return 0;
}
