#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "core/page/page_image.h"

namespace docspec {

class Tokenizer;

/// The unit in which output and draft are compared; a token has any number of them.
struct Symbol {
  uint32_t value = 0;
  uint32_t byte = 0;  ///< where in the token's bytes it begins
};

/// Reads one token sequence as matching keys: characters in lower case, quotes alike, ligatures
/// spelt out; white space, hyphens, tags and Markdown's marks are skipped. So "'Of-\nfice'" and
/// "<b>\"office\"</b>" are the same. Without a tokenizer each id is one symbol of its own.
class SymbolReader {
 public:
  explicit SymbolReader(const Tokenizer* tokenizer) : tokenizer_(tokenizer) {}

  /// Appends the symbols that this token completes: none where it is markup or space.
  void push(int32_t id, std::vector<Symbol>& out);

 private:
  void read(uint32_t code_point, uint32_t byte, std::vector<Symbol>& out);

  const Tokenizer* tokenizer_;
  std::string held_;  ///< bytes of a character that is not complete
  bool less_than_ = false, in_tag_ = false;
  int tag_length_ = 0;
};

/// Finds boxes in text as models write them: four numbers in brackets or quotes.
class BoxReader {
 public:
  /// True when `c` closes a box, which is then in box().
  bool push(char c);
  const Box& box() const { return box_; }

 private:
  Box box_;
  int numbers_[4] = {}, count_ = 0, digits_ = 0;
};

}  // namespace docspec
