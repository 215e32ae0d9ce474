// libdocspec_cuda.so: linking libtorch_cuda here, and only here, gives the process its CUDA
// tensors. The one file that sees both torch and the kernels: checks places and types, passes
// pointers and the stream.
#include "cuda/cuda_ops.h"

#include <ATen/ATen.h>
#include <c10/cuda/CUDAGuard.h>
#include <c10/cuda/CUDAStream.h>

#include <cmath>
#include <cstdio>
#include <cstring>
#include <exception>

#include "core/looks.h"
#include "core/model/layers.h"
#include "cuda/aside.h"
#include "cuda/kernels.h"

namespace docspec::cuda {
namespace {

bool of_type(const at::Tensor& x, at::ScalarType type) {
  return x.is_cuda() && x.scalar_type() == type;
}
/// Whether the kernels for rows between products take it.
bool taken(const at::Tensor& x) {
  return x.numel() > 0 && (of_type(x, at::kFloat) || of_type(x, at::kBFloat16));
}

/// f(float()) or f(Bfloat16()), as x's numbers are.
template <class F>
void for_type(const at::Tensor& x, const F& f) {
  if (x.scalar_type() == at::kFloat)
    f(float());
  else
    f(Bfloat16());
}
template <class T>
const T* numbers(const at::Tensor& x) {
  return static_cast<const T*>(x.const_data_ptr());
}
template <class T>
T* numbers_of(at::Tensor& x) {
  return static_cast<T*>(x.mutable_data_ptr());
}

void* stream_of(const at::Tensor& x) {
  return c10::cuda::getCurrentCUDAStream(x.device().index()).stream();
}

/// Bytes of several arrays in one device tensor, each at a multiple of 16: one copy a pass.
class Upload {
 public:
  template <class T>
  size_t add(const std::vector<T>& array) {
    const size_t at = bytes_.size(), size = array.size() * sizeof(T);
    bytes_.resize((at + size + 15) / 16 * 16);
    if (size > 0) std::memcpy(bytes_.data() + at, array.data(), size);
    return at;
  }
  void send(const at::Device& device) {
    const auto host = at::empty({int64_t(bytes_.size())},
                                at::TensorOptions().dtype(at::kByte).pinned_memory(true));
    std::memcpy(host.mutable_data_ptr(), bytes_.data(), bytes_.size());
    device_ = host.to(device, /*non_blocking=*/true);
    host_ = host;  // until the copy was read
  }
  template <class T>
  const T* at(size_t offset) const {
    return reinterpret_cast<const T*>(static_cast<const char*>(device_.const_data_ptr()) + offset);
  }

 private:
  std::vector<char> bytes_;
  at::Tensor host_, device_;
};

/// Tables are worked out at the first attention, when the groups are known.
struct CudaPlan : AttentionPlan {
  std::vector<AttentionRows> jobs;
  std::unique_ptr<AttentionPlan> other;  ///< of the fallback
  int64_t row_multiple = 1;

  struct Tables {
    AttentionTables host;
    Upload upload;
    TableView view;
    const int32_t* split_count = nullptr;

    Tables(std::span<const AttentionRows> rows, int group, bool tiles, const at::Device& device)
        : host(rows, group, tiles) {
      const size_t jobs = upload.add(host.jobs), ints = upload.add(host.ints),
                   tasks = upload.add(host.tasks), tile_tasks = upload.add(host.tile_tasks),
                   counts = upload.add(host.split_count);
      upload.send(device);
      view = {upload.at<TreeJob>(jobs), upload.at<int32_t>(ints), upload.at<Task>(tasks),
              upload.at<Task>(tile_tasks)};
      split_count = upload.at<int32_t>(counts);
    }
  };
  mutable std::unique_ptr<Tables> tables;
};

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
    const size_t tokens = ids.add(std::vector<int32_t>(token.begin(), token.end())),
                 parents = ids.add(std::vector<int32_t>(parent.begin(), parent.end()));
    ids.send(x.device());
    at::Tensor numbers = at::empty({5, rows}, x.options());  // the first row: int32 of the argmax
    auto* out = numbers.mutable_data_ptr<float>();
    run(RowStatistics{x.const_data_ptr<float>(), ids.at<int32_t>(tokens), ids.at<int32_t>(parents),
                      int(x.size(1)), reinterpret_cast<int32_t*>(out), out + rows, out + 2 * rows,
                      out + 3 * rows, out + 4 * rows},
        int(rows), stream_of(x));
    const at::Tensor host = numbers.to(at::kCPU);
    const auto* data = host.const_data_ptr<float>();
    const auto part = [&](int64_t i) {
      return std::vector<float>(data + i * rows, data + (i + 1) * rows);
    };
    RowStats stats{std::vector<int32_t>(size_t(rows)), part(1), part(2), part(3), part(4)};
    std::memcpy(stats.argmax.data(), data, size_t(rows) * sizeof(int32_t));
    return stats;
  }

