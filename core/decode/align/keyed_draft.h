#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "core/decode/align/proposer.h"
#include "core/page/page_image.h"

namespace docspec {

class Tokenizer;

/// A draft with its matching keys: for each symbol its place in the tokens, and the box that the
/// draft begins with.
class KeyedDraft {
 public:
  KeyedDraft(const DraftTokens& draft, const Tokenizer* tokenizer);

  const std::string& source() const { return source_; }
  std::span<const int32_t> ids() const { return ids_; }
  std::span<const uint32_t> symbols() const { return symbols_; }
  const std::optional<Box>& box() const { return box_; }
  /// Number of symbols before the first token after the box.
  uint32_t after_box() const { return after_box_; }

  /// Whether the place before symbol `p` lies between two tokens (the end does).
  bool between_tokens(uint32_t p) const;
  /// Token that holds symbol `p`; the number of tokens at the end.
  uint32_t token_of(uint32_t p) const;
  /// First token after symbol `p` - 1.
  uint32_t token_after(uint32_t p) const;

  /// The draft from symbol `p` on, at most `most` tokens, as the continuation of a text. `trail`:
  /// the tokens of that text since its last symbol; markup and space that both have are not
  /// repeated. In the middle of a token the rest of its word is tokenised again.
  std::vector<int32_t> rest(uint32_t p, std::span<const int32_t> trail, size_t most) const;
  /// `ids` with the blank (or line break) before its first word added or removed; empty if that is
  /// impossible.
  std::vector<int32_t> other_blank(std::span<const int32_t> ids, bool after_blank) const;

 private:
  std::vector<int32_t> rest_of_word(uint32_t p, uint32_t& next) const;

  const Tokenizer* tokenizer_;
  std::string source_;
  std::vector<int32_t> ids_;
  std::vector<uint32_t> symbols_, token_, byte_;  ///< of each symbol: value, token, byte in it
  std::optional<Box> box_;
  uint32_t after_box_ = 0;
};

}  // namespace docspec
