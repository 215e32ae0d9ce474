#pragma once

namespace docspec {

class ConfigReader;
struct Qwen2Config;

/// The language model of both DeepSeek-OCRs: a trunk with experts, without biases.
Qwen2Config deepseek_text_config(const ConfigReader& config);

}  // namespace docspec
