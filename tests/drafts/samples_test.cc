// The samples of share/samples, read without a model, against their truth.
#include <gtest/gtest.h>

#include <algorithm>
#include <memory>
#include <numeric>

#include "core/document/page_blocks.h"
#include "core/markup/formats/markdown.h"
#include "core/markup/formats/markdown_parser.h"
#include "drafts/page_drafter.h"
#include "tests/support/command.h"
#include "tests/support/pdf_writer.h"

namespace docspec {
namespace {

const std::string kSamples = DOCSPEC_SOURCE_DIR "/share/samples/";

std::string to_markdown(const std::string& sample) {
  const auto reader =
      open_document(test::input(test::read_file(kSamples + sample + ".pdf"), sample), "");
  PageDrafter drafter({});
  Document document;
  for (int page = 1; page <= reader->page_count(); ++page) {
    document.pages.emplace_back();
    document.pages.back().page = page;
    document.pages.back().blocks = page_blocks(drafter.draft(*reader, page).drafts).blocks;
  }
  return render_markdown(document, {.headers = HeaderPolicy::drop, .page_marks = false}, nullptr);
}

std::vector<Block> blocks_of(const std::string& markdown) {
  std::vector<Block> blocks;
  for (Page& page : parse_markdown(markdown))
    for (Block& block : page.blocks) blocks.push_back(std::move(block));
  return blocks;
}

size_t edit_distance(const std::string& a, const std::string& b) {
  std::vector<size_t> row(b.size() + 1);
  std::iota(row.begin(), row.end(), 0);
  for (size_t i = 0; i < a.size(); ++i) {
    size_t diagonal = row[0]++;
    for (size_t j = 0; j < b.size(); ++j)
      diagonal = std::exchange(row[j + 1],
                               std::min({diagonal + (a[i] != b[j]), row[j] + 1, row[j + 1] + 1}));
  }
  return row.back();
}

class BornDigitalSample : public testing::TestWithParam<const char*> {};

TEST_P(BornDigitalSample, GivesTheBlocksOfItsTruth) {
  const auto read = blocks_of(to_markdown(GetParam()));
  const auto truth = blocks_of(test::read_file(kSamples + GetParam() + ".md"));
  for (size_t i = 0; i < std::min(read.size(), truth.size()); ++i) {
    EXPECT_EQ(name(read[i].kind), name(truth[i].kind)) << read[i].text;
    EXPECT_EQ(read[i].text, truth[i].text);
    EXPECT_EQ(read[i].level, truth[i].level) << read[i].text;
    EXPECT_EQ(read[i].html, truth[i].html);
  }
  EXPECT_EQ(read.size(), truth.size());
}

INSTANTIATE_TEST_SUITE_P(Samples, BornDigitalSample,
                         testing::Values("letter", "report", "paper", "invoice"));

/// Two in a hundred characters may be wrong, headings, list marks and paragraph breaks included.
TEST(ScannedSample, IsReadInOrderWithFewErrors) {
  for (const char* sample : {"scan", "mixed"}) {
    const std::string read = to_markdown(sample);
    const std::string truth = test::read_file(kSamples + sample + ".md");
    EXPECT_LE(edit_distance(read, truth), truth.size() / 50) << read;
  }
}

}  // namespace
}  // namespace docspec
