#pragma once

#include <memory>
#include <span>
#include <vector>

#include "core/model/kv_cache.h"
#include "core/ops/attention_weights.h"
#include "core/ops/ops.h"

namespace docspec {

/// One job's rows of a pass.
struct SequenceRows {
  LayeredKvCache* cache = nullptr;
  AttentionRows attention;             ///< all committed slots
  const Fixation* fixation = nullptr;  ///< nullptr = all visual rows
  VisualAttentionStats* visual_stats = nullptr;
  /// A row sees the prompt and, after it, the last `window` rows of its path, itself among them;
  /// 0 = all of it.
  int64_t window = 0;
};

/// The keys that the jobs of a pass see, layer by layer: `enter` a layer, attend with `plan` and
/// `attention_weights`, `leave` it. Without fixations all layers have one plan.
class AttentionViews {
 public:
  /// As Ops::plan; all must outlive the view.
  AttentionViews(const Ops& ops, std::span<const SequenceRows> jobs, const BatchLayout& shape,
                 const at::Tensor& like);

  const BatchLayout& shape() const { return shape_; }
  void enter(size_t layer);
  const AttentionPlan& plan() const { return narrowed_ ? *narrow_ : *full_; }
  /// Nullptr if the weights of the layer are not needed.
  AttentionWeights* attention_weights() { return wants_weights_ ? &weights_ : nullptr; }
  void leave(size_t layer);

 private:
  /// Sets of slots that a job saw or will see, identified by a number; 0 = all slots.
  struct Sets {
    const std::vector<int32_t>* given = nullptr;
    std::vector<Slots> all;  // of jobs with a window; empty = all committed slots
    std::vector<Slots> of_given, chosen;
    int given_number = 0, chosen_number = 0;
    int now = 0;
  };

  AttentionRows rows_of(const SequenceRows& job, Sets& sets);
  std::span<const Slots> select_keys(const SequenceRows& job, const LayerView& view, Sets& sets);
  void choose(const SequenceRows& job, const at::Tensor& weights, Sets& sets);

  const Ops& ops_;
  const std::span<const SequenceRows> jobs_;
  const BatchLayout shape_;
  const at::Tensor& like_;
  std::vector<AttentionRows> rows_;
  std::vector<int32_t> roots_, zeros_;  // parents and depths of rows with a window
  std::vector<Sets> sets_;              // of each job
  std::vector<int> planned_;            // the jobs' sets (by number) that `narrow_` was made for
  std::unique_ptr<AttentionPlan> full_, narrow_;
  bool narrowed_ = false, wants_weights_ = false;
  int numbers_ = 0;
  AttentionWeights weights_;
};

}  // namespace docspec
