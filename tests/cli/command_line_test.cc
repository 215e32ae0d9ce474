// What a newcomer types: short forms, help, typing errors, configuration, completions.
#include <gtest/gtest.h>

#include <filesystem>
#include <sstream>

#include "cli/flags/flag_values.h"
#include "cli/flags/flags.h"
#include "cli/flags/manual.h"
#include "core/decode/registry.h"
#include "core/text/unicode.h"
#include "drafts/registry.h"
#include "tests/support/command.h"
#include "tests/support/temp_dir.h"

namespace docspec::test {
namespace {

const std::string kSamples = DOCSPEC_SOURCE_DIR "/share/samples/";

bool contains(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

TEST(CommandLine, AFileAloneIsConverted) {
  TempDir dir;
  const auto full = docspec({"convert", kSamples + "letter.pdf"});
  ASSERT_EQ(full.code, 0) << full.err;
  EXPECT_EQ(docspec({kSamples + "letter.pdf"}).out, full.out);
  EXPECT_EQ(docspec({"-q", kSamples + "letter.pdf"}).out, full.out);
  EXPECT_EQ(docspec({"-"}, {.input = read_file(kSamples + "letter.pdf")}).out, full.out);
  EXPECT_EQ(docspec({kSamples + "letter.pdf", "-o", dir / "out.md"}).code, 0);
  EXPECT_EQ(read_file(dir / "out.md"), full.out);
  std::filesystem::create_directory(dir / "in");
  std::filesystem::copy(kSamples + "letter.pdf", dir / "in/a.pdf");
  EXPECT_EQ(docspec({"in", "-o", "out/"}, {.working_folder = dir.path().string()}).code, 0);
  EXPECT_EQ(read_file(dir / "out/a.md"), full.out);
  EXPECT_EQ(docspec({dir / "none.pdf"}).code, 2) << "the name of a file that is not there";
}

TEST(CommandLine, HelpAndVersionHaveTheirUsualForms) {
  const std::string help = docspec({"--help"}).out, version = docspec({"--version"}).out;
  EXPECT_TRUE(contains(help, "Markdown, JSON and HTML"));
  EXPECT_EQ(docspec({"-h"}).out, help);
  EXPECT_EQ(docspec({"help"}).out, help);
  EXPECT_EQ(docspec({"-V"}).out, version);
  EXPECT_EQ(docspec({"help", "convert"}).out, docspec({"convert", "--help"}).out);
  const auto unknown = docspec({"help", "convrt"});
  EXPECT_EQ(unknown.code, 1);
  EXPECT_TRUE(contains(unknown.err, "did you mean convert?")) << unknown.err;
}

TEST(CommandLine, TheShortHelpOfConvertFitsTwoScreens) {
  std::istringstream help(docspec({"convert", "--help"}).out);
  int lines = 0;
  for (std::string line; std::getline(help, line); ++lines)
    EXPECT_LE(count_code_points(line), 80u) << line;
  EXPECT_LE(lines, 2 * 24);
  EXPECT_GE(lines, 30);
}

TEST(CommandLine, CommandsWithActionsExplainThem) {
  for (const char* action : {"info", "verify", "calibrate"}) {
    EXPECT_TRUE(contains(docspec({"model", "--help"}).out, action)) << action;
    EXPECT_TRUE(contains(docspec({"model", action, "--help"}).out, "Hugging Face")) << action;
  }
  EXPECT_TRUE(contains(docspec({"store", "build", "--help"}).out, "--draft retrieval:store=STORE"));
  const auto typo = docspec({"model", "verfy", kSamples});
  EXPECT_EQ(typo.code, 1);
  EXPECT_TRUE(contains(typo.err, "did you mean verify?")) << typo.err;
}

TEST(CommandLine, ValuesThatAreMistypedAreSuggested) {
  const std::vector<std::vector<std::string>> cases = {
      {"--model", "builtn", "builtin"},   {"--to", "markdown", "md"},
      {"--verify", "exat", "exact"},      {"--draft", "text-layer,tess", "tesseract"},
      {"--propose", "windw", "window"},   {"--headers", "dorp", "drop"},
      {"--layout", "line", "lines"},      {"--prune", "fixation:kep=0.1", "keep"},
      {"--stages", "adaptiv", "adaptive"}};
  for (const auto& words : cases) {
    const auto result = docspec({kSamples + "letter.pdf", words[0], words[1]});
    EXPECT_EQ(result.code, words[0] == "--model" ? 4 : 1) << words[1];
    EXPECT_TRUE(contains(result.err, "did you mean " + words[2] + "?")) << result.err;
  }
}

TEST(CommandLine, AnAddressIsNoInput) {
  for (const char* command : {"convert", "draft"}) {
    const auto result = docspec({command, "https://example.org/a.pdf"});
    EXPECT_EQ(result.code, 1) << command;
    EXPECT_TRUE(contains(result.err, "opens no network connection: download it first"))
        << result.err;
  }
  EXPECT_EQ(docspec({"https://example.org/a.pdf"}).code, 1);
}

TEST(CommandLine, ConfigurationErrorsNameFileLineAndKey) {
  const std::vector<std::pair<std::string, std::string>> cases = {
      {"[convert]\n# here\nheaderz = \"keep\"\n",
       "docspec.toml:3: headerz: no such option (did you mean headers?)"},
      {"[convert]\n\ndpi = \"sharp\"\n", "docspec.toml:3: --dpi sharp: must be a number"},
      {"[draft]\ndpi = 200\n\n[convrt]\ndpi = 200\n",
       "docspec.toml:4: [convrt]: no such command (did you mean convert?)"},
      {"strict = 7\n", "docspec.toml:1: --strict: must be true or false"},
      {"[convert]\nto = \"markdown\"\n", "docspec.toml:2: output format 'markdown' is unknown"},
      {"[draft]\ndpi = 100\n[convert]\ndpi = 5\n", "docspec.toml:4: --dpi 5"}};
  for (const auto& [text, message] : cases) {
    TempDir dir;
    write_file(dir / "docspec.toml", text);
    const auto result = docspec({kSamples + "letter.pdf"}, {.working_folder = dir.path().string()});
    EXPECT_EQ(result.code, 1) << text;
    EXPECT_TRUE(contains(result.err, message)) << result.err;
  }
}

TEST(CommandLine, KeysAboveAllSectionsHoldForEachCommandThatHasThem) {
  TempDir dir;
  write_file(dir / "docspec.toml", "quiet = true\nheaders = \"keep\"\n[convert]\nstrict = false\n");
  const CommandOptions here{.working_folder = dir.path().string()};
  const auto converted = docspec({kSamples + "report.pdf"}, here);
  EXPECT_EQ(converted.code, 0) << converted.err;
  EXPECT_EQ(converted.err, "");
  EXPECT_TRUE(contains(converted.out, "Harbour Survey"));
  const auto drafted = docspec({"draft", kSamples + "letter.pdf"}, here);
  EXPECT_EQ(drafted.code, 0) << drafted.err;
  EXPECT_EQ(drafted.err, "") << "draft has no --headers, and is quiet";
}

TEST(CommandLine, QuietSilencesTheBenchAndTruthIsInItsTableAndPage) {
  TempDir dir;
  const std::vector<std::string> bench = {
      kSamples + "letter.pdf", "-o",           dir / "out.md",  "--model", "builtin",
      "--bench-out",           dir / "b.html", "--bench-truth", kSamples};
  const auto loud = docspec(bench);
  EXPECT_EQ(loud.code, 0) << loud.err;
  EXPECT_TRUE(contains(loud.err, "SRdecode")) << loud.err;
  EXPECT_TRUE(contains(loud.err, "letter.pdf: edit distance from its truth ")) << loud.err;
  EXPECT_TRUE(contains(read_file(dir / "b.html"), "Text against truth"));
  std::vector<std::string> quiet = bench;
  quiet.push_back("-q");
  EXPECT_EQ(docspec(quiet).err, "");
}

TEST(CommandLine, HelpMarksTheProposersThatAutoStandsFor) {
  std::istringstream lines{proposer_choices()};
  size_t automatic = 0;
  for (std::string line; std::getline(lines, line);) {
    const auto* entry = find(proposers(), line.substr(0, line.find_first_of(": ")));
    ASSERT_NE(entry, nullptr) << line;
    EXPECT_EQ(line.ends_with("; in auto"), entry->automatic) << line;
    automatic += entry->automatic;
  }
  EXPECT_GT(automatic, 2u);
}

/// What bash offers for the last word of a command line.
std::string completed(const std::string& words) {
  const TempDir empty;  // no file of it is offered
  return run_program({"bash", "-c",
                      "source " DOCSPEC_SOURCE_DIR "/packaging/completions/docspec.bash; "
                      "COMP_WORDS=(" +
                          words +
                          "); COMP_CWORD=$((${#COMP_WORDS[@]} - 1)); "
                          "_docspec; echo \"${COMPREPLY[*]}\""},
                     {.working_folder = empty.path().string()})
      .out;
}

TEST(CommandLine, CompletionsKnowEveryNameAndGoOnAfterAComma) {
  EXPECT_EQ(completed("docspec convert --model buil"), "builtin\n");
  EXPECT_EQ(completed("docspec a.pdf --to md,js"), "md,json\n");
  EXPECT_EQ(completed("docspec convert --draft text-layer,tess"), "text-layer,tesseract\n");
  EXPECT_EQ(completed("docspec convert --stages region,"), "region,page\n");
  EXPECT_EQ(completed("docspec model ver"), "verify\n");
  EXPECT_EQ(completed("docspec a.pdf --bench-t"), "--bench-truth\n");
  const auto all = [](const char* flag) {
    return " " + completed("docspec convert " + std::string(flag) + " ''") + " ";
  };
  const std::string propose = all("--propose"), draft = all("--draft"), prune = all("--prune");
  for (const auto& entry : proposers())
    EXPECT_TRUE(contains(propose, std::string(entry.name))) << entry.name;
  for (const auto& entry : drafter_registry())
    EXPECT_TRUE(contains(draft, std::string(entry.name))) << entry.name;
  EXPECT_TRUE(contains(draft, "model:") && contains(draft, "replay:")) << draft;
  for (const auto& entry : selectors())
    EXPECT_TRUE(contains(prune, std::string(entry.name))) << entry.name;
  EXPECT_TRUE(contains(all("--layout"), "net")) << "both detectors";
}

TEST(CommandLine, FishCompletesTheSame) {
  if (run_program({"sh", "-c", "command -v fish"}).code != 0) GTEST_SKIP() << "skipped: no fish";
  const auto offered = [](const std::string& line) {
    return run_program({"fish", "-c",
                        "source " DOCSPEC_SOURCE_DIR "/packaging/completions/docspec.fish; "
                        "complete -C '" +
                            line + "'"})
        .out;
  };
  EXPECT_TRUE(contains(offered("docspec convert --model buil"), "builtin"));
  EXPECT_TRUE(contains(offered("docspec convert --to md,js"), "md,json"));
  EXPECT_TRUE(contains(offered("docspec a.pdf --bench-t"), "--bench-truth"));
}

}  // namespace
}  // namespace docspec::test
