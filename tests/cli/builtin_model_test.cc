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

TEST(BuiltinModel, InfoTellsItsErrors) {
  const auto info = docspec({"model", "info", "builtin"});
  EXPECT_EQ(info.code, 0) << info.err;
  for (const char* word : {"qwen2_5_vl", "apache-2.0", "errors", "Tesseract", "trained on"})
    EXPECT_NE(info.out.find(word), std::string::npos) << word << " in: " << info.out;
}

}  // namespace
}  // namespace docspec::test
