#pragma once

#include <algorithm>
#include <numeric>

#include "core/ops/delta_rule.h"
#include "cuda/recurrent/delta_commit.cuh"
#include "cuda/recurrent/delta_rule.cuh"
#include "cuda/tensors.h"

// Ops::recur and Ops::commit_delta by kernels. `start(kernel, blocks_x, blocks_y)` runs one: on a
// GPU's stream, or for tests on the host.
namespace docspec::cuda {

/// Whether there are kernels for layers of such sizes.
inline bool takes(const DeltaShape& shape) {
  return shape.key_dim % 16 == 0 && shape.key_dim <= kMostKeyDim && shape.chunk <= kMostChunk;
}

inline DeltaSizes sizes_of(const DeltaShape& shape) {
  return {int(shape.heads),     int(shape.key_heads), int(shape.key_dim),
          int(shape.value_dim), int(shape.taps),      int(shape.chunk)};
}

/// A plan's tables where its rows lie, sent once for all layers: parents, lengths, paths, the rows
/// by parts, the parts.
inline void send_tables(const DeltaPlan& plan, int64_t chunk, const at::Device& device) {
  if (plan.tables.defined()) return;
  std::vector<int32_t> ints(plan.parent), paths(size_t(plan.rows() * chunk)), order, parts;
  for (size_t row = 0; row < plan.paths.size(); ++row) {
    ints.push_back(int32_t(plan.paths[row].size()));
    std::copy(plan.paths[row].begin(), plan.paths[row].end(), paths.begin() + int64_t(row) * chunk);
  }
  for (const DeltaSegment& one : plan.segments) {
    parts.insert(parts.end(), {one.last, one.before, int32_t(order.size()),  //
                               int32_t(one.rows.size())});
    order.insert(order.end(), one.rows.begin(), one.rows.end());
  }
  for (const auto* more : {&paths, &order, &parts})
    ints.insert(ints.end(), more->begin(), more->end());
  Upload upload;
  upload.add(ints);
  upload.send(device);
  plan.tables = upload.memory();
}

/// One job of a pass; `states`: memory for those at boundaries within the pass.
inline DeltaJobView view_of(const DeltaJob& job, int64_t first, int64_t chunk, float* states) {
  const DeltaPlan& plan = *job.plan;
  const DeltaRows& rows = *job.rows;
  const auto* ints = numbers<int32_t>(plan.tables);
  const int64_t n = plan.rows();
  const auto* order = ints + (2 + chunk) * n;
  return {ints,
          ints + n,
          ints + 2 * n,
          order,
          reinterpret_cast<const DeltaPart*>(order + n),
          int(plan.segments.size()),
          int(n),
          int(plan.kept),
          int(first),
          rows.keys.size(1),
          numbers(rows.state),
          numbers(rows.inputs),
          numbers_of(rows.keys),
          numbers_of(rows.updates),
          numbers_of(rows.decays),
          states};
}

/// As Ops::recur, of at most kMostDeltaJobs jobs from row `first` of the pass on.
template <class Start>
void recur_together(const Start& start, const at::Tensor& qkv, const at::Tensor& gates,
                    std::span<const DeltaJob> jobs, int64_t first, const DeltaShape& shape,
                    const DeltaWeights& weights, const at::Tensor& out) {
  DeltaPassView pass{sizes_of(shape), {}};
  const int64_t size = shape.heads * shape.key_dim * shape.value_dim;
  int64_t states = 0, most = 0;
  for (const DeltaJob& job : jobs) states += int64_t(job.plan->segments.size()) - 1;
  const at::Tensor memory = at::empty({states * size}, qkv.options());
  float* free = numbers_of(memory);
  for (size_t i = 0; i < jobs.size(); ++i) {
    DeltaRows& rows = *jobs[i].rows;
    const DeltaPlan& plan = *jobs[i].plan;
    send_tables(plan, shape.chunk, qkv.device());
    reserve_slots(rows, plan.kept, plan.kept + plan.rows());
    rows.pass = qkv.narrow(0, first, plan.rows());
    pass.jobs[i] = view_of(jobs[i], first, shape.chunk, free);
    free += (int64_t(plan.segments.size()) - 1) * size;
    first += plan.rows();
    most = std::max(most, plan.rows());
  }
  const auto scratch = [&](int64_t width) { return at::empty({first, width}, qkv.options()); };
  const at::Tensor seen = scratch(shape.channels()), q = scratch(shape.key_heads * shape.key_dim),
                   beta = scratch(shape.heads), with_k = scratch(shape.heads * (shape.chunk + 1)),
                   with_q = at::empty_like(with_k);
  const int count = int(jobs.size());
  start(ConvolveRows{pass, numbers(qkv), numbers(weights.taps), numbers_of(seen)},
        (most * shape.channels() + ConvolveRows::kThreads - 1) / ConvolveRows::kThreads, count);
  start(UnitKeys{pass, numbers(seen), numbers(gates), numbers(weights.rate),
                 numbers(weights.time_bias), numbers_of(q), numbers_of(beta)},
        most * shape.key_heads, count);
  start(DeltaProducts{pass, numbers(q), numbers_of(with_k), numbers_of(with_q)},
        most * shape.key_heads, count);
  start(DeltaColumns{pass, numbers(seen), numbers(q), numbers(beta), numbers(with_k),
                     numbers(with_q), numbers_of(out)},
        DeltaColumns::blocks(pass.sizes), count);
}

/// As Ops::recur. qkv and gates: contiguous.
template <class Start>
at::Tensor recur_by(const Start& start, const at::Tensor& qkv, const at::Tensor& gates,
                    std::span<const DeltaJob> jobs, const DeltaShape& shape,
                    const DeltaWeights& weights) {
  const at::Tensor out = at::empty({qkv.size(0), shape.heads * shape.value_dim}, qkv.options());
  int64_t first = 0;
  for (size_t i = 0; i < jobs.size(); i += kMostDeltaJobs) {
    const auto some = jobs.subspan(i, std::min<size_t>(kMostDeltaJobs, jobs.size() - i));
    recur_together(start, qkv, gates, some, first, shape, weights, out);
    for (const DeltaJob& job : some) first += job.plan->rows();
  }
  return out;
}

/// As Ops::commit_delta.
template <class Start>
void commit_by(const Start& start, std::span<DeltaRows> layers, int64_t kept,
               std::span<const int32_t> path, const DeltaShape& shape) {
  const at::Device device = layers[0].state.device();
  const auto n = int64_t(path.size()), folds = (kept + n) / shape.chunk,
             left = kept + n - folds * shape.chunk, held = shape.held_slots();
  std::vector<int32_t> rows(static_cast<size_t>(kept));  // slots of the committed ones
  std::iota(rows.begin(), rows.end(), 0);
  for (const int32_t row : path) rows.push_back(int32_t(kept) + row);
  std::vector<DeltaLayerView> views;
  std::vector<DeltaRows> before(layers.begin(), layers.end());  // until the kernels were started
  for (DeltaRows& layer : layers) {
    if (layer.keys.size(1) > held) {  // a prompt's pass made them large
      layer.keys = at::zeros({shape.key_heads, held, shape.key_dim}, layer.keys.options());
      layer.updates = at::zeros({shape.heads, held, shape.value_dim}, layer.keys.options());
      layer.decays = at::zeros({shape.heads, held}, layer.keys.options());
    }
    const DeltaRows& was = before[views.size()];
    views.push_back({numbers_of(layer.state), numbers_of(layer.inputs), numbers(was.keys),
                     numbers(was.updates), numbers(was.decays), n > 0 ? numbers(was.pass) : nullptr,
                     numbers_of(layer.keys), numbers_of(layer.updates), numbers_of(layer.decays),
                     was.keys.size(1)});
    layer.pass.reset();
  }
  Upload upload;
  const size_t at = upload.add(views), of_rows = upload.add(rows),
               of_path = upload.add(path.data(), path.size());
  upload.send(device);
  const auto* all = upload.at<int32_t>(of_rows);
  const auto* where = upload.at<DeltaLayerView>(at);
  const int count = int(layers.size());
  if (folds > 0)
    start(FoldStates{where, all, sizes_of(shape), int(folds)},
          DeltaColumns::blocks(sizes_of(shape)), count);
  const KeepDeltaRows keep{where,
                           all + folds * shape.chunk,
                           upload.at<int32_t>(of_path),
                           sizes_of(shape),
                           held,
                           int(left),
                           int(n)};
  start(keep, (keep.columns() + KeepDeltaRows::kThreads - 1) / KeepDeltaRows::kThreads, count);
}

}  // namespace docspec::cuda
