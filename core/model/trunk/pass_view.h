#pragma once

#include <memory>
#include <span>
#include <vector>

#include "core/model/kv_cache.h"
#include "core/ops/looks.h"
#include "core/ops/ops.h"

namespace docspec {

/// One job's rows of a pass.
struct PassRows {
  LayeredKvCache* cache = nullptr;
  AttentionRows attention;             ///< all committed slots
  const Fixation* fixation = nullptr;  ///< nullptr = all visual rows
  Sight* sight = nullptr;
};

/// What the jobs of a pass see, layer by layer: `enter` a layer, attend by `plan` and `looks`,
/// `leave` it. Without fixations all layers have one plan.
class PassView {
 public:
  /// As Ops::plan; all must outlive the view.
  PassView(const Ops& ops, std::span<const PassRows> jobs, const PassShape& shape,
           const at::Tensor& like);

  const PassShape& shape() const { return shape_; }
  void enter(size_t layer);
  const AttentionPlan& plan() const { return narrowed_ ? *narrow_ : *full_; }
  /// Nullptr where nobody asks what the layer looks at.
  Looks* looks() { return looking_ ? &looks_ : nullptr; }
  void leave(size_t layer);

 private:
  /// Sets of slots that a job saw or will see; a set's number tells it from others, 0 = all slots.
  struct Sets {
    const std::vector<int32_t>* given = nullptr;
    std::vector<Slots> of_given, chosen;
    int given_number = 0, chosen_number = 0;
    int now = 0;
  };

  std::span<const Slots> see(const PassRows& job, const LayerView& view, Sets& sets);
  void choose(const PassRows& job, const at::Tensor& weights, Sets& sets);

  const Ops& ops_;
  const std::span<const PassRows> jobs_;
  const PassShape shape_;
  const at::Tensor& like_;
  std::vector<AttentionRows> rows_;
  std::vector<Sets> sets_;    // of each job
  std::vector<int> planned_;  // what `narrow_` was made for: the jobs' sets by number
  std::unique_ptr<AttentionPlan> full_, narrow_;
  bool narrowed_ = false, looking_ = false;
  int numbers_ = 0;
  Looks looks_;
};

}  // namespace docspec
