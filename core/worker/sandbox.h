#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace docspec {

/// --sandbox: whether a process that reads documents locks itself in. `require`: docspec ends where
/// the kernel cannot do all of it.
enum class SandboxMode { off, on, require };

/// How a worker is locked in, and the files that it may still read.
struct Sandbox {
  SandboxMode mode = SandboxMode::on;
  std::vector<std::filesystem::path> readable =
      {};                  ///< files and folders, besides fonts; "" = none
  double cpu_seconds = 0;  ///< of all its threads in its life, then it is killed; 0 = no limit
};

/// The parts of it that this kernel has.
struct SandboxState {
  bool system_calls = false;  ///< seccomp filters
  bool files = false;         ///< Landlock
  /// In words, for docspec doctor.
  std::string text() const;
  bool complete() const { return system_calls && files; }
};
SandboxState sandbox_state();

/// Locks this process in, for good, as far as the kernel can: it opens no file for writing and,
/// with Landlock, reads none but fonts, /usr and what is `readable`; makes no socket and no
/// process, runs no program, looks into no other process, gains no rights, leaves no core. What it
/// has open stays: the socket that its requests come by. Call it while the process has one thread.
/// Throws Error(internal) where a part that the kernel has does not take hold.
void enter_sandbox(const Sandbox& sandbox);

}  // namespace docspec
