#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "cli/flags/options.h"
#include "cli/report.h"
#include "core/decode/prune/focal_selector.h"
#include "core/document/document.h"
#include "core/model/memory_plan.h"
#include "core/pipeline.h"

namespace docspec {

class OutputFile;

/// The model's half of a run: loaded once, reads all pages of all inputs.
class ModelRun {
 public:
  /// Throws Error(usage) for unknown names and settings, Error(dependency) for a model or device
  /// that cannot be used, Error(output_file) when a report file cannot be written.
  explicit ModelRun(const Options& options);
  ~ModelRun();

  PageReader& reader();
  ModelInfo info() const;
  /// What the model takes, and what --memory made it give up.
  const MemoryPlan& memory() const;
  /// To be told who drafts, so that the model takes the other cores.
  ThreadBudget& threads();
  /// Replaces what --prune chose.
  void select(std::function<std::unique_ptr<FocalSelector>(const SelectorInput&)> selector);
  /// Writes --trace, --explain, --bench-out; returns what the run says of itself.
  DecodeReport finish();

 private:
  struct Parts;
  std::unique_ptr<Parts> parts_;
};

/// True when the options ask for a model rather than for drafts alone.
bool wants_model(const Options& options);
/// Whether decodes are reported (--bench, --trace, --explain): pages are read one after the other.
bool wants_reports(const Options& options);
/// Pages that share passes.
size_t pages_at_once(const Options& options);

}  // namespace docspec
