#include "core/page/text_size.h"

#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

#include "core/base/median.h"
#include "core/text/unicode.h"

namespace docspec {
namespace {

constexpr size_t kLeastLetters = 4;  ///< shorter words say little of the average letter
constexpr double kEmPerLetter = 2.05;
constexpr double kLeastScale = 0.25, kMostScale = 2;

/// Characters, those of Chinese and Japanese as two: each is as wide as an em.
size_t letters(std::string_view utf8) {
  return count_code_points(utf8) + count_cjk(utf8);
}

}  // namespace

double text_em_px(std::span<const Draft* const> drafts) {
  std::vector<double> widths;
  for (const Draft* draft : drafts)
    for (const Word& word : draft->words)
      if (const size_t n = letters(word.text); n >= kLeastLetters && !word.box.empty())
        widths.push_back(double(word.box.width()) / double(n));
  if (widths.empty()) return 0;
  return kEmPerLetter * median(std::move(widths));
}

double text_scale(double em_px, double text_px) {
  if (em_px <= 0 || text_px <= 0) return 1;
  return std::clamp(text_px / em_px, kLeastScale, kMostScale);
}

ImageSize scaled_size(const PageImage& image, double factor) {
  return {std::max(1, int(std::lround(image.width_px() * factor))),
          std::max(1, int(std::lround(image.height_px() * factor))), image.dpi() * factor};
}

}  // namespace docspec
