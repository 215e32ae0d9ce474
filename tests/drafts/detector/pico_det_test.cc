#include <gtest/gtest.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "core/base/error.h"
#include "drafts/detector/page_net.h"
#include "tests/support/checkpoint_writer.h"
#include "tests/support/files.h"
#include "tests/support/temp_dir.h"

namespace docspec {
namespace {

/// A net of one convolution that calls dark cells of 8 x 8 pixels figures, 8 pixels to each side of
/// their middle.
struct DarkCells {
  nlohmann::json config = {{"model_type", "docspec_picodet"},
                           {"labels", {"text", "figure"}},
                           {"height", 64},
                           {"width", 64},
                           {"mean", {0, 0, 0}},
                           {"std", {1, 1, 1}},
                           {"strides", {8}},
                           {"heads", {0}},
                           {"steps", {{{"kind", "conv"}, {"inputs", {-1}}, {"stride", 8}}}}};
  test::TempDir dir;

  DarkCells() {
    constexpr int kOut = 2 + 4 * 2;  // classes, and two bins for each side
    std::vector<float> weight(kOut * 3, 0), bias(kOut, -9);
    std::fill_n(weight.begin() + 3, 3, -6.0f);
    bias[1] = 9;
    for (int side = 0; side < 4; ++side) bias[size_t(2 + 2 * side + 1)] = 30;
    const auto bytes = [](const std::vector<float>& values) {
      return std::string(reinterpret_cast<const char*>(values.data()), values.size() * 4);
    };
    test::write_file(dir.path() / "model.safetensors",
                     test::safetensors_bytes({{"0.weight", "F32", {kOut, 3, 1, 1}, bytes(weight)},
                                              {"0.bias", "F32", {kOut}, bytes(bias)}}));
    write();
  }
  void write() const { test::write_file(dir.path() / "config.json", config.dump()); }
};

TEST(PicoDet, FindsABoxAroundACell) {
  const DarkCells net;
  PageImage page(1, 128, 128, 72);  // half of it is 64
  for (int y = 48; y < 64; ++y) std::fill_n(page.row(y) + 3 * 32, 3 * 16, uint8_t(0));
  const auto found = make_page_net(net.dir.path())->find(page);
  ASSERT_EQ(found.size(), 1u);
  EXPECT_EQ(found[0].kind, RegionKind::picture);
  EXPECT_GT(found[0].score, 0.99);
  // The cell's middle is (20, 28), its sides are 8 pixels away, and the page is twice as large.
  EXPECT_EQ(found[0].box, (Box{24, 40, 56, 72}));
}

TEST(PicoDet, SaysWhatIsWrongWithItsFolder) {
  DarkCells net;
  net.config["steps"][0]["inputs"] = {0};
  net.write();
  EXPECT_THROW(make_page_net(net.dir.path()), Error);
  net.config.erase("strides");
  net.write();
  EXPECT_THROW(make_page_net(net.dir.path()), Error);
}

}  // namespace
}  // namespace docspec
