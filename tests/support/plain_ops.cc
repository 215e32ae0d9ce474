#include "tests/support/plain_ops.h"

#include <ATen/ATen.h>

#include <cmath>
#include <limits>

namespace docspec {

RowStats PlainOps::row_stats(const at::Tensor& logits, std::span<const int32_t> token,
                             std::span<const int32_t> parent) const {
  const int64_t vocab = logits.size(1);
  const float* data = logits.data_ptr<float>();
  RowStats out;
  for (size_t r = 0; r < token.size(); ++r) {
    const float* row = data + int64_t(r) * vocab;
    int32_t best = 0;
    for (int32_t v = 1; v < vocab; ++v)
      if (row[v] > row[best]) best = v;
    float second = -std::numeric_limits<float>::infinity();
    double sum = 0;
    for (int32_t v = 0; v < vocab; ++v) {
      if (v != best) second = std::max(second, row[v]);
      sum += std::exp(double(row[v]) - double(row[best]));
    }
    out.argmax.push_back(best);
    out.top_logit.push_back(row[best]);
    out.second_logit.push_back(second);
    out.logsumexp.push_back(float(double(row[best]) + std::log(sum)));
    out.own_logit.push_back(parent[r] < 0 ? 0 : data[parent[r] * vocab + token[r]]);
  }
  return out;
}

std::unique_ptr<AttentionPlan> PlainOps::plan(std::span<const AttentionRows> jobs,
                                              int64_t row_multiple, const at::Tensor& like) const {
  return aten_->plan(jobs, row_multiple, like);
}

at::Tensor PlainOps::attention(const at::Tensor& q, std::span<const at::Tensor* const> keys,
                               std::span<const at::Tensor* const> values,
                               const AttentionPlan& plan) const {
  return aten_->attention(q, keys, values, plan);
}

at::Tensor PlainOps::full_attention(const at::Tensor& q, const at::Tensor& k,
                                    const at::Tensor& v) const {
  return aten_->full_attention(q, k, v);
}

at::Tensor PlainOps::top_k(const at::Tensor& scores, int64_t k) const {
  return aten_->top_k(scores, k);
}

void PlainOps::gather_rows(at::Tensor& rows, std::span<const int64_t> from, int64_t to) const {
  aten_->gather_rows(rows, from, to);
}

}  // namespace docspec
