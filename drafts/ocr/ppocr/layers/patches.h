#pragma once

#include "drafts/ocr/ppocr/layers/depthwise.h"
#include "drafts/ocr/ppocr/layers/integer_layer.h"

namespace docspec::ppocr {

/// The pixels that a convolution's output is made of: `side` x `side`, `stride` pixels from one
/// output to the next, and zeros: `before` pixels above and left of the image, below and right of
/// it as many as are needed.
struct PatchShape {
  int side = 1, stride = 1, before = 0;
};

/// One line of a convolution as products of patches. lines: the `side` lines that it is made of,
/// null where they are outside of the image; of `shape`, only the width and the channels count. The
/// layer's inputs are [side, side, channels]; out: (width - 1) / stride + 1 rows.
void run_patches(const IntegerLayer& layer, const float* const* lines, const ImageShape& shape,
                 const PatchShape& patch, LayerActivation activation, const LayerRows& out);

/// The largest of each of a line's pixels and its neighbours right, below, and right below; outside
/// of the image they are zero. below: null after the last line. Channels are a multiple of 16; out:
/// pixels of `stride` floats.
void run_largest_of_four(const float* line, const float* below, const ImageShape& shape, float* out,
                         int stride);

}  // namespace docspec::ppocr
