// The engine over the CUDA kernels, run on the host: paged caches, padded passes, commits.
#include "core/decode/prune/fixation_selector.h"
#include "core/model/kv_cache.h"
#include "tests/support/kernel_ops.h"
#include "tests/support/real_engine.h"

namespace docspec {
namespace {

class EngineOverKernels : public RealEngine, public ::testing::WithParamInterface<const char*> {
 protected:
  EngineOverKernels() : RealEngine(GetParam(), "f32", make_kernel_ops()) {}
};
INSTANTIATE_TEST_SUITE_P(Families, EngineOverKernels,
                         ::testing::Values("qwen2_5_vl/hub_tied", "qwen3_5/hub_tied"));

TEST_P(EngineOverKernels, ExactIdsWhateverTheDrafts) {
  for (uint32_t seed = 0; seed < 8; ++seed) expect_exact_ids(seed);
  EXPECT_GT(stats_.accepted, 20);
}

TEST_P(EngineOverKernels, SaysWhatTheReferenceSays) {
  const auto aten = make_aten_ops();
  const Vlm other = load_vlm(oracle_.model(), {.share = DOCSPEC_SOURCE_DIR "/share"}, *aten);
  for (int page = 0; page < oracle_.pages(); ++page) {
    const PageImage image = oracle_.page(page);
    const Ids prompt = vlm_.prompt_ids(&image, oracle_.question());
    Prefilled ours = vlm_.prefill_encoded(&seen(page), prompt),
              theirs = other.prefill_encoded(&seen(page), prompt);
    EXPECT_FALSE(ours.cache->pages().empty());
    DraftTree tree(7);
    tree.insert(Ids{1, 2, 3}, 0, 1, 9);
    tree.insert(Ids{1, 4}, 0, 1, 9);
    tree.insert(Ids{5}, 0, 1, 9);
    for (int pass = 0; pass < 3; ++pass) {
      const SequenceInput a{&tree, ours.cache.get()}, b{&tree, theirs.cache.get()};
      const at::Tensor x = vlm_.language_model().forward(std::span(&a, 1), {}),
                       y = other.language_model().forward(std::span(&b, 1), {});
      EXPECT_LT((x - y).abs().max().item<float>(), 1e-4) << page;
      const Ids path = {0, 1, 4};
      ours.cache->commit(path);
      theirs.cache->commit(path);
    }
  }
}

/// Drawn on the device and proposed beside the passes, ids are those of plain sampling on the host.
TEST(DecodeOverKernels, DrawsWhatTheHostDrawsWhateverIsProposed) {
  const auto follow = make_verifier(parse_spec("--verify", "follow", forms(verifiers())));
  int64_t accepted = 0;
  double beside_ms = 0;
  for (const auto& entry : proposers())
    for (uint32_t seed = 0; seed < 8; ++seed) {
      SCOPED_TRACE(std::string(entry.name) + " seed " + std::to_string(seed));
      std::mt19937 rng(seed);
      ToyCase toy = sampled_case(rng);
      const ToyResult plain = run(toy, *follow, ProposersOf());
      for (const auto& output : plain.output)
        toy.drafts.push_back(
            random_drafts(rng, output, plain.output[0], toy.lm.vocab, toy.lm.stop));
      toy.on_kernels = true;
      const auto drafted = run(toy, *follow, proposers_of(std::string(entry.name), toy.lm.stop));
      EXPECT_EQ(drafted.output, plain.output);
      EXPECT_EQ(drafted.cache, plain.cache);
      accepted += drafted.stats.accepted;
      beside_ms += drafted.stats.ms("propose concurrently");
    }
  EXPECT_GT(accepted, 300);
  EXPECT_GT(beside_ms, 0);
}

TEST(DecodeOverKernels, DraftsNeverChangeTheOutput) {
  const auto exact = make_exact_verifier();
  int64_t accepted = 0;
  for (uint32_t seed = 0; seed < 40; ++seed) {
    std::mt19937 rng(seed);
    ToyCase toy = random_case(rng);
    const ToyResult plain = run(toy, *exact, ProposersOf());
    for (const auto& output : plain.output)
      toy.drafts.push_back(random_drafts(rng, output, plain.output[0], toy.lm.vocab, toy.lm.stop));
    toy.on_kernels = true;
    const ToyResult drafted = run(toy, *exact, proposers_of(any_propose(rng), toy.lm.stop));
    EXPECT_EQ(drafted.output, plain.output) << seed;
    EXPECT_EQ(drafted.cache, plain.cache) << seed;
    accepted += drafted.stats.accepted;
  }
  EXPECT_GT(accepted, 300);
}

}  // namespace
}  // namespace docspec
