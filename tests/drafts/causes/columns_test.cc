// Columns that were read across, and prose that was taken for a table.
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

constexpr Cause kColumns[] = {
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
