#include "cli/flags/manual.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "tests/support/command.h"

namespace docspec::test {
namespace {

TEST(Manual, CommittedFilesEqualTheFlagTable) {
  const std::pair<const char*, const char*> kFiles[] = {
      {"man", "/man/docspec.1"},
      {"json-man", "/man/docspec-json.5"},
      {"bash", "/packaging/completions/docspec.bash"},
      {"zsh", "/packaging/completions/_docspec"},
      {"fish", "/packaging/completions/docspec.fish"}};
  for (const auto& [kind, file] : kFiles)
    EXPECT_EQ(generated_text(kind), read_file(DOCSPEC_SOURCE_DIR + std::string(file)))
        << "run: packaging/generate (" << kind << ")";
}

TEST(Manual, HelpAndManNameEveryFlag) {
  const std::string help = docspec({"convert", "--help-all"}).out;
  std::string man = generated_text("man");
  man.erase(std::remove(man.begin(), man.end(), '\\'), man.end());
  for (const Flag& flag : flag_table()) {
    EXPECT_NE(man.find(long_name(flag)), std::string::npos) << long_name(flag);
    if (flag.commands & kConvert) {
      EXPECT_NE(help.find(long_name(flag)), std::string::npos) << long_name(flag);
    }
  }
}

TEST(Manual, VersionNamesTheLicences) {
  const auto result = docspec({"--version"});
  EXPECT_EQ(result.code, 0);
  for (const char* word : {"Apache-2.0", "GPL-3.0-or-later", "Poppler", "libtorch"})
    EXPECT_NE(result.out.find(word), std::string::npos) << word;
}

TEST(Manual, CompletionsAreValidScripts) {
  for (const char* shell : {"bash", "zsh", "fish"}) {
    if (run_program({"sh", "-c", "command -v " + std::string(shell)}).code != 0) continue;
    const auto result = run_program({shell, "-n"}, {.input = generated_text(shell)});
    EXPECT_EQ(result.code, 0) << shell << ": " << result.err;
  }
  EXPECT_NE(generated_text("bash").find("--page-marks"), std::string::npos);
}

}  // namespace
}  // namespace docspec::test
