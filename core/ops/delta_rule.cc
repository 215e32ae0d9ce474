#include "core/ops/delta_rule.h"

#include <ATen/ATen.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "core/ops/cpu/cpu_delta.h"
#include "core/ops/cpu/cpu_threads.h"

namespace docspec {
namespace {

/// A layer with less work than this (numbers of states and keys that are read) stays on one thread.
constexpr int64_t kWorthThreads = 1 << 17;

bool kernels_take(const at::Tensor& x, const DeltaShape& shape) {
  return x.is_cpu() && shape.key_dim % kDeltaLanes == 0 && shape.value_dim % kDeltaLanes == 0;
}

/// One key head of a pass, and the heads that share it.
class KeyHead {
 public:
  KeyHead(const at::Tensor& qkv, const DeltaGates& gates, DeltaRows& rows, const DeltaPlan& plan,
          const DeltaShape& shape, at::Tensor& out)
      : qkv_(qkv.const_data_ptr<float>()),
        beta_(gates.beta.const_data_ptr<float>()),
        decay_(gates.decay.const_data_ptr<float>()),
        keys_(rows.keys.mutable_data_ptr<float>()),
        updates_(rows.updates.mutable_data_ptr<float>()),
        decays_(rows.decays.mutable_data_ptr<float>()),
        state_(rows.state.const_data_ptr<float>()),
        out_(out.mutable_data_ptr<float>()),
        slots_(rows.keys.size(1)),
        plan_(plan),
        shape_(shape) {}

  void run(int64_t head) const {
    const int64_t d = shape_.key_dim, n = plan_.rows(), group = shape_.heads / shape_.key_heads;
    std::vector<float> q(size_t(n * d));
    float* const keys = keys_ + head * slots_ * d;
    for (int32_t row = 0; row < int32_t(n); ++row) {
      const float* const x = qkv_ + row * shape_.channels() + head * d;
      cpu_unit_vector(x, d, float(1 / std::sqrt(double(d))), q.data() + row * d);
      cpu_unit_vector(x + shape_.key_heads * d, d, 1, keys + plan_.slot(row) * d);
    }
    for (int64_t i = head * group; i < (head + 1) * group; ++i) run_head(i, keys, q.data());
  }

 private:
  static constexpr size_t kTogether = 2;  // rows that read the state together

  void run_head(int64_t head, const float* keys, const float* q) const {
    const int64_t size = shape_.key_dim * shape_.value_dim;
    float* const updates = updates_ + head * slots_ * shape_.value_dim;
    float* const decays = decays_ + head * slots_;
    std::vector<float> states((plan_.segments.size() - 1) * size_t(size));  // of all but the first
    std::vector<float> scratch(size_t((shape_.chunk + kDeltaLanes) * (shape_.key_dim + 4)));
    const auto state_of = [&](int32_t segment) {
      return segment == 0 ? state_ + head * size : states.data() + (segment - 1) * size;
    };
    for (size_t s = 0; s < plan_.segments.size(); ++s) {
      const DeltaSegment& segment = plan_.segments[s];
      if (segment.last >= 0) {
        const std::vector<int32_t> path = plan_.whole_path(segment.last);
        cpu_fold_state(state_of(segment.before), shape_.key_dim, shape_.value_dim, path.data(),
                       int64_t(path.size()), keys, updates, decays,
                       states.data() + int64_t(s - 1) * size, scratch.data());
      }
      for (size_t i = 0; i < segment.rows.size(); i += kTogether)
        run_rows(head,
                 std::span(segment.rows).subspan(i, std::min(kTogether, segment.rows.size() - i)),
                 state_of(int32_t(s)), keys, q, updates, decays, scratch.data());
    }
  }

