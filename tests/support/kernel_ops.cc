#include "tests/support/kernel_ops.h"

#include <ATen/ATen.h>

#include <cmath>

#include "core/ops/attention_weights.h"
#include "core/ops/graph_cache.h"
#include "core/ops/layers.h"
#include "cuda/accept.cuh"
#include "cuda/recurrent/delta_layer.h"
#include "cuda/rows.cuh"
#include "cuda/statistics.cuh"
#include "cuda/tree_attention.cuh"
#include "tests/support/forwarding_ops.h"

namespace docspec {
namespace {

using namespace cuda;

/// f(std::integral_constant) for heads of a size that tests have.
template <class F>
auto for_dim(int64_t dim, const F& f) {
  return dim == 16 ? f(std::integral_constant<int, 16>()) : f(std::integral_constant<int, 64>());
}

int blocks(int64_t n, int threads) {
  return int((n + threads - 1) / threads);
}
const float* in(const at::Tensor& x) {
  return x.const_data_ptr<float>();
}
float* out(at::Tensor& x) {
  return x.mutable_data_ptr<float>();
}

constexpr auto kOnHost = [](const auto& kernel, int64_t blocks_x, int blocks_y) {
  run_on_host(kernel, int(blocks_x), blocks_y);
};

struct HostPlan : AttentionPlan {
  AttentionTables tables;
  TableView view;

  HostPlan(std::span<const AttentionRows> jobs, const BatchLayout& shape)
      : tables(jobs, int(shape.group)) {
    if (shape.rows > 0) tables.pad(int(shape.rows));
    view = tables.view();
  }
};

class RunAnew : public GraphCache {
 public:
  explicit RunAnew(KernelPasses* passes) : passes_(passes) {}
  at::Tensor run(const at::Tensor& ids, const at::Tensor& angles, const AttentionPlan&,
                 const Body& body) override {
    if (passes_) passes_->rows.push_back(ids.numel());
    return body(ids, angles);
  }
  std::vector<int64_t> rows_at_load() const override {
    return passes_ ? passes_->at_load : std::vector<int64_t>();
  }

 private:
  KernelPasses* const passes_;
};

class KernelOps : public ForwardingOps {
 public:
  explicit KernelOps(KernelPasses* passes) : ForwardingOps(make_aten_ops()), passes_(passes) {}

  RowStats row_stats(const at::Tensor& logits, std::span<const int32_t> token,
                     std::span<const int32_t> parent) const override {
    const at::Tensor x = logits.contiguous();
    const auto rows = size_t(x.size(0));
    const std::vector<float> none(rows);
    RowStats stats{std::vector<int32_t>(rows), none, none, none, none, {}};
    const int vocab = int(x.size(1)), count = RowStatistics::parts_of(vocab);
    std::vector<RowSummary> parts(rows * size_t(count));
    run_on_host(RowStatistics{in(x), vocab, parts.data()}, int(rows), count);
    std::vector<int32_t> next(rows);
    stats.path_position.resize(rows);
    run_on_host(
        MergeStatistics{in(x), parts.data(), vocab,
                        WalkTrees{stats.argmax.data(), token.data(), parent.data(), next.data(),
                                  stats.path_position.data(), int(rows)},
                        stats.argmax.data(), stats.top_logit.data(), stats.second_logit.data(),
                        stats.logsumexp.data(), stats.own_logit.data()},
        1, 1);
    return stats;
  }
  SampledRows draw(const at::Tensor& logits, std::span<const RowSampling> how,
                   std::span<const int32_t> token, std::span<const int32_t> parent) const override {
    const at::Tensor x = logits.contiguous();
    SampledRows drawn{std::vector<int32_t>(size_t(x.size(0))), {}};
    run_on_host(DrawRow{in(x), how.data(), drawn.token.data(), int(x.size(1))}, int(x.size(0)), 1);
    drawn.path_position = walk(drawn.token, token, parent);
    return drawn;
  }
  bool asynchronous() const override { return true; }
  at::Tensor rms_norm(const at::Tensor& x, const at::Tensor& weight, double eps) const override {
    at::Tensor from = x.contiguous(), normed = at::empty_like(from);
    run_on_host(NormRows<float>{in(from), nullptr, in(weight), nullptr, out(normed), int(x.size(1)),
                                float(eps)},
                int(x.size(0)), 1);
    return normed;
  }
  at::Tensor add_norm(at::Tensor& x, const at::Tensor& more, const at::Tensor& weight,
                      double eps) const override {
    at::Tensor from = x.contiguous(), added = more.contiguous(), normed = at::empty_like(from);
    x = at::empty_like(from);
    run_on_host(NormRows<float>{in(from), in(added), in(weight), out(x), out(normed),
                                int(from.size(1)), float(eps)},
                int(from.size(0)), 1);
    return normed;
  }
  at::Tensor swiglu(const at::Tensor& gate_up) const override {
    at::Tensor gated = at::empty({gate_up.size(0), gate_up.size(1) / 2});
    run_on_host(SwigluRows<float>{in(gate_up), out(gated), gated.size(0), int(gated.size(1))},
                blocks(gated.numel(), SwigluRows<float>::kThreads), 1);
    return gated;
  }

