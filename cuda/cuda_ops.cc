// libdocspec_cuda.so: linking libtorch_cuda here, and only here, gives the process its CUDA
// tensors. The one file that sees both torch and the kernels: checks places and types, passes
// pointers and the stream.
#include "cuda/cuda_ops.h"

#include <ATen/ATen.h>
#include <c10/cuda/CUDAGuard.h>
#include <c10/cuda/CUDAStream.h>

#include <cmath>
#include <cstdio>
#include <exception>

#include "core/model/layers/row_padding.h"
#include "core/ops/attention_weights.h"
#include "core/ops/layers.h"
#include "cuda/async_work.h"
#include "cuda/cuda_plan.h"
#include "cuda/kernels.h"
#include "cuda/pass_graphs.h"
#include "cuda/recurrent/delta_layer.h"
#include "cuda/start_up_check.h"

namespace docspec::cuda {
namespace {

static_assert(sizeof(RowSummary) == 4 * sizeof(float));

void* stream_of(const at::Tensor& x) {
  return c10::cuda::getCurrentCUDAStream(x.device().index()).stream();
}

/// Starts kernels of recurrent layers there.
auto on_stream_of(const at::Tensor& x) {
  return [stream = stream_of(x)](const auto& kernel, int64_t blocks_x, int blocks_y) {
    run(kernel, blocks_x, blocks_y, stream);
  };
}

class CudaOps : public Ops {
 public:
  explicit CudaOps(const Ops& fallback) : other_(fallback) {}

  RowStats row_stats(const at::Tensor& logits, std::span<const int32_t> token,
                     std::span<const int32_t> parent) const override {
    if (!of_type(logits, at::kFloat) || logits.size(0) == 0)
      return other_.row_stats(logits, token, parent);
    const c10::cuda::CUDAGuard guard(logits.device());
    const at::Tensor x = logits.contiguous();
    const int64_t rows = x.size(0);
    Upload ids;
    const size_t tokens = ids.add(token.data(), token.size()),
                 parents = ids.add(parent.data(), parent.size());
    ids.send(x.device());
    // The first row and the last two: int32.
    at::Tensor numbers = at::empty({7, rows}, x.options());
    auto* out = numbers.mutable_data_ptr<float>();
    auto* argmax = reinterpret_cast<int32_t*>(out);
    const int vocab = int(x.size(1));
    at::Tensor summaries = at::empty({rows, RowStatistics::parts_of(vocab), 4}, x.options());
    auto* parts = static_cast<RowSummary*>(summaries.mutable_data_ptr());
    run(RowStatistics{x.const_data_ptr<float>(), vocab, parts}, int(rows), stream_of(x));
    auto* place = reinterpret_cast<int32_t*>(out + 5 * rows);
    run(MergeStatistics{x.const_data_ptr<float>(), parts, vocab,
                        WalkTrees{argmax, ids.at<int32_t>(tokens), ids.at<int32_t>(parents),
                                  place + rows, place, int(rows)},
                        argmax, out + rows, out + 2 * rows, out + 3 * rows, out + 4 * rows},
        stream_of(x));
    const at::Tensor host = numbers.to(at::kCPU);
    const auto part = [&](int64_t i) {
      const auto* data = host.const_data_ptr<float>() + i * rows;
      return std::vector<float>(data, data + rows);
    };
    return {integers(host, 0), part(1), part(2), part(3), part(4), integers(host, 5)};
  }

