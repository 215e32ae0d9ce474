#include "core/read/image_encoding.h"

#include <ATen/core/Tensor.h>

#include <utility>

namespace docspec {

ImageEncoding::ImageEncoding(const Vlm& vlm, const Ops& ops, std::vector<const PageImage*> images,
                             DecodeStats& stats) {
  const PhaseTimer timer(stats, "vision");
  try {
    work_ = ops.run_async(
        [this, &vlm, images = std::move(images)] { rows_ = vlm.encode_images(images); });
  } catch (...) {
    error_ = std::current_exception();
    work_ = std::make_unique<AsyncWork>();
  }
}

const VisualRows& ImageEncoding::rows(DecodeStats& stats) const {
  const PhaseTimer timer(stats, "vision");
  if (error_) std::rethrow_exception(error_);
  work_->wait();
  return rows_;
}

}  // namespace docspec