  Rotary rotary(const at::Tensor& angles, int64_t head_dim) const override {
    at::Tensor cos = at::empty({angles.size(0), head_dim}), sin = at::empty_like(cos);
    run_on_host(MakeRotary{in(angles), out(cos), out(sin), angles.size(0), int(angles.size(1)),
                           int(head_dim)},
                blocks(cos.numel(), MakeRotary::kThreads), 1);
    return {cos, sin};
  }
  bool fuses_vision(const at::Tensor&) const override { return true; }
  void turn_heads(at::Tensor& qkv, const Rotary& rotary) const override {
    const TurnHeads<float> kernel{out(qkv),    in(rotary.cos),   in(rotary.sin),
                                  qkv.size(0), int(qkv.size(2)), int(qkv.size(3))};
    run_on_host(kernel, blocks(kernel.pairs(), kernel.kThreads), 1);
  }

  int64_t prefill_rows(const at::Tensor&) const override { return 16384; }
  bool paged(const at::Tensor&, int64_t head_dim) const override {
    return head_dim == 16 || head_dim == 64;
  }
  std::unique_ptr<GraphCache> graph_cache(const at::Tensor&) const override {
    return std::make_unique<RunAnew>(passes_);
  }
  std::unique_ptr<AttentionPlan> plan(std::span<const AttentionRows> jobs, const BatchLayout& shape,
                                      const at::Tensor&) const override {
    return std::make_unique<HostPlan>(jobs, shape);
  }

  at::Tensor rotate_append(const at::Tensor& qkv, int64_t heads, int64_t kv_heads,
                           const Rotary& rotary, std::span<const CacheRows> jobs,
                           const AttentionPlan& plan) const override {
    const int64_t dim = qkv.size(1) / (heads + 2 * kv_heads);
    at::Tensor q = at::empty({qkv.size(0), heads, dim});
    const RotateAppend<float> kernel{static_cast<const HostPlan&>(plan).view,
                                     CacheLayer(jobs[0].layer, kv_heads, dim),
                                     in(qkv),
                                     in(rotary.cos),
                                     in(rotary.sin),
                                     out(q),
                                     qkv.stride(0),
                                     qkv.size(0),
                                     int(heads),
                                     int(kv_heads),
                                     int(dim)};
    run_on_host(kernel, blocks(kernel.rows * kernel.width(), kernel.kThreads), 1);
    return q;
  }

  at::Tensor attention(const at::Tensor& q, std::span<const CacheRows> caches,
                       const AttentionPlan& plan,
                       AttentionWeights* attention_weights) const override {
    return for_dim(q.size(2), [&](auto dim) {
      return attend<decltype(dim)::value>(q, caches, static_cast<const HostPlan&>(plan),
                                          attention_weights);
    });
  }

