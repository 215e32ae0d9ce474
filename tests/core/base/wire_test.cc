#include <gtest/gtest.h>

#include <random>

#include "core/base/base64.h"
#include "core/document/page_wire.h"
#include "core/worker/drafted_page_wire.h"
#include "tests/support/random_document.h"

namespace docspec {
namespace {

DraftedPage some_drafted_page(std::mt19937& rng) {
  DraftedPage page;
  page.info = {612, 792.5, 90, 0};
  page.drafts = {3, 20, 10, 72, {{1, 0, RegionKind::table, {1, 2, 3, 4}, 0.5}}, {}};
  Draft& draft = page.drafts.drafts.emplace_back();
  draft.region = 1;
  draft.source = "tesseract";
  draft.text = test::random_text(rng, false);
  draft.words.push_back({"Wörd", {0, 1, 2, 3}, 0.25, 9.5, "Times", true, false, 2});
  if (rng() % 2) {
    page.image.emplace(3, 20, 10, 72);
    for (int i = 0; i < 20 * 10 * 3; ++i) page.image->row(0)[i] = uint8_t(rng());
  }
  page.failure = Failure{ExitCode::input_file, "why"};
  page.timings_ms = {{"ocr", 1.5}, {"raster", 0.1}};
  return page;
}

TEST(Wire, PagesComeBackToTheLastBit) {
  std::mt19937 rng(9);
  for (int i = 0; i < 50; ++i) {
    for (const Page& page : test::random_document(rng).pages) {
      const std::string bytes = pack(page);
      EXPECT_EQ(pack(unpack_page(bytes)), bytes);
    }
    const DraftedPage drafted = some_drafted_page(rng);
    const std::string bytes = pack(drafted);
    const DraftedPage back = unpack_drafted_page(bytes);
    EXPECT_EQ(pack(back), bytes);
    EXPECT_EQ(back.drafts.drafts[0].words[0].font, "Times");
    EXPECT_EQ(back.image.has_value(), drafted.image.has_value());
    EXPECT_EQ(back.timings_ms, drafted.timings_ms);
  }
}

TEST(Wire, AnyOtherBytesAreAnError) {
  std::mt19937 rng(10);
  const std::string good = pack(some_drafted_page(rng));
  EXPECT_THROW(unpack_drafted_page(good + "x"), Error);
  for (size_t cut = 0; cut < good.size(); cut += 7)
    EXPECT_THROW(unpack_drafted_page(good.substr(0, cut)), Error) << cut;
  for (int i = 0; i < 3000; ++i) {
    std::string bytes = good;
    for (int n = 0; n < 4; ++n) bytes[rng() % bytes.size()] = char(rng());
    try {
      unpack_drafted_page(bytes);
    } catch (const Error& e) {
      EXPECT_EQ(e.code(), ExitCode::internal);
    }
  }
}

TEST(Base64, IsRfc4648AndUndoesItself) {
  EXPECT_EQ(to_base64("foobar"), "Zm9vYmFy");
  EXPECT_EQ(to_base64("fooba"), "Zm9vYmE=");
  EXPECT_EQ(to_base64("f"), "Zg==");
  EXPECT_FALSE(from_base64("Zg=") || from_base64("Z!==") || from_base64("=Zg="));
  std::mt19937 rng(3);
  for (size_t size = 0; size < 200; ++size) {
    std::string bytes(size, ' ');
    for (char& c : bytes) c = char(rng());
    EXPECT_EQ(from_base64(to_base64(bytes)), bytes);
  }
}

}  // namespace
}  // namespace docspec
