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

}  // namespace docspec
