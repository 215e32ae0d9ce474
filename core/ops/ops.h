#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <vector>

#include "core/ops/row_sampling.h"

namespace at {
class Tensor;
}

namespace docspec {

class GraphCache;
struct Linear;
struct AttentionWeights;
struct DeltaJob;
struct DeltaRows;
struct DeltaShape;
struct DeltaWeights;
struct Rotary;

/// Statistics of each row of a pass for verification; a few numbers per row, on the host.
struct RowStats {
  std::vector<int32_t> argmax;      ///< ties to the lowest id
  std::vector<float> top_logit;     ///< logit of argmax
  std::vector<float> second_logit;  ///< best logit of any other id
  std::vector<float> logsumexp;
  std::vector<float> own_logit;        ///< logit of row i's token in its parent's row (row 0: 0)
  std::vector<int32_t> path_position;  ///< path_positions() of the argmax
};

/// Position of each row on the path that its tree's choices lead along: 0 for a root, then 1, 2,
/// ... from child to child while a child's token is the choice of its parent; -1 = not on the path.
std::vector<int32_t> path_positions(std::span<const int32_t> choice, std::span<const int32_t> token,
                                    std::span<const int32_t> parent);

/// Tokens sampled for all rows of a pass, and the path that they lead along.
struct SampledRows {
  std::vector<int32_t> token, path_position;  ///< [rows], as in RowStats
};

/// Cached slots are attended in blocks of this many, counted from slot 0; a cache's capacity is a
/// multiple of it, and a page has so many.
inline constexpr int64_t kAttentionBlock = 128;

/// Sorted slots of a cache.
using Slots = std::vector<int64_t>;

/// Which keys the rows of one job see: the first `prefix` slots of its cache (of them only `slots`
/// where those are given), then the row's ancestors and itself, which lie at slot prefix + row.
struct AttentionRows {
  int64_t prefix = 0;
  std::span<const int32_t> parent;  ///< [rows], -1 for a root; parent[i] < i
  std::span<const int32_t> depth;   ///< [rows]
  /// Slots < prefix: none = all of them, one entry = the same for all rows, [rows] = each row's
  /// own.
  std::span<const Slots> slots = {};
  std::span<const at::Tensor> pages = {};  ///< of a paged cache
  /// `slots` has one entry a row, even of one row, and names all that the row sees before itself,
  /// rows of the pass too; all rows are roots then. A row is worked out the same in every pass.
  bool apart = false;

  bool each() const { return apart || slots.size() > 1; }
  /// Whether each row follows the one before it.
  bool chain() const {
    for (size_t i = 0; i < parent.size(); ++i)
      if (parent[i] != int32_t(i) - 1) return false;
    return true;
  }
  /// The slots of a row; nullptr = all before `prefix`.
  const Slots* of(size_t row) const { return slots.empty() ? nullptr : &slots[each() ? row : 0]; }
  /// How many committed keys a row sees.
  int64_t shared(size_t row) const { return of(row) ? int64_t(of(row)->size()) : prefix; }
};

/// A job's cache in one layer: two tensors, or a layer of its pages.
struct CacheRows {
  at::Tensor *keys = nullptr, *values = nullptr;  ///< [kv_heads, capacity, head_dim]
  int64_t slot = 0, rows = 0;                     ///< where its rows of the pass lie
  /// Slots n * kAttentionBlock and further: [layers, 2 (keys, values), kv_heads, kAttentionBlock,
  /// head_dim]; no `keys` and `values` then.
  std::span<const at::Tensor> pages = {};
  int64_t layer = 0;
};

/// How a pass is laid out.
struct BatchLayout {
  /// Products are padded to multiples of so many rows (1 = never), so that a row's bits do not
  /// depend on the other rows.
  int64_t row_multiple = 1;
  int64_t group = 1;  ///< query heads of a key head
  int64_t rows = 0;   ///< including padding after those of the jobs; 0 = no padding
};

/// The slots of each row's keys, computed once per pass and used in every layer.
class AttentionPlan {
 public:
  virtual ~AttentionPlan() = default;
};

/// Work that may still run on the device while its thread does other things. This one is done.
class AsyncWork {
 public:
  virtual ~AsyncWork() = default;
  /// Never waits.
  virtual bool done() const { return true; }
  /// The thread waits until it is done.
  virtual void wait() const {}
};

/// The tensor operations that one device must offer. The ATen version (ops_aten.cc) runs anywhere
/// and is the reference that every other implementation must equal.
class Ops {
 public:
  virtual ~Ops() = default;

