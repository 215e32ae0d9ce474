#include "tests/support/toy_draft.h"

#include <algorithm>
#include <stdexcept>

namespace docspec {

std::vector<std::vector<Distribution>> ToySource::read(std::span<const int32_t> output,
                                                       std::span<const int32_t> ahead,
                                                       size_t from) {
  if (before) before(passes_);
  ++passes_;
  if (output.empty() || output.size() < output_.size() || from > ahead.size() ||
      !std::equal(output_.begin(), output_.end(), output.begin()))
    throw std::logic_error("ToySource: not the output of before");
  output_.assign(output.begin(), output.end());
  std::vector<int32_t> path = prompt_;
  path.insert(path.end(), output.begin(), output.end());
  path.insert(path.end(), ahead.begin(), ahead.begin() + std::ptrdiff_t(from));
  std::vector<std::vector<Distribution>> out;
  for (size_t k = from; k <= ahead.size(); ++k) {
    auto& distributions = out.emplace_back();
    for (size_t m = 0; m < variants_; ++m) distributions.push_back(law_(path, m));
    if (k < ahead.size()) path.push_back(ahead[k]);
  }
  return out;
}

}  // namespace docspec
