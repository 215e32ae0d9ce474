#pragma once

#include <cstdint>
#include <nlohmann/json_fwd.hpp>
#include <vector>

#include "core/decode/sample/logit_processor.h"
#include "core/decode/sample/sampling.h"

namespace docspec {

class PromptSet;
class Tokenizer;

struct JobLimits {
  int64_t max_new_tokens = 2048;
  std::vector<int32_t> stop_ids;  ///< end the output and are not part of it; the first is proposed
};

/// How the answers of a model end, and its penalties.
struct Generation {
  JobLimits limits;
  ProcessorSettings processor;
  SamplingSettings sampling = {};  ///< of the user; greedy by default
};

/// Reads generation_config.json (null = none): eos_token_id joined with the family's stop tokens,
/// repetition_penalty, no_repeat_ngram_size. Its sampling settings are not honoured. Throws
/// Error(dependency) naming the key.
Generation read_generation(const nlohmann::json& config, const PromptSet& prompts,
                           const Tokenizer& tokenizer, int64_t max_new_tokens);

}  // namespace docspec
