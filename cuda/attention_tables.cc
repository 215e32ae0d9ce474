#include "cuda/attention_tables.h"

#include <algorithm>

namespace docspec::cuda {
namespace {

int parts_of(int keys) {
  return (keys + kSplit - 1) / kSplit;
}

}  // namespace

AttentionTables::AttentionTables(std::span<const AttentionRows> all, int group, bool tiles) {
  for (const AttentionRows& one : all) {
    const size_t n = one.parent.size();
    TreeJob job{.rows = int32_t(n), .first = rows, .tree = int32_t(one.prefix)};
    job.visible = int32_t(ints.size());
    for (size_t row = 0; row < n; ++row) ints.push_back(int32_t(one.shared(row)));
    job.depth = int32_t(ints.size());
    ints.insert(ints.end(), one.depth.begin(), one.depth.end());
    if (!one.slots.empty()) {
      size_t most = 0;
      for (const Slots& slots : one.slots) most = std::max(most, slots.size());
      job.slots = int32_t(ints.size());
      job.slots_stride = one.each() ? int32_t(most) : 0;
      for (const Slots& slots : one.slots) {
        ints.insert(ints.end(), slots.begin(), slots.end());
        ints.resize(ints.size() + most - slots.size(), 0);
      }
    }
    jobs.push_back(job);
    if (tiles && !one.each())
      add_masks(one, group);
    else
      add_paths(one, group);
    rows += int(n);
  }
  splits = *std::max_element(split_count.begin(), split_count.end());
}

void AttentionTables::add_paths(const AttentionRows& one, int group) {
  TreeJob& job = jobs.back();
  job.path = int32_t(ints.size());
  job.path_stride = *std::max_element(one.depth.begin(), one.depth.end()) + 1;
  ints.resize(ints.size() + size_t(job.rows) * size_t(job.path_stride), 0);
  std::vector<int32_t> parts;
  for (int row = 0; row < job.rows; ++row) {
    const auto r = size_t(row);
    int32_t* path = ints.data() + job.path + row * job.path_stride;
    if (one.parent[r] >= 0)
      std::copy_n(ints.data() + job.path + one.parent[r] * job.path_stride, one.depth[r], path);
    path[one.depth[r]] = row;
    parts.push_back(parts_of(int(one.shared(r)) + one.depth[r] + 1));
  }
  for (int query = 0; query < job.rows * group; query += kQueries) {
    const int last = std::min(query + kQueries, job.rows * group) - 1;
    const int most =
        *std::max_element(parts.begin() + query / group, parts.begin() + last / group + 1);
    for (int part = 0; part < most; ++part)
      tasks.push_back({int32_t(jobs.size()) - 1, query, part});
  }
  split_count.insert(split_count.end(), parts.begin(), parts.end());
}

void AttentionTables::add_masks(const AttentionRows& one, int group) {
  TreeJob& job = jobs.back();
  job.masks = int32_t(ints.size());
  job.mask_words = (job.rows + 31) / 32;
  ints.resize(ints.size() + size_t(job.rows) * size_t(job.mask_words), 0);
  for (int row = 0; row < job.rows; ++row) {
    int32_t* mask = ints.data() + job.masks + row * job.mask_words;
    if (const int32_t parent = one.parent[size_t(row)]; parent >= 0)
      std::copy_n(ints.data() + job.masks + parent * job.mask_words, job.mask_words, mask);
    mask[row / 32] = int32_t(uint32_t(mask[row / 32]) | uint32_t(1) << (row % 32));
  }
  const int parts = parts_of(int(one.shared(0))) + parts_of(job.rows);
  for (int query = 0; query < job.rows * group; query += kTileQueries)
    for (int part = 0; part < parts; ++part)
      tile_tasks.push_back({int32_t(jobs.size()) - 1, query, part});
  split_count.insert(split_count.end(), size_t(job.rows), parts);
}

}  // namespace docspec::cuda
