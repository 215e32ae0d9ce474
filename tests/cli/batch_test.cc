// Folders, journals and faults through the real binary.
#include <fcntl.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <filesystem>
#include <nlohmann/json.hpp>
#include <random>
#include <set>
#include <sstream>
#include <thread>

#include "tests/support/command.h"
#include "tests/support/hostile_pdf.h"
#include "tests/support/pdf_writer.h"
#include "tests/support/temp_dir.h"

namespace docspec::test {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;

const std::string kSamples = DOCSPEC_SOURCE_DIR "/share/samples/";

bool contains(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

std::string pages_of_text(int count) {
  std::vector<PdfPage> pages;
  for (int i = 1; i <= count; ++i) {
    PdfPage page;
    page.lines.push_back({72, 700, "This is page " + std::to_string(i) + " of the book"});
    pages.push_back(page);
  }
  return make_pdf(pages);
}

/// Starts docspec and kills it as no handler can see, after a while.
void run_and_kill(const std::vector<std::string>& arguments, int milliseconds) {
  const pid_t child = fork();
  if (child == 0) {
    std::vector<std::string> command = {DOCSPEC_BINARY};
    command.insert(command.end(), arguments.begin(), arguments.end());
    std::vector<char*> argv;
    for (std::string& word : command) argv.push_back(word.data());
    argv.push_back(nullptr);
    dup2(open("/dev/null", O_WRONLY), STDERR_FILENO);
    execv(argv[0], argv.data());
    _exit(127);
  }
  std::this_thread::sleep_for(std::chrono::milliseconds(milliseconds));
  kill(child, SIGKILL);
  waitpid(child, nullptr, 0);
}

TEST(Batch, ACompleteOutputIsLeftAloneUnlessForced) {
  TempDir dir;
  const std::vector<std::string> convert = {"convert", kSamples + "letter.pdf", "-o",
                                            dir / "out.md"};
  ASSERT_EQ(docspec(convert).code, 0);
  const auto written = fs::last_write_time(dir / "out.md");
  const auto again = docspec(convert);
  EXPECT_EQ(again.code, 0) << again.err;
  EXPECT_TRUE(contains(again.err, "1 of an earlier run")) << again.err;
  EXPECT_EQ(fs::last_write_time(dir / "out.md"), written);

  auto forced = convert;
  forced.push_back("--force");
  EXPECT_FALSE(contains(docspec(forced).err, "earlier run"));
  EXPECT_NE(fs::last_write_time(dir / "out.md"), written);
}

TEST(Batch, OtherInputOptionsOrOutputAreReadAgain) {
  TempDir dir;
  fs::copy(kSamples + "letter.pdf", dir / "in.pdf");
  const std::vector<std::string> convert = {"convert", dir / "in.pdf", "-o", dir / "out.md"};
  ASSERT_EQ(docspec(convert).code, 0);
  auto other = convert;
  other.insert(other.end(), {"--dpi", "150"});
  EXPECT_FALSE(contains(docspec(other).err, "earlier run"));
  fs::copy(kSamples + "invoice.pdf", dir / "in.pdf", fs::copy_options::overwrite_existing);
  EXPECT_FALSE(contains(docspec(convert).err, "earlier run"));
  EXPECT_TRUE(contains(read_file(dir / "out.md"), "Invoice"));

  // Rendered otherwise, or lost: the pages are known, the file is written again.
  auto marked = convert;
  marked.push_back("--page-marks");
  EXPECT_TRUE(contains(docspec(marked).err, "1 of an earlier run"));
  EXPECT_TRUE(contains(read_file(dir / "out.md"), "<!-- page 1 -->"));
  fs::remove(dir / "out.md");
  EXPECT_TRUE(contains(docspec(marked).err, "1 of an earlier run"));
  EXPECT_TRUE(contains(read_file(dir / "out.md"), "<!-- page 1 -->"));
}

TEST(Batch, AKilledRunGoesOnAndEndsWithTheSameBytes) {
  TempDir dir;
  write_file(dir / "in.pdf", pages_of_text(60));
  ASSERT_EQ(docspec({"convert", dir / "in.pdf", "-o", dir / "whole.md"}).code, 0);
  const std::vector<std::string> convert = {"convert", dir / "in.pdf", "-o", dir / "out.md"};
  std::mt19937 rng(5);
  size_t known = 0;
  for (int i = 0; i < 4; ++i) run_and_kill(convert, 400 + int(rng() % 900));
  if (fs::exists(dir / ".docspec/out.json")) known = fs::file_size(dir / ".docspec/out.json");
  const auto last = docspec(convert);
  EXPECT_EQ(last.code, 0) << last.err;
  EXPECT_EQ(contains(last.err, "of an earlier run"), known > 0) << last.err;
  EXPECT_EQ(read_file(dir / "out.md"), read_file(dir / "whole.md"));
}

TEST(Batch, APageThatHangsCostsThatPageAndIsTriedAgainWhenAsked) {
  TempDir dir;
  write_file(dir / "hang.pdf", pdf_that_hangs());
  std::vector<std::string> convert = {"convert",      dir / "hang.pdf", "-o",
                                      dir / "out.md", "--page-timeout", "0.7"};
  const auto first = docspec(convert);
  EXPECT_EQ(first.code, 3) << first.err;
  EXPECT_TRUE(contains(first.err, "2 ok, 0 fallback, 1 failed")) << first.err;
  EXPECT_TRUE(contains(read_file(dir / "out.md"), "page 2: took longer than 0.7 s"));
  const auto second = docspec(convert);
  EXPECT_EQ(second.code, 3) << "a skipped file's failures are still failures";
  EXPECT_TRUE(contains(second.err, "3 of an earlier run")) << second.err;
  convert.push_back("--retry-failed");
  const auto third = docspec(convert);
  EXPECT_EQ(third.code, 3) << third.err;
  EXPECT_TRUE(contains(third.err, "2 of an earlier run")) << third.err;
}

TEST(Batch, APageThatEatsMemoryKeepsItsText) {
  TempDir dir;
  write_file(dir / "eats.pdf", pdf_that_exhausts_memory());
  const auto result =
      docspec({"convert", dir / "eats.pdf", "-o", dir / "out.md", "--page-timeout", "2"});
  EXPECT_EQ(result.code, 3) << result.err;
  const std::string text = read_file(dir / "out.md");
  EXPECT_TRUE(contains(text, "A page that can be rescued")) << text;
  EXPECT_TRUE(contains(text, "page 2: fallback (text-layer)")) << text;
}

TEST(Batch, OneBadFileNeverStopsTheOthers) {
  TempDir dir;
  fs::create_directories(dir / "in/deep");
  for (int i = 0; i < 5; ++i)
    write_file(dir / ("in/good" + std::to_string(i) + ".pdf"), pages_of_text(1 + i));
  write_file(dir / "in/deep/hang.pdf", pdf_that_hangs());
  write_file(dir / "in/corrupt.pdf", "%PDF-1.4\nnothing");
  const std::vector<std::string> convert = {"convert",      dir / "in",       "-o",
                                            dir / "in/out", "--page-timeout", "0.7"};
  const auto result = docspec(convert);
  EXPECT_EQ(result.code, 2) << result.err;
  for (int i = 0; i < 5; ++i)
    EXPECT_TRUE(contains(read_file(dir / ("in/out/good" + std::to_string(i) + ".md")), "page 1"));
  EXPECT_TRUE(contains(read_file(dir / "in/out/deep/hang.md"), "A page that can be read"));
  std::set<std::string> named;
  std::istringstream lines(read_file(dir / "in/out/failures.jsonl"));
  for (std::string line; std::getline(lines, line);)
    named.insert(fs::path(json::parse(line).at("input").get<std::string>()).filename());
  EXPECT_EQ(named, (std::set<std::string>{"hang.pdf", "corrupt.pdf"}));
  const auto again = docspec(convert);
  EXPECT_EQ(again.code, 2) << "the output folder in the input folder holds no input " << again.err;
  EXPECT_TRUE(contains(again.err, "7 inputs, ")) << again.err;
}

TEST(Batch, ShardsKeepFailuresOfTheirOwn) {
  TempDir dir;
  fs::create_directories(dir / "in");
  write_file(dir / "in/a.pdf", "%PDF-1.4\nnothing");
  write_file(dir / "in/b.pdf", "%PDF-1.4\nnothing");
  for (const char* shard : {"1/2", "2/2"})
    EXPECT_EQ(docspec({"convert", dir / "in", "-o", dir / "out", "--shard", shard}).code, 2);
  EXPECT_TRUE(contains(read_file(dir / "out/failures.1-of-2.jsonl"), "a.pdf"));
  EXPECT_TRUE(contains(read_file(dir / "out/failures.2-of-2.jsonl"), "b.pdf"));
}

TEST(Batch, TwoProcessesOnOneFolderShareTheWork) {
  TempDir dir;
  fs::create_directories(dir / "in");
  for (int i = 0; i < 6; ++i)
    write_file(dir / ("in/" + std::to_string(i) + ".pdf"), pages_of_text(10));
  CommandResult results[2];
  std::thread other([&] { results[0] = docspec({"convert", dir / "in", "-o", dir / "out"}); });
  results[1] = docspec({"convert", dir / "in", "-o", dir / "out"});
  other.join();
  for (const CommandResult& result : results) {
    EXPECT_EQ(result.code, 0) << result.err;
    EXPECT_TRUE(contains(result.err, "6 inputs, 60 pages: 60 ok")) << result.err;
  }
  for (int i = 0; i < 6; ++i)
    EXPECT_TRUE(contains(read_file(dir / ("out/" + std::to_string(i) + ".md")), "page 10"));
}

/// A folder so deep that no path reaches its end: unreadable even for root.
void make_bottomless(const fs::path& folder) {
  const std::string name(250, 'd');
  fs::create_directory(folder);
  int fd = open(folder.c_str(), O_RDONLY | O_DIRECTORY);
  for (int i = 0; i < 20; ++i) {
    ASSERT_EQ(mkdirat(fd, name.c_str(), 0700), 0);
    const int below = openat(fd, name.c_str(), O_RDONLY | O_DIRECTORY);
    close(fd);
    fd = below;
  }
  close(fd);
}

TEST(Batch, NothingInAFolderIsLeftOutInSilence) {
  TempDir dir;
  fs::create_directories(dir / "in");
  fs::create_directories(dir / "elsewhere");
  write_file(dir / "in/good.pdf", pages_of_text(1));
  write_file(dir / "elsewhere/other.pdf", pages_of_text(1));
  fs::create_symlink("nowhere.pdf", dir / "in/broken.pdf");
  fs::create_directory_symlink("../elsewhere", dir / "in/link");
  ASSERT_EQ(mkfifo((dir / "in/pipe.pdf").c_str(), 0600), 0);  // nobody would ever write to it
  make_bottomless(dir / "in/deep");
  const auto result = docspec({"convert", dir / "in", "-o", dir / "out"});
  EXPECT_EQ(result.code, 2) << result.err;
  EXPECT_TRUE(contains(read_file(dir / "out/good.md"), "page 1"));
  EXPECT_TRUE(contains(result.err, "in/link: a link to a folder is not followed")) << result.err;
  const std::string failures = read_file(dir / "out/failures.jsonl");
  EXPECT_TRUE(contains(failures, "broken.pdf: No such file")) << failures;
  EXPECT_TRUE(contains(failures, "File name too long")) << failures;
  EXPECT_EQ(run_program({"rm", "-rf", dir / "in/deep"}).code, 0);
}

TEST(Batch, StatisticsWithoutAPlaceAreRefusedBeforeTheWork) {
  TempDir dir;
  const auto result = docspec({"convert", kSamples + "letter.pdf", "-o", dir / "out.md", "--stats",
                               dir / "none/stats.json"});
  EXPECT_EQ(result.code, 5) << result.err;
  EXPECT_TRUE(contains(result.err, "none/stats.json")) << result.err;
  EXPECT_FALSE(fs::exists(dir / "out.md"));
}

TEST(Batch, TheLongestNameAFileCanHaveIsConvertedAndSkipped) {
  TempDir dir;
  const std::string name(251, 'n');
  fs::copy(kSamples + "letter.pdf", dir / (name + ".pdf"));
  const std::vector<std::string> convert = {"convert", dir.path(), "-o", dir / "out"};
  const auto first = docspec(convert);
  EXPECT_EQ(first.code, 0) << first.err;
  EXPECT_TRUE(contains(docspec(convert).err, "1 of an earlier run"));
}

TEST(Batch, PicturesOfAnEarlierRunAreNoInput) {
  TempDir dir;
  fs::create_directories(dir / "in/own.files");
  write_file(dir / "in/book.pdf", pages_of_text(2));
  write_file(dir / "in/own.files/chapter.pdf", pages_of_text(1));  // docspec did not write this
  const std::vector<std::string> convert = {"convert", dir / "in", "-o", dir / "in", "--overlay"};
  ASSERT_EQ(docspec(convert).code, 0);
  ASSERT_TRUE(fs::exists(dir / "in/book.files/page-2.png"));
  const auto again = docspec(convert);
  EXPECT_EQ(again.code, 0) << again.err;
  EXPECT_TRUE(contains(again.err, "2 inputs, 3 pages")) << again.err;
  EXPECT_FALSE(fs::exists(dir / "in/book.files/page-1.md"));
}

/// docspec under a shell that closes one of its standard streams.
CommandResult docspec_without(const std::string& stream, const std::string& arguments) {
  return run_program({"sh", "-c", DOCSPEC_BINARY " convert --model none " + arguments + stream});
}

TEST(Batch, AClosedStreamIsNotMistakenForAFile) {
  TempDir dir;
  const std::string letter = kSamples + "letter.pdf";
  EXPECT_EQ(docspec_without(" >&-", letter).code, 5);
  EXPECT_EQ(docspec_without(" <&-", "-").code, 2);
  const std::string written = letter + " -o '" + (dir / "out.md").string() + "'";
  EXPECT_EQ(docspec_without(" 2>&-", written).code, 0);
  EXPECT_EQ(docspec_without(" --force 2>/dev/full", written).code, 0);
  EXPECT_TRUE(contains(docspec_without("", written).err, "1 of an earlier run"));
}

TEST(Batch, AnInterruptedRunGoesOnWhereItWas) {
  TempDir dir;
  write_file(dir / "in.pdf", pages_of_text(200));
  std::vector<std::string> convert = {"convert",      dir / "in.pdf", "-o",
                                      dir / "out.md", "--progress",   "json"};
  CommandOptions options;
  options.interrupt_after = "\"pages\":[3,200]";
  const auto cut = docspec(convert, options);
  ASSERT_EQ(cut.code, 130) << cut.err;
  EXPECT_TRUE(contains(cut.err, "interrupted: run the same command to go on")) << cut.err;
  const auto rest = docspec(convert);
  EXPECT_EQ(rest.code, 0) << rest.err;
  EXPECT_TRUE(contains(rest.err, "of an earlier run")) << rest.err;
  EXPECT_TRUE(contains(read_file(dir / "out.md"), "This is page 200"));
  EXPECT_FALSE(contains(read_file(dir / "out.md"), "interrupted"));
}

}  // namespace
}  // namespace docspec::test
