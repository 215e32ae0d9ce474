#include "core/ops/ops_aten_attention.h"

#include <ATen/ATen.h>

#include <cmath>
#include <limits>

#include "core/ops/cpu/cpu_linear.h"

namespace docspec {
namespace {

constexpr float kHidden = -std::numeric_limits<float>::infinity();

at::Tensor pad_rows(const at::Tensor& x, int64_t rows) {  // x: [n, m, d] -> [n, rows, d]
  return x.size(1) == rows ? x : at::constant_pad_nd(x, {0, 0, 0, rows - x.size(1)});
}

at::Tensor slice_block(const at::Tensor& cache, int64_t block) {  // -> [kv_heads, block, d] f32
  return cache.narrow(1, block * kAttentionBlock, kAttentionBlock).to(at::kFloat);
}

/// One job of a plan. A row's keys are numbered along its path; whole blocks of committed keys are
/// shared by all rows, the blocks that reach into the tree (the tail) differ from row to row where
/// the tree branches.
struct JobPlan {
  int64_t rows = 0;
  int64_t shared_blocks = 0;  // blocks that every row sees whole
  at::Tensor shared_slots;    // [shared_blocks * block] int64, undefined = slots 0, 1, 2, ...
  int64_t tail_blocks = 0;
  at::Tensor tail_slots;  // [rows * tail_blocks * block] int64, undefined = contiguous (a chain)
  at::Tensor tail_mask;   // [rows, tail_blocks, block] f32: 0 or -inf
};

struct AtenPlan : AttentionPlan {
  std::vector<JobPlan> jobs;
  int64_t row_multiple = 1;
};

/// Committed keys that a row sees.
int64_t visible_keys(const AttentionRows& job, size_t row) {
  const Slots* slots = job.of(row);
  return slots ? int64_t(slots->size()) : job.prefix;
}

JobPlan plan_job(const AttentionRows& job, const at::Device& device) {
  JobPlan plan;
  plan.rows = int64_t(job.parent.size());
  // Where each row sees slots of its own, no block is shared.
  plan.shared_blocks = job.each() ? 0 : visible_keys(job, 0) / kAttentionBlock;
  const int64_t tail_start = plan.shared_blocks * kAttentionBlock;
  int64_t last = 0;
  for (size_t row = 0; row < size_t(plan.rows); ++row)
    last = std::max(last, visible_keys(job, row) + job.depth[row]);
  const int64_t tail_width = round_up(last + 1, kAttentionBlock) - tail_start;
  plan.tail_blocks = tail_width / kAttentionBlock;

  const bool gathered = !job.slots.empty() || !job.chain();
  std::vector<float> mask(size_t(plan.rows * tail_width), kHidden);
  std::vector<int64_t> slots(gathered ? mask.size() : 0, 0);  // hidden columns may read slot 0
  for (int64_t row = 0; row < plan.rows; ++row) {
    const Slots* of_row = job.of(size_t(row));
    const int64_t visible = visible_keys(job, size_t(row));
    const int64_t own = visible - tail_start + job.depth[size_t(row)];  // its column in the tail
    std::fill_n(mask.begin() + row * tail_width, own + 1, 0.0f);
    if (!gathered) continue;
    int64_t* columns = slots.data() + row * tail_width;
    for (int64_t i = tail_start; i < visible; ++i)
      columns[i - tail_start] = of_row ? (*of_row)[size_t(i)] : i;
    int64_t column = own;
    for (int64_t r = row; r >= 0; r = job.parent[size_t(r)]) columns[column--] = job.prefix + r;
  }
  plan.tail_mask = at::tensor(mask).view({plan.rows, plan.tail_blocks, kAttentionBlock}).to(device);
  if (gathered) plan.tail_slots = at::tensor(slots, at::kLong).to(device);
  if (const Slots* all = job.of(0); all && tail_start > 0) {
    const Slots shared(all->begin(), all->begin() + tail_start);
    plan.shared_slots = at::tensor(shared, at::kLong).to(device);
  }
  return plan;
}

/// Two passes over the blocks: all scores and their maximum (which no order can change), then the
/// weighted values, block after block. Hidden columns weigh exactly 0, which leaves every partial
/// sum as it is; nothing depends on how many blocks other rows need.
class JobAttention {
 public:
  /// q: [rows, heads, head_dim] f32
  JobAttention(const JobPlan& plan, int64_t row_multiple, const at::Tensor& q,
               const at::Tensor& keys, const at::Tensor& values)
      : plan_(plan),
        keys_(keys),
        values_(values),
        kv_heads_(keys.size(0)),
        group_(q.size(1) / kv_heads_),
        dim_(q.size(2)),
        rows_(plan.rows),
        packed_rows_(round_up(rows_ * group_, row_multiple)),
        tail_rows_(round_up(group_, row_multiple)) {
    const at::Tensor by_head = (q * (1.0 / std::sqrt(double(dim_))))
                                   .view({rows_, kv_heads_, group_, dim_})
                                   .permute({1, 0, 2, 3})
                                   .reshape({kv_heads_, rows_ * group_, dim_});
    q_ = pad_rows(by_head, packed_rows_);
    if (plan_.tail_slots.defined())
      q_tail_ = pad_rows(by_head.reshape({kv_heads_ * rows_, group_, dim_}), tail_rows_);
  }

