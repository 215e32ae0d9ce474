#include "drafts/layout/paragraphs.h"

#include <gtest/gtest.h>

#include <numeric>

namespace docspec {
namespace {

struct Row {
  int x, y;
  std::string text, font = {};
};

/// The paragraphs of rows of 10-pixel letters, as the words they start with; the block that is
/// split is the first `count` rows of the page, 0 = all.
std::vector<std::string> paragraphs(const std::vector<Row>& rows, size_t count = 0) {
  std::vector<Word> words;
  for (const Row& row : rows)
    for (size_t at = 0; at < row.text.size();) {
      const size_t end = std::min(row.text.find(' ', at), row.text.size());
      words.push_back({row.text.substr(at, end - at),
                       {row.x + int(at) * 10, row.y, row.x + int(end) * 10, row.y + 20}});
      words.back().font = row.font;
      at = end + 1;
    }
  const auto lines = group_lines(words, 72);
  TextBlock all(count ? count : lines.size());
  std::iota(all.begin(), all.end(), 0);
  std::vector<std::string> firsts;
  for (const TextBlock& part : split_paragraphs(all, lines, words))
    firsts.push_back(words[lines[part.front()].words.front()].text);
  return firsts;
}

using Firsts = std::vector<std::string>;

TEST(SplitParagraphs, EndsAListWhereTheTextGoesBackToTheMargin) {
  EXPECT_EQ(paragraphs({{0, 0, "1. the first item of the list that is long enough to"},
                        {30, 24, "need a second line"},
                        {0, 48, "2. the second item"},
                        {0, 72, "Together they are two, says the paragraph behind it"}}),
            (Firsts{"1.", "2.", "Together"}));
}

TEST(SplitParagraphs, AnItemOfAChineseTextThatCountsOnBeginsAParagraphWhateverIsBeforeIt) {
  EXPECT_EQ(paragraphs({{0, 0, "1、第一条的文字很长直到这一行的末尾没有句号"},
                        {0, 24, "2、第二条的文字也很长直到这一行的末尾为止的"},
                        {0, 48, "3、第三条"}}),
            (Firsts{"1、第一条的文字很长直到这一行的末尾没有句号",
                    "2、第二条的文字也很长直到这一行的末尾为止的", "3、第三条"}));
  EXPECT_EQ(paragraphs({{0, 0, "3、第三条的文字很长直到这一行的末尾没有句号"},
                        {0, 24, "二、下面的大题也很长直到这一行的末尾为止的的"},
                        {0, 48, "三、四两题"}})
                .size(),
            2u);
  EXPECT_EQ(paragraphs({{0, 0, "1.第一条的文字很长直到这一行的末尾没有句号"},
                        {0, 24, "2.5倍于此的文字也很长直到这一行的末尾为止的"}})
                .size(),
            1u)
      << "a number of the sentence";
}

TEST(SplitParagraphs, AFullLineOfAChineseItemGoesOnTwoLettersIn) {
  EXPECT_EQ(paragraphs({{0, 0, "4、第四条的文字很长直到这一行的末尾没有句号"},
                        {30, 24, "的心态。"},
                        {0, 48, "5、第五条的文字很长直到这一行的末尾没有句号"},
                        {30, 72, "提高有力，也得到了国家"},
                        {0, 96, "6、罗马的变迁"},
                        {30, 120, "早期罗马是一个自由农民社会，也是农业的文明"},
                        {0, 144, "为典型的金融国家。"}}),
            (Firsts{"4、第四条的文字很长直到这一行的末尾没有句号",
                    "5、第五条的文字很长直到这一行的末尾没有句号", "6、罗马的变迁",
                    "早期罗马是一个自由农民社会，也是农业的文明"}));
}

TEST(SplitParagraphs, ALineOfAnotherFontAsLongAsTheNextOneIsNoHeading) {
  const auto rows = [](const char* second) -> std::vector<Row> {
    return {{20, 0, "Four words that open the part", "Calibri"},
            {0, 24, second, "SimSun"},
            {0, 48, "which is followed by a far longer line that has no picture to", "SimSun"},
            {0, 72, "run around, and by one more line that is as long as the column", "SimSun"},
            {0, 96, "is wide.", "SimSun"}};
  };
  EXPECT_EQ(paragraphs(rows("and the line that is below them")), (Firsts{"Four"}));
  EXPECT_EQ(paragraphs(rows("and the line that is below and goes on to the edge")),
            (Firsts{"Four", "and"}));
}

TEST(SplitParagraphs, AnIndentedItemGoesOnAtTheMargin) {
  EXPECT_EQ(paragraphs({{30, 0, "(a) The service that is meant here has the same"},
                        {0, 24, "meaning as what other rules call the \"classified\""},
                        {0, 48, "service of those who were chosen by open examina-"},
                        {0, 72, "tions."},
                        {30, 96, "(b) A position of the service is one that a rule"},
                        {0, 120, "names."}}),
            (Firsts{"(a)", "(b)"}));
}

TEST(SplitParagraphs, ATitleInCapitalsStandsAboveWhatItSays) {
  EXPECT_EQ(paragraphs({{0, 0, "1. GENERAL TERMS"},
                        {30, 24, "The goods that are supplied must conform in all respects"},
                        {30, 48, "with what was asked for"}}),
            (Firsts{"1.", "The"}));
  EXPECT_EQ(paragraphs({{0, 0, "1. ALL THE TERMS OF THIS ARE WRITTEN IN LETTERS THAT"},
                        {30, 24, "ARE CAPITALS"}}),
            (Firsts{"1."}));
}

TEST(SplitParagraphs, ANumberInBracketsGoesOnWithALetteredItem) {
  EXPECT_EQ(paragraphs({{30, 0, "(b) the owner must say so in writing no later than ninety"},
                        {0, 24, "(90) days after the end of the period that is meant here and"},
                        {0, 48, "not before"}}),
            (Firsts{"(b)"}));
}

TEST(SplitParagraphs, ACitationThatBeginsALineIsNoItem) {
  EXPECT_EQ(paragraphs({{0, 0, "More is known of this since the work by Ziegler et al."},
                        {0, 24, "[35] which shows that the models are merely copiers of"},
                        {0, 48, "what stands there"}}),
            (Firsts{"More"}));
}

TEST(SplitParagraphs, TheNameOfAJournalOpensNoItemOfANumberedList) {
  EXPECT_EQ(paragraphs({{0, 0, "14. Arvanitaki, A. Effects that an axon has on the next one."},
                        {40, 24, "J. Neurophysiol. 5, 89 (1942)."},
                        {0, 48, "15. Traub, R. Simulation of what comes after it, and of all"},
                        {40, 72, "that there is."}}),
            (Firsts{"14.", "15."}));
}

TEST(SplitParagraphs, EndsAParagraphAtAGapBehindAFullStop) {
  EXPECT_EQ(paragraphs({{0, 0, "A line of words that fills the column from end to end"},
                        {0, 24, "and another, which ends with the last words of it all."},
                        {0, 56, "This line stands further down and opens a new paragraph"},
                        {0, 80, "that has one more line."}}),
            (Firsts{"A", "This"}));
}

TEST(SplitParagraphs, EndsAParagraphWhereTheNextWordHadRoom) {
  EXPECT_EQ(paragraphs({{0, 0, "A line of words that fills the column from end to end"},
                        {0, 24, "and another that is just a bit shorter."},
                        {0, 48, "An a opens a new paragraph of words that fill the line"}}),
            (Firsts{"A", "An"}));
}

TEST(SplitParagraphs, KeepsRaggedLinesTogether) {
  EXPECT_EQ(paragraphs({{0, 0, "A line of words that fills the column from end to end"},
                        {0, 24, "and one shorter. The"},
                        {0, 48, "extraordinarilylongwordthatdidnotfitbehindtheothersso"},
                        {0, 72, "goes on"}}),
            (Firsts{"A"}));
}

TEST(SplitParagraphs, EndsAHeadingInItsOwnFont) {
  const auto parts = [](const std::string& font) {
    std::vector<Word> words = {{"Method", {0, 0, 60, 20}}};
    words[0].font = font;
    for (int row = 1; row < 4; ++row)
      for (int x = 0; x < 500; x += 100)
        words.push_back({"words", {x, 24 * row, x + 90, 24 * row + 20}});
    for (size_t i = 1; i < words.size(); ++i) words[i].font = "Text";
    const auto lines = group_lines(words, 72);
    TextBlock all(lines.size());
    std::iota(all.begin(), all.end(), 0);
    return split_paragraphs(all, lines, words).size();
  };
  EXPECT_EQ(parts("Head"), 2u);
  EXPECT_EQ(parts("Text"), 1u);
}

TEST(SplitParagraphs, EntriesThatHangBeginAtTheMarginWhereTheLastOneEnded) {
  // The last words had no room, and no line is short: only the margin tells.
  EXPECT_EQ(paragraphs({{0, 0, "Alma A, Berta B. 2001. A list of the ships that went"},
                        {30, 24, "to the north in the year. Ships and Sails 1, 2"},
                        {30, 48, "and 3."},
                        {0, 72, "Clara C. 2003. The boats of the south and their wide"},
                        {30, 96, "sails. Ships 7."},
                        {0, 120, "Dora D, Emma E. 2010. What the harbours were built of"},
                        {30, 144, "in those days."}}),
            (Firsts{"Alma", "Clara", "Dora"}));
}

TEST(SplitParagraphs, TheLastLineOfAnEntryThatHangsIsOfIt) {
  // Three entries of two lines and two of one, parted by white.
  const std::vector<Row> page = {{0, 0, "Garcia, H. and J. Widom (2008). Database systems, all."},
                                 {10, 24, "Upper Saddle River."},
                                 {0, 80, "Golf, M. (2003). Handling of the larger workloads, all"},
                                 {10, 104, "212-223."},
                                 {0, 160, "Negre, E. (2009). Exploration of cubes, a thesis, all"},
                                 {10, 184, "Tours."},
                                 {0, 240, "Adam, S. (2009). Queries."},
                                 {0, 300, "Berg, J. (2007). Contents."}};
  EXPECT_EQ(paragraphs(page, 2), (Firsts{"Garcia,"}));
}

TEST(SplitParagraphs, AReferenceGoesOnAtTheMarginWhateverItsLinesEndIn) {
  EXPECT_EQ(paragraphs({{0, 0, "[1] Gomes and Pettersson, Ships and Models, Karlskrona:"},
                        {0, 24, "Blekinge Institute of Technology, in the year 2007."},
                        {0, 48, "[2] Lehtola and Kauppinen, The Ships, 2006, Vol."},
                        {0, 72, "11, 1, pp. 7-19."}}),
            (Firsts{"[1]", "[2]"}));
}

TEST(SplitParagraphs, ANumberInBracketsCountsWithinASentence) {
  EXPECT_EQ(paragraphs({{0, 0, "The problem is simpler: (1) there are no other copies;"},
                        {0, 24, "(2) we are told what is to be kept in the store below;"},
                        {0, 48, "(3) nothing has to be asked."}}),
            (Firsts{"The"}));
}

TEST(SplitParagraphs, DashesAboveEachOtherOpenItems) {
  EXPECT_EQ(paragraphs({{0, 0, "There are two kinds of them, as it has been said before."},
                        {20, 24, "- Ships: large ones that go far, with masts and sails and"},
                        {40, 48, "crews of many."},
                        {20, 72, "- Boats: small ones."}}),
            (Firsts{"There", "-", "-"}));
}

TEST(SplitParagraphs, ItemsWhoseFirstLineAloneIsIndentedGoOnAtTheMargin) {
  EXPECT_EQ(paragraphs({{30, 0, "• The Legion has for years fielded teams of ball games with"},
                        {0, 24, "718 more teams today than it did a decade ago, which gives"},
                        {0, 48, "the young some sport;"},
                        {30, 72, "• It played a key role in the talks that were held between"},
                        {0, 96, "Members and those who came;"},
                        {30, 120, "• It stood firm."}}),
            (Firsts{"•", "•", "•"}));
  EXPECT_EQ(paragraphs({{30, 0, "509. PETER COLLINS was indicted for stealing, on the 9th of"},
                        {0, 24, "December, one waistcoat, the goods of Henry Berridge."},
                        {30, 48, "HENRY BERRIDGE. I am an apprentice, on board of the barque"},
                        {0, 72, "Superior, in the London Docks."}}),
            (Firsts{"509.", "HENRY"}));
}

TEST(SplitParagraphs, InitialsAfterAFullLineOpenNoItem) {
  EXPECT_EQ(paragraphs({{0, 0, "with some officers and men, the former under one Col."},
                        {0, 24, "W. R. Hartshorne, formerly of the others"}}),
            (Firsts{"with"}));
}

TEST(SplitParagraphs, NumbersThatCountOnOpenEntries) {
  EXPECT_EQ(paragraphs({{0, 0, "1026 A. Karr, a novel. Ibid., 1845. 2 vol. Form. Casin."},
                        {0, 24, "1027 C. Henrici, history of Belgium until 1847. In-12."},
                        {0, 48, "1028 A. Michiels, the painters of Bruges, who are known"},
                        {60, 72, "for works of ours. 1846. in-12."},
                        {0, 96, "1029 Legouve, the merit of women. Paris, in-18. 1 vol."}}),
            (Firsts{"1026", "1027", "1028", "1029"}));
  EXPECT_EQ(paragraphs({{0, 0, "What was the aggregate of the officers and men in May of"},
                        {0, 24, "1864 is known; in the second year it was of about a few:"},
                        {0, 48, "1429 officers and men, of whom most were of the brigade"}}),
            (Firsts{"What"}));
}

TEST(SplitParagraphs, EntriesMayBeginWithTheEndOfTheLastPages) {
  EXPECT_EQ(paragraphs({{40, 0, "analyses and needs of the whole. Munich. S. 209-237."},
                        {0, 24, "THUM, C. (2000): On the form of rules of the majority."},
                        {40, 48, "In: Leaves of the office S. 33-43, 74-79."},
                        {0, 72, "VOIGT, R. (2006): A handbook of reforms. Wiesbaden 200."},
                        {0, 96, "VOLLRATH, K. (2001): Without the citizens it is nothing"},
                        {40, 120, "at all. In: Five years of it. S. 142-150."},
                        {0, 144, "WALLER, S. (1988): The rise of the statutes of the land"},
                        {40, 168, "since then. Frankfurt."}}),
            (Firsts{"analyses", "THUM,", "VOIGT,", "VOLLRATH,", "WALLER,"}));
}

TEST(Paragraphs, RightToLeftTextIsPartedWhereItsLinesEndAtTheLeft) {
  // Words from right to left, as they are painted; the second line ends early.
  std::vector<Word> words;
  std::vector<TextLine> lines;
  const auto add = [&](int x0, int y, const char* last) {
    TextLine& line = lines.emplace_back();
    for (int x = x0; x < 400; x += 40) {
      line.words.push_back(int(words.size()));
      words.push_back({x == x0 ? last : "\u05E9\u05DC\u05D5\u05DD", {x, y, x + 34, y + 10}});
    }
    summarise(line, words, 72);
  };
  add(0, 0, "\u05E9\u05DC\u05D5\u05DD");
  add(240, 14, "\u05D9\u05D5\u05DD.");
  add(0, 28, "\u05E9\u05DC\u05D5\u05DD");
  add(120, 42, "\u05D9\u05D5\u05DD.");
  TextBlock all(lines.size());
  std::iota(all.begin(), all.end(), 0);
  EXPECT_EQ(split_paragraphs(all, lines, words), (std::vector<TextBlock>{{0, 1}, {2, 3}}));
}

}  // namespace
}  // namespace docspec
