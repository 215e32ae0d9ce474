#include "core/read/page_answers.h"

#include <gtest/gtest.h>

#include "core/text/tokenizer.h"
#include "tests/support/files.h"

namespace docspec {
namespace {

const Tokenizer& some_tokenizer() {
  static const Tokenizer kTokenizer =
      Tokenizer::load(test::oracle_folder("unlimited_ocr/hub_tied/model") + "/tokenizer.json");
  return kTokenizer;
}

std::vector<PageAnswer> divided(const std::string& text, size_t pages, bool ended = true) {
  return divide_answer(some_tokenizer(), some_tokenizer().encode(text, false), "<PAGE>", pages,
                       ended);
}

std::vector<std::string> texts(const std::string& text, size_t pages, bool ended = true) {
  std::vector<std::string> out;
  for (const PageAnswer& page : divided(text, pages, ended)) out.push_back(page.text);
  return out;
}

using Texts = std::vector<std::string>;

TEST(PageAnswers, EachMarkBeginsAPage) {
  EXPECT_EQ(texts("<PAGE>one\n<PAGE>two", 2), (Texts{"one\n", "two"}));
  EXPECT_EQ(texts(" \n<PAGE>one<PAGE><PAGE>three", 3), (Texts{" \none", "", "three"}));
}

TEST(PageAnswers, TextBeforeTheMarksIsOfTheFirstPage) {
  EXPECT_EQ(texts("one<PAGE>two", 2), (Texts{"one", "two"})) << "its mark was left out";
  EXPECT_EQ(texts("so<PAGE>one<PAGE>two", 2), (Texts{"soone", "two"}));
  EXPECT_EQ(texts("all in one", 2), (Texts{"all in one", ""}));
}

TEST(PageAnswers, FurtherMarksLoseNoText) {
  EXPECT_EQ(texts("<PAGE>one<PAGE>two<PAGE>three", 2), (Texts{"one", "twothree"}));
}

TEST(PageAnswers, PagesThatTheAnswerLacksAreEmpty) {
  EXPECT_EQ(texts("<PAGE>one", 3), (Texts{"one", "", ""}));
  EXPECT_EQ(texts("", 2), (Texts{"", ""}));
}

TEST(PageAnswers, OnlyPagesBeforeAMarkAreCompleteWhenTheAnswerWasCutOff) {
  const auto pages = divided("<PAGE>one<PAGE>tw", 3, false);
  EXPECT_TRUE(pages[0].complete);
  EXPECT_FALSE(pages[1].complete);
  EXPECT_FALSE(pages[2].complete);
  for (const PageAnswer& page : divided("<PAGE>one", 3)) EXPECT_TRUE(page.complete);
}

TEST(PageAnswers, TokensOfAPageAreThoseOfItsText) {
  const std::string text = "<PAGE>the first one\n<PAGE>the second one";
  const auto ids = some_tokenizer().encode(text, false);
  const auto pages = divide_answer(some_tokenizer(), ids, "<PAGE>", 2, true);
  for (const PageAnswer& page : pages) {
    const std::string own =
        some_tokenizer().decode(std::span(ids).subspan(page.begin, page.end - page.begin), true);
    EXPECT_NE(own.find(page.text.substr(1, page.text.size() - 2)), std::string::npos) << own;
  }
  EXPECT_LE(pages[0].end, pages[1].begin);
}

}  // namespace
}  // namespace docspec
