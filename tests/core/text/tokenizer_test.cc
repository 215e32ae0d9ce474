#include "core/text/tokenizer.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <random>

#include "core/base/error.h"
#include "core/base/json_file.h"

namespace docspec {
namespace {

using nlohmann::json;

const std::filesystem::path kData =
    std::filesystem::path(DOCSPEC_SOURCE_DIR) / "tests/data/tokenizer";

std::string from_hex(const std::string& hex) {
  std::string out;
  for (size_t i = 0; i < hex.size(); i += 2) out += char(std::stoi(hex.substr(i, 2), nullptr, 16));
  return out;
}

// A fixture's tokenizer with some top-level keys replaced.
Tokenizer patched(const std::string& name, const json& patch) {
  json root = read_json(kData / (name + ".json"));
  for (const auto& [key, value] : patch.items()) root[key] = value;
  return Tokenizer(root.dump(), name);
}

class TokenizerOracle : public ::testing::TestWithParam<const char*> {};

TEST_P(TokenizerOracle, IdsAndTextsEqualThoseOfTokenizers) {
  int checked = 0;
  for (const json& variant : read_json(kData / (std::string(GetParam()) + "_cases.json"))) {
    const Tokenizer tokenizer = patched(GetParam(), variant["patch"]);
    for (const json& c : variant["cases"]) {
      const std::string text = from_hex(c["hex"]);
      const auto ids = c["ids"].get<std::vector<int32_t>>();
      SCOPED_TRACE(variant["patch"].dump() + " hex " + c["hex"].get<std::string>());
      EXPECT_EQ(tokenizer.encode(text), ids);
      if (!c["text_ids"].is_null()) {
        EXPECT_EQ(tokenizer.encode(text, false), c["text_ids"].get<std::vector<int32_t>>());
      }
      EXPECT_EQ(tokenizer.decode(ids), c["decoded"].get<std::string>());
      EXPECT_EQ(tokenizer.decode(ids, true), c["skipped"].get<std::string>());
      ++checked;
    }
  }
  EXPECT_GT(checked, 200);
}

INSTANTIATE_TEST_SUITE_P(Fixtures, TokenizerOracle,
                         ::testing::Values("byte_level", "sentence_piece"));

TEST(Tokenizer, KnowsItsVocabulary) {
  const Tokenizer tokenizer = Tokenizer::load(kData / "byte_level.json");
  const int32_t start = tokenizer.id_of("<|im_start|>").value();
  EXPECT_TRUE(tokenizer.is_special(start));
  EXPECT_EQ(tokenizer.bytes_of(start), "<|im_start|>");
  EXPECT_FALSE(tokenizer.is_special(tokenizer.id_of("<tool>").value()));
  EXPECT_FALSE(tokenizer.id_of("<|absent|>").has_value());
  EXPECT_EQ(tokenizer.bytes_of(tokenizer.id_of("Ġ").value()), " ");
  for (const int32_t id : {-1, tokenizer.vocab_size(), 1 << 30}) {
    EXPECT_FALSE(tokenizer.is_special(id));
    EXPECT_EQ(tokenizer.bytes_of(id), "");
    EXPECT_EQ(tokenizer.decode(std::vector{id}), "");
  }
}

TEST(Tokenizer, SpecialTokensInADocumentAreTextWhenAsked) {
  const Tokenizer tokenizer = Tokenizer::load(kData / "byte_level.json");
  const auto parsed = tokenizer.encode("a<|im_end|>b"),
             plain = tokenizer.encode("a<|im_end|>b", false);
  EXPECT_EQ(parsed.size(), 3u);
  for (const int32_t id : plain) EXPECT_FALSE(tokenizer.is_special(id));
  EXPECT_EQ(tokenizer.decode(plain, true), "a<|im_end|>b");
  EXPECT_EQ(tokenizer.decode(parsed, true), "ab");
}

TEST(Tokenizer, ATokenMadeTextIsFoundInDocumentsAndDecodedAlways) {
  Tokenizer tokenizer = Tokenizer::load(kData / "byte_level.json");
  const int32_t end = tokenizer.id_of("<|im_end|>").value();
  tokenizer.make_text("<|im_end|>");
  tokenizer.make_text("<|absent|>");
  EXPECT_FALSE(tokenizer.is_special(end));
  EXPECT_EQ(tokenizer.encode("a<|im_end|>b", false), tokenizer.encode("a<|im_end|>b"));
  EXPECT_EQ(tokenizer.encode("a<|im_end|>b", false).at(1), end);
  EXPECT_EQ(tokenizer.decode(std::vector{end}, true), "<|im_end|>");
  EXPECT_TRUE(tokenizer.is_special(tokenizer.id_of("<|im_start|>").value()));
}

TEST(Tokenizer, AnyBytesEncodeAndTheirTextComesBack) {
  json patch;
  patch["normalizer"] = nullptr;
  const Tokenizer tokenizer = patched("byte_level", patch);
  std::mt19937 rng(11);
  for (int i = 0; i < 500; ++i) {
    std::string text;
    for (size_t n = rng() % 40; n > 0; --n) text += char(rng() % 3 ? rng() % 256 : 'a' + rng() % 4);
    const auto ids = tokenizer.encode(text, false);
    const std::string once = tokenizer.decode(ids);
    EXPECT_EQ(tokenizer.encode(once, false), ids) << "round " << i;
    EXPECT_EQ(tokenizer.decode(tokenizer.encode(once, false)), once);
  }
}

TEST(Tokenizer, LongWordsTakeNoSquareTime) {
  const Tokenizer tokenizer = Tokenizer::load(kData / "byte_level.json");
  for (const std::string unit : {"a", " ", "ab", "日"}) {
    std::string text;
    while (text.size() < 400'000) text += unit;
    EXPECT_EQ(tokenizer.decode(tokenizer.encode(text)), text);
  }
}

TEST(StreamDecoder, PiecesAreValidUtf8AndMakeTheWholeText) {
  const Tokenizer tokenizer = Tokenizer::load(kData / "byte_level.json");
  const std::string text = "日本語 😀👩‍👩‍👧 naïve façade";
  const auto ids = tokenizer.encode(text);
  StreamDecoder stream(tokenizer);
  std::string all;
  bool held = false;
  for (const int32_t id : ids) {
    const std::string piece = stream.push(id);
    EXPECT_EQ(piece.find("\xEF\xBF\xBD"), std::string::npos) << "cut inside a character";
    held |= piece.empty();
    all += piece;
  }
  EXPECT_TRUE(held) << "some id ends inside a character";
  EXPECT_EQ(all + stream.flush(), text);
  const auto half = tokenizer.encode("é").size() > 1
                        ? tokenizer.encode("é")
                        : std::vector<int32_t>{tokenizer.id_of("Ã").value()};
  EXPECT_EQ(stream.push(half[0]), "");
  EXPECT_EQ(stream.flush(), "\xEF\xBF\xBD");
  EXPECT_EQ(stream.flush(), "") << "after flush it is as new";
}

std::string complaint(const json& root) {
  try {
    Tokenizer made(root.dump(), "tokenizer.json");
    return "";
  } catch (const Error& e) {
    EXPECT_EQ(e.code(), ExitCode::dependency);
    return e.what();
  }
}

TEST(Tokenizer, ErrorsNameFileAndKey) {
  const json good = json::parse(R"({"model":{"type":"BPE","vocab":{"a":0,"b":1,"ab":2},
      "merges":["a b"]},"added_tokens":[],"normalizer":null,"pre_tokenizer":null,"decoder":null})");
  EXPECT_EQ(complaint(good), "");
  const auto with = [&](const char* pointer, const json& value) {
    json root = good;
    root[json::json_pointer(pointer)] = value;
    return complaint(root);
  };
  const auto expect = [](const std::string& said, const char* part) {
    EXPECT_NE(said.find(part), std::string::npos) << said;
    EXPECT_EQ(said.find("tokenizer.json: "), 0u) << said;
  };
  json none = good;
  none["model"].erase("merges");
  expect(complaint(none), "model: missing key 'merges'");
  none.erase("model");
  expect(complaint(none), "missing key 'model'");
  expect(complaint(json::array()), "not a JSON object");
  expect(with("/model/type", "Unigram"), "model: unknown type 'Unigram'");
  expect(with("/model/vocab", 3), "key 'vocab'");
  expect(with("/model/vocab/a", -1), "vocab['a']");
  expect(with("/model/merges", "x"), "key 'merges'");
  expect(with("/model/merges/0", "a"), "merges[0]");
  expect(with("/model/merges/0", json::array({"b", "a"})), "merges[0]: 'ba' is not in 'vocab'");
  expect(with("/model/unk_token", "<unk>"), "'unk_token'");
  expect(with("/model/dropout", 0.1), "'dropout'");
  expect(with("/model/end_of_word_suffix", "</w>"), "'end_of_word_suffix'");
  expect(with("/normalizer", json{{"type", "Bert"}}), "normalizer: unknown type 'Bert'");
  expect(with("/pre_tokenizer", json{{"type", "Bert"}}), "pre_tokenizer: unknown type 'Bert'");
  expect(with("/pre_tokenizer", json{{"type", "Split"}, {"behavior", "Isolated"}}),
         "missing key 'pattern'");
  expect(with("/pre_tokenizer",
              json{{"type", "Split"}, {"pattern", {{"Regex", "(a"}}}, {"behavior", "Isolated"}}),
         "pattern does not compile");
  expect(with("/pre_tokenizer",
              json{{"type", "Split"}, {"pattern", {{"Regex", "a"}}}, {"behavior", "Odd"}}),
         "'behavior'");
  expect(with("/decoder", json{{"type", "WordPiece"}}), "decoder: unknown type 'WordPiece'");
  expect(with("/added_tokens", 1), "added_tokens");
  expect(with("/added_tokens/0", json{{"id", 5}}), "added_tokens[0]: missing key 'content'");
  expect(with("/added_tokens/0", json{{"id", 2'000'000'000}, {"content", "x"}}), "impossible id");
  EXPECT_THROW(Tokenizer("{", "tokenizer.json"), Error);
  EXPECT_THROW(Tokenizer::load("/nonexistent/tokenizer.json"), Error);
}

}  // namespace
}  // namespace docspec
