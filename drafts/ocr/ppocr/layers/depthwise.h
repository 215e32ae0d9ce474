#pragma once

namespace docspec::ppocr {

/// One image, channels last.
struct ImageShape {
  int height = 0, width = 0, channels = 0;
};

/// One filter a channel, `side` x `side` (3 or 7), with zeros around the image. weight: [side,
/// side, channels]; channels are a multiple of 16. Images become ((height - 1) / down + 1) x
/// ((width - 1) / across + 1) pixels.
struct DepthwiseFilter {
  const float *weight, *bias;
  int side, down, across;

  ImageShape outputs(const ImageShape& x) const {
    return {(x.height - 1) / down + 1, (x.width - 1) / across + 1, x.channels};
  }
};

/// Line y of the outputs. Their sums in each channel are added to `sums` where it is not null.
void run_depthwise_line(const float* x, const ImageShape& shape, const DepthwiseFilter& filter,
                        int y, float* out, float* sums);
/// All lines. Means of the outputs of each channel go to `means` where it is not null.
void run_depthwise(const float* x, const ImageShape& shape, const DepthwiseFilter& filter,
                   float* out, float* means);

}  // namespace docspec::ppocr
