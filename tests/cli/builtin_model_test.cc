// The model that docspec ships, by its own command line.
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <set>
#include <sstream>

#include "tests/support/command.h"
#include "tests/support/temp_dir.h"

namespace docspec::test {
namespace {

const std::string kLetter = DOCSPEC_SOURCE_DIR "/share/samples/letter";

std::multiset<std::string> words(const std::string& text) {
  std::istringstream in(text);
  std::multiset<std::string> out;
  for (std::string word; in >> word;) out.insert(word);
  return out;
}

TEST(BuiltinModel, ReadsMostOfALetterByItself) {
  TempDir dir;
  const auto run = docspec(
      {"convert", kLetter + ".pdf", "--model", "builtin", "--draft", "none", "-o", dir / "out.md"});
  ASSERT_EQ(run.code, 0) << run.err;
  std::multiset<std::string> read = words(read_file(dir / "out.md"));
  const std::multiset<std::string> truth = words(read_file(kLetter + ".md"));
  size_t found = 0;
  for (const std::string& word : truth)
    if (const auto at = read.find(word); at != read.end()) {
      read.erase(at);
      ++found;
    }
  EXPECT_GT(double(found), 0.7 * double(truth.size())) << read_file(dir / "out.md");
}

TEST(BuiltinModel, SaysTheSameWithDraftsInFewerPasses) {
  TempDir dir;
  // As many rows as the drafts offer: which of them pay depends on the machine's load.
  const auto run = docspec({"convert", kLetter + ".pdf", "--model", "builtin", "--max-nodes", "64",
                            "--bench-out", dir / "bench.json", "-o", dir / "out.md"});
  ASSERT_EQ(run.code, 0) << run.err;
  const auto page = nlohmann::json::parse(read_file(dir / "bench.json")).at("pages").at(0);
  EXPECT_TRUE(page.at("identical")) << page.at("first_difference");
  EXPECT_GT(page.at("output_tokens"), 400);
  EXPECT_LT(2 * page.at("run").at("passes").get<int>(), page.at("output_tokens").get<int>());
}

TEST(BuiltinModel, SaysTheSameOfPagesReadTogetherAndAlone) {
  TempDir dir;
  const std::string report = DOCSPEC_SOURCE_DIR "/share/samples/report.pdf";  // three pages
  for (const char* batch : {"1", "auto"}) {
    const auto run = docspec({"convert", report, "--model", "builtin", "--dtype", "f32", "--batch",
                              batch, "-o", dir / (batch + std::string(".md"))});
    ASSERT_EQ(run.code, 0) << run.err;
  }
  EXPECT_EQ(read_file(dir / "1.md"), read_file(dir / "auto.md"));
}

TEST(BuiltinModel, SeesLettersOfAnySizeInTheSizeItKnows) {
  TempDir dir;
  nlohmann::json page = {{"page", 1}, {"width", 1654}, {"height", 2339}};
  for (const int size : {1, 2}) {  // the same, twice as large
    const std::vector<int> box = {100, 100, 100 + 600 * size, 100 + 140 * size};
    page["regions"].push_back({{"id", size}, {"order", size}, {"category", "Text"}, {"bbox", box}});
    const nlohmann::json word = {{"text", "lighthouse"},
                                 {"bbox", {100, 100, 100 + 130 * size, 120}}};
    nlohmann::json& draft = page["drafts"].emplace_back();
    draft = {{"region", size}, {"source", "scaled"}, {"text", "lighthouse"}};
    draft["words"].push_back(word);
  }
  nlohmann::json drafts = {{"schema", "docspec-drafts/1"}};
  drafts["source"] = {{"file", "x"}, {"sha256", ""}};
  drafts["pages"].push_back(page);
  write_file(dir / "drafts.json", drafts.dump());
  const auto run =
      docspec({"convert", kLetter + ".pdf", "--model", "builtin", "--draft",
               "replay:" + (dir / "drafts.json").string(), "--stages", "region", "--trace",
               dir / "trace", "--max-new-tokens", "2", "-o", dir / "out.md"});
  ASSERT_TRUE(run.code == 0 || run.code == 3) << run.err;
  std::vector<size_t> prompts;
  std::istringstream lines(read_file(dir / "trace"));
  for (std::string line; std::getline(lines, line);)
    prompts.push_back(nlohmann::json::parse(line).at("prompt_ids").size());
  ASSERT_EQ(prompts.size(), 2u);
  EXPECT_LT(prompts[1], prompts[0] * 3 / 2) << "in one scale: four times";
  EXPECT_LT(prompts[0], prompts[1] * 3 / 2) << "only the margins, the page's, differ";
}

TEST(BuiltinModel, InfoTellsItsErrors) {
  const auto info = docspec({"model", "info", "builtin"});
  EXPECT_EQ(info.code, 0) << info.err;
  for (const char* word : {"qwen2_5_vl", "apache-2.0", "errors", "PP-OCR", "trained on"})
    EXPECT_NE(info.out.find(word), std::string::npos) << word << " in: " << info.out;
}

}  // namespace
}  // namespace docspec::test
