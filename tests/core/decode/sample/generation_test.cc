#include "core/decode/sample/generation.h"

#include <ATen/ATen.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "core/base/error.h"
#include "core/base/json_file.h"
#include "core/model/prompt_set.h"
#include "tests/support/real_engine.h"

namespace docspec {
namespace {

using nlohmann::json;

/// The committed checkpoint and transformers' ids for it.
class GenerationOracle : public RealEngine {
 protected:
  Generation read(const json& config) const {
    return read_generation(config, vlm_.prompts(), vlm_.tokenizer(), 64);
  }
  /// 64 greedy ids of a page; the oracle does not stop at stop tokens.
  Ids decode_page(int page, Generation generation) {
    generation.limits.stop_ids.clear();
    std::vector<Job> jobs;
    jobs.push_back(job(page, generation, {}));
    return run(jobs, 1)[0];
  }
};

TEST_F(GenerationOracle, PlainAndPenalisedIdsAreThoseOfTransformers) {
  const json as_stored = Checkpoint(oracle_.model()).json("generation_config.json");
  ASSERT_EQ(as_stored.at("repetition_penalty"), 1.05);
  const json no_repeat = {{"no_repeat_ngram_size", 2}};
  for (int page = 0; page < oracle_.pages(); ++page) {
    const Ids plain = decode_page(page, read(nullptr));
    const Ids penalised = decode_page(page, read(as_stored));
    const Ids varied = decode_page(page, read(no_repeat));
    EXPECT_EQ(plain, oracle_.ids(page, "greedy_ids")) << "page " << page;
    EXPECT_EQ(penalised, oracle_.ids(page, "penalised_ids")) << "page " << page;
    EXPECT_EQ(varied, oracle_.ids(page, "no_repeat_ids")) << "page " << page;
    EXPECT_NE(plain, penalised) << "the penalty must have something to do";
    EXPECT_NE(plain, varied) << "and so must the n-grams";
  }
}

TEST_F(GenerationOracle, StopTokensAreThoseOfFileAndFamily) {
  const Tokenizer& tokenizer = vlm_.tokenizer();
  const Ids family{*tokenizer.id_of("<|im_end|>"), *tokenizer.id_of("<|endoftext|>")};
  EXPECT_EQ(read(nullptr).limits.stop_ids, family);
  EXPECT_EQ(read({{"eos_token_id", {family[1], 7}}}).limits.stop_ids,
            (Ids{family[0], family[1], 7}));
  EXPECT_EQ(read({{"eos_token_id", 9}}).limits.stop_ids, (Ids{family[0], family[1], 9}));
}

TEST_F(GenerationOracle, TheFamilySaysWhatTheFileLeavesOpen) {
  const json family = read_json(DOCSPEC_SOURCE_DIR "/share/families/unlimited_ocr.json");
  const PromptSet prompts(family, nullptr, "unlimited_ocr.json");
  const auto rule = [&](const json& config) {
    const auto& found = read_generation(config, prompts, vlm_.tokenizer(), 64).processor;
    return std::pair(found.no_repeat_ngram_size, found.no_repeat_ngram_window_size);
  };
  EXPECT_EQ(rule(nullptr), std::pair(int64_t{35}, int64_t{128}));
  EXPECT_EQ(rule({{"no_repeat_ngram_window_size", 1024}}), std::pair(int64_t{35}, int64_t{1024}));
  EXPECT_EQ(rule({{"no_repeat_ngram_size", 0}}), std::pair(int64_t{0}, int64_t{128}));
}

TEST_F(GenerationOracle, SettingsThatAreWrongNameTheirKey) {
  const std::pair<const char*, json> cases[] = {
      {"eos_token_id", "</s>"},      {"repetition_penalty", 0},
      {"repetition_penalty", "1.1"}, {"no_repeat_ngram_size", -1},
      {"no_repeat_ngram_size", 1.5}, {"no_repeat_ngram_window_size", "128"}};
  for (const auto& [key, value] : cases) try {
      read({{key, value}});
      FAIL() << key << " = " << value;
    } catch (const Error& e) {
      EXPECT_EQ(e.code(), ExitCode::dependency);
      EXPECT_NE(std::string(e.what()).find(key), std::string::npos) << e.what();
    }
}

}  // namespace
}  // namespace docspec