  /// Statistics of packed tree rows. logits: [rows, vocab] f32 on the device; token, parent:
  /// [rows], parent indexes rows of `logits` (-1 for a root). One small device -> host copy.
  virtual RowStats row_stats(const at::Tensor& logits, std::span<const int32_t> token,
                             std::span<const int32_t> parent) const = 0;

  /// Samples a token for each row as sampling_distribution and CounterRandom::draw do, up to the
  /// rounding of a sum. logits, token, parent: as row_stats; how: [rows]. Empty if it is better to
  /// sample only the needed rows on the host.
  virtual SampledRows draw(const at::Tensor& logits, std::span<const RowSampling> how,
                           std::span<const int32_t> token, std::span<const int32_t> parent) const;

  /// Whether the device runs in parallel with the host: a pass until its statistics are asked for,
  /// and the work of `run_async` until it is waited for.
  virtual bool asynchronous() const { return false; }

  /// Whether `linear` is batch invariant where `like` lies: a row has the same bits whatever other
  /// rows there are and on however many threads. Then passes need no padding.
  virtual bool linear_is_batch_invariant(const at::Tensor& like) const = 0;

  /// x in the dtype in which rows are kept between products. x: [rows, d] of the model's dtype.
  virtual at::Tensor to_compute_dtype(const at::Tensor& x) const = 0;

  /// x W^T + b of each layer, side by side: [rows, sum of outputs] in x's dtype. x: [rows, in], as
  /// `working` gives it.
  virtual at::Tensor linear(const at::Tensor& x, std::span<const Linear* const> layers) const = 0;

  /// x W^T in f32 whatever the dtype: [rows, out] f32.
  virtual at::Tensor logits(const at::Tensor& x, const Linear& head) const = 0;

  /// Rows scaled to unit mean square, times weight: [d].
  virtual at::Tensor rms_norm(const at::Tensor& x, const at::Tensor& weight, double eps) const = 0;

  /// x becomes x + more, in a tensor of its own; returns that as `rms_norm` does.
  virtual at::Tensor add_norm(at::Tensor& x, const at::Tensor& more, const at::Tensor& weight,
                              double eps) const;

  /// Cosine and sine of rotary angles. angles: [rows, head_dim / 2] f32 where the rows lie, or
  /// [rows, head_dim] where the two halves of a head turn by angles of their own.
  virtual Rotary rotary(const at::Tensor& angles, int64_t head_dim) const = 0;

  /// Heads turned by their rows' angles; x: [rows, heads, head_dim], any strides. Returns f32.
  virtual at::Tensor rotate(const at::Tensor& x, const Rotary& rotary) const = 0;

  /// Turns the heads of q and k; k and v go to the jobs' caches, whose rows are packed in their
  /// order. qkv: [rows, (heads + 2 kv_heads) * head_dim]. Returns q: [rows, heads, head_dim] f32.
  virtual at::Tensor rotate_append(const at::Tensor& qkv, int64_t heads, int64_t kv_heads,
                                   const Rotary& rotary, std::span<const CacheRows> jobs,
                                   const AttentionPlan& plan) const;

  /// silu(gate) * up of [rows, gate and up side by side]; returns [rows, half of that].
  virtual at::Tensor swiglu(const at::Tensor& gate_up) const = 0;

  /// Whether `rms_norm`, `swiglu` and `turn_heads` take the rows of an image as they are, each in
  /// one step of the device; else a vision tower takes those of core/ops/layers.h.
  virtual bool fuses_vision(const at::Tensor& rows) const;

  /// Turns queries and keys in place. qkv: [rows, 3, heads, head_dim], contiguous.
  virtual void turn_heads(at::Tensor& qkv, const Rotary& rotary) const;

  /// Whether caches of heads of this size are paged: memory follows use, and growth copies nothing.
  virtual bool paged(const at::Tensor& like, int64_t head_dim) const;

  /// How many rows of a prompt go through a pass.
  virtual int64_t prefill_rows(const at::Tensor& like) const;

  /// A model's cache of recorded passes; nullptr where passes are not recorded.
  virtual std::unique_ptr<GraphCache> graph_cache(const at::Tensor& like) const;

