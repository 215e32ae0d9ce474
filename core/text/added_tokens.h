#pragma once

#include <array>
#include <cstdint>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/text/bpe.h"
#include "core/text/text_normalizer.h"

namespace docspec {

/// One of a tokenizer.json's "added_tokens": found in the text as a whole, before any splitting.
struct AddedToken {
  int32_t id = 0;
  std::string content;
  bool special = false;                 ///< not text: may be skipped when decoding
  bool single_word = false;             ///< only where no word character touches it
  bool lstrip = false, rstrip = false;  ///< includes the white space next to it
  bool normalized = false;              ///< looked for after normalization
};

/// A stretch of text between added tokens, or one of them (`id` set).
struct TokenSpan {
  size_t from = 0, to = 0;
  std::optional<int32_t> id;
};

/// Finds added tokens: leftmost first, the longest of those that start at one place.
/// Source: tokenizers' AddedVocabulary.
class AddedTokens {
 public:
  AddedTokens() = default;
  /// Throws Error(dependency) naming entry and key.
  AddedTokens(const nlohmann::json& list, const TextNormalizer& normalizer,
              const std::string& where);

  const std::vector<AddedToken>& all() const { return tokens_; }
  /// The token is not special any more.
  void make_text(int32_t id);
  /// The spans of `text`, in order, none empty. `normalized` picks the tokens that are looked for
  /// after normalization; without `parse_special` special ones are read as text.
  std::vector<TokenSpan> split(std::string_view text, bool normalized, bool parse_special) const;

 private:
  struct Index {
    StringMap<size_t> by_content;                           // -> index into tokens_
    std::array<std::vector<size_t>, 256> lengths_by_first;  // longest first
  };
  std::vector<AddedToken> tokens_;
  std::array<Index, 2> indices_;  // [normalized]
};

}  // namespace docspec
