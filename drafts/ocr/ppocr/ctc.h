#pragma once

#include <span>
#include <string>
#include <vector>

namespace docspec::ppocr {

/// One character of a line and where it was read.
struct ReadCharacter {
  int code = 0;           ///< class of the recogniser, not the blank
  double confidence = 0;  ///< its probability at its first step
  int first_step = 0, last_step = 0;
};

/// The best class of each step, the same class at steps in a row once, without blanks (class 0).
/// logits: [steps, classes] f32. [CTC, Graves 2006], greedy
std::vector<ReadCharacter> decode_ctc(const float* logits, int steps, int classes);

}  // namespace docspec::ppocr
