#include "core/base/output_file.h"

#include <gtest/gtest.h>

#include <fstream>
#include <sstream>

#include "core/base/error.h"
#include "core/base/sha256.h"
#include "tests/support/temp_dir.h"

namespace docspec {
namespace {

std::string slurp(const std::filesystem::path& path) {
  std::ostringstream out;
  out << std::ifstream(path).rdbuf();
  return out.str();
}

size_t files_in(const std::filesystem::path& folder) {
  return size_t(std::distance(std::filesystem::directory_iterator(folder), {}));
}

TEST(OutputFile, CommitReplacesTheTargetWhole) {
  test::TempDir dir;
  std::ofstream(dir / "a.md") << "old";
  OutputFile file(dir / "a.md");
  EXPECT_EQ(slurp(dir / "a.md"), "old") << "untouched until commit";
  file.commit("new");
  EXPECT_EQ(slurp(dir / "a.md"), "new");
  EXPECT_EQ(files_in(dir.path()), 1u);
}

TEST(OutputFile, LeavesNothingWithoutCommit) {
  test::TempDir dir;
  { OutputFile file(dir / "a.md"); }
  EXPECT_EQ(files_in(dir.path()), 0u);
}

TEST(OutputFile, WhatAKilledRunLeftIsReplaced) {
  test::TempDir dir;
  const std::string left = ".docspec-" + sha256_hex("a.md").substr(0, 16);
  std::ofstream(dir / left) << "of a run that was killed before it could rename";
  OutputFile(dir / "a.md").commit("new");
  EXPECT_EQ(slurp(dir / "a.md"), "new");
  EXPECT_EQ(files_in(dir.path()), 1u);
}

TEST(OutputFile, RefusesFoldersAndPathsUnderAFile) {
  test::TempDir dir;
  std::ofstream(dir / "file") << "x";
  for (const auto& target : {dir.path(), dir / "file/a.md", dir / "none/a.md"}) {
    try {
      OutputFile file(target);
      FAIL() << target;
    } catch (const Error& e) {
      EXPECT_EQ(e.code(), ExitCode::output_file);
      EXPECT_NE(std::string(e.what()).find(target.string()), std::string::npos);
    }
  }
}

TEST(OutputFile, AFullDeviceIsAnErrorAndStaysADevice) {
  OutputFile file("/dev/full");
  EXPECT_THROW(file.commit("data"), Error);
  EXPECT_TRUE(std::filesystem::is_character_file("/dev/full"));
}

TEST(OutputFile, WritesThroughALink) {
  test::TempDir dir;
  std::ofstream(dir / "real.md") << "old";
  std::filesystem::create_symlink("real.md", dir / "link.md");
  OutputFile(dir / "link.md").commit("new");
  EXPECT_TRUE(std::filesystem::is_symlink(dir / "link.md"));
  EXPECT_EQ(slurp(dir / "real.md"), "new");
}

TEST(OutputFile, ReplacesALinkInThePlaceOfAFileThatDocspecNames) {
  test::TempDir dir;
  std::ofstream(dir / "real.md") << "old";
  std::filesystem::create_symlink("real.md", dir / "link.md");
  OutputFile(dir / "link.md", Links::replace).commit("new");
  EXPECT_FALSE(std::filesystem::is_symlink(dir / "link.md"));
  EXPECT_EQ(slurp(dir / "link.md"), "new");
  EXPECT_EQ(slurp(dir / "real.md"), "old");
}

}  // namespace
}  // namespace docspec
