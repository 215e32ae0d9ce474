#include "core/letters/words/read_words.h"

#include <algorithm>
#include <limits>

#include "core/letters/words/marked_words.h"
#include "core/letters/words/word_alignment.h"
#include "core/text/tokenizer.h"

namespace docspec {

std::vector<ReadWord> read_words(const Tokenizer& tokenizer, std::span<const int32_t> ids,
                                 std::span<const float> margins) {
  StreamDecoder decoder(tokenizer);
  std::string text;
  std::vector<size_t> starts;  // of each token in the text
  for (const int32_t id : ids) {
    starts.push_back(text.size());
    text += decoder.push(id);
  }
  text += decoder.flush();
  std::vector<ReadWord> out;
  size_t token = 0;
  for (const MarkedWord& word : marked_words(text, true)) {
    ReadWord next{fold(word.letters), std::numeric_limits<float>::max()};
    while (token + 1 < starts.size() && starts[token + 1] <= word.from) ++token;
    for (size_t i = token; i < std::min(starts.size(), margins.size()) && starts[i] < word.to; ++i)
      next.margin = std::min(next.margin, margins[i]);
    out.push_back(std::move(next));
  }
  return out;
}

}  // namespace docspec
