#include "drafts/lines/line_joiner.h"

#include <gtest/gtest.h>

namespace docspec {
namespace {

/// Two lines as one text, on a page that has these words as well.
std::string joined(const std::string& upper, const std::string& lower,
                   const std::vector<std::string>& page = {}) {
  std::vector<Word> words;
  for (const std::string& text : page) words.push_back({text, {}});
  MarkedText text{upper, {}};
  LineJoiner(words).add(text, {lower, {}});
  return text.text;
}

TEST(LineJoiner, AHyphenAtTheEndOfALineGoes) {
  EXPECT_EQ(joined("a har-", "bour town"), "a harbour town");
  EXPECT_EQ(joined("by SK-", "OUNAKIS, M."), "by SKOUNAKIS, M.");
  EXPECT_EQ(joined("on Open-", "Replica is", {"OpenReplica"}), "on OpenReplica is");
}

TEST(LineJoiner, AHyphenOfTheWordStays) {
  EXPECT_EQ(joined("well-", "known", {"well-known"}), "well-known");
  EXPECT_EQ(joined("a student-", "teacher", {"student", "teacher", "student", "teacher"}),
            "a student-teacher");
  EXPECT_EQ(joined("Figure-", "Caption"), "Figure-Caption");
  EXPECT_EQ(joined("an end-", "to-end pipeline"), "an end-to-end pipeline");
  EXPECT_EQ(joined("state-of-", "the-art"), "state-of-the-art");
  EXPECT_EQ(joined("model-", "based"), "model-based");
  EXPECT_EQ(joined("general-", "purpose,"), "general-purpose,");
  EXPECT_EQ(joined("multi-", "dimensional"), "multidimensional");
  EXPECT_EQ(joined("coef-", "ficient"), "coefficient");
  EXPECT_EQ(joined("by self-", "attention"), "by self-attention");
  EXPECT_EQ(joined("a self-", "ish aim"), "a selfish aim");
  EXPECT_EQ(joined("with two-", "dimensional data"), "with two-dimensional data");
  EXPECT_EQ(joined("to high-", "light it"), "to highlight it");
}

TEST(LineJoiner, AHyphenStaysWhereALongerCompoundHasIt) {
  EXPECT_EQ(joined("adjacent key-", "values reside", {"entity-key-values"}),
            "adjacent key-values reside");
  EXPECT_EQ(joined("a state-", "change", {"old-state", "of", "change", "by", "change"}),
            "a state-change");
  EXPECT_EQ(joined("the net-", "work is", {"Net-D", "work", "work"}), "the network is");
  EXPECT_EQ(joined("a proof\u2011of\u2011", "concept"), "a proof\u2011of\u2011concept");
}

TEST(LineJoiner, WordsThatShareASecondHalfKeepTheirHyphens) {
  EXPECT_EQ(joined("light- and heavy-", "duty trucks"), "light- and heavy-duty trucks");
  EXPECT_EQ(joined("of long-", "or short-term loans"), "of long- or short-term loans");
  EXPECT_EQ(joined("on 16-", "and 32-bit machines"), "on 16- and 32-bit machines");
  EXPECT_EQ(joined("on 3-", "to 5-year loans"), "on 3- to 5-year loans");
  EXPECT_EQ(joined("an iel-", "and thous", {"ieland"}), "an ieland thous");
}

TEST(LineJoiner, AHyphenAtANumberOrAFormulaStays) {
  EXPECT_EQ(joined("a 25-", "letter word"), "a 25-letter word");
  EXPECT_EQ(joined("an RNN-", "640, with", {"RNN-320"}), "an RNN-640, with");
  EXPECT_EQ(joined("the $\\sigma$-", "polarized light"), "the $\\sigma$-polarized light");
}

TEST(LineJoiner, NumbersThatAHyphenJoinsHaveNoBlank) {
  EXPECT_EQ(joined("in Table 3-", "5."), "in Table 3-5.");
  EXPECT_EQ(joined("a sum of 3 -", "5"), "a sum of 3 - 5");
}

TEST(LineJoiner, ALongDashThatStandsCloseHasNoBlank) {
  EXPECT_EQ(joined("Model 737\u2013", "9 airplanes"), "Model 737\u20139 airplanes");
  EXPECT_EQ(joined("the first \u2013", "and the last"), "the first \u2013 and the last");
}

TEST(LineJoiner, TypewritersPartWordsWithAnEqualsSign) {
  EXPECT_EQ(joined("del Vicaria=", "to Apostolico"), "del Vicariato Apostolico");
  EXPECT_EQ(joined("where x=", "y holds"), "where x= y holds");
  EXPECT_EQ(joined("the sum=", "Total"), "the sum= Total");
}

}  // namespace
}  // namespace docspec
