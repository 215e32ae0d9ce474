// How often a GPU is asked to start something in a pass: the host's own time.
#include "tests/support/launches.h"

#include <ATen/ATen.h>

#include "cuda/phases.h"
#include "tests/support/kernel_ops.h"
#include "tests/support/real_engine.h"

namespace docspec {
namespace {

struct Engine : RealEngine {
  explicit Engine(const std::string& model) : RealEngine(model, "f32", make_kernel_ops()) {}
  void TestBody() override {}

  /// Of a pass of eight rows.
  int64_t launches() {
    const PageImage image = oracle_.page(0);
    const Prefilled start = vlm_.prefill(&image, vlm_.prompt_ids(&image, oracle_.question()));
    DraftTree tree(1);
    tree.insert(Ids{2, 3, 4, 5, 6, 7, 8}, 0, 1, 9);
    const SequenceInput job{&tree, start.cache.get()};
    const int64_t before = cuda::host_launches;
    const test::Launches launches;
    vlm_.language_model().forward(std::span(&job, 1), {});
    return launches.count() + cuda::host_launches - before;
  }
};

TEST(Launches, ALayerOfAPassHasTen) {
  // Three layers of one, two of the other: norm, qkv, rotation and append, attention and its merge,
  // o, norm, gate and up, their product, down. bf16 has two more, for tiles and for the rounding.
  const int64_t three = Engine("qwen2_5_vl/hub_tied").launches(),
                two = Engine("dots_ocr/hub").launches();
  RecordProperty("a_layer", int(three - two));
  EXPECT_LE(three - two, 10);
}

}  // namespace
}  // namespace docspec
