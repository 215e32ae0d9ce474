#include "core/read/image_encoding.h"

#include <ATen/core/Tensor.h>

namespace docspec {

ImageEncoding::ImageEncoding(const Vlm& vlm, const Ops& ops, const PageImage& image,
                             DecodeStats& stats) {
  const PhaseTimer timer(stats, "vision");
  try {
    work_ = ops.run_async([&] { rows_ = vlm.encode_image(image); });
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
