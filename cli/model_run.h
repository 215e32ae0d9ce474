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
class Verifier;
struct Spec;

/// The model's half of a run: loaded once, reads all pages of all inputs.
class ModelRun {
 public:
  /// Throws Error(usage) for unknown names and settings, Error(dependency) for a model or device
  /// that cannot be used, Error(output_file) when a report file cannot be written.
  explicit ModelRun(const Options& options);
  ~ModelRun();

  PageReader& reader();
  ModelInfo info() const;
  /// The memory of the model, and the reductions that --memory has caused.
  const MemoryPlan& memory() const;
  /// Counts drafting threads, so that the model uses the other cores.
  ThreadBudget& threads();
  /// Has `told` called after each pass, with the number of tokens that it emitted.
  void on_tokens(std::function<void(size_t)> told);
  /// Replaces what --prune chose.
  void select(std::function<std::unique_ptr<FocalSelector>(const SelectorInput&)> selector);
  /// Writes --trace, --explain, --bench-out; returns what the run says of itself.
  DecodeReport finish();

 private:
  struct Parts;
  std::unique_ptr<Parts> parts_;
};

/// Whether the text is the model's own: "exact", in distribution ("lossless"), or "approximate", as
/// it is where the start-up check found that passes are not batch-invariant.
const char* exactness_of(const Options& options, const Verifier& verifier, const Spec& selector,
                         bool batch_invariant);
/// True when the options ask for a model rather than for drafts alone.
bool wants_model(const Options& options);
/// Whether decodes are reported (--bench, --trace, --explain): pages are read one after the other.
bool wants_reports(const Options& options);
/// Pages that share passes.
size_t pages_at_once(const Options& options);

}  // namespace docspec
