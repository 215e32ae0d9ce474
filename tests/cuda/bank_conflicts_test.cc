// Bank conflicts of the attention kernels' reads of shared memory, counted from where their arrays
// lie: 32 banks of four bytes; a quarter of a warp at a time reads 16 bytes a lane.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <functional>
#include <set>
#include <vector>

#include "cuda/tile_attention.cuh"
#include "cuda/tree_attention.cuh"

namespace docspec::cuda {
namespace {

/// How often shared memory is read for one instruction of a warp; `byte`: where a lane reads
/// `width` bytes. Lanes that read the same word share it.
int wavefronts(int width, const std::function<size_t(int lane)>& byte) {
  const int group = width == 16 ? 8 : 32;
  int reads = 0;
  for (int first = 0; first < 32; first += group) {
    std::vector<std::set<size_t>> words(32);
    for (int lane = first; lane < first + group; ++lane)
      for (int i = 0; i < width / 4; ++i) {
        const size_t word = byte(lane) / 4 + size_t(i);
        words[word % 32].insert(word);
      }
    size_t most = 0;
    for (const auto& bank : words) most = std::max(most, bank.size());
    reads += int(most);
  }
  return reads;
}

template <class Tree>
void expect_tree(int least_of_keys) {
  using Shared = typename Tree::Shared;
  constexpr size_t key = sizeof(Shared::keys[0]), scores = sizeof(Shared::scores[0]);
  EXPECT_EQ(wavefronts(16, [&](int lane) { return offsetof(Shared, keys) + size_t(lane) * key; }),
            least_of_keys);
  EXPECT_EQ(wavefronts(16, [&](int) { return offsetof(Shared, q); }), 4) << "one query, all lanes";
  // soften: a lane a query.
  EXPECT_EQ(wavefronts(4,
                       [&](int lane) {
                         return offsetof(Shared, scores) + size_t(std::min(lane, 15)) * scores;
                       }),
            1);
  // add_values: a lane a column.
  EXPECT_EQ(wavefronts(4, [&](int lane) { return offsetof(Shared, values) + size_t(lane) * 4; }),
            1);
  EXPECT_LE(sizeof(Shared), 48u * 1024);
}

TEST(CudaBankConflicts, NearKeysAreReadWithoutThem) {
  expect_tree<TreeAttention<64, Bfloat16>>(4);
  expect_tree<TreeAttention<128, Bfloat16>>(4);
  expect_tree<TreeAttention<128, float>>(4);
  expect_tree<TreeAttention<256, Bfloat16>>(4);
}

TEST(CudaBankConflicts, TilesAreReadWithoutThem) {
  using Tile = TileAttention<128>;
  using Shared = Tile::Shared;
  const size_t row = Tile::kPitch * 4;
  for (int step = 0; step < Tile::kSteps; ++step)
    EXPECT_EQ(
        wavefronts(
            4, [&](int lane) { return size_t(lane / 4) * row + size_t(8 * step + lane % 4) * 4; }),
        1)
        << step;
  for (int column = 0; column < Tile::kColumns; ++column)
    for (const int which : {0, 1, 8, 9})
      EXPECT_EQ(wavefronts(4,
                           [&](int lane) {
                             return offsetof(Shared, values) +
                                    size_t(2 * (lane % 4) + which) * row +
                                    size_t((8 * column + lane / 4) / 2) * 4;
                           }),
                1)
          << column << ' ' << which;
}

}  // namespace
}  // namespace docspec::cuda
