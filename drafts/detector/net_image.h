#pragma once

#include <ATen/core/Tensor.h>

#include <cstdint>
#include <vector>

#include "core/page/page_image.h"

namespace docspec {

enum class Resize {
  plain,   ///< bilinear between four pixels, as OpenCV
  smooth,  ///< bilinear over all pixels that a new one covers, as Pillow and torchvision
};

/// The three channels of an image as a net was trained on them: (x - mean) / deviation.
at::Tensor centred(const at::Tensor& pixels, const std::vector<double>& mean,
                   const std::vector<double>& deviation);

/// A page in the size of a net: [3, height, width] f32, RGB in whole numbers 0..255.
at::Tensor net_image(const PageImage& image, int64_t height, int64_t width, Resize resize);

}  // namespace docspec
