#pragma once

#include <span>
#include <string>
#include <unordered_map>
#include <unordered_set>

#include "drafts/lines/line_text.h"

namespace docspec {

/// Joins lines to a paragraph. A word that was parted at the end of a line becomes one again; its
/// hyphen stays where the page has the word with it.
class LineJoiner {
 public:
  explicit LineJoiner(std::span<const Word> page);
  void add(MarkedText& text, const MarkedText& line) const;
  /// Adds a line that begins on purpose: the line break stays.
  static void add_below(MarkedText& text, const MarkedText& line);

 private:
  void add_word(const std::string& word);
  bool is_hyphenated(const std::string& left, const std::string& right) const;
  /// Whether a word of these two parts is written with its hyphen.
  bool is_compound(const std::string& left, const std::string& right) const;

  std::unordered_set<std::string> hyphenated_;  // words of the page, in small letters
  std::unordered_map<std::string, int> words_;  // all of them, and how often
  bool scanned_ = false;                        // no word has a font
};

}  // namespace docspec
