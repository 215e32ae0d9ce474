#pragma once

#include <atomic>

#include "cli/flags/options.h"
#include "core/base/error.h"

namespace docspec {

/// Set by SIGINT and SIGTERM: what is finished is kept, nothing new begins.
extern std::atomic<bool> interrupted;
/// Throws Error(interrupted) once it is set.
void throw_if_interrupted();
/// The terminate handler while libraries start: where memory runs out there, nobody catches it.
/// Ends the process with a line that says so instead of a core, with the exit code of
/// out_of_memory.
[[noreturn]] void end_without_memory();

// One file a command. Each returns the exit code and throws Error for what ends it at once.
ExitCode convert(const Options& options);
ExitCode draft(const Options& options);
ExitCode model(const Options& options);
ExitCode calibrate(const Options& options);  ///< docspec model calibrate
ExitCode store(const Options& options);
ExitCode doctor(const Options& options);
ExitCode doctor_gpus();  ///< docspec doctor --gpus

}  // namespace docspec