  SampledRows draw(const at::Tensor& logits, std::span<const RowSampling> how,
                   std::span<const int32_t> token, std::span<const int32_t> parent) const override {
    if (!of_type(logits, at::kFloat) || logits.size(0) == 0) return {};
    const c10::cuda::CUDAGuard guard(logits.device());
    const at::Tensor x = logits.contiguous();
    const int64_t rows = x.size(0);
    Upload given;
    const size_t settings = given.add(how.data(), how.size()),
                 tokens = given.add(token.data(), token.size()),
                 parents = given.add(parent.data(), parent.size());
    given.send(x.device());
    at::Tensor numbers = at::empty({3, rows}, x.options().dtype(at::kInt));
    auto* drawn = numbers.mutable_data_ptr<int32_t>();
    run(DrawRow{x.const_data_ptr<float>(), given.at<RowSampling>(settings), drawn, int(x.size(1))},
        int(rows), stream_of(x));
    run(WalkTrees{drawn, given.at<int32_t>(tokens), given.at<int32_t>(parents), drawn + 2 * rows,
                  drawn + rows, int(rows)},
        stream_of(x));
    const at::Tensor host = numbers.to(at::kCPU);
    return {integers(host, 0), integers(host, 1)};
  }

  bool asynchronous() const override { return true; }

  bool linear_is_batch_invariant(const at::Tensor& like) const override {
    return other_.linear_is_batch_invariant(like);
  }
  at::Tensor to_compute_dtype(const at::Tensor& x) const override {
    return other_.to_compute_dtype(x);
  }
  at::Tensor linear(const at::Tensor& x, std::span<const Linear* const> layers) const override {
    return by_fixed_rows(x, [&](const at::Tensor& rows) { return other_.linear(rows, layers); });
  }
  at::Tensor logits(const at::Tensor& x, const Linear& head) const override {
    return by_fixed_rows(x, [&](const at::Tensor& rows) { return other_.logits(rows, head); });
  }

  at::Tensor rms_norm(const at::Tensor& x, const at::Tensor& weight, double eps) const override {
    at::Tensor sum;
    return norm(x, nullptr, weight, eps, sum);
  }
  at::Tensor add_norm(at::Tensor& x, const at::Tensor& more, const at::Tensor& weight,
                      double eps) const override {
    at::Tensor sum;
    at::Tensor out = norm(x, &more, weight, eps, sum);
    x = sum;
    return out;
  }

  Rotary rotary(const at::Tensor& angles, int64_t head_dim) const override {
    if (!of_type(angles, at::kFloat)) return other_.rotary(angles, head_dim);
    const c10::cuda::CUDAGuard guard(angles.device());
    const at::Tensor from = angles.contiguous();
    at::Tensor cos = at::empty({from.size(0), head_dim}, from.options()), sin = at::empty_like(cos);
    run(MakeRotary{from.const_data_ptr<float>(), cos.mutable_data_ptr<float>(),
                   sin.mutable_data_ptr<float>(), from.size(0), int(from.size(1)), int(head_dim)},
        stream_of(from));
    return {cos, sin};
  }

  bool fuses_vision(const at::Tensor& rows) const override { return taken(rows); }

  void turn_heads(at::Tensor& qkv, const Rotary& rotary) const override {
    const c10::cuda::CUDAGuard guard(qkv.device());
    for_type(qkv, [&](auto number) {
      using T = decltype(number);
      run(TurnHeads<T>{numbers_of<T>(qkv), rotary.cos.const_data_ptr<float>(),
                       rotary.sin.const_data_ptr<float>(), qkv.size(0), int(qkv.size(2)),
                       int(qkv.size(3))},
          stream_of(qkv));
    });
  }

  at::Tensor rotate(const at::Tensor& x, const Rotary& rotary) const override {
    if (!taken(x)) return other_.rotate(x, rotary);
    const c10::cuda::CUDAGuard guard(x.device());
    const int64_t dim = x.size(2);
    const at::Tensor from = x.stride(1) == dim && x.stride(2) == 1 ? x : x.contiguous();
    const at::Tensor cos = rotary.cos.contiguous(), sin = rotary.sin.contiguous();
    at::Tensor out = at::empty(x.sizes(), x.options().dtype(at::kFloat));
    for_type(x, [&](auto number) {
      using T = decltype(number);
      run(RotateRows<T>{numbers<T>(from), cos.const_data_ptr<float>(), sin.const_data_ptr<float>(),
                        out.mutable_data_ptr<float>(), from.stride(0), x.size(0), int(x.size(1)),
                        int(dim)},
          stream_of(x));
    });
    return out;
  }

