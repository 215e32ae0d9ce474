// --pages-per-prompt: several pages of a document in one prompt, and its wrong use.
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <sstream>

#include "tests/support/command.h"
#include "tests/support/files.h"
#include "tests/support/pdf_writer.h"
#include "tests/support/temp_dir.h"

namespace docspec::test {
namespace {

using nlohmann::json;

const std::filesystem::path kManyPages = oracle_folder("unlimited_ocr/hub_tied/model");
const std::filesystem::path kOnePage = oracle_folder("qwen2_5_vl/hub_tied/model");

/// A PDF whose pages have two lines each.
std::string pdf_of_pages(int count) {
  std::vector<PdfPage> pages;
  for (int i = 1; i <= count; ++i) {
    const std::string number = std::to_string(i);
    pages.push_back({{{.text = "The harbour office counted ships on page " + number},
                      {.y = 660, .text = "and wrote the number " + number + " into its book."}}});
  }
  return make_pdf(pages);
}

class PagesPerPrompt : public ::testing::Test {
 protected:
  PagesPerPrompt() { write_file(dir / "three.pdf", pdf_of_pages(3)); }

  CommandResult convert(const std::vector<std::string>& further,
                        const std::filesystem::path& model = kManyPages) {
    std::vector<std::string> words = {
        "convert", dir / "three.pdf", "--model", model, "--max-new-tokens", "8", "--dpi", "20"};
    words.insert(words.end(), further.begin(), further.end());
    return docspec(words);
  }

  void expect_usage_error(const std::vector<std::string>& further, const std::string& said,
                          const std::filesystem::path& model = kManyPages) {
    std::vector<std::string> words = {"-o", dir / "wrong.md"};
    words.insert(words.end(), further.begin(), further.end());
    const CommandResult result = convert(words, model);
    EXPECT_EQ(result.code, 1) << result.err;
    EXPECT_NE(result.err.find(said), std::string::npos) << result.err;
    EXPECT_FALSE(std::filesystem::exists(dir / "wrong.md"));
  }

  /// The records of a run's trace, after a run with these options.
  std::vector<json> trace(const std::vector<std::string>& further) {
    std::vector<std::string> words = {"--trace", dir / "t", "-o", dir / "out.json", "--force"};
    words.insert(words.end(), further.begin(), further.end());
    const CommandResult result = convert(words);
    EXPECT_TRUE(result.code == 0 || result.code == 3) << result.err;
    std::vector<json> out;
    std::istringstream lines(read_file(dir / "t"));
    for (std::string line; std::getline(lines, line);) out.push_back(json::parse(line));
    return out;
  }

  TempDir dir;
};

TEST_F(PagesPerPrompt, WrongUseIsAUsageErrorThatSaysWhy) {
  expect_usage_error({"--pages-per-prompt", "0"}, "--pages-per-prompt");
  expect_usage_error({"--pages-per-prompt", "-2"}, "--pages-per-prompt");
  expect_usage_error({"--pages-per-prompt", "many"}, "--pages-per-prompt");
  expect_usage_error({"--pages-per-prompt", "101"}, "--pages-per-prompt");
  expect_usage_error({"--pages-per-prompt", "2"}, "qwen2_5_vl reads one page a prompt", kOnePage);
  expect_usage_error({"--pages-per-prompt", "2"}, "is for a model", "none");
  expect_usage_error({"--pages-per-prompt", "2", "--bench"}, "--bench compares page by page");
  for (const std::string stages : {"adaptive", "region"})
    expect_usage_error({"--pages-per-prompt", "2", "--stages", stages},
                       "--stages " + stages + " reads one page at a time");
  expect_usage_error({"--pages-per-prompt", "2", "--draft", "auto,model:builtin-draft"},
                     "the draft model of --draft sees one page");
}

TEST_F(PagesPerPrompt, TheJsonHasEachPageAndDraftsKeepTheIds) {
  const auto plain = trace({"--pages-per-prompt", "2", "--draft", "none"});
  ASSERT_EQ(plain.size(), 2u) << "pages 1 and 2, 3";
  EXPECT_EQ(plain[0].at("stage"), "pages");
  EXPECT_EQ(plain[0].at("page"), 1);
  EXPECT_EQ(plain[1].at("stage"), "page");
  EXPECT_EQ(plain[1].at("page"), 3);
  const json document = json::parse(read_file(dir / "out.json"));
  ASSERT_EQ(document.at("pages").size(), 3u);
  for (size_t i = 0; i < 3; ++i) {
    EXPECT_EQ(document.at("pages")[i].at("page"), i + 1);
    EXPECT_TRUE(document.at("pages")[i].contains("status"));
  }
  std::vector<json> pages;
  for (json& record : trace({"--pages-per-prompt", "2", "--stages", "region,page"}))
    if (record.at("stage") != "region") pages.push_back(std::move(record));
  ASSERT_EQ(pages.size(), plain.size());
  for (size_t i = 0; i < plain.size(); ++i) {
    EXPECT_EQ(pages[i].at("prompt_ids"), plain[i].at("prompt_ids"));
    EXPECT_EQ(pages[i].at("output_ids"), plain[i].at("output_ids"));
  }
}

}  // namespace
}  // namespace docspec::test
