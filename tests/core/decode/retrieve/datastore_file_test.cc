#include "core/decode/retrieve/datastore_file.h"

#include <gtest/gtest.h>

#include <fstream>
#include <nlohmann/json.hpp>

#include "core/base/error.h"
#include "core/text/tokenizer.h"
#include "tests/support/command.h"
#include "tests/support/temp_dir.h"

namespace docspec {
namespace {

TEST(PhraseStore, HoldsTextsAsTheyAre) {
  const auto json = nlohmann::json::parse(datastore_json({{"a.md", "Tür & \"Tor\"\n"}, {"b", ""}}));
  EXPECT_EQ(json.at("schema"), "docspec-store/1");
  EXPECT_EQ(json.at("texts").size(), 2u);
  EXPECT_EQ(json.at("texts")[0].at("text"), "Tür & \"Tor\"\n");
}

TEST(PhraseStore, TheCommandWritesWhatTheProposerReads) {
  test::TempDir dir;
  std::ofstream(dir / "a.md") << "The invoice is due within thirty days.";
  std::ofstream(dir / "b.md") << "The invoice is due at once.";
  const std::string path = dir / "prior.json";
  EXPECT_EQ(test::docspec({"store", "build", dir / "a.md", dir / "b.md", "-o", path}).code, 0);
  const auto tokenizer =
      Tokenizer::load(std::string(DOCSPEC_SOURCE_DIR) + "/share/models/mini/tokenizer.json");
  const auto layer = load_datastore(path, tokenizer);
  SuffixAutomaton::Match match_length;
  for (const int32_t id : tokenizer.encode("The invoice is due within", false))
    layer->advance(match_length, id);
  const auto phrases = layer->phrases(match_length, 2, 100);
  ASSERT_FALSE(phrases.empty());
  EXPECT_EQ(tokenizer.decode(phrases[0].tokens, true), " thirty days.");
  EXPECT_EQ(load_datastore(path, tokenizer), layer) << "read once";
}

TEST(PhraseStore, BadFilesAreRefusedByName) {
  test::TempDir dir;
  const auto tokenizer =
      Tokenizer::load(std::string(DOCSPEC_SOURCE_DIR) + "/share/models/mini/tokenizer.json");
  for (const char* bad : {"", "[]", "{\"schema\":\"docspec/1\",\"texts\":[]}",
                          "{\"schema\":\"docspec-store/1\",\"texts\":[{\"text\":3}]}"}) {
    std::ofstream(dir / "bad.json") << bad;
    EXPECT_THROW(load_datastore(dir / "bad.json", tokenizer), Error) << bad;
  }
  EXPECT_THROW(load_datastore(dir / "absent.json", tokenizer), Error);
  EXPECT_EQ(test::docspec({"store", "build", dir / "absent.md", "-o", dir / "o"}).code, 2);
  EXPECT_EQ(test::docspec({"store", "build", "-o", dir / "o"}).code, 1);
}

}  // namespace
}  // namespace docspec
