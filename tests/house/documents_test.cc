// What documents claim: quoted figures are those of their files, quoted code is that of the
// sources.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <regex>
#include <set>
#include <vector>

#include "tests/support/command.h"

namespace docspec::test {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;

const fs::path kSource = DOCSPEC_SOURCE_DIR;

json read_json(const fs::path& file) {
  return json::parse(read_file(kSource / file));
}

/// White space folded to one blank, so that line breaks do not count.
std::string folded(const std::string& text) {
  static const std::regex kSpace("\\s+");
  return std::regex_replace(text, kSpace, " ");
}

TEST(Documents, EveryResultsFileNamesItsCommandAndItsCommit) {
  static const std::regex kCommit("[0-9a-f]{7,40}(-dirty)?");
  int seen = 0;
  for (const auto& entry : fs::directory_iterator(kSource / "tests/bench/results")) {
    if (entry.path().extension() != ".json") continue;
    ++seen;
    const json results = json::parse(read_file(entry.path()));
    EXPECT_TRUE(std::regex_match(results.value("commit", ""), kCommit)) << entry.path();
    EXPECT_TRUE(results.contains("command") || results.contains("runs")) << entry.path();
  }
  EXPECT_GT(seen, 10);
}

/// The mean of a column over rows of a table, weighted by another: {"mean_of", "by", "where"}.
double mean(const json& rows, const json& quote) {
  double sum = 0, weight = 0;
  for (const json& row : rows) {
    bool taken = true;
    for (const auto& [key, wanted] : quote.at("where").items())
      taken &= wanted.is_array()
                   ? std::find(wanted.begin(), wanted.end(), row.at(key)) != wanted.end()
                   : row.at(key) == wanted;
    if (!taken) continue;
    const double by = row.at(quote.at("by").get<std::string>());
    sum += by * row.at(quote.at("mean_of").get<std::string>()).get<double>();
    weight += by;
  }
  return sum / weight;
}

/// One line of quoted.json: {"in": document, "says": a piece of it, "file": results, "at": pointer,
/// "times": factor}. The first number of `says` is the figure.
void compare(const json& quote) {
  static const std::regex kNumber("[0-9][0-9,]*(\\.[0-9]+)?");
  const std::string says = quote.at("says");
  const std::string text = folded(read_file(kSource / quote.at("in").get<std::string>()));
  EXPECT_NE(text.find(says), std::string::npos) << quote.at("in") << " does not say: " << says;
  std::smatch number;
  ASSERT_TRUE(std::regex_search(says, number, kNumber)) << says;
  std::string figure = number[0];
  figure.erase(std::remove(figure.begin(), figure.end(), ','), figure.end());
  const json results = read_json(quote.at("file").get<std::string>());
  const json::json_pointer at(quote.at("at").get<std::string>());
  ASSERT_TRUE(results.contains(at)) << quote.at("file") << " has no " << at.to_string();
  const json& found = results.at(at);
  const double value = (quote.contains("mean_of") ? mean(found, quote) : found.get<double>()) *
                       quote.value("times", 1.0);
  const size_t point = figure.find('.');
  const int digits = point == std::string::npos ? 0 : int(figure.size() - point - 1);
  EXPECT_LE(std::abs(value - std::stod(figure)), 0.5001 * std::pow(10, -digits))
      << quote.at("in") << " says \"" << says << "\"; " << quote.at("file") << " " << value;
}

TEST(Documents, QuotedFiguresAreThoseOfTheirFiles) {
  for (const json& quote : read_json("tests/bench/quoted.json")) compare(quote);
}

/// Documents of which each paragraph that names a results file is compared.
std::vector<fs::path> documents() {
  std::vector<fs::path> out = {"README.md", "share/models/mini/README.md",
                               "share/models/mini-draft/README.md"};
  for (const auto& entry : fs::directory_iterator(kSource / "share/doc/decisions"))
    out.push_back(entry.path().lexically_relative(kSource));
  return out;
}

/// Paragraphs and rows of tables, white space folded.
std::vector<std::string> pieces(const std::string& text) {
  static const std::regex kEnd("\n\n|\n(?=\\|)");
  std::vector<std::string> out;
  for (std::sregex_token_iterator it(text.begin(), text.end(), kEnd, -1), end; it != end; ++it)
    out.push_back(folded(*it));
  return out;
}

/// Where the figures begin that quoted.json compares.
std::set<size_t> compared(const std::string& piece, const fs::path& document, const json& quotes) {
  std::set<size_t> out;
  for (const json& quote : quotes) {
    const std::string says = quote.at("says");
    if (quote.at("in") != document.string()) continue;
    for (size_t at = 0; (at = piece.find(says, at)) != std::string::npos; ++at)
      out.insert(at + says.find_first_of("0123456789"));
  }
  return out;
}

TEST(Documents, EachFigureBesideAResultsFileIsCompared) {
  static const std::regex kResults("results/[a-z0-9-]+\\.json|errors[a-z0-9-]*\\.json");
  static const std::regex kVersion("(transformers|Tesseract|Debian|torch|pymupdf4llm) [0-9.]+");
  static const std::regex kFigure("[0-9]+\\.[0-9]+");
  const json quotes = read_json("tests/bench/quoted.json");
  for (const fs::path& document : documents())
    for (const std::string& whole : pieces(read_file(kSource / document))) {
      const std::string piece = std::regex_replace(whole, kVersion, "");
      if (!std::regex_search(piece, kResults)) continue;
      const std::set<size_t> known = compared(piece, document, quotes);
      for (std::sregex_iterator it(piece.begin(), piece.end(), kFigure), end; it != end; ++it)
        EXPECT_TRUE(known.contains(size_t(it->position())))
            << document << ": " << (*it)[0] << " is compared with no file: " << piece;
    }
}

TEST(Documents, CodeInContributingIsThatOfTheSources) {
  const std::string guide = read_file(kSource / ".github/CONTRIBUTING.md");
  std::string sources;
  for (const char* file :
       {"core/decode/propose/backoff_proposer.h", "core/decode/propose/backoff_proposer.cc",
        "core/decode/align/proposer.h", "core/decode/registry.cc", "core/decode/registry.h"})
    sources += read_file(kSource / file);
  static const std::string kOpen = "```cpp\n", kClose = "```";
  int seen = 0;
  for (size_t at = 0; (at = guide.find(kOpen, at)) != std::string::npos; ++seen) {
    at += kOpen.size();
    const std::string code = guide.substr(at, guide.find(kClose, at) - at);
    EXPECT_NE(sources.find(code), std::string::npos) << code;
  }
  EXPECT_GE(seen, 4);
}

TEST(Documents, FilesThatTheGuidesNameExist) {
  static const std::regex kLink("\\]\\(([^)#: ]+)\\)");
  static const std::regex kPath("`((?:cli|core|drafts|cuda|share|tests|packaging|man)/[^`*{ ]+)`");
  for (const fs::path document : {"README.md", ".github/CONTRIBUTING.md"}) {
    const std::string text = read_file(kSource / document);
    for (std::sregex_iterator it(text.begin(), text.end(), kLink), end; it != end; ++it)
      EXPECT_TRUE(fs::exists(kSource / document.parent_path() / (*it)[1].str())) << (*it)[1];
    for (std::sregex_iterator it(text.begin(), text.end(), kPath), end; it != end; ++it)
      if ((*it)[1].str().find("/x") == std::string::npos) {  // x stands for a name
        EXPECT_TRUE(fs::exists(kSource / (*it)[1].str())) << document << ": " << (*it)[1];
      }
  }
}

}  // namespace
}  // namespace docspec::test
