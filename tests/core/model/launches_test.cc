// How often a GPU is asked to start something: the host's own time.
#include "tests/support/launches.h"

#include <ATen/ATen.h>

#include <fstream>
#include <nlohmann/json.hpp>

#include "cuda/phases.h"
#include "tests/support/kernel_ops.h"
#include "tests/support/real_engine.h"
#include "tests/support/temp_dir.h"

namespace docspec {
namespace {

/// What `work` starts.
template <class F>
int64_t launches_of(const F& work) {
  const int64_t before = cuda::host_launches;
  const test::Launches launches;
  work();
  return launches.count() + cuda::host_launches - before;
}

struct PageLaunches {
  int64_t vision = 0;
  int64_t prefill = 0;  ///< with the pass of the prompt's last row
  int64_t pass = 0;

  int64_t page() const { return vision + prefill; }
};

/// Of a page of dots.ocr's kind with so many layers in tower and language model, and of a pass of
/// eight rows after it.
PageLaunches page_launches(const Ops& ops, int64_t layers) {
  const test::OracleCase oracle{test::oracle_folder("dots_ocr/hub")};
  const test::TempDir folder;
  std::filesystem::copy(oracle.model(), folder.path());
  auto config = nlohmann::json::parse(std::ifstream(folder / "config.json"));
  config["num_hidden_layers"] = config["vision_config"]["num_hidden_layers"] = layers;
  std::ofstream(folder / "config.json") << config.dump();
  const Vlm vlm = load_vlm(folder.path(), {.share = test::share_dir()}, ops);
  const PageImage image = oracle.page(0);
  const Ids prompt = vlm.prompt_ids(&image, oracle.question());
  VisualRows visual;
  Prefilled start;
  PageLaunches out;
  out.vision = launches_of([&] { visual = vlm.encode_image(image); });
  out.prefill = launches_of([&] { start = vlm.prefill_encoded(&visual, prompt); });
  DraftTree tree(1);
  tree.insert(Ids{2, 3, 4, 5, 6, 7, 8}, 0, 1, 9);
  const SequenceInput job{&tree, start.cache.get()};
  out.pass = launches_of([&] { vlm.language_model().forward(std::span(&job, 1), {}); });
  return out;
}

/// dots.ocr's own depth, from what a layer more starts.
PageLaunches full_page_launches(const Ops& ops) {
  const PageLaunches one = page_launches(ops, 1), two = page_launches(ops, 2);
  const auto deep = [](int64_t one, int64_t two, int64_t layers) {
    return one + (two - one) * (layers - 1);
  };
  return {deep(one.vision, two.vision, 42), deep(one.prefill, two.prefill, 28),
          deep(one.pass, two.pass, 28)};
}

TEST(Launches, ALayerHasTen) {
  // norm, qkv, rotation and append, attention and its merge, o, norm, gate and up, their product,
  // down; in the tower two sums, and no append and merge. On a GPU bf16 has as many, and one more
  // in passes of more than 32 rows.
  const auto ops = make_kernel_ops();
  const PageLaunches one = page_launches(*ops, 1), two = page_launches(*ops, 2);
  EXPECT_EQ(two.pass - one.pass, 10);
  // Two to pad the prompt's rows; on a GPU flash attention has three more.
  EXPECT_EQ(two.prefill - one.prefill, 10 + 12);
  EXPECT_LE(two.vision - one.vision, 11);
}

TEST(Launches, APageHasAThousand) {
  const PageLaunches fused = full_page_launches(*make_kernel_ops()),
                     apart = full_page_launches(*make_aten_ops());
  for (const auto& [name, launches] : {std::pair{"kernels", fused}, {"libtorch", apart}}) {
    RecordProperty(std::string(name) + "_vision", int(launches.vision));
    RecordProperty(std::string(name) + "_prefill", int(launches.prefill));
    RecordProperty(std::string(name) + "_pass", int(launches.pass));
  }
  EXPECT_LE(fused.vision, 500);
  EXPECT_LE(fused.pass, 300);
  EXPECT_LE(fused.page(), 1150);
  EXPECT_GT(apart.page(), 3 * fused.page());
}

/// Passes of the sizes that are asked for are run when the model is there, and leave no trace.
TEST(Launches, PassesAreRecordedAtLoad) {
  KernelPasses passes{.at_load = {8, 16, 64}, .rows = {}};
  const auto ops = make_kernel_ops(&passes);
  const test::OracleCase oracle{test::oracle_folder("dots_ocr/hub")};
  const Vlm vlm = load_vlm(oracle.model(), {.share = test::share_dir()}, *ops);
  EXPECT_EQ(passes.rows, (std::vector<int64_t>{8, 16, 64}));
}

}  // namespace
}  // namespace docspec
