#include "core/base/file_descriptor.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <utility>

namespace docspec {

FileDescriptor& FileDescriptor::operator=(FileDescriptor&& other) noexcept {
  if (this != &other) {
    close();
    fd_ = other.release();
  }
  return *this;
}

void FileDescriptor::close() {
  if (fd_ >= 0) ::close(fd_);
  fd_ = -1;
}

int FileDescriptor::release() {
  return std::exchange(fd_, -1);
}

namespace {

/// The pipe that a shell makes has a writer, unlike one that lies in a folder.
bool is_shell_pipe(const std::filesystem::path& path, mode_t mode) {
  const std::string name = path.string();
  return S_ISFIFO(mode) && (name.starts_with("/dev/fd/") || name.starts_with("/proc/self/fd/"));
}

}  // namespace

FileDescriptor open_regular(const std::filesystem::path& path, ExitCode code) {
  FileDescriptor file(::open(path.c_str(), O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC));
  struct stat status {};
  if (file.get() < 0 || fstat(file.get(), &status) != 0)
    throw Error(code, path.string() + ": " + std::strerror(errno));
  if (S_ISDIR(status.st_mode)) throw Error(code, path.string() + ": is a folder, expected a file");
  if (is_shell_pipe(path, status.st_mode))
    fcntl(file.get(), F_SETFL, 0);  // its writer may take its time
  else if (!S_ISREG(status.st_mode))
    throw Error(code, path.string() + ": is a pipe or device, expected a file");
  return file;
}

std::string read_regular(const std::filesystem::path& path, int64_t most, ExitCode code) {
  const FileDescriptor file = open_regular(path, code);
  std::string bytes;
  for (size_t size = 0;;) {
    bytes.resize(size + (size_t{1} << 16) + size / 2);
    const ssize_t count = read(file.get(), bytes.data() + size, bytes.size() - size);
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) throw Error(code, path.string() + ": " + std::strerror(errno));
    size += size_t(count);
    if (int64_t(size) > most)
      throw Error(code, path.string() + ": has more than " + std::to_string(most) +
                            " bytes, more than such a file ever has");
    if (count > 0) continue;
    bytes.resize(size);
    return bytes;
  }
}

}  // namespace docspec
