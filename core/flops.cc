#include "core/flops.h"

#include <cmath>

namespace docspec {

int64_t full_layers(double focal, int64_t layers, FullLayers convention) {
  return int64_t(std::floor(focal * double(layers) + 1e-9)) +
         (convention == FullLayers::focal_and_first);
}

double attention_flops(const AttentionCost& cost) {
  const double h = double(cost.hidden), layers = double(cost.layers);
  const double full = double(cost.full_layers) * double(cost.keys);
  const double pruned =
      double(cost.layers - cost.full_layers) * double(cost.keys - cost.visual + cost.kept);
  return double(cost.batch) * (8 * layers * h * h + 4 * h * (full + pruned));
}

}  // namespace docspec
