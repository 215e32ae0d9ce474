#pragma once

#include "core/base/error.h"

namespace docspec {

/// Answers the Model Context Protocol (JSON-RPC 2.0, a line a message) on standard input and output
/// until its input ends. Each call of a tool runs in a thread and a process of its own.
ExitCode serve_mcp();

}  // namespace docspec
