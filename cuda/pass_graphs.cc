#include "cuda/pass_graphs.h"

#include <ATen/ATen.h>
#include <ATen/cuda/CUDAEvent.h>
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
  size_t ids, cos, sin;
  int64_t rows, dim;

  Inputs(const at::Tensor& tokens, const Rotary& rotary, const CudaPlan& plan)
      : ids(plan.add(tokens.const_data_ptr<int32_t>(), size_t(tokens.numel()))),
        cos(plan.add(rotary.cos.const_data_ptr<float>(), size_t(rotary.cos.numel()))),
        sin(plan.add(rotary.sin.const_data_ptr<float>(), size_t(rotary.sin.numel()))),
        rows(tokens.numel()),
        dim(rotary.cos.size(1)) {}

  /// `body` on what was sent.
  at::Tensor run(const GraphCache::Body& body, const CudaPlan& plan) const {
    const auto floats = plan.memory().options().dtype(at::kFloat);
    return body(
        at::from_blob(plan.at<int32_t>(ids), {rows}, plan.memory().options().dtype(at::kInt)),
        {at::from_blob(plan.at<float>(cos), {rows, dim}, floats),
         at::from_blob(plan.at<float>(sin), {rows, dim}, floats)});
  }
};

/// Passes of one shape.
struct Shape {
  bool seen = false;
  at::Tensor memory;  ///< what the graph reads of the host
  std::unique_ptr<at::cuda::CUDAGraph> graph;
  at::Tensor result;
};

class PassGraphs : public GraphCache {
 public:
  at::Tensor run(const at::Tensor& ids, const Rotary& rotary, const AttentionPlan& given,
                 const Body& body) override {
    const auto& plan = static_cast<const CudaPlan&>(given);
    const c10::cuda::CUDAGuard guard(plan.device());
    const Inputs inputs(ids, rotary, plan);
    Shape& shape = shapes_[plan.shape()];
    if (shape.graph) {
      plan.send_to(shape.memory);
      shape.graph->replay();
      return shape.result;
    }
    plan.send_to({});
    const at::Tensor out = inputs.run(body, plan);
    if (std::exchange(shape.seen, true) && usable_ && graphs_ < kMostGraphs)
      record(shape, inputs, plan, body, out);
    return out;
  }

 private:
  void record(Shape& shape, const Inputs& inputs, const CudaPlan& plan, const Body& body,
              const at::Tensor& wanted) {
    try {
      shape.memory = at::empty_like(plan.memory());
      plan.send_to(shape.memory);
      auto graph = std::make_unique<at::cuda::CUDAGraph>();
      shape.result = capture(*graph, [&] { return inputs.run(body, plan); });
      graph->replay();
      if (!at::equal(shape.result, wanted))
        throw std::runtime_error("a replayed pass differs from the one that was run");
      shape.graph = std::move(graph);
      ++graphs_;
    } catch (const std::exception& e) {
      usable_ = false;
      shape = {true, {}, nullptr, {}};
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
  }

  // Graphs share their temporary memory: only one is replayed at a time, and kept results are in
  // memory of their own.
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
