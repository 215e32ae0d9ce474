#pragma once

namespace docspec::ppocr {

/// One image, channels last.
struct ImageShape {
  int height = 0, width = 0, channels = 0;
};

/// One filter a channel, `side` x `side` (3 or 7), with zeros around the image. weight: [side,
/// side, channels]; channels are a multiple of 16. out: ((height - 1) / down + 1) x ((width - 1) /
/// across + 1) pixels. Means of the outputs of each channel go to `means` where it is not null.
void run_depthwise(const float* x, const ImageShape& shape, const float* weight, const float* bias,
                   int side, int down, int across, float* out, float* means);

}  // namespace docspec::ppocr
