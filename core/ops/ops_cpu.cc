#include <ATen/ATen.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <numeric>
#include <stdexcept>
#include <utility>

#include "core/ops/attention_weights.h"
#include "core/ops/cpu/attention/cpu_attention.h"
#include "core/ops/cpu/attention/cpu_attention_amx.h"
#include "core/ops/cpu/attention/cpu_full_attention.h"
#include "core/ops/cpu/cpu_row_stats.h"
#include "core/ops/cpu/cpu_rows.h"
#include "core/ops/cpu/cpu_threads.h"
#include "core/ops/cpu_product.h"
#include "core/ops/layers.h"
#include "core/ops/ops.h"
#include "core/ops/stoppable_ops.h"

namespace docspec {
namespace {

/// A pass with less work than this (products of a query and a key) stays on one thread.
constexpr int64_t kWorthThreads = 1 << 17;
constexpr int64_t kRowsOfThread = 64;  // of work on single rows, at least
/// Queries that share the far keys that one call makes ready.
constexpr int64_t kFarQueries = 128;
/// A row's keys are near when they lie no more than this before it, or a little more.
constexpr int64_t kNear = 256;

/// f(row) for all rows, on several threads where there are many.
template <class F>
void for_rows(int64_t rows, const F& f) {
  at::parallel_for(0, rows, kRowsOfThread, [&](int64_t begin, int64_t end) {
    for (int64_t row = begin; row < end; ++row) f(row);
  });
}

/// Attention of all rows of each head to all; q, k, v: [batch, heads, rows, dim] bf16 of one size,
/// their last stride 1. Returns the same, contiguous.
at::Tensor attend_all(const at::Tensor& q, const at::Tensor& k, const at::Tensor& v) {
  constexpr int64_t kManyRows = 1024, kShare = 64;  // with fewer rows a head stays on one thread
  at::Tensor out = at::empty(q.sizes(), q.options());
  const int64_t heads = q.size(1), rows = q.size(2), dim = q.size(3), all = q.size(0) * heads;
  auto* const to = reinterpret_cast<uint16_t*>(out.mutable_data_ptr<at::BFloat16>());
  const auto head_of = [&](int64_t i) {
    const auto of = [&](const at::Tensor& x) {
      return reinterpret_cast<const uint16_t*>(x.const_data_ptr<at::BFloat16>()) +
             i / heads * x.stride(0) + i % heads * x.stride(1);
    };
    return FullAttention{
        of(q), of(k), of(v), q.stride(2), k.stride(2), v.stride(2), to + i * rows * dim,
        dim,   rows,  dim};
  };
  if (rows < kManyRows) {
    at::parallel_for(0, all, 1, [&](int64_t begin, int64_t end) {
      PackedHead packed;
      for (int64_t i = begin; i < end; ++i) {
        pack_head(head_of(i), packed);
        attend_fully(head_of(i), packed, 0, rows);
      }
    });
    return out;
  }
  PackedHead packed;
  for (int64_t i = 0; i < all; ++i) {
    pack_head(head_of(i), packed);
    at::parallel_for(0, (rows + kShare - 1) / kShare, 1, [&](int64_t begin, int64_t end) {
      attend_fully(head_of(i), packed, begin * kShare, std::min(rows, end * kShare));
    });
  }
  return out;
}

thread_local const std::function<void()>* product_check = nullptr;

struct CpuPlan : AttentionPlan {
  std::vector<AttentionRows> jobs;
  std::vector<std::vector<uint8_t>> sees;  // of each job [rows, rows]: ancestors and the row itself
  std::vector<std::vector<int64_t>> far;   // of each job [rows], or empty: see CpuAttention
  std::vector<std::vector<Slots>> paths;   // storage of the jobs' slots
  BatchLayout shape;
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

/// How many keys of each row are far: that follows from the length of its path alone, so that a
/// row's bits do. Empty where none are.
std::vector<int64_t> far_keys(const AttentionRows& job) {
  std::vector<int64_t> far;
  for (size_t row = 0; row < job.parent.size(); ++row)
    far.push_back(std::max<int64_t>(0, job.shared(row) + job.depth[row] - kNear) / kFarStep *
                  kFarStep);
  const bool any = std::any_of(far.begin(), far.end(), [](int64_t keys) { return keys > 0; });
  return any ? far : std::vector<int64_t>();
}

/// The keys that each row sees, except its own, as slots.
std::vector<Slots> paths_of(const AttentionRows& job) {
  std::vector<Slots> paths;
  for (size_t row = 0; row < job.parent.size(); ++row) {
    Slots& path = paths.emplace_back(size_t(job.shared(row)));
    if (const Slots* own = job.of(row))
      path = *own;
    else
      std::iota(path.begin(), path.end(), 0);
    const auto committed = ptrdiff_t(path.size());
    for (int32_t r = job.parent[row]; r >= 0; r = job.parent[size_t(r)])
      path.push_back(job.prefix + r);
    std::reverse(path.begin() + committed, path.end());
  }
  return paths;
}

/// One job's attention: its rows, keys and values; `out`, `q`: [rows, heads, head_dim] f32, q
/// scaled.
struct CpuJobAttention {
  const AttentionRows& rows;
  const std::vector<uint8_t>& sees;
  const std::vector<int64_t>& far;
  const at::Tensor &q, &keys, &values;
  at::Tensor& out;
  float* seen = nullptr;  // [kv_heads, rows, range] zeros
  AttentionWeights::Range range = {};

