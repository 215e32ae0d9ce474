#include "core/page/dark_paper.h"

#include <array>

#include "core/page/even_light.h"

namespace docspec {

PageImage dark_on_light(PageImage page) {
  constexpr int kDark = 100, kLighter = 60;  // levels of paper, and from there to letters
  constexpr double kLeastInk = 0.001, kMostInk = 0.3;
  std::array<int64_t, 256> histogram{};
  for (int y = 0; y < page.height_px(); ++y)
    for (int x = 0; x < page.width_px(); ++x) ++histogram[size_t(gray(page.row(y) + 3 * x))];
  const auto pixels = double(page.width_px()) * double(page.height_px());
  int64_t seen = 0, light = 0;
  int paper = 0;
  while (double(seen += histogram[size_t(paper)]) < pixels / 2) ++paper;
  if (paper > kDark) return page;
  for (size_t level = size_t(paper + kLighter); level < histogram.size(); ++level)
    light += histogram[level];
  if (double(light) < kLeastInk * pixels || double(light) > kMostInk * pixels) return page;
  for (int y = 0; y < page.height_px(); ++y)
    for (int x = 0; x < 3 * page.width_px(); ++x) page.row(y)[x] = uint8_t(255 - page.row(y)[x]);
  return page;
}

}  // namespace docspec
