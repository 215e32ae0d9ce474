#include "core/ops/flops.h"

#include <cmath>

namespace docspec {

int64_t full_layers(double focal, int64_t layers, FullLayers convention) {
  return int64_t(std::floor(focal * double(layers) + 1e-9)) +
         (convention == FullLayers::focal_and_first);
}

double attention_flops(const AttentionCost& cost) {
  const int64_t full = cost.full_layers * cost.keys;
  const int64_t pruned = (cost.layers - cost.full_layers) * (cost.keys - cost.visual + cost.kept);
  return attention_flops(cost.layers, cost.hidden, cost.batch, cost.batch * (full + pruned));
}

double attention_flops(int64_t layers, int64_t hidden, int64_t rows, int64_t keys) {
  const double h = double(hidden);
  return 8 * double(rows) * double(layers) * h * h + 4 * h * double(keys);
}

}  // namespace docspec
