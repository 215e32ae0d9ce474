// The gated delta rule by ATen, row by row. Each step has the shape that the row's own path gives
// it, so that no other row of the pass can change its bits.
#include <ATen/ATen.h>

#include "core/ops/delta_rule.h"

namespace docspec {
namespace {

at::Tensor indices(std::span<const int32_t> slots, const at::Tensor& like) {
  return at::tensor(at::ArrayRef<int32_t>(slots.data(), slots.size()), at::kInt).to(like.device());
}

/// Rows of unit length, times scale.
at::Tensor unit(const at::Tensor& x, double scale) {
  return x * ((x * x).sum(-1, true) + 1e-6).rsqrt() * scale;
}

/// Slots of some heads, once for each of the heads that share them: [heads, slots, dim].
at::Tensor keys_of(const DeltaRows& rows, const at::Tensor& slots) {
  const int64_t group = rows.updates.size(0) / rows.keys.size(0);
  return rows.keys.index_select(1, slots).repeat_interleave(group, 0);
}

}  // namespace

at::Tensor aten_convolve(const at::Tensor& x, const DeltaRows& rows, const DeltaPlan& plan,
                         const DeltaWeights& weights) {
  const int64_t taps = weights.taps.size(0);
  const at::Tensor all = at::cat({rows.inputs, x});
  at::Tensor sum;
  for (int64_t tap = 0; tap < taps; ++tap) {
    std::vector<int32_t> from;  // in `all`
    for (int32_t row = 0; row < int32_t(plan.rows()); ++row) {
      int64_t back = taps - 1 - tap;
      int32_t at = row;
      for (; back > 0 && at >= 0; --back) at = plan.parent[size_t(at)];
      from.push_back(int32_t(at >= 0 ? taps - 1 + at : taps - 2 - back));
    }
    const at::Tensor part = all.index_select(0, indices(from, all)) * weights.taps[tap];
    sum = sum.defined() ? sum + part : part;
  }
  return sum / (sum.neg().exp_().add_(1));
}

DeltaGates delta_gates(const at::Tensor& gates, const DeltaWeights& weights) {
  const int64_t heads = weights.rate.size(0);
  const at::Tensor x = gates.narrow(1, heads, heads) + weights.time_bias;
  const at::Tensor softplus = at::where(x > 20, x, x.exp().log1p());
  return {gates.narrow(1, 0, heads).neg().exp_().add_(1).reciprocal_(), softplus * weights.rate};
}

at::Tensor aten_fold(const at::Tensor& state, const DeltaRows& rows,
                     std::span<const int32_t> path) {
  const at::Tensor slots = indices(path, state);
  const at::Tensor decays = rows.decays.index_select(1, slots);            // [heads, rows]
  const at::Tensor whole = decays.narrow(1, int64_t(path.size()) - 1, 1);  // [heads, 1]
  const at::Tensor keys = keys_of(rows, slots) * (whole - decays).exp().unsqueeze(2);
  return state * whole.exp().unsqueeze(2) +
         at::bmm(keys.transpose(1, 2), rows.updates.index_select(1, slots));
}

at::Tensor aten_delta_rule(const at::Tensor& qkv, const DeltaGates& gates, DeltaRows& rows,
                           const DeltaPlan& plan, const DeltaShape& shape) {
  const int64_t n = plan.rows(), group = shape.heads / shape.key_heads;
  const auto parts =
      qkv.split_with_sizes({shape.key_heads * shape.key_dim, shape.key_heads * shape.key_dim,
                            shape.heads * shape.value_dim},
                           1);
  at::Tensor out = at::empty({n, shape.heads, shape.value_dim}, qkv.options());
  std::vector<at::Tensor> states;
  for (const DeltaSegment& segment : plan.segments) {
    states.push_back(segment.last < 0 ? rows.state
                                      : aten_fold(states[size_t(segment.before)], rows,
                                                  plan.whole_path(segment.last)));
    for (const int32_t row : segment.rows) {
      const auto vectors = [&](int part, int64_t heads, int64_t dim) {
        return parts[size_t(part)][row].reshape({heads, dim});
      };
      const at::Tensor own_key = unit(vectors(1, shape.key_heads, shape.key_dim), 1);
      rows.keys.select(1, plan.slot(row)).copy_(own_key);
      const at::Tensor k = own_key.repeat_interleave(group, 0).unsqueeze(1);  // [heads, 1, key_dim]
      const at::Tensor q =
          unit(vectors(0, shape.key_heads, shape.key_dim), 1 / std::sqrt(double(shape.key_dim)))
              .repeat_interleave(group, 0)
              .unsqueeze(1);
      const std::vector<int32_t>& path = plan.paths[size_t(row)];
      at::Tensor decay = gates.decay[row];
      if (!path.empty()) decay = decay + rows.decays.select(1, path.back());
      rows.decays.select(1, plan.slot(row)).copy_(decay);
      const at::Tensor kept = decay.exp().view({-1, 1, 1});
      at::Tensor seen_k = kept * at::bmm(k, states.back());  // [heads, 1, value_dim]
      at::Tensor seen_q = kept * at::bmm(q, states.back());
      if (!path.empty()) {
        const at::Tensor slots = indices(path, qkv);
        const at::Tensor keys = keys_of(rows, slots).transpose(1, 2),
                         updates = rows.updates.index_select(1, slots);
        const at::Tensor since =
            (decay.unsqueeze(1) - rows.decays.index_select(1, slots)).exp().unsqueeze(1);
        seen_k = seen_k + at::bmm(at::bmm(k, keys) * since, updates);
        seen_q = seen_q + at::bmm(at::bmm(q, keys) * since, updates);
      }
      const at::Tensor update = (vectors(2, shape.heads, shape.value_dim).unsqueeze(1) - seen_k) *
                                gates.beta[row].view({-1, 1, 1});
      rows.updates.select(1, plan.slot(row)).copy_(update.squeeze(1));
      out[row].copy_((seen_q + (q * k).sum(-1, true) * update).squeeze(1));
    }
  }
  return out.view({n, -1});
}

}  // namespace docspec
