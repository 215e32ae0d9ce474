#include "drafts/table/ruling_lines.h"

#include <allheaders.h>

#include <algorithm>
#include <cmath>

#include "core/page/pix_ptr.h"

namespace docspec {
namespace {

struct BoxaDelete {
  void operator()(Boxa* boxes) const { boxaDestroy(&boxes); }
};

/// Boxes of the thin long runs of one direction, in image pixels.
std::vector<Box> thin_runs(Pix* dark, bool across, double dpi) {
  // Composite bricks take as many steps as two of their factors' sum: 16 for 64 pixels.
  constexpr double kFactor = 8;
  const int length = int(kFactor * std::max(2.0, std::round(dpi * 0.33 / kFactor)));
  const int thick = std::max(3, int(std::lround(dpi / 20)));
  const PixPtr bridged(across ? pixCloseSafeBrick(nullptr, dark, 3, 1)
                              : pixCloseSafeBrick(nullptr, dark, 1, 3));
  const PixPtr runs(bridged ? (across ? pixOpenCompBrick(nullptr, bridged.get(), length, 1)
                                      : pixOpenCompBrick(nullptr, bridged.get(), 1, length))
                            : nullptr);
  std::vector<Box> out;
  if (!runs) return out;
  const std::unique_ptr<Boxa, BoxaDelete> found(pixConnCompBB(runs.get(), 8));
  for (l_int32 i = 0; found && i < boxaGetCount(found.get()); ++i) {
    l_int32 x, y, w, h;
    if (boxaGetBoxGeometry(found.get(), i, &x, &y, &w, &h) != 0) continue;
    if ((across ? h : w) <= thick) out.push_back({x, y, x + w, y + h});
  }
  return out;
}

/// Joins pieces of one line that a gap of at most `gap` parts.
std::vector<Box> joined(std::vector<Box> lines, bool across, int gap) {
  std::sort(lines.begin(), lines.end(), [&](const Box& a, const Box& b) {
    return across ? std::pair(a.y0, a.x0) < std::pair(b.y0, b.x0)
                  : std::pair(a.x0, a.y0) < std::pair(b.x0, b.y0);
  });
  std::vector<Box> out;
  for (const Box& line : lines) {
    const auto home = std::find_if(out.rbegin(), out.rend(), [&](const Box& other) {
      const int apart = across ? std::abs(line.y0 - other.y0) : std::abs(line.x0 - other.x0);
      const int between = across ? std::max(line.x0, other.x0) - std::min(line.x1, other.x1)
                                 : std::max(line.y0, other.y0) - std::min(line.y1, other.y1);
      return apart <= 2 && between <= gap;
    });
    if (home == out.rend())
      out.push_back(line);
    else
      *home = unite(*home, line);
  }
  return out;
}

}  // namespace

RulingLines find_ruling_lines(const PageImage& image, double scale) {
  constexpr int kFaint = 216;  // a hairline at 72 dpi is half paper
  RulingLines lines;
  const PixPtr dark = dark_pixels(image, kFaint);
  if (!dark) return lines;
  const auto scaled = [&](std::vector<Box> boxes) {
    for (Box& b : boxes)
      b = {int(std::lround(b.x0 * scale)), int(std::lround(b.y0 * scale)),
           int(std::lround(b.x1 * scale)), int(std::lround(b.y1 * scale))};
    return boxes;
  };
  const int gap = int(image.dpi() / 24);
  lines.across = scaled(joined(thin_runs(dark.get(), true, image.dpi()), true, gap));
  lines.down = scaled(joined(thin_runs(dark.get(), false, image.dpi()), false, gap));
  return lines;
}

}  // namespace docspec