  at::Tensor rotate_append(const at::Tensor& qkv, int64_t heads, int64_t kv_heads,
                           const Rotary& rotary, std::span<const CacheRows> jobs,
                           const AttentionPlan& plan) const override {
    if (jobs[0].pages.empty() || !taken(qkv) || qkv.stride(1) != 1 ||
        jobs[0].pages[0].scalar_type() != qkv.scalar_type())
      return Ops::rotate_append(qkv, heads, kv_heads, rotary, jobs, plan);
    const auto& own = static_cast<const CudaPlan&>(plan);
    const c10::cuda::CUDAGuard guard(qkv.device());
    const int64_t rows = qkv.size(0), dim = qkv.size(1) / (heads + 2 * kv_heads);
    const at::Tensor cos = rotary.cos.contiguous(), sin = rotary.sin.contiguous();
    at::Tensor q = at::empty({rows, heads, dim}, cos.options());
    for_type(qkv, [&](auto number) {
      using T = decltype(number);
      run(RotateAppend<T>{own.view(), CacheLayer(jobs[0].layer, kv_heads, dim), numbers<T>(qkv),
                          cos.const_data_ptr<float>(), sin.const_data_ptr<float>(),
                          q.mutable_data_ptr<float>(), qkv.stride(0), rows, int(heads),
                          int(kv_heads), int(dim)},
          stream_of(qkv));
    });
    return q;
  }

  at::Tensor swiglu(const at::Tensor& gate_up) const override {
    if (!taken(gate_up)) return other_.swiglu(gate_up);
    const c10::cuda::CUDAGuard guard(gate_up.device());
    const at::Tensor from = gate_up.contiguous();
    at::Tensor out = at::empty({from.size(0), from.size(1) / 2}, from.options());
    for_type(from, [&](auto number) {
      using T = decltype(number);
      run(SwigluRows<T>{numbers<T>(from), numbers_of<T>(out), from.size(0), int(out.size(1))},
          stream_of(from));
    });
    return out;
  }

  bool paged(const at::Tensor& like, int64_t head_dim) const override {
    return takes(head_dim) && (of_type(like, at::kFloat) || of_type(like, at::kBFloat16));
  }

  /// An A4 page at 300 dpi is a prompt of some 11,200 rows.
  int64_t prefill_rows(const at::Tensor& like) const override {
    return of_type(like, at::kBFloat16) ? 16384 : other_.prefill_rows(like);
  }

  std::unique_ptr<GraphCache> graph_cache(const at::Tensor& like) const override {
    if (!like.is_cuda()) return nullptr;
    const c10::cuda::CUDAGuard guard(like.device());
    return make_pass_graphs();
  }

  std::unique_ptr<AttentionPlan> plan(std::span<const AttentionRows> jobs, const BatchLayout& shape,
                                      const at::Tensor& like) const override {
    if (jobs[0].pages.empty()) return other_.plan(jobs, shape, like);
    return std::make_unique<CudaPlan>(jobs, shape, like);
  }

  at::Tensor attention(const at::Tensor& q, std::span<const CacheRows> caches,
                       const AttentionPlan& plan,
                       AttentionWeights* attention_weights) const override {
    if (caches[0].pages.empty()) return other_.attention(q, caches, plan, attention_weights);
    const auto& own = static_cast<const CudaPlan&>(plan);
    const c10::cuda::CUDAGuard guard(q.device());
    if (own.prompt()) return attend_prompt(q, caches[0]);
    const at::Tensor& page = caches[0].pages[0];
    const int heads = int(q.size(1)), kv_heads = int(page.size(2)), dim = int(q.size(2));
    const AttentionTables& tables = own.tables();
    const at::Tensor from = q.contiguous();
    const Attention pass{own.view(),
                         CacheLayer(caches[0].layer, kv_heads, dim),
                         from.const_data_ptr<float>(),
                         1 / std::sqrt(float(dim)),
                         int(q.size(0)),
                         heads,
                         kv_heads,
                         dim,
                         of_type(page, at::kBFloat16),
                         tables.part};
    const int64_t cells = q.size(0) * heads * tables.splits;
    at::Tensor scratch = at::empty({cells * (dim + 2)}, from.options());
    auto* memory = scratch.mutable_data_ptr<float>();
    const Parts parts{memory, memory + cells, memory + 2 * cells, tables.splits};
    at::Tensor out = at::empty(from.sizes(), page.options()),
               log_sum = at::empty({q.size(0), heads}, q.options());
    attend(pass, int(tables.tasks.size()), int(tables.tile_tasks.size()), parts,
           out.mutable_data_ptr(), log_sum.mutable_data_ptr<float>(), stream_of(q));
    if (attention_weights) see(pass, tables, log_sum, *attention_weights);
    return out;
  }

