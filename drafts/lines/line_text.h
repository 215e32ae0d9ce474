#pragma once

#include <span>
#include <string>
#include <vector>

#include "core/page/draft.h"

namespace docspec {

/// A text and what its parts are besides text, by their first byte.
struct MarkedText {
  std::string text;
  std::vector<TextMark> marks;
};

/// The words of a line with spaces where the source has them, in reading order (right-to-left
/// scripts too). Indices are raised and lowered where Unicode has their signs.
std::string line_text(std::span<const Word> words, std::span<const int> line);
/// The same with its emphasis, its code and its links.
MarkedText marked_line(std::span<const Word> words, std::span<const int> line);

/// Whether most words of a line are of a right-to-left script.
bool is_read_from_right(std::span<const Word> words, std::span<const int> line);

/// Appends a mark; one that only a blank parts from another of its kind makes that one longer.
void add_mark(MarkedText& text, TextMark mark);

}  // namespace docspec
