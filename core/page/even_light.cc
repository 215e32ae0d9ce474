#include "core/page/even_light.h"

#include <algorithm>
#include <array>
#include <vector>

namespace docspec {
namespace {

constexpr int kBlock = 8;      // pixels; a block is the unit of light
constexpr int kAround = 3;     // blocks to each side among which the brightest is paper
constexpr int kSmooth = 4;     // blocks to each side of a box blur, thrice
constexpr float kPaper = 235;  // paper's level before the stretch

/// Levels of blocks, row by row.
struct Light {
  int width = 0, height = 0;
  std::vector<float> level;

  float at(int x, int y) const {
    return level[size_t(std::clamp(y, 0, height - 1)) * size_t(width) +
                 size_t(std::clamp(x, 0, width - 1))];
  }
  /// Between the middles of four blocks.
  float under(int x_px, int y_px) const {
    const float x = (float(x_px) + 0.5f) / kBlock - 0.5f, y = (float(y_px) + 0.5f) / kBlock - 0.5f;
    const int left = int(std::max(0.0f, x)), top = int(std::max(0.0f, y));
    const float u = std::clamp(x - float(left), 0.0f, 1.0f),
                v = std::clamp(y - float(top), 0.0f, 1.0f);
    return (at(left, top) * (1 - u) + at(left + 1, top) * u) * (1 - v) +
           (at(left, top + 1) * (1 - u) + at(left + 1, top + 1) * u) * v;
  }
  /// Each level becomes f of those at most `reach` to its sides, along rows and then columns.
  template <class F>
  void along_both(int reach, const F& f) {
    std::vector<float> line(size_t(2 * reach + 1));
    for (const auto& [dx, dy] : {std::pair{1, 0}, std::pair{0, 1}}) {
      std::vector<float> out(level.size());
      for (int y = 0; y < height; ++y)
        for (int x = 0; x < width; ++x) {
          for (int i = -reach; i <= reach; ++i)
            line[size_t(i + reach)] = at(x + i * dx, y + i * dy);
          out[size_t(y) * size_t(width) + size_t(x)] = f(line);
        }
      level.swap(out);
    }
  }
};

Light mean_of_blocks(const PageImage& page) {
  Light light{
      (page.width_px() + kBlock - 1) / kBlock, (page.height_px() + kBlock - 1) / kBlock, {}};
  std::vector<int> sums(size_t(light.width) * size_t(light.height)), counts(sums.size());
  for (int y = 0; y < page.height_px(); ++y) {
    const uint8_t* row = page.row(y);
    const size_t first = size_t(y / kBlock) * size_t(light.width);
    for (int x = 0; x < page.width_px(); ++x) {
      sums[first + size_t(x / kBlock)] += gray(row + 3 * x);
      ++counts[first + size_t(x / kBlock)];
    }
  }
  for (size_t i = 0; i < sums.size(); ++i) light.level.push_back(float(sums[i]) / float(counts[i]));
  return light;
}

Light paper_of(const PageImage& page) {
  Light light = mean_of_blocks(page);
  light.along_both(kAround, [](const std::vector<float>& line) {
    return *std::max_element(line.begin(), line.end());
  });
  for (int i = 0; i < 3; ++i)
    light.along_both(kSmooth, [](const std::vector<float>& line) {
      float sum = 0;
      for (const float level : line) sum += level;
      return sum / float(line.size());
    });
  return light;
}

/// The level below which a share of the pixels under `end` lies.
int percentile(const std::array<int64_t, 256>& histogram, int end, double share) {
  int64_t all = 0, seen = 0;
  for (int i = 0; i < end; ++i) all += histogram[size_t(i)];
  for (int i = 0; i < end; ++i)
    if (seen += histogram[size_t(i)]; double(seen) >= share * double(all)) return i;
  return end;
}

}  // namespace

PageImage evenly_lit(const PageImage& page) {
  constexpr float kDark = 60, kWhite = 245;
  constexpr int kInkBelowPaper = 30, kLeastStretch = 40, kBlack = 40;
  const Light paper = paper_of(page);
  const auto [darkest, brightest] = std::minmax_element(paper.level.begin(), paper.level.end());
  if (*brightest < kDark) return page;
  std::array<int64_t, 256> histogram{};
  std::vector<uint8_t> scaled;  // gray levels with the paper's light taken out
  scaled.reserve(size_t(page.width_px()) * size_t(page.height_px()));
  for (int y = 0; y < page.height_px(); ++y)
    for (int x = 0; x < page.width_px(); ++x) {
      const float light = std::max(kDark, paper.under(x, y));
      scaled.push_back(
          uint8_t(std::min(255.0f, float(gray(page.row(y) + 3 * x)) * kPaper / light)));
      ++histogram[scaled.back()];
    }
  const int white = percentile(histogram, 256, 0.5);
  const int ink_end = std::max(0, white - kInkBelowPaper);
  int64_t ink = 0;
  for (int i = 0; i < ink_end; ++i) ink += histogram[size_t(i)];
  if (double(ink) < 0.001 * double(scaled.size())) return page;
  const int black = std::min(percentile(histogram, ink_end, 0.12), white - kLeastStretch);
  if (*darkest >= kWhite && black <= kBlack) return page;
  PageImage out(page.page(), page.width_px(), page.height_px(), page.dpi());
  auto level = scaled.begin();
  for (int y = 0; y < page.height_px(); ++y)
    for (int x = 0; x < page.width_px(); ++x, ++level) {
      const int shown = std::clamp((*level - black) * 255 / (white - black), 0, 255);
      std::fill_n(out.row(y) + 3 * x, 3, uint8_t(shown));
    }
  return out;
}

}  // namespace docspec
