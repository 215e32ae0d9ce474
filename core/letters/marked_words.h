#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace docspec {

/// A word of a block's text, between white space.
struct MarkedWord {
  size_t from = 0, to = 0;  ///< bytes of the text; marks at its edges (emphasis, tags) are outside
  std::string letters;      ///< as a reader sees them: without marks, escapes and entities resolved
  bool formula = false;     ///< holds LaTeX
  bool fixed = false;       ///< a formula, or marks inside the word: letters cannot be exchanged
};

/// The words of inline text. `markdown`: it is inline Markdown (Block::markdown_text), else plain
/// text in which models write LaTeX, HTML tags and ** all the same.
std::vector<MarkedWord> marked_words(std::string_view text, bool markdown);

}  // namespace docspec
