#pragma once

#include <cstdint>
#include <filesystem>
#include <string>

#include "core/base/error.h"

namespace docspec {

/// Owns a file descriptor.
class FileDescriptor {
 public:
  explicit FileDescriptor(int fd = -1) : fd_(fd) {}
  FileDescriptor(FileDescriptor&& other) noexcept : fd_(other.release()) {}
  FileDescriptor& operator=(FileDescriptor&& other) noexcept;
  ~FileDescriptor() { close(); }
  int get() const { return fd_; }
  void close();
  int release();

 private:
  int fd_;
};

/// A file, or the pipe of a shell's <(COMMAND), open for reading. Another pipe, a device or folder in
/// its place is an Error(code) that names the file, as is a file that cannot be opened.
FileDescriptor open_regular(const std::filesystem::path& path, ExitCode code);

/// All bytes of a regular file. Throws Error(code), also where it has more than `most` bytes.
std::string read_regular(const std::filesystem::path& path, int64_t most, ExitCode code);

}  // namespace docspec
