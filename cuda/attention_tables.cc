#include "cuda/attention_tables.h"

#include <algorithm>

namespace docspec::cuda {
namespace {

int32_t visible_keys(const AttentionRows& rows, size_t row) {
  const Slots* slots = rows.of(row);
  return int32_t(slots ? int64_t(slots->size()) : rows.prefix);
}

}  // namespace

AttentionTables::AttentionTables(std::span<const AttentionRows> all, int group) {
  for (const AttentionRows& one : all) {
    const size_t n = one.parent.size();
    TreeJob job{.rows = int32_t(n), .first = rows, .tree = int32_t(one.prefix)};
    job.visible = int32_t(ints.size());
    for (size_t row = 0; row < n; ++row) ints.push_back(visible_keys(one, row));
    job.depth = int32_t(ints.size());
    ints.insert(ints.end(), one.depth.begin(), one.depth.end());
    job.path = int32_t(ints.size());
    job.path_stride = *std::max_element(one.depth.begin(), one.depth.end()) + 1;
    ints.resize(ints.size() + n * size_t(job.path_stride), 0);
    for (size_t row = 0; row < n; ++row) {
      int32_t* path = ints.data() + job.path + row * size_t(job.path_stride);
      if (one.parent[row] >= 0)
        std::copy_n(ints.data() + job.path + one.parent[row] * job.path_stride, one.depth[row],
                    path);
      path[one.depth[row]] = int32_t(row);
    }
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
    const auto index = int32_t(jobs.size());
    for (int query = 0; query < int(n) * group; query += kQueries) {
      int longest = 0;
      for (int q = query; q < std::min(query + kQueries, int(n) * group); ++q)
        longest = std::max(longest,
                           visible_keys(one, size_t(q / group)) + one.depth[size_t(q / group)] + 1);
      const int parts = (longest + kSplit - 1) / kSplit;
      splits = std::max(splits, parts);
      for (int part = 0; part < parts; ++part) tasks.push_back({index, query, part});
    }
    jobs.push_back(job);
    rows += int(n);
  }
}

}  // namespace docspec::cuda
