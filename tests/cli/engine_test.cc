// The program without its engine, and the engine as a file.
#include <gtest/gtest.h>

#include <filesystem>
#include <sstream>

#include "tests/support/command.h"
#include "tests/support/temp_dir.h"

namespace docspec::test {
namespace {

namespace fs = std::filesystem;

constexpr const char* kLetter = DOCSPEC_SOURCE_DIR "/share/samples/letter.pdf";

/// A docspec whose engine is not installed.
class WithoutEngine : public ::testing::Test {
 protected:
  void SetUp() override {
    fs::create_directory(dir_ / "bin");
    fs::copy(DOCSPEC_BINARY, binary());
  }
  std::string binary() const { return dir_ / "bin/docspec"; }
  CommandResult run(std::vector<std::string> arguments) const {
    arguments.insert(arguments.begin(), binary());
    return run_program(arguments);
  }
  TempDir dir_;
};

TEST_F(WithoutEngine, DraftsAreWhatTheyAreWithIt) {
  const CommandResult without = run({kLetter, "--model", "none"});
  EXPECT_EQ(without.code, 0) << without.err;
  EXPECT_EQ(without.out, docspec({kLetter, "--model", "none"}).out);
}

TEST_F(WithoutEngine, WhatNeedsItSaysHowToInstallIt) {
  for (const std::vector<std::string>& command :
       {std::vector<std::string>{kLetter, "--model", "builtin"},
        {kLetter, "--model", "none", "--layout", "net"},
        {kLetter, "--model", "none", "--layout", "pictures"},
        {"model", "verify", DOCSPEC_SOURCE_DIR "/share/models/mini"}}) {
    const CommandResult result = run(command);
    EXPECT_EQ(result.code, 4) << result.err;
    EXPECT_NE(result.err.find("engine"), std::string::npos) << result.err;
    EXPECT_NE(result.err.find("install docspec-engine"), std::string::npos) << result.err;
  }
}

TEST_F(WithoutEngine, DoctorNamesItAndIsContent) {
  const CommandResult result = run({"doctor"});
  EXPECT_EQ(result.code, 0) << result.out;
  EXPECT_NE(result.out.find("\nengine     "), std::string::npos) << result.out;
  EXPECT_NE(result.out.find("fix: install docspec-engine"), std::string::npos) << result.out;
}

TEST_F(WithoutEngine, AFileThatIsNoEngineIsToldAndCostsNoDraft) {
  fs::create_directory(dir_ / "lib");
  write_file(dir_ / "lib/libdocspec_engine.so", "no library");
  const CommandResult result = run({kLetter, "--model", "builtin"});
  EXPECT_EQ(result.code, 4) << result.err;
  EXPECT_NE(result.err.find("cannot be opened"), std::string::npos) << result.err;
  EXPECT_EQ(run({kLetter, "--model", "none"}).code, 0);
}

TEST(EngineFile, WithoutPicoDetItsLayoutSaysHowToInstallIt) {
  const TempDir empty;
  const CommandResult result =
      run_program({"/usr/bin/env", "XDG_DATA_HOME=" + (empty / "").string(), DOCSPEC_BINARY,
                   kLetter, "--model", "none", "--layout", "pictures"});
  EXPECT_EQ(result.code, 4) << result.err;
  EXPECT_NE(result.err.find("packaging/deps --ocr"), std::string::npos) << result.err;
}

TEST(EngineFile, ExportsItsDoorAndNeedsNothingOfTheProgram) {
  const auto symbols = [](const char* which) {
    const std::string library =
        fs::path(DOCSPEC_BINARY).parent_path().parent_path() / "lib/libdocspec_engine.so";
    const CommandResult told =
        run_program({"nm", "-D", "-j", std::string("--") + which + "-only", library});
    EXPECT_EQ(told.code, 0) << told.err;
    std::istringstream lines(told.out);
    std::vector<std::string> out;
    for (std::string name; lines >> name;)
      if (name.find("docspec") != std::string::npos) out.push_back(name);
    return out;
  };
  EXPECT_EQ(symbols("defined"), std::vector<std::string>{"docspec_engine"});
  EXPECT_TRUE(symbols("undefined").empty()) << symbols("undefined").front();
}

}  // namespace
}  // namespace docspec::test