  int64_t count() const { return int64_t(rows.parent.size()); }
  int64_t heads() const { return keys.size(0); }
  int64_t group() const { return q.size(1) / heads(); }

  /// The arguments of the kernel for one key head; `row`: the row whose slots are used, if rows
  /// differ.
  CpuAttention of_head(int64_t head, size_t row) const {
    const int64_t dim = q.size(2), at = head * group() * dim;
    const Slots* slots = rows.of(row);
    return {count(),
            group(),
            dim,
            rows.shared(row),
            slots ? slots->data() : nullptr,
            rows.prefix,
            sees.data(),
            q.const_data_ptr<float>() + at,
            q.size(1) * dim,
            keys.const_data_ptr<float>() + head * keys.stride(0),
            values.const_data_ptr<float>() + head * values.stride(0),
            out.mutable_data_ptr<float>() + at,
            seen ? seen + head * count() * (range.end - range.begin) : nullptr,
            range.begin,
            range.end,
            far.empty() ? nullptr : far.data()};
  }

  /// Whole rows a call, so that no two threads add to one row's weights; single rows where each
  /// sees slots of its own.
  void run() const {
    const int64_t queries = far.empty() ? kAttentionQueries : kFarQueries;
    const int64_t together = rows.each() ? 1 : queries / group();
    const int64_t parts = (count() + together - 1) / together;
    share_out(count() * q.size(1) * (rows.shared(0) + count()) >= kWorthThreads, heads() * parts,
              [&](int64_t begin, int64_t end) {
                static thread_local std::vector<float> scratch;
                for (int64_t i = begin; i < end; ++i) {
                  const int64_t row = i % parts * together;
                  cpu_attention(of_head(i / parts, size_t(row)), row * group(), together * group(),
                                scratch);
                }
              });
  }
};

/// Weights of key heads -> their mean over all query heads, in a fixed order. seen: [kv_heads,
/// rows, range].
at::Tensor mean_over_heads(const at::Tensor& seen, int64_t heads) {
  at::Tensor sum = seen[0].clone();
  for (int64_t head = 1; head < seen.size(0); ++head) sum.add_(seen[head]);
  return sum.div_(double(heads));
}

/// ATen's operations, and kernels of our own for a language model in main memory. With a few rows
/// per pass ATen's many small calls cost more than the products of a small model, its bf16 products
/// do not reach the speed of the memory, and the bits of a row depend on the other rows.
class CpuOps : public Ops {
 public:
  explicit CpuOps(std::function<void()> before_product)
      : before_product_(std::move(before_product)) {}

