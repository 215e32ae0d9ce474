// Inputs that come one after the other, on standard input.
#include <gtest/gtest.h>

#include <filesystem>
#include <map>
#include <nlohmann/json.hpp>
#include <sstream>

#include "tests/support/command.h"
#include "tests/support/temp_dir.h"

namespace docspec::test {
namespace {

const std::string kSamples = DOCSPEC_SOURCE_DIR "/share/samples/";

std::vector<nlohmann::json> lines_of(const std::string& text) {
  std::istringstream in(text);
  std::vector<nlohmann::json> out;
  for (std::string line; std::getline(in, line);) out.push_back(nlohmann::json::parse(line));
  return out;
}

TEST(FilesFrom, EachDocumentIsALineWithItsText) {
  const CommandResult run =
      docspec({"convert", "--files-from", "-", "--to", "md,json", "--model", "none"},
              {.input = kSamples + "letter.pdf\n/none.pdf\n\n" + kSamples + "report.pdf"});
  EXPECT_EQ(run.code, 2) << run.err;
  std::map<std::string, nlohmann::json> lines;
  for (const auto& line : lines_of(run.out)) lines[line["input"]] = line;
  ASSERT_EQ(lines.size(), 3u) << run.out;
  EXPECT_EQ(lines["/none.pdf"]["code"], 2);
  EXPECT_NE(lines["/none.pdf"]["message"], "");
  for (const char* name : {"letter", "report"}) {
    const auto& line = lines[kSamples + name + ".pdf"];
    EXPECT_EQ(line["md"], docspec({kSamples + name + ".pdf", "--model", "none"}).out);
    EXPECT_EQ(line["json"]["schema"], "docspec/1");
    EXPECT_EQ(line["pages"]["ok"], line["json"]["pages"].size());
  }
}

TEST(FilesFrom, AnOutputFolderGetsTheDocumentsOnce) {
  const TempDir dir;
  const std::string out = dir / "out";
  const CommandOptions input = {.input = kSamples + "letter.pdf\n" + kSamples + "letter.pdf\n"};
  const std::vector<std::string> command = {"convert", "--files-from", "-", "-o", out,
                                            "--model", "none"};
  for (int run = 0; run < 2; ++run) {
    auto lines = lines_of(docspec(command, input).out);
    ASSERT_EQ(lines.size(), 2u);
    if (lines[0]["code"] != 0) std::swap(lines[0], lines[1]);  // they end in any order
    EXPECT_EQ(lines[0]["code"], 0);
    EXPECT_EQ(read_file(lines[0]["outputs"][0].get<std::string>()),
              docspec({kSamples + "letter.pdf", "--model", "none"}).out);
    EXPECT_EQ(lines[1]["code"], 1) << "two inputs of one name";
  }
}

TEST(FilesFrom, InputsOfTheCommandLineAreRefused) {
  EXPECT_EQ(docspec({"convert", "--files-from", "-", kSamples + "letter.pdf"}).code, 1);
  EXPECT_EQ(docspec({"convert", "--files-from", "/none"}).code, 2);
}

}  // namespace
}  // namespace docspec::test
