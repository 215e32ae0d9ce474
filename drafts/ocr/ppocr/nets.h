#pragma once

#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "drafts/ocr/ppocr/ctc.h"

namespace at {
class Tensor;
}

namespace docspec::ppocr {

/// Height of a line's image in pixels, and pixels of its width to a step of the recogniser.
inline constexpr int kLineHeight = 48, kStep = 8;
/// Sides of the detector's image are multiples of this.
inline constexpr int kDetectorGrid = 32;

enum class Precision {
  fastest,  ///< int8 and bf16 where the processor multiplies them, else f32
  f32,      ///< as published
};

/// PP-OCRv6 small, detector and recogniser, from the folder that packaging/ocr/convert.py writes.
/// Both are PP-LCNetV4 networks; images are BGR in [-1, 1]. Safe to use from one thread at a time.
/// [transformers] models/pp_ocrv6_small_det, pp_ocrv6_small_rec
class Nets {
 public:
  /// Throws Error(dependency) naming what is missing.
  explicit Nets(const std::filesystem::path& folder, Precision precision = Precision::fastest);
  ~Nets();

  /// image: [3, height, width] f32 -> [height, width] f32, the probability that a pixel is inside
  /// a line of text, shrunk a little. Sides are multiples of kDetectorGrid.
  at::Tensor text_map(const at::Tensor& image) const;

  /// lines: [n, 3, kLineHeight, width] f32 -> logits [n, width / kStep, classes] f32. Class 0 is
  /// CTC's blank, the others are characters(), the last is the space.
  at::Tensor logits(const at::Tensor& lines) const;

  /// The best class of each step of logits(lines), line by line: n * (width / kStep).
  std::vector<StepChoice> best_classes(const at::Tensor& lines) const;

  /// Characters of the classes, UTF-8; the blank is empty.
  const std::vector<std::string>& characters() const;

 private:
  struct Weights;
  std::unique_ptr<Weights> weights_;
};

}  // namespace docspec::ppocr