  void gather_pages(std::span<const at::Tensor> pages, std::span<const int64_t> from,
                    int64_t to) const override {
    std::vector<uint32_t*> memory;
    for (const at::Tensor& page : pages)
      memory.push_back(static_cast<uint32_t*>(page.mutable_data_ptr()));
    const std::vector<int32_t> places(from.begin(), from.end());
    const int64_t columns = pages[0].numel() / kPage;
    run_on_host(KeepRows{memory.data(), places.data(), columns, int(to), int(from.size()),
                         int(pages[0].size(4))},
                blocks(columns, KeepRows::kThreads), 1);
  }

  at::Tensor recur(const at::Tensor& qkv, const at::Tensor& gates, std::span<const DeltaJob> jobs,
                   const DeltaShape& shape, const DeltaWeights& weights) const override {
    if (!takes(shape)) return ForwardingOps::recur(qkv, gates, jobs, shape, weights);
    return recur_by(kOnHost, qkv.contiguous(), gates.contiguous(), jobs, shape, weights);
  }
  void commit_delta(std::span<DeltaRows> layers, int64_t kept, std::span<const int32_t> path,
                    const DeltaShape& shape) const override {
    if (!takes(shape)) return ForwardingOps::commit_delta(layers, kept, path, shape);
    commit_by(kOnHost, layers, kept, path, shape);
  }

 private:
  static std::vector<int32_t> walk(const std::vector<int32_t>& choice,
                                   std::span<const int32_t> token,
                                   std::span<const int32_t> parent) {
    std::vector<int32_t> next(choice.size()), place(choice.size());
    run_on_host(WalkTrees{choice.data(), token.data(), parent.data(), next.data(), place.data(),
                          int(choice.size())},
                1, 1);
    return place;
  }

  template <int kDim>
  static at::Tensor attend(const at::Tensor& q, std::span<const CacheRows> caches,
                           const HostPlan& plan, AttentionWeights* attention_weights) {
    const AttentionTables& tables = plan.tables;
    const TableView& view = plan.view;
    const int heads = int(q.size(1)), kv_heads = int(caches[0].pages[0].size(2));
    const int64_t cells = q.size(0) * heads * tables.splits;
    at::Tensor top = at::empty({cells}), sum = at::empty({cells}),
               values = at::empty({cells, kDim}), result = at::empty(q.sizes()),
               log_sum = at::empty({q.size(0), heads});
    const Parts parts{out(top), out(sum), out(values), tables.splits};
    const CacheLayer layer(caches[0].layer, kv_heads, kDim);
    const float scale = 1 / std::sqrt(float(kDim));
    run_on_host(
        TreeAttention<kDim, float>{view, layer, in(q), scale, heads, kv_heads, tables.part, parts},
        int(tables.tasks.size()), kv_heads);
    run_on_host(MergeParts<kDim>{parts, view, out(result), out(log_sum), heads}, int(q.size(0)),
                heads);
    if (attention_weights)
      see<kDim>(*attention_weights, {view, layer, 0, in(q), scale, in(log_sum), heads, kv_heads},
                tables);
    return result;
  }

  template <int kDim>
  static void see(AttentionWeights& attention_weights, LookedAt<kDim, float> kernel,
                  const AttentionTables& tables) {
    attention_weights.weights.assign(attention_weights.ranges.size(), {});
    for (size_t j = 0; j < attention_weights.ranges.size(); ++j) {
      kernel.job = int(j);
      kernel.begin = int(attention_weights.ranges[j].begin);
      kernel.end = int(attention_weights.ranges[j].end);
      if (kernel.end <= kernel.begin) continue;
      const int rows = tables.jobs[j].rows;
      attention_weights.weights[j] = at::empty({rows, kernel.end - kernel.begin});
      kernel.out = out(attention_weights.weights[j]);
      run_on_host(kernel, blocks(kernel.end - kernel.begin, kernel.kThreads), rows);
    }
  }

  KernelPasses* const passes_;
};

}  // namespace

std::unique_ptr<Ops> make_kernel_ops(KernelPasses* passes) {
  return std::make_unique<KernelOps>(passes);
}

}  // namespace docspec
