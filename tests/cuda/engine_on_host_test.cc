// The engine over the CUDA kernels, run on the host: paged caches, padded passes, commits.
#include "core/decode/fixation_selector.h"
#include "core/model/kv_cache.h"
#include "tests/support/kernel_ops.h"
#include "tests/support/real_engine.h"

namespace docspec {
namespace {

class EngineOverKernels : public RealEngine {
 protected:
  EngineOverKernels() : RealEngine("qwen2_5_vl/hub_tied", "f32", make_kernel_ops()) {}
};

TEST_F(EngineOverKernels, ExactIdsWhateverTheDrafts) {
  for (uint32_t seed = 0; seed < 8; ++seed) expect_exact_ids(seed);
  EXPECT_GT(stats_.accepted, 20);
}

TEST_F(EngineOverKernels, SaysWhatTheReferenceSays) {
  const auto aten = make_aten_ops();
  const Vlm other = load_vlm(oracle_.model(), {.share = DOCSPEC_SOURCE_DIR "/share"}, *aten);
  for (int page = 0; page < oracle_.pages(); ++page) {
    const PageImage image = oracle_.page(page);
    const Ids prompt = vlm_.prompt_ids(&image, oracle_.question());
    Prefilled ours = vlm_.prefill_seen(&seen(page), prompt),
              theirs = other.prefill_seen(&seen(page), prompt);
    EXPECT_FALSE(ours.cache->pages().empty());
    DraftTree tree(7);
    tree.insert(Ids{1, 2, 3}, 0, 1, 9);
    tree.insert(Ids{1, 4}, 0, 1, 9);
    tree.insert(Ids{5}, 0, 1, 9);
    for (int pass = 0; pass < 3; ++pass) {
      const PassJob a{&tree, ours.cache.get()}, b{&tree, theirs.cache.get()};
      const at::Tensor x = vlm_.language_model().forward(std::span(&a, 1), {}),
                       y = other.language_model().forward(std::span(&b, 1), {});
      EXPECT_LT((x - y).abs().max().item<float>(), 1e-4) << page;
      const Ids path = {0, 1, 4};
      ours.cache->commit(path);
      theirs.cache->commit(path);
    }
  }
}

}  // namespace
}  // namespace docspec
