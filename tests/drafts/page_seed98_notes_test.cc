// What was misread on papers, scans and pages of the Web (seed 98): notes with addresses, words
// under headers, rows of authors, emphasis within paragraphs.
#include <gtest/gtest.h>

#include "tests/support/drafted_blocks.h"

namespace docspec {
namespace {

using test::add_prose;
using test::expect_has;
using test::expect_lacks;
using test::markdown_of;
using test::PdfPage;

TEST(PageSeed98, ARaisedMarkBeforeAnAddressNumbersNoLineOfCode) {
  PdfPage page;
  add_prose(page, 72, 700, 40);
  page.lines.push_back({72, 147, "1", 5});
  page.lines.push_back({77, 144, "https://example.org/tides-and-harbours", 8, "F3"});
  page.lines.push_back({72, 137, "2", 5});
  page.lines.push_back({77, 134, "The harbours are all in the north, where tides are low.", 8});
  const std::string markdown = markdown_of(page);
  expect_has(markdown, "https://example.org/tides-and-harbours");
  expect_has(markdown, "² The harbours are all in the north");
}

}  // namespace
}  // namespace docspec
