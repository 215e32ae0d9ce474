#include <ATen/ATen.h>

#include <limits>
#include <stdexcept>

#include "core/ops/cpu_quirks.h"
#include "core/ops/delta_rule.h"
#include "core/ops/layers.h"
#include "core/ops/ops.h"
#include "core/ops/ops_aten_attention.h"

namespace docspec {
namespace {

constexpr float kExcluded = -std::numeric_limits<float>::infinity();

template <typename T>
std::vector<T> to_host(const at::Tensor& x, at::ScalarType type) {
  const at::Tensor host = x.to(at::kCPU, type).contiguous();
  const T* data = host.const_data_ptr<T>();
  return {data, data + host.numel()};
}

class AtenOps : public Ops {
 public:
  RowStats row_stats(const at::Tensor& logits, std::span<const int32_t> token,
                     std::span<const int32_t> parent) const override {
    const int64_t rows = logits.size(0);
    if (int64_t(token.size()) != rows || int64_t(parent.size()) != rows)
      throw std::invalid_argument("row_stats: one token and one parent a row");
    if (rows == 0) return {};
    // A sum to a single number is split over threads: its bits would differ from those of the same
    // row among others.
    const at::Tensor x = rows == 1 ? at::cat({logits, logits}) : logits;
    const at::Tensor argmax = x.argmax(1, /*keepdim=*/true);  // the first of equals
    const at::Tensor second = x.scatter(1, argmax, kExcluded).amax(1);
    std::vector<int64_t> own_row(static_cast<size_t>(rows), 0), own_column(own_row);
    for (size_t i = 0; i < own_row.size(); ++i) {
      own_row[i] = std::max<int32_t>(parent[i], 0);
      own_column[i] = parent[i] < 0 ? 0 : token[i];
    }
    const at::Tensor own = x.index({at::tensor(own_row, at::kLong).to(x.device()),
                                    at::tensor(own_column, at::kLong).to(x.device())});
    const at::Tensor all =
        at::stack({x.gather(1, argmax).view(-1).narrow(0, 0, rows), second.narrow(0, 0, rows),
                   x.logsumexp(1).narrow(0, 0, rows), own});
    const std::vector<float> numbers = to_host<float>(all, at::kFloat);
    const auto part = [&](int64_t i) {
      return std::vector<float>(numbers.begin() + i * rows, numbers.begin() + (i + 1) * rows);
    };
    RowStats stats{to_host<int32_t>(argmax.view(-1).narrow(0, 0, rows), at::kInt),
                   part(0),
                   part(1),
                   part(2),
                   part(3),
                   {}};
    for (size_t i = 0; i < own_row.size(); ++i)
      if (parent[i] < 0) stats.own_logit[i] = 0;
    stats.path_position = path_positions(stats.argmax, token, parent);
    return stats;
  }

  bool linear_is_batch_invariant(const at::Tensor&) const override { return false; }

  at::Tensor to_compute_dtype(const at::Tensor& x) const override { return x; }

  at::Tensor linear(const at::Tensor& x, std::span<const Linear* const> layers) const override {
    if (const Linear one = joined(layers); one.weight.defined()) return one(x);
    std::vector<at::Tensor> parts;
    for (const Linear* layer : layers) parts.push_back((*layer)(x));
    return parts.size() == 1 ? parts[0] : at::cat(parts, 1);
  }

  at::Tensor logits(const at::Tensor& x, const Linear& head) const override {
    return head.scale.defined() ? head(x.to(at::kFloat)) : wide_product(x, head.weight);
  }

  at::Tensor rms_norm(const at::Tensor& x, const at::Tensor& weight, double eps) const override {
    return RmsNorm{weight, eps}(x);
  }

  Rotary rotary(const at::Tensor& angles, int64_t head_dim) const override {
    return make_rotary(angles, head_dim);
  }
  at::Tensor rotate(const at::Tensor& x, const Rotary& rotary) const override {
    return docspec::rotate(x, rotary);
  }

  at::Tensor swiglu(const at::Tensor& gate_up) const override {
    const auto halves = gate_up.chunk(2, -1);
    return silu_product(halves[0], halves[1]);
  }

  std::unique_ptr<AttentionPlan> plan(std::span<const AttentionRows> jobs, const BatchLayout& shape,
                                      const at::Tensor& like) const override {
    return aten_attention_plan(jobs, shape.row_multiple, like.device());
  }

  at::Tensor attention(const at::Tensor& q, std::span<const CacheRows> caches,
                       const AttentionPlan& plan,
                       AttentionWeights* attention_weights) const override {
    return aten_attention(q, caches, plan, attention_weights);
  }

  at::Tensor full_attention(const at::Tensor& q, const at::Tensor& k,
                            const at::Tensor& v) const override {
    return at::scaled_dot_product_attention(multipliable(q), multipliable(k), multipliable(v))
        .to(q.scalar_type());
  }

  at::Tensor top_k(const at::Tensor& scores, int64_t k) const override {
    const at::Tensor order =
        std::get<1>(at::sort(scores, /*stable=*/true, /*dim=*/-1, /*descending=*/true));
    return std::get<0>(order.narrow(-1, 0, std::min(k, scores.size(-1))).sort());
  }

  void gather_rows(std::span<at::Tensor> caches, std::span<const int64_t> from,
                   int64_t to) const override {
    const at::Tensor index = at::tensor(at::ArrayRef<int64_t>(from.data(), from.size()), at::kLong)
                                 .to(caches[0].device());
    for (at::Tensor& rows : caches)
      rows.narrow(1, to, int64_t(from.size())).copy_(rows.index_select(1, index));
  }

  at::Tensor recur(const at::Tensor& qkv, const at::Tensor& gates, std::span<const DeltaJob> jobs,
                   const DeltaShape& shape, const DeltaWeights& weights) const override {
    return docspec::recur(qkv, gates, jobs, shape, weights);
  }
  void commit_delta(std::span<DeltaRows> layers, int64_t kept, std::span<const int32_t> path,
                    const DeltaShape& shape) const override {
    for (DeltaRows& layer : layers) docspec::commit_delta(layer, kept, path, shape);
  }
};

}  // namespace

std::unique_ptr<Ops> make_aten_ops() {
  limit_libraries();
  return std::make_unique<AtenOps>();
}

}  // namespace docspec
