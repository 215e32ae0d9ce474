// What running text lost: headings, small capitals, raised digits, emphasis, formulas, plain signs.
#include "tests/drafts/causes/cause_page.h"

namespace docspec {
namespace {

using namespace test;

/// Text whose lines happen to begin or to be written as Markdown's marks are.
Drawn draw_signs(const Look& look) {
  Sheet sheet(look);
  Column at = sheet.body();
  sheet.paragraph(at, prose(0));
  sheet.set(at, "The number of ferries that called in a week was never higher than");
  sheet.set(at, "150. It fell to 90 in the year after the war, and nobody knows why.");
  sheet.say(
      "The number of ferries that called in a week was never higher than 150. It fell to 90 in the "
      "year after the war, and nobody knows why.");
  at.y -= look.size;
  sheet.paragraph(at,
                  "“Nobody,” he wrote, “has ever asked what the keeper’s wife thinks,” and he was "
                  "right – until the letters were found in 1998 – for nobody had.");
  sheet.paragraph(at,
                  "The price is #4 in the list, 3 < 5 & 7 > 2, for a sum of $12 and a fee of 5%.");
  sheet.paragraph(at, "The clerk’s note reads <!-- see the last page --> and has no date.");
  sheet.truth.replace(sheet.truth.find("<!--"), 4, "\\<!--");
  for (size_t i = 2; i < 5; ++i) sheet.paragraph(at, prose(i));
  return drawn(sheet);
}

/// Headings in capitals of two sizes, as IEEE's papers have them.
Drawn draw_small_capitals(const Look& look) {
  Sheet sheet(look);
  const double size = look.size, small = 0.8 * size;
  Column at = sheet.body();
  const auto capitals = [&](const std::vector<std::string>& words) {
    at.y -= 6;
    double width = 0;
    for (const std::string& word : words)
      width += sheet.width_of(word.substr(0, 1), {size}) + sheet.width_of(word.substr(1), {small}) +
               sheet.width_of(" ", {size}) / 2;
    double x = look.width / 2 - width / 2;
    for (const std::string& word : words) {
      sheet.put(x, at.y, word.substr(0, 1), {size});
      x += sheet.width_of(word.substr(0, 1), {size});
      if (word.size() > 1) sheet.put(x, at.y, word.substr(1), {small});
      x += sheet.width_of(word.substr(1), {small}) + 0.28 * size;
    }
    at.y -= 18;
  };
  sheet.paragraph(at, prose(0));
  double x = at.x;
  for (const auto& [part, of] : {std::pair{"The method of ", size}, {"B", size}, {"ERTA", small}}) {
    sheet.put(x, at.y, part, {of});
    x += sheet.width_of(part, {of});
  }
  sheet.put(x + 0.28 * size, at.y, "needs no lead line.");
  sheet.say("The method of BERTA needs no lead line.");
  at.y -= 2 * sheet.leading();
  capitals({"II.", "RELATED", "SURVEYS", "OF", "HARBOURS"});
  sheet.say("## II. RELATED SURVEYS OF HARBOURS");
  for (size_t i = 1; i < 4; ++i) sheet.paragraph(at, prose(i));
  capitals({"III.", "TRANSFORMERS", "AND", "GAUGES"});
  sheet.say("## III. TRANSFORMERS AND GAUGES");
  for (size_t i = 4; i < 7; ++i) sheet.paragraph(at, prose(i));
  return drawn(sheet);
}

/// Raised numbers of notes and powers, lowered ones of formulas of chemistry; slanted and bold
/// words.
Drawn draw_raised(const Look& look) {
  Sheet sheet(look);
  Column at = sheet.body();
  sheet.paragraph(at, prose(0));
  sheet.paragraph(at,
                  "The basin has an area of 25 km² and holds 4 × 10⁸ m³ of water, in which CO₂ and "
                  "H₂S were measured in every one of the samples that were taken at the time.");
  sheet.paragraph(at,
                  "Most of the mud carries *Zostera marina*, which the crew calls *eelgrass*, and "
                  "the office asks that it be **left where it is** until the survey has ended.");
  for (size_t i = 2; i < 5; ++i) sheet.paragraph(at, prose(i));
  return drawn(sheet);
}

/// A title, its authors below it in a larger size than the text, headings of the text's own size.
Drawn draw_headings(const Look& look) {
  Sheet sheet(look);
  Column at = sheet.body();
  at.y -= 14;
  const std::string title = "On the Measured Depths of Old Harbours";
  sheet.put_centered(look.width / 2, at.y, title, {1.7 * look.size, true});
  sheet.say("# " + title);
  at.y -= 2.4 * look.size;
  sheet.put_centered(look.width / 2, at.y, "Anna Wester, Carl Dorn and Berta Bell",
                     {1.2 * look.size});
  at.y -= 1.5 * look.size;
  sheet.put_centered(look.width / 2, at.y, "Department of Harbours, University of Grey Point",
                     {look.size});
  at.y -= 2 * look.size;
  sheet.say("Anna Wester, Carl Dorn and Berta Bell");
  sheet.say("Department of Harbours, University of Grey Point");
  sheet.heading(at, "##", "Abstract", {look.size, true});
  sheet.paragraph(at, prose(0));
  sheet.heading(at, "##", "1. What was measured", {look.size, true});
  for (size_t i = 1; i < 4; ++i) sheet.paragraph(at, prose(i));
  sheet.heading(at, "##", "2. What has to be done", {look.size, true});
  for (size_t i = 4; i < 6; ++i) sheet.paragraph(at, prose(i));
  return drawn(sheet);
}

/// A displayed formula with a fraction, limits and a number.
Drawn draw_formula(const Look& look) {
  Sheet sheet(look);
  Column at = sheet.body();
  for (size_t i = 0; i < 2; ++i) sheet.paragraph(at, prose(i));
  const double em = look.size, x = look.width / 2 - 3 * em, y = at.y - 1.4 * em;
  const Style slanted{em, false, "F9"}, low{0.7 * em, false, "F9"}, upright{em, false, "F10"};
  sheet.put(x, y, "d", slanted);
  sheet.put(x + 0.53 * em, y - 0.15 * em, "m", low);
  sheet.put(x + 1.45 * em, y, "=", upright);
  sheet.rule(x + 2.6 * em, x + 4.7 * em, y + 0.25 * em, 0.4);
  sheet.put(x + 2.65 * em, y + 0.68 * em, "a", slanted);
  sheet.put(x + 3.4 * em, y + 0.68 * em, "+", upright);
  sheet.put(x + 4.2 * em, y + 0.68 * em, "b", slanted);
  sheet.put(x + 3.4 * em, y - 0.69 * em, "c", slanted);
  sheet.put(x + 5 * em, y, "+", upright);
  sheet.put(x + 5.9 * em, y, "t", slanted);
  sheet.put_right(look.width - look.margin, y, "(3)", upright);
  at.y = y - 3 * em;
  sheet.say("$$\nd_{m}=\\frac{a+b}{c}+t \\tag{3}\n$$");
  for (size_t i = 2; i < 5; ++i) sheet.paragraph(at, prose(i));
  return drawn(sheet);
}

/// A chart of lines with scales, names of lines and a caption.
Drawn draw_chart(const Look& look) {
  Sheet sheet(look);
  Column at = sheet.body();
  for (size_t i = 0; i < 2; ++i) sheet.paragraph(at, prose(i));
  const double x0 = look.margin + 90, x1 = x0 + 260, y1 = at.y - 20, y0 = y1 - 170;
  sheet.frame(x0, y0, x1, y1);
  const Style small{look.size - 2.5};
  for (int tick = 0; tick <= 5; ++tick) {
    sheet.put_right(x0 - 5, y0 + 34 * tick - 3, std::to_string(2 * tick), small);
    sheet.put_centered(x0 + 52 * tick, y0 - 12, std::to_string(1990 + 5 * tick), small);
    sheet.rule(x0, x0 + 4, y0 + 34 * tick);
  }
  sheet.put_centered((x0 + x1) / 2, y0 - 26, "Year of the survey", small);
  sheet.put(x0 + 150, y1 - 20, "northern basin", small);
  sheet.put(x0 + 150, y0 + 30, "channel", small);
  for (const double from : {30.0, 90.0})
    sheet.content += "1 w " + std::to_string(x0) + " " + std::to_string(y0 + from) + " m " +
                     std::to_string(x0 + 90) + " " + std::to_string(y0 + from + 40) + " l " +
                     std::to_string(x1) + " " + std::to_string(y0 + from - 20) + " l S\n";
  at.y = y0 - 48;
  sheet.paragraph(at, "Figure 4. Depth of mud in metres, as measured by the office since 1990.");
  for (size_t i = 2; i < 5; ++i) sheet.paragraph(at, prose(i));
  return drawn(sheet);
}

constexpr Cause kWriting[] = {
    {"lost by form", "numbers, quotes and comments in sentences", draw_signs},
    {"words cut at small capitals", "headings of a paper", draw_small_capitals},
    {"raised digits and emphasis", "powers, chemistry, slanted and bold words", draw_raised},
    {"headings of the size of the text", "a title, its authors, sections", draw_headings},
    {"formulas in pieces", "a fraction with a number", draw_formula},
    {"text inside figures", "a chart with scales", draw_chart},
};

class WritingPage : public CausePage {};
TEST_P(WritingPage, ReadsAsItsTruth) {
  expect_truth();
}
INSTANTIATE_TEST_SUITE_P(Causes, WritingPage,
                         testing::Combine(testing::ValuesIn(kWriting), testing::ValuesIn(kLooks)),
                         name_of);

}  // namespace
}  // namespace docspec
