#include "cuda/aside.h"

#include <ATen/cuda/CUDAEvent.h>
#include <c10/cuda/CUDAGuard.h>

namespace docspec::cuda {
namespace {

class StreamWork : public Aside {
 public:
  StreamWork(const c10::cuda::CUDAStream& stream, const std::function<void()>& work) {
    at::cuda::CUDAEvent before;
    before.record(c10::cuda::getCurrentCUDAStream(stream.device_index()));
    before.block(stream);
    const c10::cuda::CUDAStreamGuard guard(stream);
    work();
    behind_.record(stream);
  }
  bool done() const override { return behind_.query(); }
  void wait() const override { behind_.synchronize(); }

 private:
  at::cuda::CUDAEvent behind_;
};

}  // namespace

std::unique_ptr<Aside> run_aside(const c10::cuda::CUDAStream& stream,
                                 const std::function<void()>& work) {
  return std::make_unique<StreamWork>(stream, work);
}

}  // namespace docspec::cuda
