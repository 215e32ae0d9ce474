#include "drafts/ocr/ppocr/ctc.h"

#include <algorithm>
#include <cmath>

namespace docspec::ppocr {
namespace {

/// In lanes, so that the compiler may take several at once.
float largest(const float* x, int n) {
  constexpr int kLanes = 32;
  float lanes[kLanes];
  std::fill(lanes, lanes + kLanes, x[0]);
  int i = 0;
  for (; i + kLanes <= n; i += kLanes)
    for (int k = 0; k < kLanes; ++k) lanes[k] = lanes[k] < x[i + k] ? x[i + k] : lanes[k];
  for (; i < n; ++i) lanes[0] = std::max(lanes[0], x[i]);
  return *std::max_element(lanes, lanes + kLanes);
}

/// Of the largest of n logits, under softmax. Most are so small that they add nothing.
double probability(const float* x, int n, float best) {
  constexpr float kNothing = 20;
  double sum = 0;
  for (int i = 0; i < n; ++i)
    if (best - x[i] < kNothing) sum += std::exp(double(x[i] - best));
  return 1 / sum;
}

}  // namespace

std::vector<ReadCharacter> decode_ctc(const float* logits, int steps, int classes) {
  std::vector<ReadCharacter> out;
  int last = 0;
  for (int step = 0; step < steps; ++step, logits += classes) {
    const float best = largest(logits, classes);
    const int code = int(std::find(logits, logits + classes, best) - logits);
    if (code != 0 && code == last) {
      out.back().last_step = step;
    } else if (code != 0) {
      out.push_back({code, probability(logits, classes, best), step, step});
    }
    last = code;
  }
  return out;
}

}  // namespace docspec::ppocr