  at::Tensor full_attention(const at::Tensor& q, const at::Tensor& k,
                            const at::Tensor& v) const override {
    return other_.full_attention(q, k, v);
  }
  at::Tensor top_k(const at::Tensor& scores, int64_t k) const override {
    if (!of_type(scores, at::kFloat) || scores.numel() == 0 || k <= 0)
      return other_.top_k(scores, k);
    const c10::cuda::CUDAGuard guard(scores.device());
    const at::Tensor from = scores.contiguous();
    const int64_t n = from.size(1);
    at::Tensor out = at::empty({from.size(0), std::min(k, n)}, from.options().dtype(at::kLong));
    run(SelectTop{from.const_data_ptr<float>(), out.mutable_data_ptr<int64_t>(), int(n),
                  int(out.size(1))},
        int(from.size(0)), stream_of(from));
    return out;
  }

  void gather_rows(std::span<at::Tensor> caches, std::span<const int64_t> from,
                   int64_t to) const override {
    other_.gather_rows(caches, from, to);
  }
  void gather_pages(std::span<const at::Tensor> pages, std::span<const int64_t> from,
                    int64_t to) const override {
    const at::Tensor& one = pages[0];
    const int64_t bytes = one.size(4) * one.element_size();
    if (!one.is_cuda() || bytes % 4 != 0) return Ops::gather_pages(pages, from, to);
    const c10::cuda::CUDAGuard guard(one.device());
    std::vector<void*> memory;
    for (const at::Tensor& page : pages) memory.push_back(page.mutable_data_ptr());
    Upload index;
    const size_t places = index.add(std::vector<int32_t>(from.begin(), from.end())),
                 pointers = index.add(memory);
    index.send(one.device());
    run(KeepRows{index.at<uint32_t*>(pointers), index.at<int32_t>(places),
                 one.numel() * one.element_size() / 4 / kPage, int(to), int(from.size()),
                 int(bytes / 4)},
        stream_of(one));
  }

  at::Tensor recur(const at::Tensor& qkv, const at::Tensor& gates, std::span<const DeltaJob> jobs,
                   const DeltaShape& shape, const DeltaWeights& weights) const override {
    if (!of_type(qkv, at::kFloat) || !takes(shape))
      return other_.recur(qkv, gates, jobs, shape, weights);
    const c10::cuda::CUDAGuard guard(qkv.device());
    return recur_by(on_stream_of(qkv), qkv.contiguous(), gates.contiguous(), jobs, shape, weights);
  }
  void commit_delta(std::span<DeltaRows> layers, int64_t kept, std::span<const int32_t> path,
                    const DeltaShape& shape) const override {
    if (!layers[0].state.is_cuda() || !takes(shape))
      return other_.commit_delta(layers, kept, path, shape);
    const c10::cuda::CUDAGuard guard(layers[0].state.device());
    commit_by(on_stream_of(layers[0].state), layers, kept, path, shape);
  }

  std::unique_ptr<AsyncWork> run_async(const std::function<void()>& work) const override {
    return run_on_stream(encoding_stream_, work);
  }

