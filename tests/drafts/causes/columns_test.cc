// Columns that were read across, and prose that was taken for a table.
#include <fmt/format.h>

#include "tests/drafts/causes/cause_page.h"

namespace docspec {
namespace {

using namespace test;

constexpr const char* kTitle = "A Survey of the Northern Basin and of the Channel";

/// A paper: a title over two columns that end at different heights, a footnote under one of them.
Drawn draw_two_columns(const Look& look) {
  Sheet sheet(look);
  sheet.put_centered(look.width / 2, look.height - 90, kTitle, {look.size * 1.6, true});
  sheet.say(std::string("# ") + kTitle);
  Column left = sheet.column(0, 2, look.height - 130), right = sheet.column(1, 2, left.y);
  for (size_t i = 0; i < 6; ++i) sheet.paragraph(left, prose(i));
  for (size_t i = 6; i < 11; ++i) sheet.paragraph(right, prose(i));
  return drawn(sheet);
}

/// Three columns, a box over two of them above.
Drawn draw_three_columns(const Look& original) {
  Look look = original;
  look.size -= 1;
  Sheet sheet(look);
  Column columns[] = {sheet.column(0, 3, look.height - 90, 16), sheet.column(1, 3, 0, 16),
                      sheet.column(2, 3, 0, 16)};
  columns[1].y = columns[2].y = columns[0].y;
  for (size_t column = 0; column < 3; ++column)
    for (size_t i = 0; i < 4; ++i) sheet.paragraph(columns[column], prose(3 * column + i));
  return drawn(sheet);
}

/// The words of both columns stand in the file line by line across the page.
Drawn draw_interleaved(const Look& look) {
  Sheet sheet(look);
  Column left = sheet.column(0, 2, look.height - 90), right = sheet.column(1, 2, left.y);
  for (size_t i = 0; i < 5; ++i) sheet.paragraph(left, prose(i));
  const std::string of_left = std::exchange(sheet.content, "");
  for (size_t i = 5; i < 10; ++i) sheet.paragraph(right, prose(i));
  const std::string of_right = std::exchange(sheet.content, "");
  for (size_t l = 0, r = 0; l < of_left.size() || r < of_right.size();)
    for (auto [from, at] : {std::pair{&of_left, &l}, std::pair{&of_right, &r}}) {
      const size_t end = std::min(from->find('\n', *at), from->size() - 1) + 1;
      if (*at < from->size()) sheet.content += from->substr(*at, end - *at);
      *at = std::max(*at, end);
    }
  return drawn(sheet);
}

/// Two columns between rules, with lines at the same heights, in equal paragraphs.
Drawn draw_prose_between_rules(const Look& look) {
  Sheet sheet(look);
  Column at = sheet.body();
  sheet.paragraph(at, prose(4));
  sheet.rule(look.margin, look.width - look.margin, at.y);
  Column left = sheet.column(0, 2, at.y - 16), right = sheet.column(1, 2, left.y);
  const std::string first = "For: the entrance is dredged first, the basin when there is money.";
  const std::string other = "Against: whoever dredges twice pays twice, and loses two summers.";
  sheet.paragraph(left, first);
  sheet.paragraph(left, prose(6));
  sheet.paragraph(right, other);
  sheet.paragraph(right, prose(5));
  at.y = std::min(left.y, right.y);
  sheet.rule(look.margin, look.width - look.margin, at.y);
  at.y -= 20;
  for (size_t i = 0; i < 4; ++i) sheet.paragraph(at, prose(i));
  return drawn(sheet);
}

/// A narrow column of a newspaper, alone on its page.
Drawn draw_narrow_column(const Look& look) {
  Sheet sheet(look);
  Column at{look.margin + 40, 110, look.height - 70};
  for (size_t i = 0; i < 3; ++i) {
    sheet.set(at, prose(i));
    at.y -= look.size;
    sheet.say(prose(i));
  }
  return drawn(sheet);
}

/// A tinted box of notes beside the text.
Drawn draw_sidebar(const Look& look) {
  Sheet sheet(look);
  Column text = sheet.body(), side = text;
  text.width = 0.62 * text.width;
  side.x = text.x + text.width + 28;
  side.width = look.width - look.margin - side.x;
  const double top = side.y + 18;
  const std::string box = std::exchange(sheet.content, "");
  for (size_t i = 0; i < 7; ++i) sheet.paragraph(text, prose(i));
  const std::string of_text = std::exchange(sheet.content, "");
  side.y -= 6;
  sheet.heading(side, "##", "At a glance", {look.size + 1, true});
  sheet.paragraph(side, "Nine stations were sounded, each of them twice.");
  sheet.paragraph(side, "The mud lies ninety centimetres deep at the worst of them.");
  sheet.paragraph(side, "Dredging the entrance is enough for the boats of today.");
  const std::string of_side = std::exchange(sheet.content, "");
  sheet.fill(side.x - 10, side.y, look.width - look.margin + 10, top, "0.9 g");
  sheet.content += of_text + of_side;
  return drawn(sheet);
}

/// The first page of a paper: an abstract over both columns, sections, a figure with its caption at
/// the head of a column, a footnote at the foot of the other.
Drawn draw_paper(const Look& look) {
  Sheet sheet(look);
  const double size = look.size, right = look.width - look.margin;
  sheet.put_centered(look.width / 2, look.height - 80, kTitle, {1.6 * size, true});
  sheet.say(std::string("# ") + kTitle);
  sheet.put_centered(look.width / 2, look.height - 104, "Anna Wester and Carl Dorn", {size + 1});
  sheet.say("Anna Wester and Carl Dorn");
  Column abstract{look.margin + 30, right - look.margin - 60, look.height - 130};
  sheet.set(abstract, prose(0));
  sheet.say(prose(0));
  Column left = sheet.column(0, 2, abstract.y - 14), other = sheet.column(1, 2, left.y);
  sheet.heading(left, "##", "1 Introduction", {size + 1, true});
  sheet.paragraph(left, prose(1));
  sheet.paragraph(left, prose(2));
  sheet.heading(left, "##", "2 Method", {size + 1, true});
  sheet.set(left, prose(3) + "¹");
  sheet.say(prose(3) + "[^1]");
  const std::string note = "The letters are kept in the town hall, in a box without a number.";
  Column foot{left.x, left.width, 90};
  sheet.rule(left.x, left.x + 60, foot.y + 12);
  sheet.set(foot, "¹ " + note, {size - 2});
  sheet.frame(other.x, other.y - 110, other.x + other.width, other.y);
  sheet.content += fmt::format("1 w {} {} m {} {} l {} {} l S\n", other.x, other.y - 100,
                               other.x + 60, other.y - 30, other.x + 150, other.y - 60);
  other.y -= 126;
  sheet.say("[^1]: " + note);
  sheet.set(other, "Figure 1. The depth of the mud since the last survey.", {size - 1});
  sheet.say("Figure 1. The depth of the mud since the last survey.");
  other.y -= 12;
  for (size_t i = 4; i < 7; ++i) sheet.paragraph(other, prose(i));
  return drawn(sheet);
}

constexpr Cause kColumns[] = {
    {"order of a page of many parts", "the first page of a paper", draw_paper},
    {"columns read across", "a paper of two columns", draw_two_columns},
    {"columns of a newspaper read across", "three narrow columns", draw_three_columns},
    {"words interleaved", "two columns written line by line", draw_interleaved},
    {"prose taken for a table", "two columns between rules", draw_prose_between_rules},
    {"two hundred paragraphs", "one narrow column", draw_narrow_column},
    {"a sidebar in a cell", "a tinted box beside the text", draw_sidebar},
};

class ColumnsPage : public CausePage {};
TEST_P(ColumnsPage, ReadsAsItsTruth) {
  expect_truth();
}
INSTANTIATE_TEST_SUITE_P(Causes, ColumnsPage,
                         testing::Combine(testing::ValuesIn(kColumns), testing::ValuesIn(kLooks)),
                         name_of);

}  // namespace
}  // namespace docspec
