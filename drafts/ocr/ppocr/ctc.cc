#include "drafts/ocr/ppocr/ctc.h"

namespace docspec::ppocr {

std::vector<ReadCharacter> decode_ctc(std::span<const StepChoice> steps) {
  std::vector<ReadCharacter> out;
  int last = 0;
  for (int step = 0; step < int(steps.size()); ++step) {
    const auto [code, probability] = steps[size_t(step)];
    if (code != 0 && code == last)
      out.back().last_step = step;
    else if (code != 0)
      out.push_back({code, probability, step, step});
    last = code;
  }
  return out;
}

}  // namespace docspec::ppocr
