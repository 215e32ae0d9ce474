#include "drafts/ocr/formulas/read_lines.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <sstream>

namespace docspec {
namespace {

/// A line of OCR: words of ten pixels a letter.
std::vector<Word> line(const std::string& text, int number = 1) {
  std::vector<Word> words;
  std::istringstream in(text);
  int x = 0;
  for (std::string word; in >> word;) {
    const int width = 10 * int(word.size());
    words.push_back({word, {x, 40 * number, x + width, 40 * number + 30}});
    words.back().line = number;
    words.back().font_size_pt = 10;
    x += width + 10;
  }
  return words;
}

/// What a model reads: "of \\(x_i\\), the".
std::vector<ReadPart> said(std::string text, double margin = 5) {
  std::vector<ReadPart> parts;
  bool blank = true, within = false;
  for (size_t i = 0; i < text.size(); ++i) {
    const bool mark = text.substr(i, 2) == "\\(" || text.substr(i, 2) == "\\)";
    if (mark) {
      within = text[++i] == '(';
      if (within) parts.push_back({"", true, blank, margin});
      blank = false;
      continue;
    }
    if (!within && text[i] == ' ') {
      blank = true;
      continue;
    }
    if (!within && (blank || parts.empty() || text.substr(std::max<size_t>(i, 2) - 2, 2) == "\\)"))
      parts.push_back({"", false, blank, margin});
    parts.back().text += text[i];
    blank = false;
  }
  return parts;
}

std::string joined(const std::vector<Word>& words) {
  std::string out;
  for (const Word& word : words) out += word.text + (word.space_after ? " " : "");
  return out.substr(0, out.find_last_not_of(' ') + 1);
}

std::string merged(const std::string& ocr, const std::string& model, double margin = 5) {
  return joined(with_formulas(line(ocr), said(model, margin)));
}

TEST(ReadLines, AFormulaTakesThePlaceOfWhatOcrReadBetweenTheSameWords) {
  EXPECT_EQ(merged("Let Ti be a tree, and", "Let \\(T_i\\) be a tree, and"),
            "Let $T_i$ be a tree, and");
  EXPECT_EQ(merged("a map from (Xy is given", "a map from \\((X,y)\\) is given"),
            "a map from $(X,y)$ is given");
  EXPECT_EQ(merged("over , this is", "over \\(\\mathbb{Q}\\), this is"),
            "over $\\mathbb{Q}$, this is");
}

TEST(ReadLines, WhatBothReadAlikeIsOcrs) {
  EXPECT_EQ(merged("the colour of Xi", "the color of \\(X_i\\)"), "the colour of $X_i$");
  EXPECT_EQ(merged("no formula here", "no formula hare"), "no formula here");
}

TEST(ReadLines, OfWhatTheModelIsUnsureOcrsLettersStay) {
  EXPECT_EQ(merged("where Xi is", "where \\(X_j\\) is", 0.05), "where Xi is");
}

TEST(ReadLines, NoWordIsLost) {
  EXPECT_EQ(merged("if Xi vanishes then", "if \\(X_i\\) then"), "if Xi vanishes then");
  EXPECT_EQ(merged("the Hom(A) of it", "the \\(\\mathrm{Hom}(A)\\) of it"),
            "the $\\mathrm{Hom}(A)$ of it")
      << "it is in the formula";
}

TEST(ReadLines, LettersOfWhichRulesMadeAFormulaAreWordsWhereTheModelReadsNone) {
  std::vector<Word> own = line("links ( $a$ precise");
  own[1].space_after = false;
  own[2].formula = true;
  EXPECT_EQ(joined(with_formulas(own, said("links (a precise"))), "links (a precise");
  own = line("of $x_{i}$ precise");
  own[1].formula = true;
  EXPECT_EQ(joined(with_formulas(own, said("of xi precise"))), "of $x_{i}$ precise")
      << "seen by its ink";
}

TEST(ReadLines, AWordOfPlainLettersStays) {
  EXPECT_EQ(merged("machine nr . i", "machine \\(nr\\) . i"), "machine nr . i");
}

TEST(ReadLines, ANumberIsNotALetter) {
  EXPECT_EQ(merged("see part 4: it", "see part \\(\\mathcal{A}\\): it"), "see part 4: it");
  EXPECT_EQ(merged("part 6: If a", "part \\(a\\)"), "part 6: If a");
}

TEST(ReadLines, WordsAtAFormulaAreNotReadTwice) {
  EXPECT_EQ(merged("the jth column", "the \\(j\\)th column"), "the $j$th column");
  EXPECT_EQ(merged("an A-module M.", "an \\(A\\)-module \\(M\\)."), "an $A$-module $M$.");
}

TEST(ReadLines, ANumberAloneIsNoFormula) {
  EXPECT_EQ(merged("of l2 elements", "of \\(12\\) elements"), "of 12 elements");
}

TEST(ReadLines, TheWordsOfAFormulaStandSideBySide) {
  const auto words =
      with_formulas(line("for all xiyj in"), said("for all \\(x_i\\), \\(y_j\\) in"));
  ASSERT_EQ(words.size(), 6u) << joined(words);
  for (size_t i = 1; i < words.size(); ++i) EXPECT_GE(words[i].box.x0, words[i - 1].box.x1);
  EXPECT_TRUE(words[2].formula);
  EXPECT_FALSE(words[3].formula);
}

/// Reads the same in each line, and keeps the boxes that it was asked for.
struct OneLine : FormulaReader {
  explicit OneLine(std::vector<Box>& asked) : asked(asked) {}
  std::vector<ReadFormula> read(const PageImage&, std::span<const Box>, double) const override {
    return {};
  }
  std::vector<std::vector<ReadPart>> read_lines(const PageImage&, std::span<const Box> boxes,
                                                double) const override {
    asked.assign(boxes.begin(), boxes.end());
    return {boxes.size(), said("Let \\(X_1\\) be")};
  }
  std::vector<Box>& asked;
};

TEST(ReadLines, LinesOfTextAloneAreRead) {
  std::vector<Box> asked;
  LazyFormulaReader reader([&] { return std::make_unique<OneLine>(asked); });
  std::vector<Word> words = line("x = y + 2", 1);
  for (const Word& word : line("Let Xi be", 2)) words.push_back(word);
  const auto read = read_formulas_of_lines(reader, PageImage{1, 800, 800, 200}, words);
  EXPECT_EQ(joined(read), "x = y + 2 Let $X_1$ be");
  EXPECT_EQ(asked, (std::vector<Box>{{0, 80, 90, 110}}));
}

TEST(ReadLines, LinesOfProgramsAreNotRead) {
  std::vector<Box> asked;
  LazyFormulaReader reader([&] { return std::make_unique<OneLine>(asked); });
  std::vector<Word> words;
  for (int n = 1; n <= 3; ++n)
    for (const Word& word : line("int Xi be;", n)) words.push_back(word);
  read_formulas_of_lines(reader, PageImage{1, 800, 800, 200}, words);
  EXPECT_TRUE(asked.empty());
}

TEST(ReadLines, WithoutAModelTheWordsStay) {
  LazyFormulaReader none{OpenFormulaReader()};
  EXPECT_EQ(joined(read_formulas_of_lines(none, PageImage{1, 800, 800, 200}, line("Let Xi be"))),
            "Let Xi be");
}

}  // namespace
}  // namespace docspec
