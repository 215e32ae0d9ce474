#include "core/model/trunk/hybrid_decoder.h"

#include <ATen/ATen.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <random>

#include "core/base/error.h"
#include "core/model/draft_tree.h"
#include "core/model/families/registry.h"
#include "core/model/memory_plan.h"
#include "tests/support/files.h"
#include "tests/support/kernel_ops.h"
#include "tests/support/oracle_case.h"
#include "tests/support/shapes_alone.h"
#include "tests/support/temp_dir.h"

namespace docspec {
namespace {

using Ids = std::vector<int32_t>;
constexpr int64_t kTokens = 260;  // eight boundaries

/// Plain decoding: ids, and the logits that chose them.
struct Plain {
  Ids ids;
  at::Tensor logits;  // [tokens, vocab]
};

class HybridDecoding : public testing::Test {
 protected:
  Prefilled prefill(int page) const {
    const PageImage image = oracle.page(page);
    return vlm.prefill(&image, vlm.prompt_ids(&image, oracle.question()));
  }
  Plain plain(int page) const {
    Prefilled start = prefill(page);
    std::vector<at::Tensor> logits{start.logits.clone()};
    Plain out;
    for (int64_t i = 0; i < kTokens; ++i) {
      out.ids.push_back(logits.back().argmax(1).item<int32_t>());
      logits.push_back(test::step(vlm.language_model(), *start.cache, out.ids.back()).clone());
    }
    out.logits = at::cat(logits);
    return out;
  }
  /// A tree below the token at `at`: deep or bushy, with the right continuation in it for a while,
  /// and wrong branches off it and off one another.
  static DraftTree random_tree(std::mt19937& rng, const Ids& truth, size_t at) {
    const size_t rows = 1 + rng() % 90;
    DraftTree tree(truth[at]);
    while (tree.rows() < rows) {
      const size_t right = rng() % 3 == 0 ? 0 : rng() % 50;
      Ids path;
      for (size_t i = at + 1; i < truth.size() && path.size() < right; ++i)
        path.push_back(truth[i]);
      for (size_t wrong = 1 + rng() % 40; wrong > 0; --wrong) path.push_back(int32_t(rng() % 3));
      tree.insert(path, 0, 1, rows);
    }
    return tree;
  }

