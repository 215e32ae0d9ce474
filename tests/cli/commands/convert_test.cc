// What a script relies on beside the exit codes: targets, streams, formats, configuration.
#include <gtest/gtest.h>

#include <filesystem>
#include <nlohmann/json.hpp>

#include "tests/support/command.h"
#include "tests/support/temp_dir.h"

namespace docspec::test {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;

const std::string kSamples = DOCSPEC_SOURCE_DIR "/share/samples/";

bool contains(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

TEST(Convert, WritesDataToStdoutAndAllElseToStderr) {
  const auto result = docspec({"convert", kSamples + "letter.pdf"});
  EXPECT_TRUE(contains(result.out, "The Lighthouse at Grey Point"));
  EXPECT_FALSE(contains(result.out, "docspec:"));
  EXPECT_TRUE(contains(result.err, "pages/s"));
  EXPECT_EQ(docspec({"convert", kSamples + "letter.pdf", "-q"}).err, "");
}

TEST(Convert, ReadsStandardInput) {
  const auto result = docspec({"convert", "-"}, {.input = read_file(kSamples + "letter.pdf")});
  EXPECT_EQ(result.code, 0) << result.err;
  EXPECT_EQ(result.out, docspec({"convert", kSamples + "letter.pdf"}).out);
}

TEST(Convert, ChoosesTheFormatBySuffixOrTo) {
  TempDir dir;
  ASSERT_EQ(docspec({"convert", kSamples + "letter.pdf", "-o", dir / "a.json"}).code, 0);
  EXPECT_EQ(json::parse(read_file(dir / "a.json")).at("schema"), "docspec/1");
  ASSERT_EQ(docspec({"convert", kSamples + "letter.pdf", "-o", dir / "b.md", "-t", "md,json"}).code,
            0);
  EXPECT_TRUE(fs::exists(dir / "b.md"));
  EXPECT_TRUE(fs::exists(dir / "b.json"));
  const auto unknown = docspec({"convert", kSamples + "letter.pdf", "-t", "docx"});
  EXPECT_EQ(unknown.code, 1);
  EXPECT_TRUE(contains(unknown.err, "md, json")) << unknown.err;
}

TEST(Convert, JsonMarkdownRangesPointIntoTheMarkdown) {
  const auto document =
      json::parse(docspec({"convert", kSamples + "report.pdf", "-t", "json"}).out);
  const std::string markdown = docspec({"convert", kSamples + "report.pdf"}).out;
  int seen = 0;
  for (const json& page : document.at("pages"))
    for (const json& block : page.at("blocks"))
      if (block.at("category") == "Text" && block.contains("markdown")) {
        const size_t from = block["markdown"][0], to = block["markdown"][1];
        EXPECT_EQ(markdown.substr(from, to - from), block.at("text")) << block;
        ++seen;
      }
  EXPECT_GT(seen, 5);
  EXPECT_EQ(document.at("source").at("pages"), 3);
}

TEST(Convert, MirrorsAFolderAndOneBadFileNeverStopsTheOthers) {
  TempDir dir;
  fs::create_directories(dir / "in/deep er");
  fs::copy(kSamples + "letter.pdf", dir / "in/a.pdf");
  fs::copy(kSamples + "invoice.pdf", dir / "in/deep er/b.pdf");
  write_file(dir / "in/bad.pdf", "no PDF");
  const auto result = docspec({"convert", dir / "in", "-o", dir / "out"});
  EXPECT_EQ(result.code, 2) << result.err;
  EXPECT_TRUE(contains(read_file(dir / "out/a.md"), "Grey Point"));
  EXPECT_TRUE(contains(read_file(dir / "out/deep er/b.md"), "Invoice"));
  EXPECT_FALSE(fs::exists(dir / "out/bad.md"));
  EXPECT_TRUE(contains(result.err, "bad.pdf"));
  const auto failure = json::parse(read_file(dir / "out/failures.jsonl"));
  EXPECT_EQ(failure.at("code"), 2);
  EXPECT_TRUE(contains(failure.at("input"), "bad.pdf"));
}

TEST(Convert, RefusesTwoInputsWithOneTargetNamingBoth) {
  TempDir dir;
  fs::create_directories(dir / "x");
  fs::copy(kSamples + "letter.pdf", dir / "a.pdf");
  fs::copy(kSamples + "letter.pdf", dir / "x/a.pdf");
  const auto result = docspec({"convert", dir / "a.pdf", dir / "x/a.pdf", "-o", dir / "out/"});
  EXPECT_EQ(result.code, 1);
  EXPECT_TRUE(contains(result.err, dir / "a.pdf") && contains(result.err, dir / "x/a.pdf"))
      << result.err;
  EXPECT_FALSE(fs::exists(dir / "out"));
  const auto file = docspec({"convert", dir / "a.pdf", dir / "x/a.pdf", "-o", dir / "out.md"});
  EXPECT_EQ(file.code, 1);
  EXPECT_TRUE(contains(file.err, "need a folder")) << file.err;
}

TEST(Convert, ShardsTakeEachInputOnce) {
  TempDir dir;
  fs::create_directories(dir / "in");
  for (const char* name : {"a", "b", "c"})
    fs::copy(kSamples + "letter.pdf", (dir / "in") / (name + std::string(".pdf")));
  for (const char* shard : {"1/2", "2/2"})
    EXPECT_EQ(
        docspec({"convert", dir / "in", "-o", (dir / shard).string() + "/", "--shard", shard}).code,
        0);
  EXPECT_TRUE(fs::exists(dir / "1/2/a.md") && fs::exists(dir / "1/2/c.md"));
  EXPECT_TRUE(fs::exists(dir / "2/2/b.md") && !fs::exists(dir / "2/2/a.md"));
}

TEST(Convert, CutsPagesToTheDocumentWithAWarning) {
  const auto result =
      docspec({"convert", kSamples + "report.pdf", "--pages", "2-9", "--page-marks"});
  EXPECT_EQ(result.code, 0) << result.err;
  EXPECT_TRUE(contains(result.err, "has 3 pages; --pages is cut"));
  EXPECT_FALSE(contains(result.out, "<!-- page 1 -->"));
  EXPECT_TRUE(contains(result.out, "<!-- page 3 -->"));
}

TEST(Convert, HeadersAreDroppedKeptOrCommented) {
  EXPECT_FALSE(contains(docspec({"convert", kSamples + "report.pdf"}).out, "Harbour Survey"));
  const auto keep = docspec({"convert", kSamples + "report.pdf", "--headers", "keep"});
  EXPECT_TRUE(contains(keep.out, "Harbour Survey")) << keep.out;
  const auto comment = docspec({"convert", kSamples + "report.pdf", "--headers", "comment"});
  EXPECT_TRUE(contains(comment.out, "<!-- header: Harbour Survey")) << comment.out;
}

TEST(Convert, OutputDoesNotDependOnTheNumberOfThreads) {
  const auto one = docspec({"convert", kSamples + "mixed.pdf", "-t", "md", "--jobs", "1"});
  const auto three = docspec({"convert", kSamples + "mixed.pdf", "-t", "md", "--jobs", "3"});
  EXPECT_EQ(one.code, 0) << one.err;
  EXPECT_EQ(one.out, three.out);
}

TEST(Convert, DraftsWrittenByDraftAreReadByReplay) {
  TempDir dir;
  ASSERT_EQ(docspec({"draft", kSamples + "invoice.pdf", "-o", dir / "d.json"}).code, 0);
  EXPECT_EQ(json::parse(read_file(dir / "d.json")).at("schema"), "docspec-drafts/1");
  const auto replay = docspec(
      {"convert", kSamples + "invoice.pdf", "--draft", "replay:" + (dir / "d.json").string()});
  EXPECT_EQ(replay.code, 0) << replay.err;
  EXPECT_EQ(replay.out, docspec({"convert", kSamples + "invoice.pdf"}).out);
}

TEST(Convert, NeverCallsAPageOkOfWhichNothingWasRead) {
  const auto result = docspec({"convert", kSamples + "mixed.pdf", "--draft", "text-layer"});
  EXPECT_EQ(result.code, 3) << result.err;
  EXPECT_TRUE(contains(result.out, "<!-- page 2: fallback (image): no draft source read"))
      << result.out;
  EXPECT_TRUE(contains(result.out, "Invoice 2023-118"));
}

TEST(Convert, TakesDefaultsFromTheConfigurationFile) {
  TempDir dir;
  write_file(dir / "docspec.toml", "[convert]\nheaders = \"keep\"\nquiet = true\n");
  const auto result =
      docspec({"convert", kSamples + "report.pdf"}, {.working_folder = dir.path().string()});
  EXPECT_EQ(result.code, 0) << result.err;
  EXPECT_TRUE(contains(result.out, "Harbour Survey"));
  EXPECT_EQ(result.err, "docspec: docspec.toml in this folder sets headers, quiet\n");
  const auto override = docspec({"convert", kSamples + "report.pdf", "--headers", "drop"},
                                {.working_folder = dir.path().string()});
  EXPECT_FALSE(contains(override.out, "Harbour Survey"));
  write_file(dir / "bad.toml", "[convert]\nheaderz = 1\n");
  EXPECT_EQ(docspec({"convert", kSamples + "report.pdf", "--config", dir / "bad.toml"}).code, 1);
}

TEST(Convert, StatsFileHoldsTheSummary) {
  TempDir dir;
  ASSERT_EQ(docspec({"convert", kSamples + "report.pdf", "-q", "--stats", dir / "s.json"}).code, 0);
  const json stats = json::parse(read_file(dir / "s.json"));
  EXPECT_EQ(stats.at("pages").at("ok"), 3);
  EXPECT_GT(stats.at("peak_memory_mb"), 1);
}

TEST(Doctor, NamesWhatThisMachineHas) {
  const auto result = docspec({"doctor"});
  EXPECT_EQ(result.code, 0) << result.out << result.err;
  for (const char* word : {"cpu", "memory", "tesseract", "eng", "model"})
    EXPECT_TRUE(contains(result.out, word)) << result.out;
}

}  // namespace
}  // namespace docspec::test
