// Inputs that come one after the other, on standard input.
#include <gtest/gtest.h>
#include <sys/inotify.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <map>
#include <nlohmann/json.hpp>
#include <set>
#include <sstream>

#include "core/base/file_descriptor.h"
#include "core/base/sha256.h"
#include "tests/support/command.h"
#include "tests/support/files.h"
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
  const std::vector<std::string> command = {"convert", "--files-from", "-",   "-o",
                                            out,       "--model",      "none"};
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

std::string line_for(const std::string& file, const nlohmann::json& pages) {
  return nlohmann::json{{"input", file}, {"pages", pages}}.dump() + "\n";
}

TEST(FilesFrom, ALineOfJsonChoosesPages) {
  const std::string mixed = kSamples + "mixed.pdf";
  const auto lines = lines_of(
      docspec({"convert", "--files-from", "-", "--to", "json", "--model", "none", "--jobs", "1"},
              {.input = line_for(mixed, "2-") + line_for(mixed, 1) + line_for(mixed, "9") +
                        "{\"input\": 1}\n"})
          .out);
  ASSERT_EQ(lines.size(), 4u);
  std::multiset<int> codes, pages;
  for (const auto& line : lines) {
    codes.insert(line["code"].get<int>());
    if (line.contains("json")) pages.insert(int(line["json"]["pages"].size()));
  }
  EXPECT_EQ(codes, (std::multiset<int>{0, 0, 1, 2}));
  EXPECT_EQ(pages, (std::multiset<int>{1, 2}));
}

TEST(FilesFrom, PartsOfADocumentAreJoinedFromTheirJournals) {
  const TempDir dir;
  const std::string mixed = kSamples + "mixed.pdf";
  const auto convert = [&](const std::string& out, const std::string& input) {
    const auto run = docspec({"convert", "--files-from", "-", "-o", dir / out, "--to", "md,json",
                              "--model", "none", "-v"},
                             {.input = input});
    EXPECT_EQ(run.code, 0) << run.err;
    return run.err;
  };
  convert("whole", mixed);
  convert("first", line_for(mixed, "1-2"));
  convert("rest", line_for(mixed, "3-"));
  const std::string rest = read_file(dir / "rest/.docspec/mixed.json");
  std::filesystem::create_directories(dir / "joined/.docspec");
  write_file(dir / "joined/.docspec/mixed.json",
             read_file(dir / "first/.docspec/mixed.json") + rest.substr(rest.find('\n') + 1));
  convert("joined", mixed);
  EXPECT_EQ(read_file(dir / "joined/mixed.md"), read_file(dir / "whole/mixed.md"));
  // No page was read again: even the times are those of the parts.
  const auto pages = [&](const std::string& out) {
    return nlohmann::json::parse(read_file(dir / (out + "/mixed.json")))["pages"];
  };
  EXPECT_EQ(pages("joined")[1], pages("first")[1]);
  EXPECT_EQ(pages("joined")[2]["timings"], pages("rest")[0]["timings"]);
  convert("first", mixed);  // what was written of two pages is not taken for the whole
  EXPECT_EQ(pages("first").size(), 3u);
}

TEST(FilesFrom, DraftsOfAFolderAreThoseOfTheInputWithTheirHash) {
  const TempDir dir;
  const std::string letter = kSamples + "letter.pdf", report = kSamples + "report.pdf";
  const std::string drafts = docspec({"draft", letter}).out;
  const size_t at = drafts.find("lighthouse");
  ASSERT_NE(at, drafts.npos);
  write_file(dir / (sha256_hex_of_file(letter) + ".json"),
             std::string(drafts).replace(at, 10, "greenhouse"));
  const auto lines = lines_of(docspec({"convert", "--files-from", "-", "--to", "md", "--model",
                                       "none", "--draft", "replay:" + std::string(dir / "")},
                                      {.input = letter + "\n" + report + "\n"})
                                  .out);
  ASSERT_EQ(lines.size(), 2u);
  for (const auto& line : lines) {
    if (line["input"] == letter)
      EXPECT_NE(line["md"].get<std::string>().find("greenhouse"), std::string::npos);
    else
      EXPECT_EQ(line["md"], docspec({report, "--model", "none"}).out) << "has no drafts there";
  }
}

/// Counts how often a file is opened, by any process.
class Opens {
 public:
  explicit Opens(const std::string& file) : events_(::inotify_init1(IN_NONBLOCK | IN_CLOEXEC)) {
    // Without the closing between them, openings would be one event.
    EXPECT_GE(::inotify_add_watch(events_.get(), file.c_str(), IN_OPEN | IN_CLOSE), 0) << file;
  }
  int count() const {
    int opened = 0;
    std::array<inotify_event, 64> events;  // of a file itself, they have no name
    for (ssize_t bytes; (bytes = ::read(events_.get(), events.data(), sizeof events)) > 0;)
      opened += int(std::count_if(events.begin(), events.begin() + bytes / sizeof events[0],
                                  [](const auto& event) { return event.mask & IN_OPEN; }));
    return opened;
  }

 private:
  const FileDescriptor events_;
};

TEST(FilesFrom, TheWeightsAreOpenedOnce) {
  const TempDir dir;
  const std::string model = dir / "model";
  std::filesystem::copy(oracle_folder("qwen2_5_vl/hub_tied/model"), model);
  const Opens weights(model + "/model-00001-of-00002.safetensors");
  std::string input;
  for (const char* name : {"letter", "report", "invoice"}) input += kSamples + name + ".pdf\n";
  const auto lines = lines_of(docspec({"convert", "--files-from", "-", "--to", "json", "--model",
                                       model, "--threads", "1", "--max-new-tokens", "4"},
                                      {.input = input})
                                  .out);
  ASSERT_EQ(lines.size(), 3u);
  for (const auto& line : lines)  // read by the model, to its limit
    EXPECT_EQ(line["json"]["pages"][0]["status"], "fallback") << line;
  EXPECT_EQ(weights.count(), 1);
}

TEST(FilesFrom, InputsOfTheCommandLineAreRefused) {
  EXPECT_EQ(docspec({"convert", "--files-from", "-", kSamples + "letter.pdf"}).code, 1);
  EXPECT_EQ(docspec({"convert", "--files-from", "/none"}).code, 2);
}

}  // namespace
}  // namespace docspec::test