  std::unique_ptr<Ops> ops = make_cpu_ops();
  test::OracleCase oracle{test::oracle_folder("qwen3_5/nested")};
  Vlm vlm = load_vlm(oracle.model(), {"f32", "cpu", DOCSPEC_SOURCE_DIR "/share"}, *ops);
};

/// Branching, deep, across boundaries, two pages in one pass: the ids are those of plain decoding,
/// and so are the bits of the logits that chose them.
TEST_F(HybridDecoding, FiveHundredDraftTreesKeepTheOutputAndItsBits) {
  const std::vector<Plain> truth = {plain(0), plain(1)};
  std::mt19937 rng(20);
  int trees = 0, deep = 0;
  while (trees < 500) {
    std::vector<Prefilled> pages;
    std::vector<size_t> at = {0, 0};
    for (int page : {0, 1}) pages.push_back(prefill(page));
    while (at[0] + 1 < truth[0].ids.size() || at[1] + 1 < truth[1].ids.size()) {
      std::vector<DraftTree> drafts;
      std::vector<SequenceInput> jobs;
      std::vector<size_t> of;
      for (size_t page : {0, 1})
        if (at[page] + 1 < truth[page].ids.size()) {
          drafts.push_back(random_tree(rng, truth[page].ids, at[page]));
          of.push_back(page);
        }
      for (size_t i = 0; i < drafts.size(); ++i)
        jobs.push_back({&drafts[i], pages[of[i]].cache.get(), nullptr});
      const at::Tensor logits = vlm.language_model().forward(jobs, {});
      const at::Tensor chosen = logits.argmax(1);
      int64_t first = 0;
      for (size_t i = 0; i < drafts.size(); ++i) {
        const Plain& own = truth[of[i]];
        size_t& now = at[of[i]];
        Ids path{0};
        for (;;) {
          const int64_t row = first + path.back();
          ASSERT_TRUE(at::equal(logits[row], own.logits[int64_t(now) + 1]))
              << "tree " << trees << ", token " << now;
          const auto next = chosen[row].item<int32_t>();
          if (++now + 1 >= own.ids.size()) break;
          ASSERT_EQ(next, own.ids[now]);
          const int32_t child = drafts[i].child(path.back(), next);
          if (child < 0) break;
          path.push_back(child);
        }
        pages[of[i]].cache->commit(path);
        ++trees;
        deep += path.size() > size_t(kDeltaChunk);
        first += int64_t(drafts[i].rows());
      }
    }
  }
  EXPECT_GT(deep, 20) << "accepted paths that are longer than a chunk";
}

TEST_F(HybridDecoding, RefusesACacheWithoutStates) {
  LayeredKvCache other(*ops, 1, 2, 64, at::empty({0}));
  const DraftTree tree(1);
  const SequenceInput job{&tree, &other, nullptr};
  EXPECT_THROW(vlm.language_model().forward(std::span(&job, 1), {}), std::invalid_argument);
}

TEST_F(HybridDecoding, CannotWindAStateBack) {
  EXPECT_FALSE(vlm.language_model().caches_can_drop());
  EXPECT_THROW(prefill(0).cache->drop(1), std::logic_error);
}

TEST_F(HybridDecoding, NeedsTheSameMemoryForTheStatesOfAnyText) {
  const TrunkBytes bytes = vlm.language_model().bytes(at::kCPU);
  EXPECT_EQ(bytes.per_token, 1 * 2 * 2 * 64 * 4) << "one layer of attention, keys and values";
  const DeltaShape delta{4, 2, 16, 32, 4, kDeltaChunk};
  EXPECT_EQ(bytes.per_cache, 4 * delta_bytes(delta));
}

/// By the CPU's operations and by those that write in place, as on a GPU.
TEST_F(HybridDecoding, ACopiedCacheHasStatesOfItsOwn) {
  const auto kernels = make_kernel_ops();
  for (const Ops* by : {ops.get(), kernels.get()}) {
    const Vlm other = load_vlm(oracle.model(), {"f32", "cpu", DOCSPEC_SOURCE_DIR "/share"}, *by);
    const LanguageModel& model = other.language_model();
    const auto read = [&] {
      const PageImage image = oracle.page(0);
      return other.prefill(&image, other.prompt_ids(&image, oracle.question())).cache;
    };
    const auto original = read();
    RecurrentCache copy(dynamic_cast<const RecurrentCache&>(*original));
    for (int32_t token = 0; token < 2 * kDeltaChunk; ++token) test::step(model, copy, token);
    const auto fresh = read();
    EXPECT_TRUE(at::equal(test::step(model, *original, 5), test::step(model, *fresh, 5)));
  }
}

/// Qwen3.5 2B beside the same model with attention in all 24 layers.
TEST_F(HybridDecoding, ManyMorePagesFitThanWithAttentionInEachLayer) {
  constexpr int64_t kGib = int64_t{1} << 30;
  const DeltaShape shape{16, 16, 128, 128, 4, kDeltaChunk};
  MemoryNeeds recurrent{0,          {}, {6 * 2 * 2 * 256 * 4, 0, 0, false, 18 * delta_bytes(shape)},
                        16,         2,  65536,
                        1654 * 2339};
  MemoryNeeds attending = recurrent;
  attending.trunk.per_token *= 4;
  attending.trunk.per_cache = 0;
  const MemoryRequest request{8 * kGib, 0, 64, 4096, 256};
  EXPECT_EQ(plan_memory(attending, request).jobs, 8u);
  EXPECT_EQ(plan_memory(recurrent, request).jobs, 28u);
}

/// What the family says to the committed config.json with these changes.
std::string refusal(const nlohmann::json& changes) {
  const std::filesystem::path from = test::oracle_folder("qwen3_5/hub_tied/model");
  auto config = nlohmann::json::parse(test::read_file(from / "config.json"));
  config["text_config"].merge_patch(changes);
  const test::TempDir dir;
  std::filesystem::copy(from, dir.path(), std::filesystem::copy_options::recursive);
  test::write_file(dir / "config.json", config.dump());
  try {
    verify_checkpoint(dir.path(), *make_cpu_ops());
    return "";
  } catch (const Error& e) {
    EXPECT_EQ(e.code(), ExitCode::dependency);
    return e.what();
  }
}

TEST(HybridConfig, RefusesWhatItDoesNotKnow) {
  const auto says = [](const nlohmann::json& changes, const char* wanted) {
    EXPECT_NE(refusal(changes).find(wanted), std::string::npos) << refusal(changes);
  };
  EXPECT_EQ(refusal(nlohmann::json::object()), "");
  says({{"attn_output_gate", false}}, "attn_output_gate");
  says({{"layer_types", {"full_attention"}}}, "layer_types: 1 of 5 layers");
  says({{"layer_types", std::vector<std::string>(5, "mamba")}}, "'mamba' is not known");
  says({{"full_attention_interval", 9}}, "none is full_attention");
  says({{"linear_num_value_heads", 3}}, "no multiple of linear_num_key_heads");
  says({{"rope_parameters", {{"partial_rotary_factor", nullptr}, {"mrope_section", nullptr}}}},
       "no partial_rotary_factor");
  says({{"rope_parameters", {{"mrope_section", {8}}}}}, "mrope_section of 3 axes");
}

}  // namespace
}  // namespace docspec
