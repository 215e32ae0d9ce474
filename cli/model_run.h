#pragma once

#include <functional>
#include <memory>

#include "cli/flags/options.h"
#include "cli/report.h"
#include "core/decode/prune/focal_selector.h"
#include "core/document/document.h"
#include "core/model/memory_plan.h"
#include "core/pipeline.h"

namespace docspec {

/// The model's half of a run: loaded once, reads all pages of all inputs. The engine makes it.
class ModelRun {
 public:
  virtual ~ModelRun() = default;

  virtual PageReader& reader() = 0;
  virtual ModelInfo info() const = 0;
  /// The memory of the model, and the reductions that --memory has caused.
  virtual const MemoryPlan& memory() const = 0;
  /// Counts drafting threads, so that the model uses the other cores.
  virtual ThreadBudget& threads() = 0;
  /// Has `told` called after each pass, with the number of tokens that it emitted.
  virtual void on_tokens(std::function<void(size_t)> told) = 0;
  /// Replaces what --prune chose.
  virtual void select(
      std::function<std::unique_ptr<FocalSelector>(const SelectorInput&)> selector) = 0;
  /// Writes --trace, --explain, --bench-out; returns what the run says of itself.
  virtual DecodeReport finish() = 0;
};

/// True when the options ask for a model rather than for drafts alone.
bool wants_model(const Options& options);
/// Whether pages are decoded plain as well, for comparison.
bool wants_bench(const Options& options);
/// Whether decodes are reported (--bench, --trace, --explain): pages are read one after the other.
bool wants_reports(const Options& options);
/// Pages that share passes.
size_t pages_at_once(const Options& options);

}  // namespace docspec