  RowStats row_stats(const at::Tensor& logits, std::span<const int32_t> token,
                     std::span<const int32_t> parent) const override {
    if (!logits.is_cpu()) return aten_->row_stats(logits, token, parent);
    const auto rows = size_t(logits.size(0));
    if (token.size() != rows || parent.size() != rows)
      throw std::invalid_argument("row_stats: one token and one parent a row");
    const at::Tensor x = logits.contiguous();
    const int64_t vocab = x.size(1);
    const auto* data = x.const_data_ptr<float>();
    const std::vector<float> none(rows, 0);
    RowStats stats{std::vector<int32_t>(rows, 0), none, none, none, none, {}};
    const auto work = [&](int64_t begin, int64_t end) {
      for (auto r = size_t(begin); r < size_t(end); ++r) {
        const CpuRowStats row = cpu_row_stats(data + int64_t(r) * vocab, vocab);
        stats.argmax[r] = row.argmax;
        stats.top_logit[r] = row.top;
        stats.second_logit[r] = row.second;
        stats.logsumexp[r] = row.logsumexp;
        if (parent[r] >= 0) stats.own_logit[r] = data[parent[r] * vocab + token[r]];
      }
    };
    share_out(x.numel() >= kWorthThreads, int64_t(rows), work);
    stats.path_position = path_positions(stats.argmax, token, parent);
    return stats;
  }
  at::Tensor full_attention(const at::Tensor& q, const at::Tensor& k,
                            const at::Tensor& v) const override {
    // ATen has MKL multiply, which is fast with AMX and does not know other makers' processors.
    const auto takes = [&](const at::Tensor& x) {
      return x.is_cpu() && x.scalar_type() == at::kBFloat16 && x.dim() == 4 && x.stride(3) == 1 &&
             x.sizes() == q.sizes();
    };
    const bool own =
        !multiplies_tiles() && takes(q) && takes(k) && takes(v) && full_attention_takes(q.size(3));
    return own ? attend_all(q, k, v) : aten_->full_attention(q, k, v);
  }
  at::Tensor top_k(const at::Tensor& scores, int64_t k) const override {
    return aten_->top_k(scores, k);
  }
  void gather_rows(std::span<at::Tensor> caches, std::span<const int64_t> from,
                   int64_t to) const override {
    aten_->gather_rows(caches, from, to);
  }

  at::Tensor recur(const at::Tensor& qkv, const at::Tensor& gates, std::span<const DeltaJob> jobs,
                   const DeltaShape& shape, const DeltaWeights& weights) const override {
    return aten_->recur(qkv, gates, jobs, shape, weights);
  }
  void commit_delta(std::span<DeltaRows> layers, int64_t kept, std::span<const int32_t> path,
                    const DeltaShape& shape) const override {
    aten_->commit_delta(layers, kept, path, shape);
  }

  bool linear_is_batch_invariant(const at::Tensor& like) const override { return like.is_cpu(); }

  at::Tensor to_compute_dtype(const at::Tensor& x) const override {
    return x.is_cpu() ? x.to(at::kFloat).contiguous() : x;
  }

  at::Tensor linear(const at::Tensor& x, std::span<const Linear* const> layers) const override {
    if (before_product_) before_product_();
    if (product_check && *product_check) (*product_check)();
    return x.is_cpu() ? cpu_product(x.contiguous(), layers) : aten_->linear(x, layers);
  }

  at::Tensor logits(const at::Tensor& x, const Linear& head) const override {
    return x.is_cpu() ? linear(x, std::array{&head}) : aten_->logits(x, head);
  }

  at::Tensor rms_norm(const at::Tensor& x, const at::Tensor& weight, double eps) const override {
    if (!x.is_cpu()) return aten_->rms_norm(x, weight, eps);
    const at::Tensor from = x.contiguous(), wide = weight.to(at::kFloat);
    at::Tensor out = at::empty_like(from);
    const int64_t d = x.size(1);
    for_rows(x.size(0), [&, in = from.const_data_ptr<float>(), w = wide.const_data_ptr<float>(),
                         to = out.mutable_data_ptr<float>()](int64_t row) {
      cpu_rms_norm(in + row * d, w, d, float(eps), to + row * d);
    });
    return out;
  }

  Rotary rotary(const at::Tensor& angles, int64_t head_dim) const override {
    return make_rotary(angles, head_dim);
  }
  at::Tensor rotate(const at::Tensor& x, const Rotary& rotary) const override {
    if (!x.is_cpu()) return aten_->rotate(x, rotary);
    const int64_t heads = x.size(1), dim = x.size(2);
    const at::Tensor from = x.stride(1) == dim && x.stride(2) == 1 ? x : x.contiguous();
    at::Tensor out = at::empty(x.sizes(), x.options());
    for_rows(x.size(0),
             [&, in = from.const_data_ptr<float>(), cos = rotary.cos.const_data_ptr<float>(),
              sin = rotary.sin.const_data_ptr<float>(),
              to = out.mutable_data_ptr<float>()](int64_t row) {
               cpu_rotate(in + row * from.stride(0), cos + row * dim, sin + row * dim, heads, dim,
                          to + row * heads * dim);
             });
    return out;
  }

