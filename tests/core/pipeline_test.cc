// Fates of a page in the pipeline, with a reader that does as it is told.
#include "core/pipeline.h"

#include <gtest/gtest.h>

#include "core/base/error.h"

namespace docspec {
namespace {

/// Reads no page: a model that cannot.
class FailingReader : public PageReader {
 public:
  Task<void> read(DocumentState&, const DraftedPage&, Page&) override {
    throw Error(ExitCode::partial, "not read");
    co_return;
  }
};

/// Page 1 has text, page 2 has none; only a part of pages 3 (text) and 4 (none) could be drafted.
DraftedPage drafted(int number) {
  DraftedPage page;
  page.info = {144, 144, 0, 0};
  page.drafts = {number, 144, 144, 72, {{0, 0, RegionKind::text, {5, 5, 139, 60}}}, {}};
  page.drafts.drafts = {{0, "tesseract", number % 2 == 1 ? "a draft" : "", 1, {}}};
  if (number > 2) page.failure = Failure{ExitCode::partial, "its drafter crashed"};
  return page;
}

TEST(Pipeline, APageThatIsNotReadKeepsItsDraftsAndOneWithoutTextHasFailed) {
  FailingReader reader;
  DocumentConversion conversion;
  conversion.input = std::make_shared<InputBytes>();
  conversion.page_count = 4;
  conversion.pages = {1, 2, 3, 4};
  conversion.make_drafter = [] { return drafted; };
  conversion.reader = &reader;
  const Document document = convert_document(conversion);
  ASSERT_EQ(document.pages.size(), 4u);
  for (const Page& page : document.pages) {
    SCOPED_TRACE(page.page);
    const bool text = page.page % 2 == 1;
    EXPECT_EQ(page.status, text ? PageStatus::fallback : PageStatus::failed);
    EXPECT_EQ(page.level, text ? PageLevel::draft : PageLevel::image);
    EXPECT_EQ(page.failure->message, page.page > 2 ? "its drafter crashed" : "not read");
  }
}

}  // namespace
}  // namespace docspec