  /// Rows of one segment, in order.
  void run_rows(int64_t head, std::span<const int32_t> rows, const float* state, const float* keys,
                const float* q, float* updates, float* decays, float* scratch) const {
    const int64_t d = shape_.key_dim, wide = shape_.value_dim;
    std::vector<float> reads(2 * kTogether * size_t(wide));
    const float* from[2 * kTogether];
    float* to[2 * kTogether];
    for (size_t i = 0; i < rows.size(); ++i) {
      from[2 * i] = keys + plan_.slot(rows[i]) * d;
      from[2 * i + 1] = q + rows[i] * d;
      to[2 * i] = reads.data() + 2 * i * size_t(wide);
      to[2 * i + 1] = to[2 * i] + wide;
    }
    cpu_read_state(state, d, wide, from, int64_t(2 * rows.size()), to);
    for (size_t i = 0; i < rows.size(); ++i) {
      const int32_t row = rows[i], slot = plan_.slot(row);
      const std::vector<int32_t>& path = plan_.paths[size_t(row)];
      const float before = path.empty() ? 0 : decays[path.back()];
      decays[slot] = before + decay_[row * shape_.heads + head];
      const float* const v =
          qkv_ + row * shape_.channels() + 2 * shape_.key_heads * d + head * wide;
      cpu_delta_row(
          {d, wide, path.data(), int64_t(path.size()), keys, updates, decays, from[2 * i + 1],
           from[2 * i], v, to[2 * i + 1], to[2 * i], beta_[row * shape_.heads + head], decays[slot],
           updates + slot * wide, out_ + (row * shape_.heads + head) * wide},
          scratch);
    }
  }

