#pragma once

#include <memory>

#include "cli/engine.h"
#include "cli/model_run.h"

namespace docspec {

class Verifier;

/// Loads the model of a run. Throws Error(usage) for unknown names and settings, Error(dependency)
/// for a model or device that cannot be used, Error(output_file) when a report file cannot be
/// written.
std::unique_ptr<ModelRun> load_model(ModelRunInput input);

/// Whether the text is the model's own: "exact", in distribution ("lossless"), or "approximate", as
/// it is where the start-up check found that passes are not batch-invariant.
const char* exactness_of(const Options& options, const Verifier& verifier, const Spec& selector,
                         bool batch_invariant);

}  // namespace docspec
