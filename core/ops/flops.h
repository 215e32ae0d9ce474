#pragma once

#include <cstdint>

namespace docspec {

/// Sizes that one decoding step's attention depends on.
struct AttentionCost {
  int64_t layers = 0, hidden = 0;
  int64_t batch = 1;
  int64_t keys = 0;         ///< context, visual rows included
  int64_t visual = 0;       ///< of them
  int64_t full_layers = 0;  ///< layers that attend to all keys
  int64_t kept = 0;         ///< visual rows that the other layers attend to
};

/// Which layers a count takes for full ones: the tables of FLOPs take the focal layers and the
/// first one, those of latency the focal layers alone (algorithms.md 2.4).
enum class FullLayers { focal_and_first, focal };

/// floor(focal * layers), and the first layer where the convention counts it.
int64_t full_layers(double focal, int64_t layers, FullLayers convention);

/// Floating-point operations of the attention sublayers of one decoding step, as [fastocr] counts
/// them: b (8 l h^2 + 4 h (full keys + kept keys)), projections included, grouped heads ignored.
double attention_flops(const AttentionCost& cost);

/// The same of a pass whose `rows` rows saw `keys` keys in all, summed over layers and rows.
double attention_flops(int64_t layers, int64_t hidden, int64_t rows, int64_t keys);

}  // namespace docspec
