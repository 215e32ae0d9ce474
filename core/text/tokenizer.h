#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace docspec {

/// A Hugging Face tokenizer.json with a BPE model, byte-level (Qwen, GPT, DeepSeek) or
/// SentencePiece-like. Ids equal those of PyPI's `tokenizers` with add_special_tokens=False: the
/// "post_processor" is not applied, prompts spell their special tokens out. Thread-safe.
class Tokenizer {
 public:
  /// Reads a tokenizer.json. Throws Error(dependency) naming file and key.
  static Tokenizer load(const std::filesystem::path& file);
  /// `json` is the file's text; `where` names it in messages.
  explicit Tokenizer(std::string_view json, const std::string& where = "tokenizer.json");
  ~Tokenizer();
  Tokenizer(Tokenizer&&) noexcept;
  Tokenizer& operator=(Tokenizer&&) noexcept;

  /// Ids of a text; bytes that are no UTF-8 are read as U+FFFD. Special tokens in the text are
  /// recognised only with `parse_special`: pass false for text from a document.
  std::vector<int32_t> encode(std::string_view text, bool parse_special = true) const;
  /// Text of ids, always valid UTF-8; ids outside the vocabulary give nothing.
  std::string decode(std::span<const int32_t> ids, bool skip_special = false) const;
  /// The bytes of one token, which may be a part of a character; "" for an unknown id.
  std::string_view bytes_of(int32_t id) const;
  /// Blanks that decode takes off the start of a text (0 for byte-level tokenizers).
  size_t strip_left() const;

  /// Takes a special token for text from now on: it is decoded always, and found in documents'
  /// text. One that is not there is passed over.
  void make_text(std::string_view token);

  std::optional<int32_t> id_of(std::string_view token) const;
  /// The highest id + 1. A model's head may have more rows.
  int32_t vocab_size() const;
  bool is_special(int32_t id) const;

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

/// Decodes ids one by one and holds back what is not yet a whole character: the pieces put together
/// are what Tokenizer::decode gives. Keeps a pointer to the tokenizer.
class StreamDecoder {
 public:
  explicit StreamDecoder(const Tokenizer& tokenizer, bool skip_special = true);
  /// The text that this id completes; often "".
  std::string push(int32_t id);
  /// Returns the incomplete bytes as U+FFFD; the decoder is then as new.
  std::string flush();

 private:
  std::string take(size_t bytes);

  const Tokenizer* tokenizer_;
  bool skip_special_;
  std::string held_;  // bytes of a character that is not complete
  size_t strip_;      // blanks still to take off the start
};

}  // namespace docspec
