#include "drafts/latex/account_words.h"

#include <gtest/gtest.h>

#include <sstream>
#include <string>
#include <vector>

#include "core/page/draft.h"

namespace docspec {
namespace {

bool accounts(const std::string& text) {
  std::vector<Word> words;
  std::istringstream in(text);
  for (std::string word; in >> word;) words.push_back({word, {}});
  std::vector<const Word*> all;
  for (const Word& word : words) all.push_back(&word);
  return is_account(all);
}

TEST(AccountWords, PricesHaveTwoDecimals) {
  for (const char* text : {"40.95", "RM40.95", "$2.50", "1.30s", "0.00", ".90"})
    EXPECT_TRUE(is_price(text)) << text;
  for (const char* text : {"", "40", "40.9", "40.951", "x", "3.x", "40.95%", "total1.20", "1.2.30"})
    EXPECT_FALSE(is_price(text)) << text;
}

TEST(AccountWords, ReceiptsAreNoFormulas) {
  for (const char* text : {"SR = 6%", "$ = 6% 15.00 .90", "S = 6% 28.11 1.69",
                           "RM40.95 s RM15.98 s", "Tax Summary Amount Tax SR:GST 6% 179.00 10.74"})
    EXPECT_TRUE(accounts(text)) << text;
  for (const char* text :
       {"", "total =", "NPV = 12.50", "x2 = 6.25", "a + b", "x ≤ 2.50", "E = mc"})
    EXPECT_FALSE(accounts(text)) << text;
}

}  // namespace
}  // namespace docspec
