#include "core/decode/cost_curve.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>

#include "core/decode/acceptance_model.h"
#include "tests/support/files.h"
#include "tests/support/temp_dir.h"

namespace docspec {
namespace {

/// A chain of `rows` rows with these chances of each next token.
DraftTree chain(size_t rows, float rng) {
  DraftTree tree(0);
  float score = 1;
  for (size_t row = 1; row < rows; ++row)
    tree.add(int32_t(row - 1), int32_t(row), 0, score *= rng, rows);
  return tree;
}

size_t kept(const CostCurve& curve, const DraftTree& tree) {
  const DraftTree* trees[] = {&tree};
  return curve.allocate_rows(trees)[0];
}

TEST(CostCurve, IsMonotoneAndStepsAtMeasuredRows) {
  const CostCurve built_in;
  EXPECT_FALSE(built_in.measured());
  for (size_t rows = 1; rows < 300; ++rows) EXPECT_LE(built_in.cost(rows), built_in.cost(rows + 1));
  const CostCurve measured({{16, 3}, {1, 2}, {8, 1.5}});  // noise: eight rows seemed cheaper
  EXPECT_TRUE(measured.measured());
  EXPECT_EQ(measured.cost(1), 2);
  EXPECT_EQ(measured.cost(8), 2);
  EXPECT_EQ(measured.cost(9), 3);
  EXPECT_GT(measured.cost(40), 3);
}

TEST(CostCurve, KeepsRowsUpToWhereTheyStopPaying) {
  const CostCurve flat({{1, 1}, {8, 1}, {16, 4}});
  EXPECT_EQ(kept(flat, chain(16, 0.9f)), 8u) << "sixteen rows cost four passes";
  EXPECT_EQ(kept(flat, chain(5, 0.5f)), 5u) << "free rows are taken, however poor";
  const CostCurve cheap({{1, 1}, {8, 1}, {16, 1.01}});
  EXPECT_EQ(kept(cheap, chain(16, 0.9f)), 16u);
}

TEST(CostCurve, TurnsSpeculationOffWhereItDoesNotPay) {
  const CostCurve steep({{1, 1}, {2, 2}, {4, 4}, {8, 8}});
  EXPECT_EQ(kept(steep, chain(8, 0.4f)), 1u);
  EXPECT_EQ(kept(steep, chain(1, 0.4f)), 1u);
}

TEST(CostCurve, GivesTheRowsOfAPassToTheLikelierTree) {
  CostCurve curve;
  curve.fixed = 12;
  const DraftTree good = chain(30, 0.99f), poor = chain(30, 0.3f);
  const DraftTree* trees[] = {&poor, &good};
  const auto rows = curve.allocate_rows(trees);
  EXPECT_EQ(rows[0] + rows[1], 12u);
  EXPECT_GT(rows[1], rows[0]);
  curve.fixed = 1;
  EXPECT_EQ(curve.allocate_rows(trees), (std::vector<size_t>{1, 1}))
      << "a pending token cannot be left out";
}

TEST(CostCurve, IsKeptByKeyAndABrokenFileIsNoCurve) {
  const test::TempDir dir;
  setenv("XDG_CACHE_HOME", (dir / "cache").c_str(), 1);
  EXPECT_FALSE(load_cost_curve("a"));
  save_cost_curve("a", CostCurve({{1, 1.5}, {8, 2.5}}));
  ASSERT_TRUE(load_cost_curve("a"));
  EXPECT_EQ(load_cost_curve("a")->cost(5), 2.5);
  EXPECT_FALSE(load_cost_curve("b"));
  for (const auto& file : std::filesystem::directory_iterator(dir / "cache/docspec"))
    for (const char* broken : {"", "[]", "{\"key\":\"a\",\"points\":[[0,1]]}",
                               "{\"key\":\"a\",\"points\":[[1,-1]]}", "{\"key\":\"a\"}"}) {
      std::ofstream(file.path()) << broken;
      EXPECT_FALSE(load_cost_curve("a")) << broken;
    }
  unsetenv("XDG_CACHE_HOME");
}

TEST(CostCurve, IsNeverWrittenOrReadThroughALink) {
  const test::TempDir dir;
  setenv("XDG_CACHE_HOME", (dir / "cache").c_str(), 1);
  const CostCurve curve({{1, 1.5}});
  save_cost_curve("a", curve);
  const auto file = std::filesystem::directory_iterator(dir / "cache/docspec")->path();
  std::filesystem::rename(file, dir / "other");
  std::filesystem::create_symlink(dir / "other", file);
  EXPECT_FALSE(load_cost_curve("a"));
  test::write_file(dir / "other", "not ours");
  save_cost_curve("a", curve);
  EXPECT_EQ(test::read_file(dir / "other"), "not ours");
  EXPECT_TRUE(load_cost_curve("a"));
  unsetenv("XDG_CACHE_HOME");
}

}  // namespace
}  // namespace docspec