  /// `looked`, where given, gets the weights of the keys in `range` (AttentionWeights::weights).
  at::Tensor run(AttentionWeights::Range range, at::Tensor* looked) {
    score();
    weigh();
    const auto [out, total] = sum_values();  // [kv_heads, rows * group, dim and 1]
    if (looked) *looked = weights(range, total);
    return out.view({kv_heads_, rows_, group_, dim_})
        .permute({1, 0, 2, 3})
        .reshape({rows_, kv_heads_ * group_, dim_})
        .contiguous();
  }

 private:
  bool branching() const { return plan_.tail_slots.defined(); }
  int64_t contiguous_blocks() const {
    return plan_.shared_blocks + (branching() ? 0 : plan_.tail_blocks);
  }

  at::Tensor shared_block(const at::Tensor& cache, int64_t block) const {
    if (!plan_.shared_slots.defined()) return slice_block(cache, block);
    const auto slots = plan_.shared_slots.narrow(0, block * kAttentionBlock, kAttentionBlock);
    return cache.index_select(1, slots).to(at::kFloat);
  }

  /// Block `block` of every row's own tail: [kv_heads * rows, kAttentionBlock, dim] f32.
  at::Tensor tail_block(const at::Tensor& cache, int64_t block) const {
    const auto slots = plan_.tail_slots.view({rows_, plan_.tail_blocks, kAttentionBlock})
                           .select(1, block)
                           .reshape({-1});
    return cache.index_select(1, slots)
        .to(at::kFloat)
        .view({kv_heads_ * rows_, kAttentionBlock, dim_});
  }

  void score() {
    const int64_t shared = contiguous_blocks();
    scores_ = at::empty({shared, kv_heads_, packed_rows_, kAttentionBlock}, q_.options());
    for (int64_t b = 0; b < shared; ++b) {
      at::Tensor out = scores_[b];
      at::bmm_out(out, q_, shared_block(keys_, b).transpose(1, 2));
    }
    if (!branching()) {
      // [rows, tail, block] -> added to [tail, kv_heads, rows, group, block]
      scores_.narrow(0, plan_.shared_blocks, plan_.tail_blocks)
          .narrow(2, 0, rows_ * group_)
          .view({plan_.tail_blocks, kv_heads_, rows_, group_, kAttentionBlock})
          .add_(plan_.tail_mask.transpose(0, 1).unsqueeze(1).unsqueeze(3));
      return;
    }
    tail_ = at::empty({plan_.tail_blocks, kv_heads_ * rows_, tail_rows_, kAttentionBlock},
                      q_.options());
    for (int64_t b = 0; b < plan_.tail_blocks; ++b) {
      at::Tensor out = tail_[b];
      at::bmm_out(out, q_tail_, tail_block(keys_, b).transpose(1, 2));
    }
    tail_.view({plan_.tail_blocks, kv_heads_, rows_, tail_rows_, kAttentionBlock})
        .add_(plan_.tail_mask.transpose(0, 1).unsqueeze(1).unsqueeze(3));
  }

  /// [kv_heads, rows * group, n] of the shared part -> [kv_heads * rows, tail_rows, n] of the tail.
  at::Tensor to_tail(const at::Tensor& x) const {
    return pad_rows(x.narrow(1, 0, rows_ * group_).reshape({kv_heads_ * rows_, group_, x.size(2)}),
                    tail_rows_);
  }
  at::Tensor to_shared(const at::Tensor& x) const {
    return x.narrow(1, 0, group_).reshape({kv_heads_, rows_ * group_, x.size(2)});
  }

