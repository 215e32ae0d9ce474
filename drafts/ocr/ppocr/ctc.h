#pragma once

#include <span>
#include <vector>

namespace docspec::ppocr {

/// The recogniser's best class at one step of a line.
struct StepChoice {
  int code = 0;            ///< 0 is CTC's blank
  double probability = 0;  ///< under softmax
};

/// One character of a line and where it was read.
struct ReadCharacter {
  int code = 0;           ///< class of the recogniser, not the blank
  double confidence = 0;  ///< its probability at its first step
  int first_step = 0, last_step = 0;
};

/// The class of each step, the same class at steps in a row once, without blanks.
/// [CTC, Graves 2006], greedy
std::vector<ReadCharacter> decode_ctc(std::span<const StepChoice> steps);

}  // namespace docspec::ppocr
