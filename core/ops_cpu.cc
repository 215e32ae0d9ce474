#include <ATen/ATen.h>
#include <ATen/Parallel.h>

#include <cmath>

#include "core/cpu_attention.h"
#include "core/ops.h"

namespace docspec {
namespace {

/// A pass with less work than this (products of a query and a key) stays on one thread.
constexpr int64_t kWorthThreads = 1 << 17;

struct CpuPlan : AttentionPlan {
  std::vector<AttentionRows> jobs;
  std::vector<std::vector<uint8_t>> sees;  // of each job [rows, rows]: ancestors and the row itself
  int64_t row_multiple = 1;
};

std::vector<uint8_t> ancestors(std::span<const int32_t> parent) {
  const size_t n = parent.size();
  std::vector<uint8_t> sees(n * n, 0);
  for (size_t row = 0; row < n; ++row) {
    if (parent[row] >= 0)
      std::copy_n(sees.begin() + ptrdiff_t(size_t(parent[row]) * n), row,
                  sees.begin() + ptrdiff_t(row * n));
    sees[row * n + row] = 1;
  }
  return sees;
}

/// Attention of one job; `out`, `q`: [rows, heads, head_dim] f32, q scaled.
void attend(const AttentionRows& rows, const std::vector<uint8_t>& sees, const at::Tensor& q,
            const at::Tensor& keys, const at::Tensor& values, at::Tensor& out) {
  const auto count = int64_t(rows.parent.size());
  const int64_t dim = q.size(2), kv_heads = keys.size(0), group = q.size(1) / kv_heads;
  const int64_t shared = rows.slots ? int64_t(rows.slots->size()) : rows.prefix;
  const int64_t parts = (count * group + kAttentionQueries - 1) / kAttentionQueries;
  const auto work = [&](int64_t begin, int64_t end) {
    static thread_local std::vector<float> scratch;
    for (int64_t i = begin; i < end; ++i) {
      const int64_t head = i / parts, at = head * group * dim;
      const CpuAttention job{count,
                             group,
                             dim,
                             shared,
                             rows.slots ? rows.slots->data() : nullptr,
                             rows.prefix,
                             sees.data(),
                             q.const_data_ptr<float>() + at,
                             q.size(1) * dim,
                             keys.const_data_ptr<float>() + head * keys.stride(0),
                             values.const_data_ptr<float>() + head * values.stride(0),
                             out.mutable_data_ptr<float>() + at};
      cpu_attention(job, i % parts * kAttentionQueries, scratch);
    }
  };
  const int64_t products = count * q.size(1) * (shared + count);
  if (products < kWorthThreads)
    work(0, kv_heads * parts);
  else
    at::parallel_for(0, kv_heads * parts, 1, work);
}

/// ATen's operations, and a kernel of our own for attention over caches in main memory: at a few
/// rows a job ATen's many small calls cost more than the products.
class CpuOps : public Ops {
 public:
  RowStats row_stats(const at::Tensor& logits, std::span<const int32_t> token,
                     std::span<const int32_t> parent) const override {
    return aten_->row_stats(logits, token, parent);
  }
  at::Tensor full_attention(const at::Tensor& q, const at::Tensor& k,
                            const at::Tensor& v) const override {
    return aten_->full_attention(q, k, v);
  }
  at::Tensor top_k(const at::Tensor& scores, int64_t k) const override {
    return aten_->top_k(scores, k);
  }
  void gather_rows(at::Tensor& rows, std::span<const int64_t> from, int64_t to) const override {
    aten_->gather_rows(rows, from, to);
  }

  std::unique_ptr<AttentionPlan> plan(std::span<const AttentionRows> jobs, int64_t row_multiple,
                                      const at::Tensor& like) const override {
    if (!like.is_cpu()) return aten_->plan(jobs, row_multiple, like);
    auto plan = std::make_unique<CpuPlan>();
    plan->jobs.assign(jobs.begin(), jobs.end());
    for (const AttentionRows& job : jobs) plan->sees.push_back(ancestors(job.parent));
    plan->row_multiple = row_multiple;
    return plan;
  }

  at::Tensor attention(const at::Tensor& q, std::span<const at::Tensor* const> keys,
                       std::span<const at::Tensor* const> values,
                       const AttentionPlan& plan) const override {
    if (!q.is_cpu()) return aten_->attention(q, keys, values, plan);
    const auto& own = static_cast<const CpuPlan&>(plan);
    if (!cpu_attention_takes(q.size(2)))
      return aten_->attention(q, keys, values, *aten_->plan(own.jobs, own.row_multiple, q));
    const at::Tensor scaled = (q * (1.0 / std::sqrt(double(q.size(2))))).contiguous();
    at::Tensor out = at::empty_like(scaled);
    int64_t first = 0;
    for (size_t j = 0; j < own.jobs.size(); ++j) {
      const auto rows = int64_t(own.jobs[j].parent.size());
      at::Tensor part = out.narrow(0, first, rows);
      attend(own.jobs[j], own.sees[j], scaled.narrow(0, first, rows), *keys[j], *values[j], part);
      first += rows;
    }
    return out;
  }

 private:
  const std::unique_ptr<Ops> aten_ = make_aten_ops();
};

}  // namespace

std::unique_ptr<Ops> make_cpu_ops() {
  return std::make_unique<CpuOps>();
}

}  // namespace docspec
