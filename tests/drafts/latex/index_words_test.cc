// Variables with indices in the fonts of the text: which pairs of words are a formula.
#include "drafts/latex/index_words.h"

#include <gtest/gtest.h>

#include <string>

namespace docspec {
namespace {

/// A word of the text, 100 pixels high, at `x`; its letters are 50 wide.
Word word(int x, const std::string& text) {
  Word out{text, {x, 100, x + 50 * int(text.size()), 200}, 1, 10};
  out.font = "Times";
  return out;
}

/// A smaller one, so many pixels lower than a small word on the same line.
Word small(int x, const std::string& text, int lower) {
  Word out{text, {x, 130 + lower, x + 30 * int(text.size()), 192 + lower}, 1, 6};
  out.font = "Times";
  return out;
}

/// The words with blanks where they have one, behind some text; "none" where none is a formula.
std::string read(std::vector<Word> words,
                 const std::vector<std::string>& before = {"the", "time", "and", "rate"}) {
  for (size_t i = 0; i < before.size(); ++i)
    words.insert(words.begin(), word(-400 - 300 * int(i), before[i]));
  const std::vector<Word> read = words_with_indices(words);
  std::string out;
  for (size_t i = before.size(); i < read.size(); ++i)
    out += read[i].text + (read[i].space_after ? " " : "");
  return read.empty() ? "none" : out;
}

TEST(IndexWords, AVariableAndItsIndexAreOneFormula) {
  EXPECT_EQ(read({word(0, "C"), small(50, "max", 10), word(200, "is")}), "$C_{\\max}$ is ");
  EXPECT_EQ(read({word(0, "(p"), small(100, "j", 10), word(132, ")")}), "($p_{j}$) ");
  EXPECT_EQ(read({word(0, "C"), small(50, "*", -35), small(52, "i", 10)}), "$C_{i}^{*}$ ");
}

TEST(IndexWords, SmallCapitalsChemistryDigitsAndNotesAreNone) {
  EXPECT_EQ(read({word(0, "F"), small(50, "ORMER", 0), word(220, "is")}), "none");
  EXPECT_EQ(read({word(0, "CO"), small(100, "x", 10), word(220, "is")}), "none");
  EXPECT_EQ(read({word(0, "H"), small(50, "2", 10), word(220, "is")}), "none");
  EXPECT_EQ(read({word(0, "A"), small(50, "b", -35), word(220, "is")}), "none");
}

TEST(IndexWords, OneAloneIsALabelOrOfADisplay) {
  EXPECT_EQ(read({word(0, "C"), small(50, "max", 10)}, {"of", "="}), "none");
}

TEST(IndexWords, SmallTextThatGoesOnIsNoIndex) {
  EXPECT_EQ(read({word(0, "A"), small(50, "word", 10), small(220, "goes", 10)}), "none");
}

}  // namespace
}  // namespace docspec
