#include "cuda/async_work.h"

#include <ATen/cuda/CUDAEvent.h>
#include <c10/cuda/CUDAGuard.h>

namespace docspec::cuda {
namespace {

class StreamWork : public AsyncWork {
 public:
  StreamWork(const c10::cuda::CUDAStream& stream, const std::function<void()>& work) {
    at::cuda::CUDAEvent before;
    before.record(c10::cuda::getCurrentCUDAStream(stream.device_index()));
    before.block(stream);
    const c10::cuda::CUDAStreamGuard guard(stream);
    work();
    proposers_stale_.record(stream);
  }
  bool done() const override { return proposers_stale_.query(); }
  void wait() const override { proposers_stale_.synchronize(); }

 private:
  at::cuda::CUDAEvent proposers_stale_;
};

}  // namespace

std::unique_ptr<AsyncWork> run_on_stream(const c10::cuda::CUDAStream& stream,
                                         const std::function<void()>& work) {
  return std::make_unique<StreamWork>(stream, work);
}

}  // namespace docspec::cuda
