// What a run says while it goes on and when it ends, through the real binary on a real terminal.
#include <gtest/gtest.h>

#include <filesystem>
#include <nlohmann/json.hpp>
#include <sstream>

#include "tests/support/command.h"
#include "tests/support/temp_dir.h"

namespace docspec::test {
namespace {

const std::string kSamples = DOCSPEC_SOURCE_DIR "/share/samples/";

bool contains(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

std::string path(const TempDir& dir, const std::string& name) {
  return (dir / name).string();
}

size_t count(const std::string& text, const std::string& part) {
  size_t times = 0;
  for (size_t at = 0; (at = text.find(part, at)) != std::string::npos; at += part.size()) ++times;
  return times;
}

/// What docspec writes to a terminal of 80 columns. script is in Debian's essential bsdutils.
std::string on_terminal(const std::string& arguments) {
  return run_program(
             {"script", "-qec", "stty cols 80; " DOCSPEC_BINARY " " + arguments, "/dev/null"})
      .out;
}

/// A folder of samples and a file that is no PDF.
void make_inputs(const TempDir& dir) {
  std::filesystem::create_directory(dir / "in");
  for (const char* name : {"letter.pdf", "report.pdf", "invoice.pdf"})
    std::filesystem::copy(kSamples + name, path(dir, "in/" + std::string(name)));
  write_file(dir / "in/bad.pdf", "this is no PDF\n");
}

TEST(Progress, MessagesDoNotTearTheLine) {
  TempDir dir;
  std::filesystem::create_directory(dir / "in");
  for (int i = 0; i < 12; ++i)
    std::filesystem::copy(kSamples + "letter.pdf", path(dir, "in/" + std::to_string(i) + ".pdf"));
  const std::string shown = on_terminal("convert " + path(dir, "in") + " -o " + path(dir, "out/") +
                                        " --model none --pages 1-9 --jobs 1");
  EXPECT_EQ(count(shown, "pages; --pages is cut to them"), 12u) << shown;
  EXPECT_TRUE(contains(shown, "\r\033[Kinput ")) << shown;
  for (size_t at = 0; (at = shown.find("docspec: ", at)) != std::string::npos; ++at) {
    const std::string before = shown.substr(0, at);
    EXPECT_TRUE(before.empty() || before.ends_with("\n") || before.ends_with("\r\033[K"))
        << "torn: " << shown.substr(at > 60 ? at - 60 : 0, 120);
  }
}

TEST(Progress, TheLineFitsTheTerminal) {
  TempDir dir;
  const std::string name(150, 'x');
  std::filesystem::copy(kSamples + "report.pdf", dir / (name + ".pdf"));
  const std::string shown = on_terminal("convert " + path(dir, name + ".pdf") + " -o " +
                                        path(dir, "o.md") + " --model none");
  const size_t at = shown.find("\r\033[Kxxx");
  ASSERT_NE(at, std::string::npos) << shown;
  EXPECT_LT(shown.find_first_of("\r\n", at + 1) - at, 84u) << shown;
}

TEST(Progress, TotalsAreKnownBeforeTheFirstPage) {
  TempDir dir;
  make_inputs(dir);
  const auto result = docspec(
      {"convert", dir / "in", "-o", dir / "out/", "--model", "none", "--progress", "json", "-q"});
  std::istringstream lines(result.err);
  int seen = 0;
  for (std::string line; std::getline(lines, line);) {
    if (!line.starts_with("{")) continue;
    ++seen;
    const auto json = nlohmann::json::parse(line);
    EXPECT_EQ(json.at("pages").at(1), 5) << line;
    EXPECT_EQ(json.at("inputs").at(1), 4) << line;
  }
  EXPECT_EQ(seen, 5);
}

TEST(Progress, TokensMoveWhileTheModelReadsAPage) {
  TempDir dir;
  const std::string shown = on_terminal("convert " + kSamples + "letter.pdf -o " +
                                        path(dir, "out.md") + " --model builtin --draft none");
  EXPECT_GE(count(shown, "letter.pdf: page 0/1 · "), 2u) << shown;
  EXPECT_TRUE(contains(shown, " tokens")) << shown;
}

TEST(Progress, AnInterruptedRunSaysHowToGoOn) {
  TempDir dir;
  std::vector<std::string> merge = {"qpdf", "--empty", "--pages"};
  for (int i = 0; i < 40; ++i) merge.insert(merge.end(), {kSamples + "scan.pdf", "1"});
  merge.insert(merge.end(), {"--", dir / "long.pdf"});
  ASSERT_EQ(run_program(merge).code, 0);
  CommandOptions options;
  options.interrupt_after = "\"pages\":[2,40]";
  const auto result = docspec(
      {"convert", dir / "long.pdf", "-o", dir / "out.md", "--model", "none", "--progress", "json"},
      options);
  EXPECT_EQ(result.code, 130) << result.err;
  EXPECT_TRUE(result.err.ends_with("docspec: interrupted: run the same command to go on\n"))
      << result.err;
  EXPECT_EQ(count(result.err, "interrupted"), 1u) << result.err;
  EXPECT_TRUE(contains(result.err, ", 0 failed")) << result.err;
}

TEST(Progress, EachErrorIsToldOnce) {
  TempDir dir;
  make_inputs(dir);
  const std::vector<std::string> batch = {"convert",    dir / "in", "-o",
                                          dir / "out/", "--model",  "none"};
  const auto listed = docspec(batch);
  EXPECT_EQ(listed.code, 2);
  EXPECT_EQ(count(listed.err, "bad.pdf"), 1u) << listed.err;
  std::vector<std::string> quiet = batch;
  quiet.insert(quiet.end(), {"-q", "--force"});
  EXPECT_EQ(count(docspec(quiet).err, "bad.pdf"), 1u) << "no table: told when it happens";
  const auto alone =
      docspec({"convert", dir / "in/bad.pdf", "-o", dir / "o.md", "--model", "none"});
  EXPECT_EQ(count(alone.err, "bad.pdf"), 1u) << alone.err;
}

TEST(Progress, TheLastLineNamesTheOutput) {
  TempDir dir;
  make_inputs(dir);
  const std::string file = path(dir, "o.md"), folder = path(dir, "out/");
  const std::vector<std::string> one = {"convert", kSamples + "letter.pdf", "-o", file, "--model",
                                        "none"};
  EXPECT_TRUE(docspec(one).err.ends_with("docspec: wrote " + file + "\n"));
  const std::string again = docspec(one).err;
  EXPECT_TRUE(again.ends_with("is converted already: " + file + " (--force does it again)\n"))
      << again;
  const std::vector<std::string> batch = {"convert", dir / "in", "-o", folder, "--model", "none"};
  EXPECT_TRUE(docspec(batch).err.ends_with("docspec: wrote 3 documents to " + folder +
                                           "; problems are in " + folder + "failures.jsonl\n"));
  const std::string stdout_run = docspec({kSamples + "letter.pdf", "--model", "none"}).err;
  EXPECT_FALSE(contains(stdout_run, "wrote")) << stdout_run;
}

}  // namespace
}  // namespace docspec::test
