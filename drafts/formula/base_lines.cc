#include "drafts/formula/base_lines.h"

#include <algorithm>
#include <numeric>

namespace docspec {
namespace {

/// The number of its group for each value, from the smallest: values of a group are at most
/// `reach(smallest)` above its smallest.
template <class Reach>
std::vector<size_t> groups_of(const std::vector<double>& values, Reach reach) {
  std::vector<size_t> sorted(values.size()), groups(values.size());
  std::iota(sorted.begin(), sorted.end(), size_t(0));
  std::sort(sorted.begin(), sorted.end(),
            [&](size_t a, size_t b) { return values[a] < values[b]; });
  size_t group = 0;
  double smallest = sorted.empty() ? 0 : values[sorted[0]];
  for (const size_t i : sorted) {
    if (values[i] - smallest > reach(smallest)) ++group, smallest = values[i];
    groups[i] = group;
  }
  return groups;
}

}  // namespace

std::vector<std::pair<size_t, size_t>> lines_and_sizes(const std::vector<PageGlyph>& glyphs) {
  constexpr double kLevel = 0.6, kSameSize = 0.06;  // pixels, of the size
  std::vector<double> bases, sizes;
  for (const PageGlyph& glyph : glyphs) {
    bases.push_back(glyph.base);
    sizes.push_back(glyph.size);
  }
  const std::vector<size_t> base = groups_of(bases, [&](double) { return kLevel; });
  const std::vector<size_t> size =
      groups_of(sizes, [&](double least) { return kSameSize * least; });
  std::vector<std::pair<size_t, size_t>> lines;
  for (size_t i = 0; i < glyphs.size(); ++i) lines.emplace_back(base[i], size[i]);
  return lines;
}

}  // namespace docspec