 private:
  /// `product` of the rows of a pass, kProductRows at a time: cuBLAS chooses its kernel by the
  /// number of rows, and with it the order of a row's sums. A prompt's rows go in one.
  template <class Product>
  static at::Tensor by_fixed_rows(const at::Tensor& x, const Product& product) {
    constexpr int64_t kMostRows = 8 * kProductRows;
    const int64_t rows = x.size(0);
    if (rows <= kProductRows || rows > kMostRows || rows % kProductRows != 0) return product(x);
    std::vector<at::Tensor> parts;
    for (int64_t first = 0; first < rows; first += kProductRows)
      parts.push_back(product(x.narrow(0, first, kProductRows)));
    return at::cat(parts);
  }

  /// x + more (where there is more), which `sum` becomes, as `rms_norm` gives it.
  at::Tensor norm(const at::Tensor& x, const at::Tensor* more, const at::Tensor& weight, double eps,
                  at::Tensor& sum) const {
    const bool wide = weight.scalar_type() == at::kFloat;
    if (!taken(x) || (!wide && weight.scalar_type() != x.scalar_type()) ||
        (more && more->scalar_type() != x.scalar_type())) {
      if (more) sum = x + *more;
      return other_.rms_norm(more ? sum : x, weight, eps);
    }
    const c10::cuda::CUDAGuard guard(x.device());
    const at::Tensor from = x.contiguous(), by = weight.contiguous();
    const at::Tensor added = more ? more->contiguous() : from;
    at::Tensor out = at::empty_like(from);
    if (more) sum = at::empty_like(from);
    const auto start = [&](auto number, auto of_weight) {
      using T = decltype(number);
      using W = decltype(of_weight);
      run(NormRows<T, W>{numbers<T>(from), more ? numbers<T>(added) : nullptr, numbers<W>(by),
                         more ? numbers_of<T>(sum) : nullptr, numbers_of<T>(out), int(x.size(1)),
                         float(eps)},
          int(x.size(0)), stream_of(x));
    };
    for_type(x, [&](auto number) {
      if (wide)
        start(number, float());
      else
        start(number, number);
    });
    return out;
  }

  void see(const Attention& pass, const AttentionTables& tables, const at::Tensor& log_sum,
           AttentionWeights& attention_weights) const {
    attention_weights.weights.assign(tables.jobs.size(), {});
    for (size_t j = 0; j < tables.jobs.size(); ++j) {
      const AttentionWeights::Range range = attention_weights.ranges[j];
      if (range.end <= range.begin) continue;
      const int rows = tables.jobs[j].rows;
      attention_weights.weights[j] = at::empty({rows, range.end - range.begin}, log_sum.options());
      look(pass, int(j), rows, log_sum.const_data_ptr<float>(), int(range.begin), int(range.end),
           attention_weights.weights[j].mutable_data_ptr<float>(), stream_of(log_sum));
    }
  }

  const Ops& other_;
  const c10::cuda::CUDAStream encoding_stream_ =
      c10::cuda::getStreamFromPool();  ///< of the current device
};

}  // namespace
}  // namespace docspec::cuda

docspec::Ops* docspec_make_unchecked_cuda_ops(const docspec::Ops* fallback) {
  at::globalContext().setAllowBF16ReductionCuBLAS(false);  // sums of a product stay f32
  at::globalContext().setAllowTF32CuDNN(false);            // f32 is f32 in convolutions, too
  return new docspec::cuda::CudaOps(*fallback);
}

docspec::Ops* docspec_make_cuda_ops(const docspec::Ops* fallback) {
  std::string why;
  try {
    std::unique_ptr<docspec::Ops> ops(docspec_make_unchecked_cuda_ops(fallback));
    why = docspec::cuda::disagreement(*ops, *fallback);
    if (why.empty()) return ops.release();
  } catch (const std::exception& e) {
    why = e.what();
  }
  std::fprintf(stderr, "docspec: the CUDA kernels cannot be used: %s\n", why.c_str());
  return nullptr;
}
