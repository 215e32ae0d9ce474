#include "drafts/ocr/ppocr/fast_stem.h"

#include "drafts/ocr/ppocr/layers/patches.h"

namespace docspec::ppocr {
namespace {

constexpr int kPixel = 4;  // channels of an image's pixel: a layer's inputs are multiples of 4
constexpr PatchShape kHalf = {3, 2, 1}, kPair = {2, 1, 0};

/// A convolution of what `sources` made, [out, in, side, side], as products of patches [side, side,
/// channels]; channels are the sources' widths one after the other.
IntegerLayer patch_layer(IntegerKind kind, const WeightOf& weight, const std::string& name,
                         const std::vector<const IntegerLayer*>& sources) {
  const at::Tensor filter = weight(name + ".weight").permute({0, 2, 3, 1});
  std::vector<at::Tensor> parts;
  int64_t from = 0;
  for (const IntegerLayer* source : sources) {
    parts.push_back(at::constant_pad_nd(filter.narrow(3, from, source->out()),
                                        {0, source->width() - source->out()}));
    from += source->out();
  }
  if (sources.empty()) parts.push_back(at::constant_pad_nd(filter, {0, kPixel - filter.size(3)}));
  return make_integer_layer(kind, at::cat(parts, 3), weight(name + ".bias"));
}

/// The last lines of an image that is made and used line by line: they stay in the cache.
class LastLines {
 public:
  LastLines(int height, int width, int channels, int kept)
      : height_(height),
        kept_(kept),
        size_(size_t(width) * size_t(channels)),
        floats_(size_ * size_t(kept)) {}

  /// Null where y is outside of the image.
  float* line(int y) {
    return y < 0 || y >= height_ ? nullptr : floats_.data() + size_t(y % kept_) * size_;
  }

 private:
  int height_, kept_;
  size_t size_;
  AlignedVector<float> floats_;
};

}  // namespace

FastStem::FastStem(IntegerKind kind, const WeightOf& weight)
    : first_(patch_layer(kind, weight, "stem.1", {})),
      narrow_(patch_layer(kind, weight, "stem.2a", {&first_})),
      fine_(patch_layer(kind, weight, "stem.2b", {&narrow_})),
      half_(patch_layer(kind, weight, "stem.3", {&first_, &fine_})),
      last_(patch_layer(kind, weight, "stem.4", {&half_})) {}

at::Tensor FastStem::run(const at::Tensor& images) const {
  const at::Tensor out = at::empty(
      {images.size(0), images.size(2) / 4, images.size(3) / 4, last_.width()}, images.options());
  for (int64_t i = 0; i < images.size(0); ++i)
    run(images[i].contiguous(), out[i].mutable_data_ptr<float>());
  return out;
}

void FastStem::run(const at::Tensor& image, float* out) const {
  const int height = int(image.size(1)), width = int(image.size(2));
  const int lines = height / 2, across = width / 2, both = first_.width() + fine_.width();
  const auto relu = LayerActivation::relu;
  LastLines pixels(height, width, kPixel, 3), x(lines, across, first_.width(), 2),
      thin(lines, across, narrow_.width(), 2), joined(lines, across, both, 4);
  AlignedVector<float> coarse(size_t(across / 2) * size_t(half_.width()));
  const auto take_pixels = [&](int y) {
    float* const to = pixels.line(y);
    for (int c = 0; to && c < 3; ++c) {
      const float* const from = image.const_data_ptr<float>() + (int64_t(c) * height + y) * width;
      for (int i = 0; i < width; ++i) to[i * kPixel + c] = from[i];
    }
  };
  // Each layer as soon as it has the lines that it needs.
  for (int y = 0; y < lines + 3; ++y) {
    take_pixels(2 * y);
    take_pixels(2 * y + 1);
    if (float* const to = x.line(y)) {
      const float* const from[] = {pixels.line(2 * y - 1), pixels.line(2 * y),
                                   pixels.line(2 * y + 1)};
      run_patches(first_, from, {1, width, kPixel}, kHalf, relu, {to, first_.width()});
    }
    if (float* const to = thin.line(y - 1)) {
      const float* const from[] = {x.line(y - 1), x.line(y)};
      const ImageShape shape = {1, across, first_.width()};
      run_patches(narrow_, from, shape, kPair, relu, {to, narrow_.width()});
      run_largest_of_four(from[0], from[1], shape, joined.line(y - 1), both);
    }
    if (float* const to = joined.line(y - 2)) {
      const float* const from[] = {thin.line(y - 2), thin.line(y - 1)};
      run_patches(fine_, from, {1, across, narrow_.width()}, kPair, relu,
                  {to + first_.width(), both});
    }
    const int made = (y - 3) / 2;
    if (y < 3 || y % 2 == 0) continue;
    const float* const from[] = {joined.line(y - 4), joined.line(y - 3), joined.line(y - 2)};
    run_patches(half_, from, {1, across, both}, kHalf, relu, {coarse.data(), half_.width()});
    run_rows(last_, coarse.data(), across / 2, relu,
             {out + int64_t(made) * (across / 2) * last_.width(), last_.width()});
  }
}

}  // namespace docspec::ppocr
