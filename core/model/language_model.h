#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

namespace at {
class Tensor;
}

namespace docspec {

class DraftTree;

/// Which of a job's visual rows one layer attends to.
struct LayerView {
  /// true: all visual rows. false: `rows` if set, else the selection of the last choosing layer.
  bool all = true;
  bool record_weights = false;  ///< say what was looked at (VisualAttentionStats::weights)
  bool choose = false;  ///< with `all`: the layers below see the visual rows most looked at here
  const std::vector<int32_t>* rows = nullptr;  ///< sorted, unique
};

/// The visual rows that a job attends to in one pass, layer by layer. Nothing is evicted
/// ([fastocr], algorithms.md 2.3).
struct Fixation {
  std::vector<LayerView> layers;  ///< one per layer of the model
  int64_t keep = 0;               ///< visual rows that a choosing layer leaves, of equals the first
  bool each = true;               ///< for each row of the tree by itself; else for all in common
  std::vector<int32_t> joined;    ///< seen in addition to every choice; sorted, unique
};

/// The visual rows of a job that a pass attended to, and their weights.
struct VisualAttentionStats {
  size_t rows = 0;  ///< of the tree
  /// Per row of the tree: what the deepest choosing layer chose for it, sorted.
  std::vector<std::vector<int32_t>> chosen;
  /// Per layer that looked: weights of the visual rows it saw, averaged over heads, [rows, seen] in
  /// row-major order; empty for the others.
  std::vector<std::vector<float>> weights;
  int64_t keys = 0;                 ///< visual rows seen, summed over layers and rows of the tree
  int64_t all_keys = 0;             ///< those there are, likewise
  double flops = 0, all_flops = 0;  ///< of attention (core/ops/flops.h), and without the fixation
};

/// Keys and values of one sequence. Rows are appended by LanguageModel and kept or dropped by
/// commit; visual rows are never evicted.
class KvCache {
 public:
  virtual ~KvCache() = default;
  /// Number of committed rows: prompt and accepted tokens, without the pending one.
  virtual int64_t length() const = 0;
  /// Keeps, of the rows that the last forward appended, those in `rows` (indices into its tree, in
  /// path order, row 0 first) and drops the others. The result equals a cache of that path.
  virtual void commit(std::span<const int32_t> rows) = 0;
};

/// One job's share of a pass.
struct SequenceInput {
  const DraftTree* tree = nullptr;
  KvCache* cache = nullptr;
  const Fixation* fixation = nullptr;            ///< nullptr = all visual rows
  VisualAttentionStats* visual_stats = nullptr;  ///< gets what was seen; there with a fixation
};

struct ForwardOptions {
  /// Pad the packed rows so that a row's bits do not depend on how many others are in the pass
  /// (algorithms.md 6.7). Off only for timing the plain baseline.
  bool padded = true;
};

/// The language part of a VLM. All methods are const and may be called for different caches.
class LanguageModel {
 public:
  virtual ~LanguageModel() = default;
  virtual int64_t vocab_size() const = 0;
  /// ONE target forward over the trees of any number of jobs: appends K and V of all rows to each
  /// cache (until commit) and returns the logits, [sum of tree rows, vocab] f32 on the model's
  /// device, jobs in the given order. They are valid until the next forward. Row i's logits are
  /// those after the path root..i run linearly; in f32 they have the same bits whatever else is in
  /// the pass.
  virtual at::Tensor forward(std::span<const SequenceInput> jobs,
                             const ForwardOptions& options) const = 0;
};

}  // namespace docspec
