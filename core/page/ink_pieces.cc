#include "core/page/ink_pieces.h"

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <iterator>
#include <utility>

namespace docspec {
namespace {

int lightness(const PageImage& image, int x, int y) {
  const uint8_t* pixel = image.row(y) + size_t(x) * 3;
  return std::min({pixel[0], pixel[1], pixel[2]});  // colours are ink, too
}

}  // namespace

InkPieces::InkPieces(const PageImage& image, const Box& part) : part_(part), width_(part.width()) {
  std::vector<int> light;
  for (int y = part.y0; y < part.y1; ++y)
    for (int x = part.x0; x < part.x1; ++x) light.push_back(lightness(image, x, y));
  std::vector<int> sorted = light;
  std::nth_element(sorted.begin(), sorted.begin() + std::ptrdiff_t(sorted.size() / 2),
                   sorted.end());
  const int paper = sorted[sorted.size() / 2];
  constexpr int kInk = 60;
  for (const int l : light) ink_.push_back(std::abs(l - paper) > kInk);
  seen_.assign(ink_.size(), false);
  for (int y = part.y0; y < part.y1; ++y)
    for (int x = part.x0; x < part.x1; ++x)
      if (ink(x, y) && !seen_[at(x, y)]) all_.push_back(fill(x, y));
}

std::vector<InkPieces::Blob> InkPieces::whole() const {
  std::vector<Blob> out;
  std::copy_if(all_.begin(), all_.end(), std::back_inserter(out), [&](const Blob& piece) {
    const Box& b = piece.box;
    return b.x0 > part_.x0 && b.y0 > part_.y0 && b.x1 < part_.x1 && b.y1 < part_.y1;
  });
  return out;
}

double InkPieces::share(const Box& box) const {
  int count = 0;
  for (int y = box.y0; y < box.y1; ++y)
    for (int x = box.x0; x < box.x1; ++x) count += ink(x, y);
  return box.empty() ? 0 : double(count) / double(box.area());
}

InkPieces::Blob InkPieces::fill(int x, int y) {
  Blob piece;
  std::vector<std::pair<int, int>> open{{x, y}};
  seen_[at(x, y)] = true;
  while (!open.empty()) {
    const auto [cx, cy] = open.back();
    open.pop_back();
    piece.box = unite(piece.box, {cx, cy, cx + 1, cy + 1});
    ++piece.pixels;
    for (int ny = std::max(part_.y0, cy - 1); ny <= std::min(part_.y1 - 1, cy + 1); ++ny)
      for (int nx = std::max(part_.x0, cx - 1); nx <= std::min(part_.x1 - 1, cx + 1); ++nx)
        if (ink(nx, ny) && !seen_[at(nx, ny)]) {
          seen_[at(nx, ny)] = true;
          open.emplace_back(nx, ny);
        }
  }
  return piece;
}

}  // namespace docspec
