#pragma once

#include <exception>
#include <memory>
#include <vector>

#include "core/document/decode_stats.h"
#include "core/model/vlm.h"
#include "core/ops/ops.h"

namespace docspec {

/// The images of a prompt, encoded by the vision tower in parallel with passes if the device can.
/// The phase "vision" counts the work of the host and the wait for the rest.
class ImageEncoding {
 public:
  /// Starts the encoding; what Vlm::encode_images throws is rethrown by `rows`. All images and
  /// arguments but `stats` must outlive the object.
  ImageEncoding(const Vlm& vlm, const Ops& ops, std::vector<const PageImage*> images,
                DecodeStats& stats);
  ImageEncoding(const ImageEncoding&) = delete;
  ImageEncoding& operator=(const ImageEncoding&) = delete;

  const AsyncWork& work() const { return *work_; }
  /// Waits for the visual rows. Throws what Vlm::encode_images threw.
  const VisualRows& rows(DecodeStats& stats) const;

 private:
  VisualRows rows_;
  std::exception_ptr error_;
  std::unique_ptr<AsyncWork> work_;
};

}  // namespace docspec