  at::Tensor swiglu(const at::Tensor& gate_up) const override {
    if (!gate_up.is_cpu()) return aten_->swiglu(gate_up);
    const int64_t n = gate_up.size(1) / 2;
    const at::Tensor from = gate_up.contiguous();
    at::Tensor out = at::empty({gate_up.size(0), n}, from.options());
    for_rows(out.size(0), [&, in = from.const_data_ptr<float>(),
                           to = out.mutable_data_ptr<float>()](int64_t row) {
      cpu_swiglu(in + row * 2 * n, in + row * 2 * n + n, n, to + row * n);
    });
    return out;
  }

  std::unique_ptr<AttentionPlan> plan(std::span<const AttentionRows> jobs, const BatchLayout& shape,
                                      const at::Tensor& like) const override {
    if (!like.is_cpu()) return aten_->plan(jobs, shape, like);
    auto plan = std::make_unique<CpuPlan>();
    plan->jobs.assign(jobs.begin(), jobs.end());
    plan->shape = shape;
    plan->far.resize(jobs.size());
    for (const AttentionRows& job : jobs) plan->sees.push_back(ancestors(job.parent));
    if (like.scalar_type() == at::kBFloat16 && has_amx_attention())
      for (size_t j = 0; j < jobs.size(); ++j) look_far(*plan, j);
    return plan;
  }

  at::Tensor attention(const at::Tensor& q, std::span<const CacheRows> caches,
                       const AttentionPlan& plan,
                       AttentionWeights* attention_weights) const override {
    if (!q.is_cpu()) return aten_->attention(q, caches, plan, attention_weights);
    const auto& own = static_cast<const CpuPlan&>(plan);
    if (!cpu_attention_takes(q.size(2)) || q.size(1) > kAttentionQueries * caches[0].keys->size(0))
      return aten_->attention(q, caches, *aten_->plan(own.jobs, own.shape, q), attention_weights);
    const at::Tensor scaled = (q * (1.0 / std::sqrt(double(q.size(2))))).contiguous();
    at::Tensor out = at::empty_like(scaled);
    if (attention_weights) attention_weights->weights.assign(own.jobs.size(), {});
    int64_t first = 0;
    for (size_t j = 0; j < own.jobs.size(); ++j) {
      const auto rows = int64_t(own.jobs[j].parent.size());
      const at::Tensor queries = scaled.narrow(0, first, rows);
      at::Tensor part = out.narrow(0, first, rows), seen;
      CpuJobAttention job{own.jobs[j],     own.sees[j],       own.far[j], queries,
                          *caches[j].keys, *caches[j].values, part};
      if (attention_weights &&
          attention_weights->ranges[j].end > attention_weights->ranges[j].begin) {
        job.range = attention_weights->ranges[j];
        seen = at::zeros({job.heads(), rows, job.range.end - job.range.begin}, scaled.options());
        job.seen = seen.mutable_data_ptr<float>();
      }
      job.run();
      if (seen.defined()) attention_weights->weights[j] = mean_over_heads(seen, q.size(1));
      first += rows;
    }
    return out;
  }

 private:
  /// Far keys are read in the order of the slots: in a tree so deep that rows of it are far, each
  /// row is given its path as slots of its own.
  static void look_far(CpuPlan& plan, size_t j) {
    AttentionRows& job = plan.jobs[j];
    plan.far[j] = far_keys(job);
    bool deep = false;
    for (size_t row = 0; row < plan.far[j].size(); ++row)
      deep = deep || plan.far[j][row] > job.shared(row);
    if (!deep) return;
    job.slots = plan.paths.emplace_back(paths_of(job));
    const size_t n = job.parent.size();
    for (size_t i = 0; i < n * n; ++i) plan.sees[j][i] = i % (n + 1) == 0;
  }

  const std::function<void()> before_product_;
  const std::unique_ptr<Ops> aten_ = make_aten_ops();
};

}  // namespace

ProductCheck::ProductCheck(const std::function<void()>& check)
    : before_(std::exchange(product_check, &check)) {}

ProductCheck::~ProductCheck() {
  product_check = before_;
}

std::unique_ptr<Ops> make_cpu_ops() {
  return std::make_unique<CpuOps>(nullptr);
}

std::unique_ptr<Ops> make_stoppable_cpu_ops(std::function<void()> before_product) {
  return std::make_unique<CpuOps>(std::move(before_product));
}

}  // namespace docspec
