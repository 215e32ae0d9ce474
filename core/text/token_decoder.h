#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace docspec {

/// The "decoder" of a tokenizer.json: ByteLevel, or the SentencePiece-like Sequence of Replace,
/// ByteFallback, Fuse and Strip, or Metaspace. It is split in two so that text can be streamed: the
/// bytes of one token, and what is taken off the start of the whole text.
class TokenDecoder {
 public:
  TokenDecoder() = default;
  /// A null decoder is ByteLevel when the pre-tokenizer is. Throws Error(dependency) naming an
  /// unknown type or a missing key.
  TokenDecoder(const nlohmann::json& decoder, bool byte_level, const std::string& where);

  /// The bytes that a token stands for; they may be a part of a character.
  std::string bytes_of(std::string_view token) const;
  /// Blanks to take off the start of the text.
  size_t strip_left() const { return strip_left_; }

 private:
  void add(const nlohmann::json& step, const std::string& where);

  bool byte_level_ = false, byte_fallback_ = false;
  std::vector<std::pair<std::string, std::string>> replace_;
  std::string where_;
  size_t strip_left_ = 0;
};

}  // namespace docspec
