#include "drafts/detector/tables/table_net.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <string>
#include <utility>
#include <vector>

#include "core/base/error.h"
#include "tests/support/checkpoint_writer.h"
#include "tests/support/files.h"
#include "tests/support/temp_dir.h"

namespace docspec {
namespace {

/// A net that writes one row, whatever it sees: a cell, and one over two columns. Its state is the
/// last token, from which the next one follows.
struct OneRow {
  std::vector<std::string> tokens = {"sos", "<tr>",  "<td></td>", "<td", " colspan=\"2\"",
                                     ">",   "</td>", "</tr>",     "eos"};
  nlohmann::json config = {{"model_type", "docspec_slanet"},
                           {"tokens", tokens},
                           {"side", 32},
                           {"mean", {0, 0, 0}},
                           {"std", {1, 1, 1}},
                           {"most_tokens", 20},
                           {"image", 0},
                           {"steps", {{{"kind", "conv"}, {"inputs", {-1}}, {"stride", 8}}}}};
  test::TempDir dir;

  OneRow() {
    const size_t n = tokens.size(), see = 2;
    std::vector<test::RawTensor> stored;
    const auto add = [&](const std::string& name, std::vector<int64_t> shape,
                         const std::vector<float>& values) {
      stored.push_back(
          {name, "F32", std::move(shape),
           std::string(reinterpret_cast<const char*>(values.data()), values.size() * 4)});
    };
    const auto zeros = [](size_t count) { return std::vector<float>(count, 0); };
    const auto identity = [&](size_t size, float value) {
      std::vector<float> out(size * size, 0);
      for (size_t i = 0; i < size; ++i) out[i * size + i] = value;
      return out;
    };
    const auto rows = [](size_t count) { return int64_t(count); };
    add("0.weight", {rows(see), 3, 1, 1}, zeros(see * 3));
    add("0.bias", {rows(see)}, zeros(see));
    add("attend.image.weight", {rows(see), rows(see)}, zeros(see * see));
    add("attend.state.weight", {rows(see), rows(n)}, zeros(see * n));
    add("attend.score.weight", {1, rows(see)}, zeros(see));
    std::vector<float> input((3 * n) * (see + n), 0), bias(3 * n, 0);
    for (size_t k = 0; k < n; ++k) bias[n + k] = -30;  // nothing of the state before is kept
    for (size_t k = 0; k + 1 < n; ++k) input[(2 * n + k + 1) * (see + n) + see + k] = 5;
    add("state.input.weight", {rows(3 * n), rows(see + n)}, input);
    add("state.input.bias", {rows(3 * n)}, bias);
    add("state.hidden.weight", {rows(3 * n), rows(n)}, zeros(3 * n * n));
    add("state.hidden.bias", {rows(3 * n)}, zeros(3 * n));
    add("token.0.weight", {rows(n), rows(n)}, identity(n, 10));
    add("token.1.weight", {rows(n), rows(n)}, identity(n, 1));
    // The corners of all boxes: a quarter of the square, at its upper left.
    add("corners.0.weight", {8, rows(n)}, zeros(8 * n));
    add("corners.1.weight", {8, 8}, zeros(64));
    add("corners.1.bias", {8}, {-30, -30, 0, -30, 0, 0, -30, 0});
    test::write_file(dir.path() / "model.safetensors", test::safetensors_bytes(stored));
    write();
  }
  void write() const { test::write_file(dir.path() / "config.json", config.dump()); }
};

TEST(TableNet, WritesCellsWithSpansAndBoxes) {
  const OneRow net;
  const SeenTable table = make_table_net(net.dir.path())->read(PageImage(1, 64, 48, 72));
  EXPECT_TRUE(table.complete);
  EXPECT_GT(table.score, 0.99);
  EXPECT_EQ(table.rows, 1);
  EXPECT_EQ(table.columns, 3);
  ASSERT_EQ(table.cells.size(), 2u);
  EXPECT_EQ(table.cells[0].column_span, 1);
  EXPECT_EQ(table.cells[1].column, 1);
  EXPECT_EQ(table.cells[1].column_span, 2);
  for (const GridCell& cell : table.cells) EXPECT_EQ(cell.box, (Box{0, 0, 32, 32}));
}

TEST(TableNet, SaysWhenItCameToNoEnd) {
  OneRow net;
  net.config["most_tokens"] = 3;
  net.write();
  const SeenTable table = make_table_net(net.dir.path())->read(PageImage(1, 64, 48, 72));
  EXPECT_FALSE(table.complete);
  EXPECT_EQ(table.cells.size(), 1u);
}

TEST(TableNet, SaysWhatIsWrongWithItsFolder) {
  OneRow net;
  net.config["tokens"].erase(0);
  net.write();
  EXPECT_THROW(make_table_net(net.dir.path()), Error);
  net.config["model_type"] = "docspec_picodet";
  net.write();
  EXPECT_THROW(make_table_net(net.dir.path()), Error);
  net.config = OneRow().config;
  net.config["steps"][0]["kind"] = "fold";
  net.write();
  EXPECT_THROW(make_table_net(net.dir.path()), Error);
}

}  // namespace
}  // namespace docspec
