#include "core/letters/surety.h"

#include <algorithm>
#include <cmath>

namespace docspec {

double Surety::of_ocr(double ocr_confidence, double model_margin) const {
  constexpr double kMostMargin = 20;  // beyond it more says nothing
  const double p = std::clamp(ocr_confidence, 0.001, 0.999);
  const double odds = bias + confidence * std::log(p / (1 - p)) +
                      margin * std::clamp(model_margin, 0.0, kMostMargin);
  return 1 / (1 + std::exp(-odds));
}

}  // namespace docspec
