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

/// Writes down which pages it is given, and says of them as much as there are.
class NotingReader : public PageReader {
 public:
  Task<void> read(DocumentState&, const DraftedPage& drafted, Page& page) override {
    note({{&drafted, &page}});
    co_return;
  }
  Task<void> read_together(DocumentState&, std::span<const PageToRead> pages) override {
    note({pages.begin(), pages.end()});
    if (pages[0].drafted->drafts.page == throws_at) throw Error(ExitCode::partial, "not read");
    co_return;
  }

  std::string prompts;  ///< "12 3 4": pages of a prompt side by side
  int throws_at = 0;

 private:
  void note(const std::vector<PageToRead>& pages) {
    prompts += prompts.empty() ? "" : " ";
    for (const PageToRead& page : pages) {
      prompts += std::to_string(page.drafted->drafts.page);
      page.page->level = PageLevel::vlm;
    }
  }
};

/// Pages 1 to 7, of which page 4 is blank and page 6 could not be drafted.
DraftedPage one_of_seven(int number) {
  DraftedPage page = drafted(1);
  page.drafts.page = number;
  page.image.emplace(number, 144, 144, 72);
  page.blank = number == 4;
  if (number == 6) page.failure = Failure{ExitCode::partial, "its drafter crashed"};
  return page;
}

struct SevenPages {
  SevenPages() {
    conversion.input = std::make_shared<InputBytes>();
    conversion.page_count = 7;
    conversion.pages = {1, 2, 3, 4, 5, 6, 7};
    conversion.make_drafter = [] { return one_of_seven; };
    conversion.reader = &reader;
    conversion.workers = 2;
    conversion.on_page = [this](const Page& page, bool earlier) {
      if (earlier) known += std::to_string(page.page);
    };
  }
  NotingReader reader;
  DocumentConversion conversion;
  std::string known;  ///< pages that are of an earlier run
};

TEST(Pipeline, PagesOfAPromptAreReadTogetherBlankOnesAlone) {
  for (const auto& [size, prompts] : std::map<size_t, std::string>{
           {1, "1 2 3 4 5 7"}, {2, "12 3 4 5 7"}, {3, "123 4 5 7"}, {100, "12357 4"}}) {
    SevenPages seven;
    seven.conversion.pages_per_prompt = size;
    const Document document = convert_document(seven.conversion);
    EXPECT_EQ(seven.reader.prompts, prompts);
    ASSERT_EQ(document.pages.size(), 7u);
    for (int i = 0; i < 7; ++i) {
      EXPECT_EQ(document.pages[i].page, i + 1);
      EXPECT_EQ(document.pages[i].status, i == 5 ? PageStatus::fallback : PageStatus::ok);
    }
  }
}

TEST(Pipeline, AThrowOfAPromptIsOfEachOfItsPagesAlone) {
  SevenPages seven;
  seven.conversion.pages_per_prompt = 3;
  seven.reader.throws_at = 1;
  const Document document = convert_document(seven.conversion);
  for (int i = 0; i < 7; ++i)
    EXPECT_EQ(document.pages[i].status, i < 3 || i == 5 ? PageStatus::fallback : PageStatus::ok)
        << i;
  EXPECT_EQ(document.pages[2].failure->message, "not read");
}

TEST(Pipeline, AnEarlierRunsPromptIsKnownWholeOrReadAgain) {
  SevenPages seven;
  seven.conversion.pages_per_prompt = 2;
  std::map<int, Page> earlier;
  for (const int page : {1, 2, 3, 7}) earlier[page].page = page;
  seven.conversion.earlier = &earlier;
  convert_document(seven.conversion);
  EXPECT_EQ(seven.known, "127");
  EXPECT_EQ(seven.reader.prompts, "3 4 5");
}

}  // namespace
}  // namespace docspec
