#pragma once

#include <exception>
#include <memory>

#include "core/decode/stats.h"
#include "core/model/vlm.h"
#include "core/ops/ops.h"

namespace docspec {

/// An image on its way through the vision tower, where the device can beside the passes. The host's
/// part of it, and what it waits for the rest, is the phase "vision": where nothing goes on beside,
/// all of it.
class ImageEncoding {
 public:
  /// Begins; throws nothing that Vlm::see throws. All but `stats` must outlive it.
  ImageEncoding(const Vlm& vlm, const Ops& ops, const PageImage& image, DecodeStats& stats);
  ImageEncoding(const ImageEncoding&) = delete;
  ImageEncoding& operator=(const ImageEncoding&) = delete;

  const AsyncWork& work() const { return *work_; }
  /// Waits for them. Throws what Vlm::see threw.
  const VisualRows& rows(DecodeStats& stats) const;

 private:
  VisualRows rows_;
  std::exception_ptr error_;
  std::unique_ptr<AsyncWork> work_;
};

}  // namespace docspec