  /// Scores -> weights exp(score - largest score of the row).
  void weigh() {
    at::Tensor top;
    if (scores_.size(0) > 0) top = scores_.amax({0, 3}).unsqueeze(-1);
    if (branching()) {
      const at::Tensor tail_top = tail_.amax({0, 3}).unsqueeze(-1);
      const at::Tensor all = top.defined() ? at::maximum(to_tail(top), tail_top) : tail_top;
      tail_.sub_(all).exp_();
      if (top.defined()) top = pad_rows(to_shared(all), packed_rows_);
    }
    if (top.defined()) scores_.sub_(top).exp_();
  }

  /// Weights of the keys in `range` over their sum, averaged head by head: [rows, keys] f32.
  at::Tensor weights(AttentionWeights::Range range, const at::Tensor& total) const {
    std::vector<at::Tensor> blocks;  // [kv_heads, rows * group, block]
    for (int64_t b = 0; b < scores_.size(0); ++b)
      blocks.push_back(scores_[b].narrow(1, 0, rows_ * group_));
    for (int64_t b = 0; branching() && b < plan_.tail_blocks; ++b)
      blocks.push_back(to_shared(tail_[b]));
    const at::Tensor by_head =
        (at::cat(blocks, 2).narrow(2, range.begin, range.end - range.begin) / total)
            .view({kv_heads_, rows_, group_, -1});
    at::Tensor sum = at::zeros({rows_, range.end - range.begin}, q_.options());
    for (int64_t head = 0; head < kv_heads_; ++head)
      for (int64_t i = 0; i < group_; ++i) sum.add_(by_head[head].select(1, i));
    return sum.div_(double(kv_heads_ * group_));
  }

  /// Values weighed by the keys' weights over the sum of these, and the sum.
  std::pair<at::Tensor, at::Tensor> sum_values() const {
    at::Tensor sum = at::zeros({kv_heads_, packed_rows_, dim_}, q_.options());
    at::Tensor total = at::zeros({kv_heads_, packed_rows_, 1}, q_.options());
    for (int64_t b = 0; b < scores_.size(0); ++b) {
      sum.baddbmm_(scores_[b], shared_block(values_, b));
      total.add_(scores_[b].sum(-1, true));
    }
    if (!branching()) {
      const int64_t n = rows_ * group_;
      return {(sum / total).narrow(1, 0, n).contiguous(), total.narrow(1, 0, n)};
    }
    sum = to_tail(sum);
    total = to_tail(total);
    for (int64_t b = 0; b < plan_.tail_blocks; ++b) {
      sum.baddbmm_(tail_[b], tail_block(values_, b));
      total.add_(tail_[b].sum(-1, true));
    }
    return {to_shared(sum / total), to_shared(total)};
  }

  const JobPlan& plan_;
  const at::Tensor& keys_;
  const at::Tensor& values_;
  const int64_t kv_heads_, group_, dim_, rows_, packed_rows_, tail_rows_;
  at::Tensor q_;       // [kv_heads, packed_rows, dim] f32
  at::Tensor q_tail_;  // [kv_heads * rows, tail_rows, dim] f32
  at::Tensor scores_;  // [blocks, kv_heads, packed_rows, block] f32
  at::Tensor tail_;    // [tail_blocks, kv_heads * rows, tail_rows, block] f32
};

}  // namespace

std::unique_ptr<AttentionPlan> aten_attention_plan(std::span<const AttentionRows> jobs,
                                                   int64_t row_multiple, const at::Device& device) {
  auto plan = std::make_unique<AtenPlan>();
  plan->row_multiple = row_multiple;
  for (const AttentionRows& job : jobs) plan->jobs.push_back(plan_job(job, device));
  return plan;
}

at::Tensor aten_attention(const at::Tensor& q, std::span<const CacheRows> caches,
                          const AttentionPlan& plan, AttentionWeights* attention_weights) {
  const auto& own = static_cast<const AtenPlan&>(plan);
  if (attention_weights) attention_weights->weights.assign(own.jobs.size(), {});
  std::vector<at::Tensor> out;
  int64_t first = 0;
  for (size_t j = 0; j < own.jobs.size(); ++j) {
    const JobPlan& job = own.jobs[j];
    const at::Tensor rows = q.narrow(0, first, job.rows);
    const AttentionWeights::Range range =
        attention_weights ? attention_weights->ranges[j] : AttentionWeights::Range{};
    at::Tensor* looked = range.end > range.begin ? &attention_weights->weights[j] : nullptr;
    const at::Tensor keys = whole_cache(caches[j], 0), values = whole_cache(caches[j], 1);
    out.push_back(JobAttention(job, own.row_multiple, rows, keys, values).run(range, looked));
    first += job.rows;
  }
  return out.size() == 1 ? out[0] : at::cat(out);
}

}  // namespace docspec