  /// Index tables for `attention`, on the device of `like`; where that is bf16, keys far from their
  /// row may be attended to in bf16. The rows of all jobs are packed in the given order.
  virtual std::unique_ptr<AttentionPlan> plan(std::span<const AttentionRows> jobs,
                                              const BatchLayout& shape,
                                              const at::Tensor& like) const = 0;

  /// Scaled dot-product attention over caches. q: [rows, heads, head_dim] f32; caches: of each job,
  /// f32 or, on a GPU, bf16, the pass's rows already appended, unused slots finite. Returns [rows,
  /// heads, head_dim], of f32 or of what paged caches hold. A row sees its own keys in the order of
  /// the path, reduced in blocks of kAttentionBlock from the first one, so its bits are those of
  /// the same path run linearly; so have the weights in `attention_weights`.
  virtual at::Tensor attention(const at::Tensor& q, std::span<const CacheRows> caches,
                               const AttentionPlan& plan,
                               AttentionWeights* attention_weights = nullptr) const = 0;

  /// Plain attention of equally long sequences, each row sees all of its own sequence.
  /// q, k, v: [sequences, heads, length, head_dim]; returns the same shape.
  virtual at::Tensor full_attention(const at::Tensor& q, const at::Tensor& k,
                                    const at::Tensor& v) const = 0;

  /// Indices of the k largest of each row, ascending; of equals the lowest. scores: [rows, n] f32;
  /// returns [rows, at most k] int64.
  virtual at::Tensor top_k(const at::Tensor& scores, int64_t k) const = 0;

  /// Copies rows `from[i]` of each cache to `to + i`, in place. caches: [heads, capacity, head_dim]
  /// each, of one shape; from: ascending, from[i] >= to + i.
  virtual void gather_rows(std::span<at::Tensor> caches, std::span<const int64_t> from,
                           int64_t to) const = 0;
  /// The same in all layers of a job's pages.
  virtual void gather_pages(std::span<const at::Tensor> pages, std::span<const int64_t> from,
                            int64_t to) const;

  /// Convolution and delta rule of a recurrent layer (core/ops/delta_rule.h). qkv: [rows, channels]
  /// before the convolution, gates: [rows, 2 * heads], both f32, the rows of all jobs packed in
  /// their order. Returns [rows, heads * value_dim] f32; a row's bits depend on its path alone.
  virtual at::Tensor recur(const at::Tensor& qkv, const at::Tensor& gates,
                           std::span<const DeltaJob> jobs, const DeltaShape& shape,
                           const DeltaWeights& weights) const = 0;
  /// Keeps the rows `path` of a job's pass in all of its recurrent layers, after `kept` ones since
  /// the last boundary, and moves the states to the next where the path reaches it.
  virtual void commit_delta(std::span<DeltaRows> layers, int64_t kept,
                            std::span<const int32_t> path, const DeltaShape& shape) const = 0;

  /// Runs `work` on a second stream if the device has one: after everything issued so far,
  /// concurrently with what follows, in call order. Inputs must stay alive, and outputs must not be
  /// read, until done(). Call it from one thread. Throws what `work` throws.
  virtual std::unique_ptr<AsyncWork> run_async(const std::function<void()>& work) const {
    work();
    return std::make_unique<AsyncWork>();
  }
};

/// Writes a pass's rows of one layer. k, v: [rows of all jobs, kv_heads, head_dim].
void append_rows(const at::Tensor& k, const at::Tensor& v, std::span<const CacheRows> jobs);

/// Keys (side 0) or values (1) as one tensor: [kv_heads, capacity, head_dim]. Copies pages.
at::Tensor whole_cache(const CacheRows& cache, int side);
/// Pages of one layer that hold these: [kv_heads, capacity, head_dim], capacity in whole pages.
std::vector<at::Tensor> pages_of(const at::Tensor& keys, const at::Tensor& values);

/// The ATen implementation, for tensors of any device.
std::unique_ptr<Ops> make_aten_ops();

/// The ATen implementation, with kernels of our own for a language model in main memory
/// (core/ops/cpu/cpu_linear.h, core/ops/cpu/cpu_rows.h, core/ops/cpu/attention/cpu_attention.h),
/// where rows are f32 between products.
std::unique_ptr<Ops> make_cpu_ops();

}  // namespace docspec
