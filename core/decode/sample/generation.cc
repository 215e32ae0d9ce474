#include "core/decode/sample/generation.h"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "core/base/error.h"
#include "core/model/prompt_set.h"
#include "core/text/tokenizer.h"

namespace docspec {
namespace {

using nlohmann::json;

[[noreturn]] void fail(const std::string& key, const char* what) {
  throw Error(ExitCode::dependency, "generation_config.json: " + key + ": " + what);
}

/// The value of a key, nullptr when it is absent or null.
const json* value(const json& config, const char* key) {
  if (!config.is_object()) return nullptr;
  const auto it = config.find(key);
  return it == config.end() || it->is_null() ? nullptr : &*it;
}

}  // namespace

Generation read_generation(const json& config, const PromptSet& prompts, const Tokenizer& tokenizer,
                           int64_t max_new_tokens) {
  Generation out;
  out.limits.max_new_tokens = max_new_tokens;
  auto& stops = out.limits.stop_ids;
  const auto add = [&](int32_t id) {
    if (std::find(stops.begin(), stops.end(), id) == stops.end()) stops.push_back(id);
  };
  for (const auto& token : prompts.stop())
    if (const auto id = tokenizer.id_of(token)) add(*id);
  if (const json* eos = value(config, "eos_token_id")) {
    for (const json& id : eos->is_array() ? *eos : json::array({*eos})) {
      if (!id.is_number_integer()) fail("eos_token_id", "must be a token id or a list of them");
      add(id.get<int32_t>());
    }
  }
  if (const json* penalty = value(config, "repetition_penalty")) {
    if (!penalty->is_number() || !(penalty->get<double>() > 0))
      fail("repetition_penalty", "must be a number above 0");
    out.processor.repetition_penalty = penalty->get<double>();
  }
  const auto whole = [&](const char* key, int64_t of_family) {
    const json* size = value(config, key);
    if (!size) return of_family;
    if (!size->is_number_integer() || size->get<int64_t>() < 0) fail(key, "must be a whole number");
    return size->get<int64_t>();
  };
  out.processor.no_repeat_ngram_size =
      whole("no_repeat_ngram_size", prompts.no_repeat_ngram_size());
  out.processor.no_repeat_ngram_window_size =
      whole("no_repeat_ngram_window_size", prompts.no_repeat_ngram_window_size());
  return out;
}

}  // namespace docspec