  const float *qkv_, *beta_, *decay_;
  float *keys_, *updates_, *decays_;
  const float* state_;
  float* out_;
  int64_t slots_;
  const DeltaPlan& plan_;
  const DeltaShape& shape_;
};

/// As delta_gates; the host's own functions, one number at a time.
DeltaGates host_gates(const at::Tensor& gates, const DeltaWeights& weights) {
  const int64_t heads = weights.rate.size(0), n = gates.size(0);
  DeltaGates out{at::empty({n, heads}, gates.options()), at::empty({n, heads}, gates.options())};
  const float* const x = gates.const_data_ptr<float>();
  const float* const rate = weights.rate.const_data_ptr<float>();
  const float* const bias = weights.time_bias.const_data_ptr<float>();
  float* const beta = out.beta.mutable_data_ptr<float>();
  float* const decay = out.decay.mutable_data_ptr<float>();
  for (int64_t i = 0; i < n * heads; ++i) {
    const int64_t row = i / heads, head = i % heads;
    const float time = x[(2 * row + 1) * heads + head] + bias[head];
    beta[i] = 1 / (1 + std::exp(-x[2 * row * heads + head]));
    decay[i] = rate[head] * (time > 20 ? time : std::log1p(std::exp(time)));
  }
  return out;
}

}  // namespace

at::Tensor convolve(const at::Tensor& x, DeltaRows& rows, const DeltaPlan& plan,
                    const DeltaWeights& weights) {
  rows.pass = x;
  const int64_t taps = weights.taps.size(0), channels = weights.taps.size(1);
  if (!x.is_cpu() || channels % kDeltaLanes != 0) return aten_convolve(x, rows, plan, weights);
  at::Tensor out = at::empty(x.sizes(), x.options());
  const float* const kept = rows.inputs.const_data_ptr<float>();
  const float* const in = x.const_data_ptr<float>();
  share_out(x.numel() * taps >= kWorthThreads, plan.rows(), [&](int64_t begin, int64_t end) {
    std::vector<const float*> seen(static_cast<size_t>(taps));
    for (int64_t row = begin; row < end; ++row) {
      int64_t at = row;  // below 0: -1 is the last committed row
      for (int64_t tap = taps; tap-- > 0;) {
        seen[size_t(tap)] = at >= 0 ? in + at * channels : kept + (taps - 1 + at) * channels;
        at = at >= 0 ? plan.parent[size_t(at)] : at - 1;
      }
      cpu_convolve(seen.data(), weights.taps.const_data_ptr<float>(), taps, channels,
                   out.mutable_data_ptr<float>() + row * channels);
    }
  });
  return out;
}

at::Tensor delta_rule(const at::Tensor& qkv, const at::Tensor& gates, DeltaRows& rows,
                      const DeltaPlan& plan, const DeltaShape& shape, const DeltaWeights& weights) {
  reserve_slots(rows, plan.kept, plan.kept + plan.rows());
  if (!kernels_take(qkv, shape))
    return aten_delta_rule(qkv, delta_gates(gates, weights), rows, plan, shape);
  at::Tensor out = at::empty({plan.rows(), shape.heads * shape.value_dim}, qkv.options());
  const DeltaGates now = host_gates(gates, weights);
  const KeyHead head(qkv, now, rows, plan, shape, out);
  share_out(rows.state.numel() * plan.rows() >= kWorthThreads, shape.key_heads,
            [&](int64_t begin, int64_t end) {
              for (int64_t i = begin; i < end; ++i) head.run(i);
            });
  return out;
}

namespace {

/// The state after the chunk of slots from `first` on.
void fold(DeltaRows& rows, int64_t first, const DeltaShape& shape) {
  std::vector<int32_t> path(size_t(shape.chunk));
  std::iota(path.begin(), path.end(), int32_t(first));
  if (!kernels_take(rows.state, shape)) {
    rows.state = aten_fold(rows.state, rows, path);
    return;
  }
  const int64_t slots = rows.keys.size(1), size = shape.key_dim * shape.value_dim;
  share_out(rows.state.numel() >= kWorthThreads, shape.heads, [&](int64_t begin, int64_t end) {
    std::vector<float> scratch(size_t((shape.chunk + kDeltaLanes) * (shape.key_dim + 1)));
    for (int64_t head = begin; head < end; ++head) {
      float* const state = rows.state.mutable_data_ptr<float>() + head * size;
      const int64_t key_head = head / (shape.heads / shape.key_heads);
      cpu_fold_state(state, shape.key_dim, shape.value_dim, path.data(), shape.chunk,
                     rows.keys.const_data_ptr<float>() + key_head * slots * shape.key_dim,
                     rows.updates.const_data_ptr<float>() + head * slots * shape.value_dim,
                     rows.decays.const_data_ptr<float>() + head * slots, state, scratch.data());
    }
  });
}

}  // namespace

void commit_delta(DeltaRows& rows, int64_t kept, std::span<const int32_t> path,
                  const DeltaShape& shape) {
  const auto n = int64_t(path.size());
  if (n > 0) {
    const at::Tensor index = at::tensor(at::ArrayRef<int32_t>(path.data(), path.size()), at::kInt)
                                 .to(rows.keys.device());
    rows.inputs = at::cat({rows.inputs, rows.pass.index_select(0, index)})
                      .narrow(0, n, shape.taps - 1)
                      .contiguous();
    if (path.back() != n - 1)  // rows 0, 1, 2, ... already lie in place
      for (at::Tensor* all : {&rows.keys, &rows.updates, &rows.decays})
        all->narrow(1, kept, n).copy_(all->index_select(1, index + kept));
  }
  rows.pass.reset();
  int64_t first = 0;
  for (; first + shape.chunk <= kept + n; first += shape.chunk) fold(rows, first, shape);
  const int64_t left = kept + n - first, slots = shape.held_slots();
  if (first == 0 && rows.keys.size(1) <= slots) return;
  for (at::Tensor* all : {&rows.keys, &rows.updates, &rows.decays}) {
    const at::Tensor last = all->narrow(1, first, left).clone();
    if (all->size(1) > slots) {  // a prompt's pass made them large
      auto sizes = all->sizes().vec();
      sizes[1] = slots;
      *all = at::zeros(sizes, all->options());
    }
    all->narrow(1, 0, left).copy_(last);
  }
}

at::Tensor recur(const at::Tensor& qkv, const at::Tensor& gates, std::span<const DeltaJob> jobs,
                 const DeltaShape& shape, const DeltaWeights& weights) {
  std::vector<at::Tensor> out;
  int64_t first = 0;
  for (const auto& [rows, plan] : jobs) {
    const int64_t n = plan->rows();
    out.push_back(delta_rule(convolve(qkv.narrow(0, first, n), *rows, *plan, weights),
                             gates.narrow(0, first, n), *rows, *plan, shape, weights));
    first += n;
  }
  return out.size() == 1 ? out[0] : at::cat(out);
}

at::Tensor sigmoid_product(const at::Tensor& gate, const at::Tensor& x) {
  if (!x.is_cpu() || x.size(1) % kDeltaLanes != 0)
    return x / (gate.to(at::kFloat).neg().exp_().add_(1));
  const at::Tensor from = gate.contiguous(), value = x.contiguous();
  at::Tensor out = at::empty(value.sizes(), value.options());
  cpu_sigmoid_product(from.const_data_ptr<float>(), value.const_data_ptr<float>(), out.numel(),
                      out.mutable_data_ptr<float>());
  return out;
}

}  // namespace docspec
