// --letters by the real command line: what JSON, TSV, viewer and summary say of the same
// differences.
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <regex>
#include <sstream>

#include "tests/support/command.h"
#include "tests/support/temp_dir.h"

namespace docspec::test {
namespace {

const std::string kSamples = DOCSPEC_SOURCE_DIR "/share/samples/";

size_t count(const std::string& text, const std::string& part) {
  size_t out = 0;
  for (size_t at = text.find(part); at != text.npos; at = text.find(part, at + 1)) ++out;
  return out;
}

TEST(Letters, ALetterReadByTheBuiltinModelIsItsTruthAndEachDifferenceIsTold) {
  TempDir dir;
  const auto run =
      docspec({"convert", kSamples + "letter.pdf", "--model", "builtin", "--to", "md,json,html",
               "-o", dir / "out/", "--report-differences", dir / "out.tsv"});
  ASSERT_EQ(run.code, 0) << run.err;
  // The model takes a heading for a list item: structure stays its own.
  const auto text_of = [](const std::string& path) {
    return std::regex_replace(read_file(path), std::regex("(^|\n)#+ "), "$1");
  };
  EXPECT_EQ(text_of(dir / "out/letter.md"), text_of(kSamples + "letter.md"));
  size_t differing = 0;
  const auto page = nlohmann::json::parse(read_file(dir / "out/letter.json")).at("pages").at(0);
  for (const auto& block : page.at("blocks"))
    for (const auto& word : block.at("words")) {
      EXPECT_TRUE(word.contains("source"));
      if (!word.contains("model")) continue;
      ++differing;
      EXPECT_TRUE(word.contains("document"));
      EXPECT_EQ(word.at("bbox").size(), 4u);
    }
  EXPECT_GT(differing, 0u) << "the built-in model makes mistakes";
  const std::string table = read_file(dir / "out.tsv");
  EXPECT_EQ(count(table, "\n"), differing + 1);
  EXPECT_EQ(table.substr(0, table.find('\n')),
            "input\tpage\tblock\tx0\ty0\tx1\ty1\tsource\ttext\tmodel\tdocument\tocr\twhy");
  const std::string html = read_file(dir / "out/letter.html");
  EXPECT_EQ(count(html, "<span class=\"diff"), differing);
  EXPECT_NE(html.find("e.key === 'n'"), html.npos);
  EXPECT_NE(run.err.find("letters: " + std::to_string(differing) + " of "), std::string::npos)
      << run.err;
}

TEST(Letters, OfAScanThoseStandThatAreSurer) {
  TempDir dir;
  std::string texts[2];
  for (const bool both : {false, true}) {
    const auto run = docspec({"convert", kSamples + "scan.pdf", "--model", "builtin", "--draft",
                              "tesseract", "--lang", "eng", "--letters", both ? "auto" : "model",
                              "-o", dir / (both ? "auto.json" : "model.json")});
    ASSERT_EQ(run.code, 0) << run.err;
    const auto page = nlohmann::json::parse(read_file(dir / (both ? "auto.json" : "model.json")))
                          .at("pages")
                          .at(0);
    for (const auto& block : page.at("blocks")) {
      texts[both] += block.at("text").get<std::string>() + " ";
      for (const auto& word : block.value("words", nlohmann::json::array()))
        EXPECT_TRUE(word.contains("ocr") || !word.contains("model")) << word;
    }
  }
  std::istringstream truth(read_file(kSamples + "scan.md"));
  size_t by_model = 0, by_both = 0;
  for (std::string word; truth >> word;) {
    by_model += texts[0].find(word) != std::string::npos;
    by_both += texts[1].find(word) != std::string::npos;
  }
  EXPECT_GT(by_both, by_model);
}

}  // namespace
}  // namespace docspec::test
