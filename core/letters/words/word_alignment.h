#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace docspec {

/// A word as it is compared: the letters of its reading, folded.
struct AlignedWord {
  std::u32string key;     ///< fold(letters)
  bool formula = false;   ///< stands for any number of words of the other side
  bool leader = false;    ///< of the model's words: may well be left out
  bool outside = false;   ///< of the page's words: around the block, may well be left out
  bool line_end = false;  ///< of the page's words: the last of its line, may be hyphenated
};

/// Letters as they are compared: compatibility forms (ligatures, superscripts), quotes and dashes
/// are one, soft hyphens are nothing. Case counts.
std::u32string fold(std::string_view letters);

/// Words [a0, a1) of the model against words [b0, b1) of the page. One side may be empty; else one
/// word stands against one, or against two that it joins.
struct WordMatch {
  size_t a0 = 0, a1 = 0, b0 = 0, b1 = 0;
  double distance = 0;  ///< share of letters that differ, 0..1

  bool equal() const { return a1 > a0 && b1 > b0 && distance == 0; }
  bool operator==(const WordMatch&) const = default;
};

/// The cheapest alignment of two sequences of words by edit distance, in order, all words of both
/// covered. Words that stand once on either side are matched first; between them the cost is
/// O(words of both multiplied), and stretches of more than a million pairs stay unmatched, so that
/// no input takes longer than some tens of milliseconds.
std::vector<WordMatch> align_words(std::span<const AlignedWord> model,
                                   std::span<const AlignedWord> page);

/// Levenshtein distance as a share of the longer one; 0 when both are empty.
double letter_distance(std::u32string_view a, std::u32string_view b);

/// Two words of which the first ends a line with a hyphen: joined without it. Else joined as they
/// are.
std::u32string joined(const AlignedWord& first, const AlignedWord& second);

}  // namespace docspec
