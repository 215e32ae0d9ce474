#pragma once

#include <functional>
#include <string>

#include "cli/assemble.h"
#include "cli/report.h"
#include "cli/targets.h"
#include "core/base/task.h"
#include "core/document_scheduler.h"

namespace docspec {

/// Shared by the inputs of a run.
struct ConvertRun {
  const Options& options;
  Assembly& assembly;
  Report& report;
  DocumentScheduler& scheduler;
  /// Called with each document that was written; may be empty.
  std::function<void(const Target&, const Document&)> on_document;
};

/// Converts one input; writes it where the target has outputs. False when another process is at it.
Task<bool> convert_one(ConvertRun& run, const Target& target);

/// The document in one format.
std::string rendered(const Document& document, const std::string& format,
                     const RenderOptions& options);

/// The current exception, as the error of an input.
Error failure_of(const std::string& input);

/// Converts what --files-from names, as it comes, and adds it to `plan`. Throws Error(usage) for
/// options that do not go with it, Error(input_file) for a file that cannot be read.
void convert_named(ConvertRun& run, Plan& plan);

}  // namespace docspec
