#include "cuda/attention_tables.h"

#include <ATen/core/Tensor.h>

#include <algorithm>
#include <bit>

namespace docspec::cuda {
namespace {

/// Where there is more than `size`, a deep tree's, up to a power of two.
template <class T>
void pad_to(std::vector<T>& table, int size, const T& empty) {
  table.resize(table.size() <= size_t(size) ? size_t(size) : std::bit_ceil(table.size()), empty);
}

int parts_of(int keys, int part) {
  return (keys + part - 1) / part;
}

}  // namespace

AttentionTables::AttentionTables(std::span<const AttentionRows> all, int of_group, TableUse use)
    : part(use == TableUse::tiles ? kNearSplit : kSplit), group(of_group) {
  for (const AttentionRows& one : all) {
    jobs.push_back(
        {.rows = int32_t(one.parent.size()), .first = rows, .tree = int32_t(one.prefix)});
    if (use != TableUse::places) add_rows(one, use == TableUse::tiles);
    if (!one.slots.empty()) add_slots(one);
    jobs.back().pages = int32_t(pages.size());
    for (const at::Tensor& page : one.pages) pages.push_back(page.mutable_data_ptr());
    job_of_row.resize(size_t(rows + jobs.back().rows), int32_t(jobs.size()) - 1);
    if (use != TableUse::places) add_tasks();
    rows += jobs.back().rows;
  }
  for (const int32_t parts : split_count) splits = std::max(splits, int(parts));
}

void AttentionTables::pad(int count) {
  constexpr Task kNothing{.job = -1};
  int longest = 0;
  for (const TreeJob& job : jobs) longest = std::max(longest, job.tree + job.rows);
  const auto power = [](int n, int least) {
    return std::max(least, int(std::bit_ceil(unsigned(n))));
  };
  const int bucket = power(rows, kLeastBucket), context = power(longest, kLeastContext),
            most_jobs = power(int(jobs.size()), 1);
  const bool tiles = part == kNearSplit;
  rows = std::max(rows, count);
  split_count.resize(size_t(rows), 0);
  job_of_row.resize(size_t(rows), -1);
  const auto blocks = [&](int queries) { return bucket * group / queries + most_jobs; };
  pad_to(jobs, most_jobs, TreeJob());
  pad_to(ints, bucket * (3 + bucket), 0);
  pad_to(tasks, int(most_tasks(bucket, context, most_jobs)), kNothing);
  pad_to(tile_tasks, tiles ? blocks(kTileQueries) * (context / kSplit) : 0, kNothing);
  pad_to(pages, most_jobs * (context / kPage), static_cast<void*>(nullptr));
  splits = std::max(splits, context / kSplit + (tiles ? parts_of(kNear + kTileKeys, part) : 0));
}

/// Of TreeAttention. Shared parts: with far keys a row's near ones are less than kNear + kTileKeys,
/// and the rows of a block are less than a bucket apart. Parts of a row's own: those that its
/// ancestors, less than a bucket, reach into.
size_t AttentionTables::most_tasks(int bucket, int context, int most_jobs) const {
  const int shared =
      part == kNearSplit ? parts_of(kNear + kTileKeys + bucket, part) : context / part;
  const int own = std::min(shared, parts_of(bucket, part) + 1);
  return size_t(bucket * group / kQueries + most_jobs) * size_t(shared) +
         size_t(bucket * parts_of(group, kQueries)) * size_t(own);
}

TableView AttentionTables::view() const {
  return {jobs.data(),        ints.data(),       tasks.data(), tile_tasks.data(),
          split_count.data(), job_of_row.data(), pages.data()};
}

void AttentionTables::add_rows(const AttentionRows& one, bool tiles) {
  TreeJob& job = jobs.back();
  const auto n = size_t(job.rows);
  job.visible = int32_t(ints.size());
  for (size_t row = 0; row < n; ++row) ints.push_back(int32_t(one.shared(row)));
  job.depth = int32_t(ints.size());
  ints.insert(ints.end(), one.depth.begin(), one.depth.end());
  job.path_stride = *std::max_element(one.depth.begin(), one.depth.end()) + 1;
  const bool far = tiles && !one.each() && (job.path_stride <= kNear || one.chain());
  job.far = int32_t(ints.size());
  for (size_t row = 0; row < n; ++row) {
    const int before = int(one.shared(row)) + one.depth[row] + 1 - kNear;
    ints.push_back(far && before > 0 ? before / kTileKeys * kTileKeys : 0);
  }
  if (one.chain()) return;
  job.path = int32_t(ints.size());
  ints.resize(ints.size() + n * size_t(job.path_stride), 0);
  for (size_t row = 0; row < n; ++row) {
    int32_t* path = ints.data() + job.path + row * size_t(job.path_stride);
    if (one.parent[row] >= 0)
      std::copy_n(ints.data() + job.path + one.parent[row] * job.path_stride, one.depth[row], path);
    path[one.depth[row]] = int32_t(row);
  }
}

void AttentionTables::add_slots(const AttentionRows& one) {
  TreeJob& job = jobs.back();
  size_t most = 0;
  for (const Slots& slots : one.slots) most = std::max(most, slots.size());
  job.slots = int32_t(ints.size());
  job.slots_stride = one.each() ? int32_t(most) : 0;
  for (const Slots& slots : one.slots) {
    ints.insert(ints.end(), slots.begin(), slots.end());
    ints.resize(ints.size() + most - slots.size(), 0);
  }
}

void AttentionTables::add_tasks() {
  const TreeJob& job = jobs.back();
  const TableView view{jobs.data(), ints.data()};
  const auto index = int32_t(jobs.size()) - 1;
  const int queries = job.rows * group;
  const auto last_row = [&](int query, int count) {
    return (std::min(query + count, queries) - 1) / group;
  };
  for (int query = 0; query < queries; query += kTileQueries) {
    int most = 0;
    for (int row = query / group; row <= last_row(query, kTileQueries); ++row)
      most = std::max(most, view.far(job, row));
    const int count = std::min(kTileQueries, queries - query);
    for (int begin = 0; begin < most; begin += kSplit)
      tile_tasks.push_back({index, query, count, begin});
  }
  // Parts of keys that are the same for all rows, then those that hold a row's own.
  const int same = job.slots_stride > 0 ? 0 : ints[size_t(job.visible)] / part * part;
  for (int query = 0; query < queries; query += kQueries) {
    int first = same;
    for (int row = query / group; row <= last_row(query, kQueries); ++row)
      first = std::min(first, view.far(job, row));
    const int count = std::min(kQueries, queries - query);
    for (int begin = first; begin < same; begin += part)
      tasks.push_back({index, query, count, begin});
  }
  for (int row = 0; row < job.rows; ++row)
    for (int head = 0; head < group; head += kQueries)
      for (int begin = std::max(same, view.far(job, row)); begin < view.length(job, row);
           begin += part)
        tasks.push_back({index, row * group + head, std::min(kQueries, group - head), begin});
  for (int row = 0; row < job.rows; ++row)
    split_count.push_back(view.far_parts(job, row) +
                          parts_of(view.length(job, row) - view.far(job, row), part));
}

}  // namespace docspec::cuda
