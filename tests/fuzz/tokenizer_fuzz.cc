// A tokenizer.json: any bytes give a tokenizer or an Error; a tokenizer takes any text.
#include <cstdint>
#include <string>

#include "core/base/error.h"
#include "core/text/tokenizer.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  try {
    const docspec::Tokenizer tokenizer(bytes);
    const std::string text = "a ab  b<s> 12 \xE6\x97\xA5" + std::string(bytes.substr(0, 64));
    for (const bool special : {true, false}) {
      const auto ids = tokenizer.encode(text, special);
      tokenizer.decode(ids, special);
    }
  } catch (const docspec::Error&) {
  }
  return 0;
}
