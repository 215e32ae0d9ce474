// What cmake --install makes, as another user meets it.
#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <regex>

#include "tests/support/command.h"
#include "tests/support/temp_dir.h"

namespace docspec::test {
namespace {

namespace fs = std::filesystem;

TEST(Install, RunsWhereverItIsMovedForAUserWhoCannotReadTheBuildersHome) {
  const TempDir dir;
  fs::permissions(dir.path(), fs::perms(0755));
  const fs::path build = fs::path(DOCSPEC_BINARY).parent_path().parent_path();
  const auto installed = run_program({"cmake", "--install", build, "--prefix", dir / "prefix"});
  ASSERT_EQ(installed.code, 0) << installed.err;
  fs::rename(dir / "prefix", dir / "moved");
  fs::copy(DOCSPEC_SOURCE_DIR "/share/samples/letter.pdf", dir / "letter.pdf");
  const std::string binary = dir / "moved/bin/docspec";

  const std::string home = std::getenv("HOME") ? std::getenv("HOME") : "/root";
  const auto headers = run_program({"readelf", "-d", binary});
  EXPECT_EQ(headers.out.find(home + "/"), std::string::npos) << headers.out;

  std::vector<std::string> command = {"env", "-i", "PATH=/usr/bin:/bin", "HOME=/nonexistent"};
  if (geteuid() == 0)
    command.insert(command.begin(),
                   {"setpriv", "--reuid=65534", "--regid=65534", "--clear-groups"});
  command.insert(command.end(), {binary, "convert", dir / "letter.pdf", "--model", "builtin"});
  const auto run = run_program(command);
  EXPECT_EQ(run.code, 0) << run.err;
  EXPECT_NE(run.out.find("Lighthouse"), std::string::npos) << run.out << run.err;
}

/// The program and its libraries, of which there is one at least.
std::vector<fs::path> programs() {
  const fs::path build = fs::path(DOCSPEC_BINARY).parent_path().parent_path();
  std::vector<fs::path> out = {DOCSPEC_BINARY};
  for (const auto& library : fs::directory_iterator(build / "lib")) out.push_back(library.path());
  EXPECT_GE(out.size(), 2u);
  return out;
}

/// The loader takes an empty path for the current folder, where a library of a stranger may lie.
TEST(Install, NoProgramLooksForLibrariesInTheCurrentFolder) {
  for (const fs::path& file : programs()) {
    const std::string header = run_program({"readelf", "-d", file}).out;
    EXPECT_FALSE(std::regex_search(header, std::regex(R"(path: \[(:|.*::|.*:\]))"))) << file << "\n"
                                                                                     << header;
  }
}

#if !defined(__SANITIZE_ADDRESS__)  // that build has checks of its own
/// A document that finds a fault in memory must not find a stack to run or a table of calls to
/// write.
TEST(Install, ProgramsAreHardened) {
  for (const fs::path& file : programs()) {
    SCOPED_TRACE(file);
    const std::string text = run_program({"readelf", "-W", "-h", "-l", "-d", "-s", file}).out;
    const auto has = [&](const char* pattern) {
      return std::regex_search(text, std::regex(pattern));
    };
    EXPECT_TRUE(has("Type: +DYN")) << "not position independent";
    EXPECT_TRUE(has("GNU_RELRO"));
    EXPECT_TRUE(has("Flags: .*NOW"));
    EXPECT_TRUE(
        has("GNU_STACK +0x[0-9a-f]+ 0x[0-9a-f]+ 0x[0-9a-f]+ 0x[0-9a-f]+ 0x[0-9a-f]+ RW +0x"));
    EXPECT_FALSE(has("LOAD .* RWE "));
    EXPECT_TRUE(has("__stack_chk_fail"));
    if (file.filename() != "libdocspec_cuda.so")  // it calls none of them
      EXPECT_TRUE(has("__(memcpy|memmove|snprintf|vsnprintf|read|memset)_chk")) << "not fortified";
  }
}
#endif

}  // namespace
}  // namespace docspec::test
