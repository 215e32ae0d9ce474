// --draft model:DIR through the real binary: tiny checkpoints of two families.
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <sstream>

#include "tests/support/command.h"
#include "tests/support/files.h"
#include "tests/support/temp_dir.h"

namespace docspec::test {
namespace {

using nlohmann::json;

const std::string kInvoice = DOCSPEC_SOURCE_DIR "/share/samples/invoice.pdf";
const std::string kLetter = DOCSPEC_SOURCE_DIR "/share/samples/letter.pdf";
const std::string kModel = oracle_folder("qwen2_5_vl/hub_tied/model");
const std::string kSibling = oracle_folder("qwen3_vl/hub_tied/model");

struct Converted {
  CommandResult process;
  std::vector<json> ids;  ///< output_ids of each decode
  json decode;            ///< of --stats
};

Converted convert(const std::vector<std::string>& flags) {
  TempDir dir;
  std::vector<std::string> arguments = {
      "convert",      kInvoice,  "--model",          kModel,      "--trace", dir / "t.jsonl", "-o",
      dir / "out.md", "--stats", dir / "s.json",     "--threads", "1",       "--max-nodes",   "32",
      "--stages",     "page",    "--max-new-tokens", "12"};
  arguments.insert(arguments.end(), flags.begin(), flags.end());
  Converted run;
  run.process = docspec(arguments, {.environment = {"OMP_WAIT_POLICY=passive"}});
  if (run.process.code != 0 && run.process.code != 3) return run;
  std::istringstream trace(read_file(dir / "t.jsonl"));
  for (std::string line; std::getline(trace, line);)
    run.ids.push_back(json::parse(line).at("output_ids"));
  run.decode = json::parse(read_file(dir / "s.json")).at("decode");
  return run;
}

TEST(DraftModelCommand, RefusesAModelWhoseStateCannotBeWoundBack) {
  const Converted run = convert({"--draft", "model:" + oracle_folder("qwen3_5/nested/model")});
  EXPECT_EQ(run.process.code, 1);
  EXPECT_NE(run.process.err.find("a model of the family qwen3_5 cannot draft"), std::string::npos)
      << run.process.err;
  EXPECT_NE(run.process.err.find("take another draft model"), std::string::npos);
}

TEST(DraftModelCommand, DraftsBesideOtherSourcesOrAloneAndKeepsTheIds) {
  const Converted plain = convert({"--draft", "none"});
  ASSERT_FALSE(plain.ids.empty()) << plain.process.err;
  const std::string model = "model:" + kSibling;
  const std::string itself = "model:" + kModel;
  for (const std::string& draft :
       {"auto," + model + ",gamma=3,width=2", itself + ",phrases=4",
        itself + ",inputs=image+text+pooled+draft,retrieval", "retrieval:depth=4," + model}) {
    const Converted run = convert({"--draft", draft});
    EXPECT_EQ(run.ids, plain.ids) << draft << run.process.err;
    EXPECT_EQ(run.decode.at("exactness"), "exact") << draft;
    const json sources = run.decode.at("page").at("by_source");
    EXPECT_TRUE(sources.contains("draft-model")) << draft << sources;
    EXPECT_EQ(sources.contains("text-layer"), draft.starts_with("auto")) << draft << sources;
    EXPECT_EQ(run.process.err.find("is read without it"), std::string::npos) << run.process.err;
  }
}

TEST(DraftModelCommand, TheBuiltInModelsSiblingDraftsForIt) {
  TempDir dir;
  const auto ids = [&](const std::string& draft) {
    const auto trace = dir / "t.jsonl";
    const CommandResult run =
        docspec({"convert", kLetter, "--model", "builtin", "--draft", draft, "--max-nodes", "8",
                 "--stages", "region", "--max-new-tokens", "40", "-o", dir / "out.md", "--force",
                 "--trace", trace, "--stats", dir / "s.json"},
                {.environment = {"OMP_WAIT_POLICY=passive"}});
    EXPECT_TRUE(run.code == 0 || run.code == 3) << run.err;
    std::vector<json> out;
    std::istringstream lines(read_file(trace));
    for (std::string line; std::getline(lines, line);)
      out.push_back(json::parse(line).at("output_ids"));
    return out;
  };
  const std::vector<json> plain = ids("none");
  ASSERT_FALSE(plain.empty());
  EXPECT_EQ(ids("auto,model:builtin-draft"), plain);
  EXPECT_EQ(ids("model:builtin-draft"), plain);
  const json stats = json::parse(read_file(dir / "s.json")).at("decode");
  EXPECT_GT(stats.at("region").at("by_source").at("draft-model").at("accepted"), 0);  // it reads
}

TEST(DraftModelCommand, DrawnDraftsGiveTheSameTextForTheSameSeed) {
  const std::vector<std::string> flags = {
      "--temperature", "1", "--verify", "block",
      "--seed",        "4", "--draft",  "model:" + kSibling + ",inputs=image+text"};
  const Converted one = convert(flags), two = convert(flags);
  EXPECT_EQ(one.decode.at("exactness"), "lossless");
  EXPECT_EQ(one.ids, two.ids);
  EXPECT_EQ(one.decode.at("page").at("passes"), two.decode.at("page").at("passes"));
}

TEST(DraftModelCommand, WhatCannotBeIsSaidBeforeAnyPage) {
  const auto expect = [](const std::vector<std::string>& flags, int code, const std::string& says) {
    const CommandResult result = convert(flags).process;
    EXPECT_EQ(result.code, code) << flags.back() << result.err;
    EXPECT_NE(result.err.find(says), std::string::npos) << result.err;
  };
  expect({"--draft", "model"}, 1, "model needs DIR");
  expect({"--draft", "none,model:" + kSibling}, 1, "none stands alone");
  expect({"--draft", "model:" + kSibling + ",inputs=sound"}, 1, "image, text, pooled, draft");
  expect({"--draft", "model:" + kSibling + ",weights=heavy"}, 1, "tabed or equal");
  expect({"--draft", "model:" + kSibling + ",width=4"}, 1, "width=4");
  expect({"--draft", "model:/nowhere"}, 4, "/nowhere");
  expect({"--draft", "model:" + oracle_folder("dots_ocr/hub/model")}, 4, "must have the tokenizer");
  const CommandResult alone = docspec({"convert", kInvoice, "--draft", "model:" + kSibling});
  EXPECT_EQ(alone.code, 1);
  EXPECT_NE(alone.err.find("name one with --model"), std::string::npos) << alone.err;
}

}  // namespace
}  // namespace docspec::test
