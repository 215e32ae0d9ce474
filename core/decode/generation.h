#pragma once

#include <nlohmann/json_fwd.hpp>

#include "core/decode/job.h"

namespace docspec {

class PromptSet;
class Tokenizer;

/// How a model's answers end and what it may not repeat.
struct Generation {
  JobLimits limits;
  ProcessorSettings processor;
  SamplingSettings sampling = {};  ///< the user's: greedy unless asked for
};

/// Reads generation_config.json (null = none): eos_token_id joined with the family's stop tokens,
/// repetition_penalty, no_repeat_ngram_size. Its sampling settings are not honoured. Throws
/// Error(dependency) naming the key.
Generation read_generation(const nlohmann::json& config, const PromptSet& prompts,
                           const Tokenizer& tokenizer, int64_t max_new_tokens);

}  // namespace docspec
