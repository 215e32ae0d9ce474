// The house's rules that a machine can check: who may include whom, sizes, words.
#include <gtest/gtest.h>

#include <algorithm>
#include <cctype>
#include <filesystem>
#include <map>
#include <regex>
#include <set>
#include <sstream>
#include <vector>

#include "tests/support/command.h"

namespace docspec::test {
namespace {

namespace fs = std::filesystem;

const fs::path kRoot = DOCSPEC_SOURCE_DIR;

/// Relative path -> text of every C++ and CUDA source outside the tests.
std::map<std::string, std::string> sources() {
  std::map<std::string, std::string> out;
  for (const char* folder : {"cli", "core", "drafts", "cuda"})
    for (const auto& entry : fs::recursive_directory_iterator(kRoot / folder))
      if (entry.is_regular_file() && entry.path().extension() != ".md")
        out[entry.path().lexically_relative(kRoot).string()] = read_file(entry.path());
  return out;
}

std::vector<std::string> includes(const std::string& text) {
  static const std::regex kInclude("#include [<\"]([^>\"]+)[>\"]");
  std::vector<std::string> out;
  for (std::sregex_iterator it(text.begin(), text.end(), kInclude), end; it != end; ++it)
    out.push_back((*it)[1]);
  return out;
}

TEST(House, OnlyTheDrawnArrowsStand) {
  const std::map<std::string, std::set<std::string>> allowed = {{"core", {"core"}},
                                                                {"drafts", {"drafts", "core"}},
                                                                {"cuda", {"cuda", "core"}},
                                                                {"cli", {"cli", "drafts", "core"}}};
  for (const auto& [file, text] : sources())
    for (const std::string& include : includes(text)) {
      const std::string folder = include.substr(0, include.find('/'));
      if (allowed.contains(folder)) {
        EXPECT_TRUE(allowed.at(file.substr(0, file.find('/'))).contains(folder))
            << file << " includes " << include;
      }
    }
}

/// The rooms of the house, each using only itself and those before it.
const std::vector<std::string> kRooms = {
    "core/base",
    "core/text",
    "core/page",
    "core/input/letters",
    "core/input/content",
    "core/input/wide",
    "core/input/bitmaps",
    "core/input",
    "core/document",
    "core/markup/base",
    "core/markup/formats",
    "core/markup/models",
    "core/markup",
    "core/finish",
    "core/letters/words",
    "core/letters",
    "core/ops/cpu",
    "core/ops/cpu/attention",
    "core/ops",
    "core/model/checkpoint",
    "core/model/layers",
    "core/model/image",
    "core/model",
    "core/model/vision",
    "core/model/trunk",
    "core/model/families",
    "core/decode/sample",
    "core/decode/verify",
    "core/decode/align",
    "core/decode/prune",
    "core/decode/propose",
    "core/decode/retrieve",
    "core/decode/draft_model",
    "core/decode",
    "core/worker",
    "core",
    "core/read",
    "drafts/lines",
    "drafts/latex",
    "drafts/formula/equations",
    "drafts/formula",
    "drafts/grid",
    "drafts/grid/formulas",
    "drafts/grid/heads",
    "drafts/table/rows",
    "drafts/table",
    "drafts/text",
    "drafts/ocr/ppocr/layers",
    "drafts/ocr/ppocr",
    "drafts/ocr/formulas",
    "drafts/ocr",
    "drafts/detector",
    "drafts/detector/tables",
    "drafts/layout",
    "drafts/table/seen",
    "drafts/margins",
    "drafts/regions",
    "drafts/replay",
    "drafts",
    "cli/flags",
    "cli/mcp",
    "cli/report",
    "cli",
    "cli/engine",
    "cli/commands",
    "cuda/recurrent",
    "cuda",
};

std::string room_of(const std::string& path) {
  return path.substr(0, path.rfind('/'));
}

TEST(House, EachRoomUsesOnlyRoomsBeforeIt) {
  const auto place = [](const std::string& path) {
    return std::find(kRooms.begin(), kRooms.end(), room_of(path)) - kRooms.begin();
  };
  for (const auto& [file, text] : sources()) {
    ASSERT_LT(place(file), std::ssize(kRooms)) << file << ": a room that kRooms does not list";
    for (const std::string& include : includes(text))
      if (include.starts_with("core/") || include.starts_with("drafts/") ||
          include.starts_with("cli/")) {
        EXPECT_LE(place(include), place(file)) << file << " includes " << include;
      }
  }
}

TEST(House, NoRoomIsCrowdedAndEachSaysWhatItIsFor) {
  std::map<std::string, int> files;
  for (const auto& [file, text] : sources()) ++files[room_of(file)];
  for (const std::string& room : kRooms) {
    EXPECT_LE(files[room], 25) << room;
    EXPECT_GT(files[room], 0) << room;
    const std::string about = read_file(kRoot / room / "README.md");
    EXPECT_TRUE(about.starts_with("For: ")) << room;
    EXPECT_EQ(std::count(about.begin(), about.end(), '\n'), 3) << room;
  }
}

/// The words of a text in lower case, each between blanks; identifiers are split: "PassTable" and
/// "pass_table" give " pass table ".
std::string words_of(const std::string& text) {
  std::string out = " ";
  for (size_t i = 0; i < text.size(); ++i) {
    const auto is = [&](size_t at, auto kind) {
      return at < text.size() && kind(uint8_t(text[at]));
    };
    if (!is(i, ::isalpha)) {
      if (out.back() != ' ') out += ' ';
      continue;
    }
    const bool hump = is(i, ::isupper) && ((i > 0 && is(i - 1, ::islower)) || is(i + 1, ::islower));
    if (hump && out.back() != ' ') out += ' ';
    out += char(std::tolower(uint8_t(text[i])));
  }
  if (out.back() != ' ') out += ' ';
  return out;
}

/// The third column of the glossary: words that were given up. Those in parentheses are ordinary
/// words in other meanings, which a test cannot tell apart.
std::vector<std::string> banned_words() {
  static const std::regex kRow("\\n\\|[^|\n]*\\|[^|\n]*\\|([^|\n]*)\\|"), kAside("\\([^)]*\\)");
  const std::string glossary = read_file(kRoot / "share/doc/glossary.md");
  std::vector<std::string> out;
  for (std::sregex_iterator it(glossary.begin(), glossary.end(), kRow), end; it != end; ++it) {
    std::istringstream column(std::regex_replace((*it)[1].str(), kAside, ""));
    for (std::string word; std::getline(column, word, ',');)
      if (const std::string plain = words_of(word); plain.size() > 2 && plain != " instead of ")
        out.push_back(plain);
  }
  return out;
}

TEST(House, NoWordThatTheGlossaryReplaces) {
  const std::vector<std::string> banned = banned_words();
  EXPECT_GT(banned.size(), 20u);
  for (const auto& [file, text] : sources()) {
    const std::string words = words_of(text);
    for (const std::string& word : banned)
      EXPECT_EQ(words.find(word), std::string::npos) << file << " says" << word;
  }
}

/// Prepositions of a compressed English that had to be read twice: say after, in parallel with or
/// next to, and nothing or no page.
TEST(House, CommentsOfCoreAreInPlainEnglish) {
  static const std::regex kComment("//[^\n]*"),
      kIdiom("\\b([Bb]ehind|[Bb]eside|[Nn]obody)\\b|/// What ");
  for (const auto& [file, text] : sources())
    if (file.starts_with("core/"))
      for (std::sregex_iterator it(text.begin(), text.end(), kComment), end; it != end; ++it) {
        const std::string comment = it->str();
        EXPECT_FALSE(std::regex_search(comment, kIdiom)) << file << ": " << comment;
      }
}

TEST(House, EveryCitedDocumentAndSectionExists) {
  static const std::regex kCited("\\b([a-z]+\\.md) ([0-9]+(\\.[0-9]+)?)");
  for (const auto& [file, text] : sources())
    for (std::sregex_iterator it(text.begin(), text.end(), kCited), end; it != end; ++it) {
      const fs::path document = kRoot / "share/doc" / (*it)[1].str();
      ASSERT_TRUE(fs::exists(document)) << file << " cites " << (*it)[0];
      const std::regex heading("\\n##+ " + (*it)[2].str() + "[. ]");
      EXPECT_TRUE(std::regex_search(read_file(document), heading)) << file << " cites " << (*it)[0];
    }
}

/// Whether a source, or a header that it includes, is one of libtorch's.
bool needs_tensors(const std::map<std::string, std::string>& all, const std::string& file) {
  std::set<std::string> seen = {file};
  for (std::vector<std::string> left = {file}; !left.empty();) {
    const std::string next = left.back();
    left.pop_back();
    for (const std::string& include : includes(all.at(next))) {
      if (include.starts_with("ATen/") || include.starts_with("c10/")) return true;
      if (all.contains(include) && seen.insert(include).second) left.push_back(include);
    }
  }
  return false;
}

TEST(House, OnlyTheEngineAndTheCudaSideNeedTensors) {
  static const std::regex kEngine(
      "(cuda|core/ops|core/model|core/decode|core/read|drafts/detector|drafts/ocr/ppocr|cli/"
      "engine)/"
      ".*");
  const auto all = sources();
  for (const auto& [file, text] : all)
    if (file.ends_with(".cc") && !std::regex_match(file, kEngine)) {
      EXPECT_FALSE(needs_tensors(all, file)) << file;
    }
  const std::string libraries = run_program({"ldd", DOCSPEC_BINARY}).out;
  EXPECT_NE(libraries.find("libpoppler"), std::string::npos);
  for (const char* engine : {"libtorch", "libc10", "docspec_engine"})
    EXPECT_EQ(libraries.find(engine), std::string::npos) << libraries;
}

/// A plain copy waits for all that the device still does: where pages are encoded and decoded,
/// send_to_device stands for it.
TEST(House, NoCopyWaitsForTheDevice) {
  static const std::regex kRoom("core/(decode/|model/(families|image|layers|trunk)/|model/kv_).*"),
      kCopy("\\.to\\([^()]*device\\(?");
  auto all = sources();
  all["core/decode/ (tests/bench/replay_model.h)"] =
      read_file(kRoot / "tests/bench/replay_model.h");
  for (const auto& [file, text] : all)
    if (std::regex_match(file, kRoom) || file.ends_with(")")) {
      EXPECT_FALSE(std::regex_search(text, kCopy)) << file;
    }
}

TEST(House, EachThirdPartyHeaderIsSeenByOneFile) {
  const std::map<std::string, std::string> owner = {
      {"poppler", "core/input/pdf_reader.cc"}, {"tesseract/", "drafts/ocr/tesseract_drafter.cc"},
      {"CLI/", "cli/flags/options.cc"},        {"gumbo", "core/markup/base/html_tree.cc"},
      {"openssl/", "core/base/openssl.cc"},    {"pcre2", "core/text/regex.cc"},
      {"utf8proc", "core/text/unicode.cc"}};
  for (const auto& [file, text] : sources())
    for (const std::string& include : includes(text))
      for (const auto& [prefix, only] : owner)
        if (include.starts_with(prefix)) {
          EXPECT_EQ(file, only) << include;
        }
}

TEST(House, NoTwoTypesHaveOneName) {
  static const std::regex kType(
      "\\n(?:class|struct|enum class|enum) ([A-Z]\\w*)(?: final)?(?: : [^;{]*)? \\{");
  std::map<std::string, std::string> first;
  for (const auto& [file, text] : sources())
    for (std::sregex_iterator it(text.begin(), text.end(), kType), end; it != end; ++it) {
      const auto [known, added] = first.emplace((*it)[1], file);
      EXPECT_TRUE(added) << (*it)[1] << " is a type of " << known->second << " and of " << file;
    }
  EXPECT_GT(first.size(), 100u);
}

TEST(House, FilesStaySmall) {
  for (const auto& [file, text] : sources()) {
    EXPECT_LE(std::count(text.begin(), text.end(), '\n'), 400) << file;
    if (file.ends_with(".h")) {
      EXPECT_TRUE(text.starts_with("#pragma once")) << file;
    }
  }
}

TEST(House, TheJourneyReadsOnOneSheet) {
  for (const char* file : {"core/pipeline.cc", "core/decode/decoder.cc"}) {
    const std::string text = read_file(kRoot / file);
    EXPECT_LE(std::count(text.begin(), text.end(), '\n'), 250) << file;
    EXPECT_GT(text.size(), 1000u) << file;
  }
}

TEST(House, OnlyTheUsersNamesStandAtTheTop) {
  const std::set<std::string> known = {"CMakeLists.txt", "cli",       "core",   "drafts",
                                       "cuda",           "share",     "man",    "tests",
                                       "packaging",      "README.md", "LICENSE"};
  std::istringstream names(
      run_program({"git", "-C", kRoot.string(), "ls-tree", "--name-only", "HEAD"}).out);
  int seen = 0;
  for (std::string name; std::getline(names, name); ++seen)
    if (!name.starts_with(".")) {
      EXPECT_TRUE(known.contains(name)) << name;
    }
  if (seen == 0) GTEST_SKIP() << "no git checkout";
}

/// A machine with a GPU takes 64 MiB a call: the tracked files and what packaging/gpu builds (15).
TEST(House, TheTrackedFilesLeaveRoomForWhatAGpuIsShown) {
  std::istringstream names(run_program({"git", "-C", kRoot.string(), "ls-files"}).out);
  uintmax_t bytes = 0;
  for (std::string name; std::getline(names, name);)
    if (fs::is_regular_file(kRoot / name)) bytes += fs::file_size(kRoot / name);
  if (bytes == 0) GTEST_SKIP() << "no git checkout";
  EXPECT_LE(bytes, uintmax_t{48} << 20);
}

}  // namespace
}  // namespace docspec::test
