// How often a GPU is asked to start something: the host's own time in a pass and a page.
#include <ATen/ATen.h>

#include <nlohmann/json.hpp>

#include "core/model/checkpoint/checkpoint.h"
#include "core/model/families/registry.h"
#include "cuda/phases.h"
#include "tests/support/checkpoint_writer.h"
#include "tests/support/kernel_ops.h"
#include "tests/support/launches.h"
#include "tests/support/real_engine.h"
#include "tests/support/shapes_alone.h"
#include "tests/support/temp_dir.h"

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

/// dots.ocr's tower at its published size over an A4 page at 200 dpi, as a GPU would run it.
TEST(Launches, AnA4PageHasSomeTwoThousand) {
  const test::TempDir folder;
  auto config = nlohmann::json::parse(
      test::read_file(test::oracle_folder("dots_ocr/hub/model/config.json")));
  config["hidden_size"] = 1536;
  config["vision_config"].update({{"embed_dim", 1536},
                                  {"hidden_size", 1536},
                                  {"intermediate_size", 4224},
                                  {"num_hidden_layers", 42},
                                  {"num_attention_heads", 12}});
  test::write_file(folder / "config.json", config.dump());
  std::filesystem::copy_file(test::oracle_folder("dots_ocr/hub/model/preprocessor_config.json"),
                             folder / "preprocessor_config.json");
  test::write_file(folder / "model.safetensors",
                   test::safetensors_bytes({{"none", "U8", {1}, "a"}}));
  const Checkpoint checkpoint(folder.path());
  const auto ops = make_aten_ops();
  test::ShapesAlone weights(checkpoint);
  const Vlm::Parts parts = find(families(), "dots_ocr")->make(checkpoint, weights, *ops);
  Patches page;
  page.grid = {1, 168, 118};
  page.values = at::empty({168 * 118, 3 * 14 * 14}, at::TensorOptions().device(at::kMeta));
  const test::Launches launches;
  parts.vision->encode(page);
  RecordProperty("a_page", int(launches.count()));
  EXPECT_LT(launches.count(), 2500);  // 38,000 in tiles of the host
}

}  // namespace
}  // namespace docspec
