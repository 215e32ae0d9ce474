#include "core/ops/delta_rows.h"

#include <ATen/ATen.h>

#include <algorithm>
#include <numeric>

namespace docspec {

DeltaRows empty_delta_rows(const DeltaShape& shape, const at::Tensor& like) {
  const auto zeros = [&](std::vector<int64_t> sizes) {
    return at::zeros(sizes, like.options().dtype(at::kFloat));
  };
  const int64_t slots = shape.held_slots();
  return {zeros({shape.heads, shape.key_dim, shape.value_dim}),
          zeros({shape.key_heads, slots, shape.key_dim}),
          zeros({shape.heads, slots, shape.value_dim}),
          zeros({shape.heads, slots}),
          zeros({shape.taps - 1, shape.channels()}),
          {}};
}

int64_t delta_bytes(const DeltaShape& shape) {
  const int64_t slot =
      shape.key_heads * shape.key_dim + shape.heads * shape.value_dim + shape.heads;
  return int64_t(sizeof(float)) * (shape.heads * shape.key_dim * shape.value_dim +
                                   shape.held_slots() * slot + (shape.taps - 1) * shape.channels());
}

void reserve_slots(DeltaRows& rows, int64_t kept, int64_t slots) {
  if (rows.keys.size(1) >= slots) return;
  for (at::Tensor* old : {&rows.keys, &rows.updates, &rows.decays}) {
    auto shape = old->sizes().vec();
    shape[1] = slots;
    at::Tensor grown = at::zeros(shape, old->options());
    grown.narrow(1, 0, kept).copy_(old->narrow(1, 0, kept));
    *old = grown;
  }
}

std::vector<int32_t> DeltaPlan::whole_path(int32_t last) const {
  std::vector<int32_t> path = paths[size_t(last)];
  path.push_back(slot(last));
  return path;
}

DeltaPlan plan_delta(int64_t length, int64_t chunk, std::span<const int32_t> parent) {
  DeltaPlan plan;
  plan.kept = length % chunk;
  plan.parent.assign(parent.begin(), parent.end());
  plan.segments.emplace_back();
  std::vector<int32_t> kept(size_t(plan.kept)), segment_of;
  std::iota(kept.begin(), kept.end(), 0);
  for (int32_t row = 0; row < int32_t(parent.size()); ++row) {
    const int32_t above = parent[size_t(row)];
    std::vector<int32_t> path = above < 0 ? kept : plan.whole_path(above);
    int32_t segment = above < 0 ? 0 : segment_of[size_t(above)];
    if (int64_t(path.size()) == chunk) {
      path.clear();
      const auto known = std::find_if(plan.segments.begin(), plan.segments.end(),
                                      [&](const DeltaSegment& s) { return s.last == above; });
      const auto next = int32_t(known - plan.segments.begin());
      if (known == plan.segments.end()) plan.segments.push_back({above, segment, {}});
      segment = next;
    }
    plan.segments[size_t(segment)].rows.push_back(row);
    plan.paths.push_back(std::move(path));
    segment_of.push_back(segment);
  }
  return plan;
}

}  // namespace docspec
