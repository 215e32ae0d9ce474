#include "core/model/draft_tree.h"

#include <gtest/gtest.h>

#include <random>
#include <set>
#include <string>

namespace docspec {
namespace {

using Ids = std::vector<int32_t>;

Ids ids(std::span<const int32_t> values) {
  return {values.begin(), values.end()};
}

/// Row i, column j: whether row i attends to row j (itself and its ancestors), as text.
std::vector<std::string> mask(const DraftTree& tree) {
  std::vector<std::string> out;
  for (size_t i = 0; i < tree.rows(); ++i) {
    std::string row = i ? out[tree.parent()[i]] : std::string(tree.rows(), '0');
    row[i] = '1';
    out.push_back(row);
  }
  return out;
}

TEST(DraftTree, MergesCommonPrefixesAsInTheWorkedExample) {
  DraftTree tree(3);  // algorithms.md 1.7: C = {4 5 6, 4 7 8, 9, 4 5 0}
  EXPECT_EQ(tree.insert(Ids{4, 5, 6}, 0, 1, 64), (Ids{1, 2, 3}));
  EXPECT_EQ(tree.insert(Ids{4, 7, 8}, 1, 1, 64), (Ids{1, 4, 5}));
  EXPECT_EQ(tree.insert(Ids{9}, 2, 1, 64), (Ids{6}));
  EXPECT_EQ(tree.insert(Ids{4, 5, 0}, 4, 1, 64), (Ids{1, 2, 7}));
  EXPECT_EQ(ids(tree.token()), (Ids{3, 4, 5, 6, 7, 8, 9, 0}));
  EXPECT_EQ(ids(tree.parent()), (Ids{-1, 0, 1, 2, 1, 4, 0, 2}));
  EXPECT_EQ(ids(tree.depth()), (Ids{0, 1, 2, 3, 2, 3, 1, 3}));
  EXPECT_EQ(mask(tree), (std::vector<std::string>{"10000000", "11000000", "11100000", "11110000",
                                                  "11001000", "11001100", "10000010", "11100001"}));
}

TEST(DraftTree, LawsHoldOnRandomPathsUnderABudget) {
  for (uint32_t seed = 0; seed < 200; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    std::mt19937 rng(seed);
    const size_t max_rows = 1 + rng() % 40;
    DraftTree tree(int32_t(rng() % 4));
    for (int k = 0; k < 12; ++k) {
      Ids path(rng() % 9);
      for (auto& token : path) token = int32_t(rng() % 4);
      const Ids rows = tree.insert(path, int16_t(k), float(k), max_rows);
      ASSERT_LE(rows.size(), path.size());
      if (rows.size() < path.size()) {
        EXPECT_EQ(tree.rows(), max_rows);
      }
      for (size_t i = 0; i < rows.size(); ++i) {
        EXPECT_EQ(tree.token()[rows[i]], path[i]);
        EXPECT_EQ(tree.parent()[rows[i]], i ? rows[i - 1] : 0);
        EXPECT_EQ(tree.depth()[rows[i]], int32_t(i) + 1);
        EXPECT_EQ(tree.child(i ? rows[i - 1] : 0, path[i]), rows[i]);
      }
    }
    ASSERT_LE(tree.rows(), max_rows);
    std::set<std::pair<int32_t, int32_t>> siblings;
    for (size_t i = 1; i < tree.rows(); ++i) {
      EXPECT_LT(tree.parent()[i], int32_t(i));
      EXPECT_GE(tree.parent()[i], 0);
      EXPECT_TRUE(siblings.insert({tree.parent()[i], tree.token()[i]}).second);
    }
    EXPECT_EQ(tree.child(0, 99), -1);
  }
}

}  // namespace
}  // namespace docspec
