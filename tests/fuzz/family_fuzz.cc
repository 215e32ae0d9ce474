// A family file and a model's docspec.json, a zero byte between them: any bytes give prompts or an
// Error.
#include <algorithm>
#include <cstdint>
#include <nlohmann/json.hpp>

#include "core/base/error.h"
#include "core/base/json_file.h"
#include "core/model/prompt_set.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  try {
    const std::string_view bytes(reinterpret_cast<const char*>(data), size);
    const size_t end = std::min(bytes.find('\0'), size);
    const nlohmann::json own =
        end < size ? docspec::parse_json(bytes.substr(end + 1), "docspec.json") : nlohmann::json();
    const docspec::PromptSet prompts(docspec::parse_json(bytes.substr(0, end), "family.json"), own,
                                     "family.json");
    for (const char* stage : {"page", "text", "table", "formula", "layout"})
      if (prompts.asks(stage)) prompts.chat(true, prompts.question(stage));
  } catch (const docspec::Error&) {
  }
  return 0;
}
