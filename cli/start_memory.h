#pragma once

namespace docspec {

/// The terminate handler while libraries start: where memory runs out there, nobody catches it.
/// Ends the process with a line that says so instead of a core, with the exit code of
/// out_of_memory.
[[noreturn]] void end_without_memory();

}  // namespace docspec