  bool rows_alone(const at::Tensor& like) const override { return other_.rows_alone(like); }
  at::Tensor working(const at::Tensor& x) const override { return other_.working(x); }
  at::Tensor linear(const at::Tensor& x, std::span<const Linear* const> layers) const override {
    return other_.linear(x, layers);
  }
  at::Tensor logits(const at::Tensor& x, const Linear& head) const override {
    return other_.logits(x, head);
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
                           const Rotary& rotary, std::span<const NewRows> jobs) const override {
    const auto same = [&](const at::Tensor& cache) {
      return cache.scalar_type() == qkv.scalar_type() && cache.is_contiguous();
    };
    bool ours = taken(qkv) && qkv.stride(1) == 1 && jobs.size() <= size_t(kMostJobs);
    for (const NewRows& job : jobs) ours = ours && same(*job.keys) && same(*job.values);
    if (!ours) return Ops::rotate_append(qkv, heads, kv_heads, rotary, jobs);
    const c10::cuda::CUDAGuard guard(qkv.device());
    const int64_t rows = qkv.size(0), dim = qkv.size(1) / (heads + 2 * kv_heads);
    const at::Tensor cos = rotary.cos.contiguous(), sin = rotary.sin.contiguous();
    at::Tensor q = at::empty({rows, heads, dim}, cos.options());
    Appends to{};
    int64_t end = 0;
    for (size_t j = 0; j < jobs.size(); ++j) {
      to.keys[j] = jobs[j].keys->mutable_data_ptr();
      to.values[j] = jobs[j].values->mutable_data_ptr();
      to.head_stride[j] = jobs[j].keys->stride(0);
      to.slot[j] = int32_t(jobs[j].slot);
      to.end[j] = int32_t(end += jobs[j].rows);
    }
    for_type(qkv, [&](auto number) {
      using T = decltype(number);
      run(RotateAppend<T>{numbers<T>(qkv), cos.const_data_ptr<float>(), sin.const_data_ptr<float>(),
                          q.mutable_data_ptr<float>(), qkv.stride(0), rows, int(heads),
                          int(kv_heads), int(dim), to},
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

  std::unique_ptr<AttentionPlan> plan(std::span<const AttentionRows> jobs, int64_t row_multiple,
                                      const at::Tensor& like) const override {
    auto plan = std::make_unique<CudaPlan>();
    if (!like.is_cuda() || jobs.size() > size_t(kMostJobs))
      plan->other = other_.plan(jobs, row_multiple, like);
    plan->jobs.assign(jobs.begin(), jobs.end());
    plan->row_multiple = row_multiple;
    return plan;
  }

  at::Tensor attention(const at::Tensor& q, std::span<const at::Tensor* const> keys,
                       std::span<const at::Tensor* const> values, const AttentionPlan& plan,
                       Looks* looks) const override {
    const auto& own = static_cast<const CudaPlan&>(plan);
    if (own.other) return other_.attention(q, keys, values, *own.other, looks);
    const bool bf16 = of_type(*keys[0], at::kBFloat16);
    if (!of_type(q, at::kFloat) || !takes(q.size(2)) || !(bf16 || of_type(*keys[0], at::kFloat)))
      return other_.attention(q, keys, values, *other_.plan(own.jobs, own.row_multiple, q), looks);
    const c10::cuda::CUDAGuard guard(q.device());
    const int heads = int(q.size(1)), kv_heads = int(keys[0]->size(0)), dim = int(q.size(2));
    if (!own.tables)
      own.tables = std::make_unique<CudaPlan::Tables>(own.jobs, heads / kv_heads, bf16, q.device());
    const CudaPlan::Tables& tables = *own.tables;
    const at::Tensor from = q.contiguous();
    Attention pass{tables.view,
                   {},
                   from.const_data_ptr<float>(),
                   1 / std::sqrt(float(dim)),
                   int(q.size(0)),
                   heads,
                   kv_heads,
                   dim,
                   bf16,
                   tables.host.part};
    for (size_t j = 0; j < keys.size(); ++j) {
      pass.caches.keys[j] = keys[j]->const_data_ptr();
      pass.caches.values[j] = values[j]->const_data_ptr();
      pass.caches.head_stride[j] = keys[j]->stride(0);
    }
    const int64_t cells = q.size(0) * heads * tables.host.splits;
    at::Tensor scratch = at::empty({cells * (dim + 2)}, from.options());
    auto* memory = scratch.mutable_data_ptr<float>();
    const Parts parts{memory, memory + cells, memory + 2 * cells, tables.host.splits};
    at::Tensor out = at::empty_like(from), log_sum = at::empty({q.size(0), heads}, q.options());
    attend(pass, int(tables.host.tasks.size()), int(tables.host.tile_tasks.size()), parts,
           tables.split_count, out.mutable_data_ptr<float>(), log_sum.mutable_data_ptr<float>(),
           stream_of(q));
    if (looks) see(pass, tables.host, log_sum, *looks);
    return out;
  }

  at::Tensor full_attention(const at::Tensor& q, const at::Tensor& k,
                            const at::Tensor& v) const override {
    return other_.full_attention(q, k, v);
  }
  at::Tensor top_k(const at::Tensor& scores, int64_t k) const override {
    return other_.top_k(scores, k);
  }

  void gather_rows(std::span<at::Tensor> caches, std::span<const int64_t> from,
                   int64_t to) const override {
    const at::Tensor& one = caches[0];
    const int64_t bytes = one.size(2) * one.element_size();
    if (!one.is_cuda() || !one.is_contiguous() || bytes % 4 != 0)
      return other_.gather_rows(caches, from, to);
    const c10::cuda::CUDAGuard guard(one.device());
    std::vector<uint32_t*> memory;
    for (at::Tensor& cache : caches) memory.push_back(numbers_of<uint32_t>(cache));
    Upload index;
    const size_t places = index.add(std::vector<int64_t>(from.begin(), from.end())),
                 pointers = index.add(memory);
    index.send(one.device());
    run(KeepRows{index.at<uint32_t*>(pointers), index.at<int64_t>(places), one.size(1), to,
                 one.size(0) * bytes / 4, int(from.size()), int(bytes / 4)},
        int(caches.size()), stream_of(one));
  }

  bool works_aside() const override { return true; }
  std::unique_ptr<Aside> aside(const std::function<void()>& work) const override {
    return run_aside(beside_, work);
  }

 private:
  /// x + more (where there is more), which `sum` becomes, as `rms_norm` gives it.
  at::Tensor norm(const at::Tensor& x, const at::Tensor* more, const at::Tensor& weight, double eps,
                  at::Tensor& sum) const {
    if (!taken(x) || weight.scalar_type() != x.scalar_type() ||
        (more && more->scalar_type() != x.scalar_type())) {
      if (more) sum = x + *more;
      return other_.rms_norm(more ? sum : x, weight, eps);
    }
    const c10::cuda::CUDAGuard guard(x.device());
    const at::Tensor from = x.contiguous(), by = weight.contiguous();
    const at::Tensor added = more ? more->contiguous() : from;
    at::Tensor out = at::empty_like(from);
    if (more) sum = at::empty_like(from);
    for_type(x, [&](auto number) {
      using T = decltype(number);
      run(NormRows<T>{numbers<T>(from), more ? numbers<T>(added) : nullptr, numbers<T>(by),
                      more ? numbers_of<T>(sum) : nullptr, numbers_of<T>(out), int(x.size(1)),
                      float(eps)},
          int(x.size(0)), stream_of(x));
    });
    return out;
  }

  void see(const Attention& pass, const AttentionTables& tables, const at::Tensor& log_sum,
           Looks& looks) const {
    looks.weights.assign(tables.jobs.size(), {});
    for (size_t j = 0; j < tables.jobs.size(); ++j) {
      const Looks::Range range = looks.ranges[j];
      if (range.end <= range.begin) continue;
      const int rows = tables.jobs[j].rows;
      looks.weights[j] = at::empty({rows, range.end - range.begin}, log_sum.options());
      look(pass, int(j), rows, log_sum.const_data_ptr<float>(), int(range.begin), int(range.end),
           looks.weights[j].mutable_data_ptr<float>(), stream_of(log_sum));
    }
  }

  const Ops& other_;
  const c10::cuda::CUDAStream beside_ = c10::cuda::getStreamFromPool();  ///< of the current device
};

/// Whether the kernels say on this device what the reference says: attention of a branching tree
/// over f32 and bf16 caches and row statistics, on random numbers.
bool agree(const Ops& ours, const Ops& reference) {
  const auto options = at::TensorOptions().device(at::kCUDA).dtype(at::kFloat);
  const std::vector<int32_t> parent = {-1, 0, 1, 0, 3, 3}, depth = {0, 1, 2, 1, 2, 2};
  const AttentionRows rows{300, parent, depth};
  const at::Tensor q = at::randn({6, 12, 128}, options);
  for (const auto& [type, most] : {std::pair{at::kFloat, 1e-4f}, {at::kBFloat16, 2e-2f}}) {
    const at::Tensor keys = at::randn({2, 384, 128}, options).to(type),
                     values = at::randn({2, 384, 128}, options).to(type);
    const at::Tensor *k = &keys, *v = &values;
    const auto attend = [&](const Ops& ops) {
      const auto plan = ops.plan(std::span(&rows, 1), 8, q);
      return ops.attention(q, std::span(&k, 1), std::span(&v, 1), *plan);
    };
    if (!((attend(ours) - attend(reference)).abs().max().item<float>() < most)) return false;
  }
  const at::Tensor logits = at::randn({6, 4001}, options);
  const std::vector<int32_t> token = {0, 1, 2, 3, 4, 5};
  return ours.row_stats(logits, token, parent).argmax ==
         reference.row_stats(logits, token, parent).argmax;
}

}  // namespace
}  // namespace docspec::cuda

docspec::Ops* docspec_make_cuda_ops(const docspec::Ops* fallback) {
  try {
    auto ops = std::make_unique<docspec::cuda::CudaOps>(*fallback);
    if (docspec::cuda::agree(*ops, *fallback)) return ops.release();
    std::fputs("docspec: the CUDA kernels do not agree with libtorch on this device\n", stderr);
  } catch (const std::exception& e) {
    std::fprintf(stderr, "docspec: the CUDA kernels cannot be used: %s\n", e.what());
  }
  return nullptr;
}
