#include "drafts/ocr/ppocr/line_edges.h"

#include <algorithm>
#include <array>
#include <cstdint>

#include "core/base/median.h"

namespace docspec::ppocr {
namespace {

/// Otsu's threshold of a histogram of 256 levels.
int otsu(const std::array<int, 256>& histogram) {
  double total = 0, sum = 0;
  for (int i = 0; i < 256; ++i) total += histogram[i], sum += double(i) * histogram[i];
  double below = 0, sum_below = 0, best = -1;
  int threshold = 128;
  for (int i = 0; i < 255; ++i) {
    below += histogram[i];
    sum_below += double(i) * histogram[i];
    if (below == 0 || below == total) continue;
    const double apart = sum_below / below - (sum - sum_below) / (total - below);
    const double between = below * (total - below) * apart * apart;
    if (between > best) best = between, threshold = i;
  }
  return threshold;
}

constexpr int kRows = kLineHeight + 2 * kBeyond;

/// Ink that hangs together.
struct Blob {
  std::vector<int> pixels;
  int top = kRows, bottom = 0;
};

/// The blob that holds pixel `seed`, taken out of `ink`.
Blob take_blob(std::vector<unsigned char>& ink, int width, int seed) {
  Blob blob;
  blob.pixels = {seed};
  ink[size_t(seed)] = 0;
  for (size_t next = 0; next < blob.pixels.size(); ++next) {
    const int x = blob.pixels[next] % width, y = blob.pixels[next] / width;
    blob.top = std::min(blob.top, y), blob.bottom = std::max(blob.bottom, y + 1);
    for (int v = std::max(0, y - 1); v <= std::min(kRows - 1, y + 1); ++v)
      for (int u = std::max(0, x - 1); u <= std::min(width - 1, x + 1); ++u) {
        const int at = v * width + u;
        if (!ink[size_t(at)]) continue;
        ink[size_t(at)] = 0;
        blob.pixels.push_back(at);
      }
  }
  return blob;
}

/// The colour of most of what is no ink.
std::array<float, 3> paper_of(const std::vector<float>& pixels,
                              const std::vector<unsigned char>& ink) {
  std::array<float, 3> colour{};
  for (size_t c = 0; c < 3; ++c) {
    std::vector<float> levels;
    for (size_t i = 0; i < ink.size(); ++i)
      if (!ink[i]) levels.push_back(pixels[c * ink.size() + i]);
    if (!levels.empty()) colour[c] = median(std::move(levels));
  }
  return colour;
}

}  // namespace

std::vector<unsigned char> ink_of(const std::vector<float>& pixels, int width) {
  const size_t size = pixels.size() / 3;
  std::vector<uint8_t> gray(size);
  std::array<int, 256> histogram{};
  for (size_t i = 0; i < size; ++i) {
    const float level =
        pixels[i] * 0.114f + pixels[size + i] * 0.587f + pixels[2 * size + i] * 0.299f;
    ++histogram[gray[i] = uint8_t(std::clamp((level + 1) * 127.5f, 0.0f, 255.0f))];
  }
  const int threshold = otsu(histogram);
  const auto dark_share = [&](size_t from, size_t to) {
    const auto is_dark = [&](uint8_t level) { return level <= threshold; };
    return double(std::count_if(gray.begin() + std::ptrdiff_t(from),
                                gray.begin() + std::ptrdiff_t(to), is_dark)) /
           double(to - from);
  };
  // The letters of a poster are more than the paper around them, but not at the line's edges.
  constexpr double kMostLetters = 0.65;
  const size_t edge = size / size_t(width) / 8 * size_t(width);
  const double share = dark_share(0, size);
  const bool light_edges = edge > 0 && dark_share(0, edge) + dark_share(size - edge, size) < 1;
  const bool light_ink = share > (light_edges ? kMostLetters : 0.5);
  std::vector<unsigned char> ink(size);
  for (size_t i = 0; i < size; ++i) ink[i] = (gray[i] <= threshold) != light_ink;
  return ink;
}

void erase_neighbours(std::vector<float>& pixels, int width) {
  // An accent or a comma ends close to the edge, and a letter of this line reaches its middle.
  constexpr int kOut = kLineHeight / 8, kIn = kLineHeight * 2 / 5;
  const std::vector<unsigned char> ink = ink_of(pixels, width);
  const std::array<float, 3> paper = paper_of(pixels, ink);
  std::vector<unsigned char> left = ink;
  const auto erase = [&](int pixel) {
    const int x = pixel % width, y = pixel / width;
    for (int v = std::max(0, y - 1); v <= std::min(kRows - 1, y + 1); ++v)
      for (int u = std::max(0, x - 1); u <= std::min(width - 1, x + 1); ++u) {
        const size_t at = size_t(v) * size_t(width) + size_t(u);
        if (ink[at] && int(at) != pixel) continue;  // else its pale rim
        for (size_t c = 0; c < 3; ++c) pixels[c * ink.size() + at] = paper[c];
      }
  };
  const auto erase_blob = [&](const Blob& blob) {
    for (const int pixel : blob.pixels) erase(pixel);
  };
  constexpr int kEnd = kBeyond + kLineHeight;
  for (int x = 0; x < width; ++x) {
    if (!left[size_t(kBeyond * width + x)]) continue;
    const Blob blob = take_blob(left, width, kBeyond * width + x);
    if (blob.top <= kBeyond - kOut && blob.bottom <= kBeyond + kIn) erase_blob(blob);
  }
  std::vector<int> tops;
  for (int x = 0; x < width; ++x) {
    if (!left[size_t((kEnd - 1) * width + x)]) continue;
    const Blob blob = take_blob(left, width, (kEnd - 1) * width + x);
    if (blob.bottom < kEnd + kOut || blob.top < kEnd - kIn) continue;
    erase_blob(blob);
    tops.push_back(blob.top);
  }
  if (tops.empty()) return;
  const int top = median(std::move(tops));  // of the next line's letters; its dots are near
  for (int at = top * width; at < kEnd * width; ++at) {
    if (!left[size_t(at)]) continue;
    const Blob blob = take_blob(left, width, at);
    if (blob.top >= top) erase_blob(blob);
  }
}

}  // namespace docspec::ppocr
