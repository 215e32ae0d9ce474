#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace docspec {

class Tokenizer;

/// A word as a model wrote it, and how sure it was.
struct ReadWord {
  std::u32string key;  ///< fold(letters)
  float margin = 0;    ///< the least of its tokens: nats between the token and its runner-up
};

/// The words of a decoded text. `margins`: Job::margins, of which there may be one more.
std::vector<ReadWord> read_words(const Tokenizer& tokenizer, std::span<const int32_t> ids,
                                 std::span<const float> margins);

}  // namespace docspec
