#include "cuda/pass_graphs.h"

#include <ATen/ATen.h>
#include <ATen/cuda/CUDAEvent.h>
#include <ATen/cuda/CUDAGeneratorImpl.h>
#include <ATen/cuda/CUDAGraph.h>
#include <c10/cuda/CUDACachingAllocator.h>
#include <c10/cuda/CUDAGuard.h>
#include <c10/cuda/CUDAStream.h>

#include <cstdio>
#include <map>
#include <stdexcept>

#include "cuda/cuda_plan.h"

namespace docspec::cuda {
namespace {

constexpr size_t kMostGraphs = 64;

/// Where a pass's inputs lie in its plan's upload.
struct Inputs {
  size_t ids, angles;
  int64_t rows, width;

  Inputs(const at::Tensor& tokens, const at::Tensor& turns, const CudaPlan& plan)
      : ids(plan.add(tokens.const_data_ptr<int32_t>(), size_t(tokens.numel()))),
        angles(plan.add(turns.const_data_ptr<float>(), size_t(turns.numel()))),
        rows(tokens.numel()),
        width(turns.size(1)) {}

  /// `body` on what was sent.
  at::Tensor run(const GraphCache::Body& body, const CudaPlan& plan) const {
    const auto options = plan.memory().options();
    return body(at::from_blob(plan.at<int32_t>(ids), {rows}, options.dtype(at::kInt)),
                at::from_blob(plan.at<float>(angles), {rows, width}, options.dtype(at::kFloat)));
  }
};

/// Passes of one shape.
struct Shape {
  at::Tensor memory;  ///< what the graph reads of the host
  std::unique_ptr<at::cuda::CUDAGraph> graph;
  at::Tensor result;  ///< in memory that the next graph may write to
};

class PassGraphs : public GraphCache {
 public:
  at::Tensor run(const at::Tensor& ids, const at::Tensor& angles, const AttentionPlan& given,
                 const Body& body) override {
    const auto& plan = static_cast<const CudaPlan&>(given);
    const c10::cuda::CUDAGuard guard(plan.device());
    const Inputs inputs(ids, angles, plan);
    Shape& shape = shapes_[plan.shape()];
    if (shape.graph) {
      plan.send_to(shape.memory);
      shape.graph->replay();
      return shape.result;
    }
    plan.send_to({});
    const at::Tensor out = inputs.run(body, plan);
    if (usable_ && graphs_ < kMostGraphs) record(shape, inputs, plan, body, out);
    return out;
  }

  /// A graph for each number of rows that tables are sized for, of one page's passes.
  std::vector<int64_t> rows_at_load() const override { return {8, 16, 32, 64}; }

 private:
  void record(Shape& shape, const Inputs& inputs, const CudaPlan& plan, const Body& body,
              const at::Tensor& wanted) {
    try {
      shape.memory = at::empty_like(plan.memory());
      plan.send_to(shape.memory);
      auto graph = std::make_unique<at::cuda::CUDAGraph>();
      const at::Tensor out = capture(*graph, [&] { return inputs.run(body, plan); });
      graph->replay();
      if (!at::equal(out, wanted))
        throw std::runtime_error("a replayed pass differs from the one that was run");
      shape.result = at::from_blob(out.data_ptr(), out.sizes(), out.options());
      shape.graph = std::move(graph);
      ++graphs_;
    } catch (const std::exception& e) {
      usable_ = false;
      shape = {};
      std::fprintf(stderr, "docspec: passes are run without CUDA graphs: %s\n", e.what());
    }
  }

  /// Captures on a stream of its own, as captures must be; threads that draft pages continue.
  template <class F>
  at::Tensor capture(at::cuda::CUDAGraph& graph, const F& work) {
    at::cuda::CUDAEvent before;
    before.record(c10::cuda::getCurrentCUDAStream());
    const c10::cuda::CUDAStreamGuard guard(stream_);
    before.block(stream_);
    graph.capture_begin(pool_, cudaStreamCaptureModeThreadLocal);
    try {
      at::Tensor out = work();
      graph.capture_end();
      return out;
    } catch (...) {
      abandon(graph);
      throw;
    }
  }

  /// Leaves neither the stream capturing nor the allocator, which would go on allocating into the
  /// pool of a graph that is gone: capture_end tells it only where the capture succeeded.
  void abandon(at::cuda::CUDAGraph& graph) {
    cudaStreamCaptureStatus status = cudaStreamCaptureStatusNone;
    cudaStreamIsCapturing(stream_.stream(), &status);
    if (status != cudaStreamCaptureStatusNone) {
      try {
        graph.capture_end();
        return;
      } catch (const std::exception&) {
      }
    }
    cudaGetLastError();  // the failure was told; later calls begin afresh
    try {
      c10::cuda::CUDACachingAllocator::endAllocateToPool(stream_.device_index(), pool_);
    } catch (const std::exception&) {  // it had been told
    }
    // The device's random numbers would wait for the end of the capture for ever.
    auto& random = static_cast<at::CUDAGeneratorImpl&>(
        *at::cuda::detail::getDefaultCUDAGenerator(stream_.device_index())
             .unsafeGetGeneratorImpl());
    random.graphsafe_set_state(c10::make_intrusive<at::CUDAGeneratorImpl>(
        stream_.device_index(), c10::make_intrusive<at::CUDAGeneratorState>(
                                    random.current_seed(), random.philox_offset_per_thread())));
  }

  // Graphs share their memory, results too: only one is replayed at a time, and a result is valid
  // until the next.
  const at::cuda::MempoolId_t pool_ = at::cuda::graph_pool_handle();
  // One for all captures: cuBLAS keeps a workspace of 32 MiB for each stream it meets. Kernels keep
  // its priority, so that passes go before the images that are encoded in the meantime.
  const c10::cuda::CUDAStream stream_ = c10::cuda::getStreamFromPool(/*isHighPriority=*/true);
  std::map<std::vector<int64_t>, Shape> shapes_;
  size_t graphs_ = 0;
  bool usable_ = true;
};

}  // namespace

std::unique_ptr<GraphCache> make_pass_graphs() {
  return std::make_unique<PassGraphs>();
}

}  // namespace docspec::cuda
