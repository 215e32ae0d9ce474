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
  bool leader = false;      ///< dots or a line to write on: no letters
};

/// Bytes of the leader with which a text starts: `least` dots or underscores and more; else 0.
size_t leader_length(std::string_view text, size_t least = 4);

/// The words of inline text. `markdown`: it is inline Markdown (Block::markdown_text), else plain
/// text in which models write LaTeX, HTML tags and ** all the same.
std::vector<MarkedWord> marked_words(std::string_view text, bool markdown);

/// The words of code: what looks like a mark is a letter.
std::vector<MarkedWord> plain_words(std::string_view text);

}  // namespace docspec
