// Page furniture that was kept, and pages that were dropped.
#include "tests/drafts/causes/cause_page.h"

namespace docspec {
namespace {

using namespace test;

/// A report whose pages have a head with a rule below it, a foot of two rows and a number.
Drawn draw_running_heads(const Look& look) {
  std::vector<PdfPage> pages;
  std::string truth;
  for (int number = 1; number <= 3; ++number) {
    Sheet sheet(look);
    Column at = sheet.body();
    const double right = look.width - look.margin;
    const Style small{look.size - 2};
    if (number % 2) {
      sheet.put(look.margin, look.height - 44, "Depths of the Northern Basin", small);
      sheet.put_right(right, look.height - 44, "Second Draft", small);
    } else {
      sheet.put(look.margin, look.height - 44, "A. Wester and C. Dorn", small);
      sheet.put_right(right, look.height - 44, "Second Draft", small);
    }
    sheet.rule(look.margin, right, look.height - 50);
    sheet.put_centered(look.width / 2, 44, "Harbour Office, 12 Quay Street, Grey Point", small);
    sheet.put_centered(look.width / 2, 32, "Page " + std::to_string(number + 4) + " of 9", small);
    for (size_t i = 0; i < 7; ++i) sheet.paragraph(at, prose(i + size_t(number) * 3));
    pages.push_back(sheet.page());
    truth += sheet.truth;
  }
  return {make_pdf(pages), truth};
}

/// A single page of a paper: nothing repeats, so that only its place tells what a head is.
Drawn draw_single_page(const Look& look) {
  Sheet sheet(look);
  Column at = sheet.body();
  const double right = look.width - look.margin;
  sheet.put(look.margin, look.height - 46, "114", {look.size - 1.5});
  sheet.put_right(right, look.height - 46, "C. Dorn et al.", {look.size - 1.5});
  sheet.put(look.margin, 40, "Journal of Harbours, Vol. 12, No. 3, March 2014", {look.size - 2});
  for (size_t i = 0; i < 6; ++i) sheet.paragraph(at, prose(i));
  return drawn(sheet);
}

/// A manuscript whose lines are counted in the margin.
Drawn draw_line_numbers(const Look& look) {
  Sheet sheet(look);
  Column at = sheet.body();
  int number = 40;
  for (size_t i = 0; i < 5; ++i) {
    const double top = at.y;
    sheet.paragraph(at, prose(i));
    for (double y = top; y > at.y + sheet.leading(); y -= sheet.leading())
      sheet.put_right(look.margin - 14, y, std::to_string(++number), {look.size - 3});
  }
  return drawn(sheet);
}

/// A letter whose sender stands at the head of the page: its numbers are no page's.
Drawn draw_sender(const Look& look) {
  Sheet sheet(look);
  Column at = sheet.body();
  double y = look.height - 36;
  for (const char* line : {"Northern Harbour Office", "46 Quay Street", "5555 Grey Point"}) {
    sheet.put(look.margin, y, line);
    y -= sheet.leading();
  }
  sheet.say("Northern Harbour Office  \n46 Quay Street  \n5555 Grey Point");
  at.y = y - 2 * sheet.leading();
  for (size_t i = 0; i < 5; ++i) sheet.paragraph(at, prose(i));
  return drawn(sheet);
}

constexpr Cause kFurniture[] = {
    {"a sender taken for furniture", "a letter", draw_sender},
    {"running heads kept", "three pages with head, rule and foot", draw_running_heads},
    {"furniture of a single page kept", "a page of a journal", draw_single_page},
    {"numbers of lines kept", "a manuscript", draw_line_numbers},
};

class FurniturePage : public CausePage {};
TEST_P(FurniturePage, ReadsAsItsTruth) {
  expect_truth();
}
INSTANTIATE_TEST_SUITE_P(Causes, FurniturePage,
                         testing::Combine(testing::ValuesIn(kFurniture), testing::ValuesIn(kLooks)),
                         name_of);

}  // namespace
}  // namespace docspec
