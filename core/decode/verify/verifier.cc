#include "core/decode/verify/verifier.h"

namespace docspec {

Acceptance acceptance_along_path(std::span<const int32_t> place, std::span<const int32_t> choice) {
  Acceptance taken;
  int32_t last = 0;
  for (size_t row = 1; row < place.size(); ++row) {  // parents come first
    if (place[row] <= 0) continue;
    last = int32_t(row);
    taken.path.push_back(last);
  }
  taken.bonus = choice[size_t(last)];
  return taken;
}

}  // namespace docspec
