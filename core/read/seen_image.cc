#include "core/read/seen_image.h"

#include <ATen/core/Tensor.h>

namespace docspec {

SeenImage::SeenImage(const Vlm& vlm, const Ops& ops, const PageImage& image, DecodeStats& stats) {
  const PhaseTimer timer(stats, "vision");
  try {
    work_ = ops.aside([&] { rows_ = vlm.see(image); });
  } catch (...) {
    error_ = std::current_exception();
    work_ = std::make_unique<Aside>();
  }
}

const VisualRows& SeenImage::rows(DecodeStats& stats) const {
  const PhaseTimer timer(stats, "vision");
  if (error_) std::rethrow_exception(error_);
  work_->wait();
  return rows_;
}

}  // namespace docspec
