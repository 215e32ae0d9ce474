#include "core/base/file_descriptor.h"

#include <unistd.h>

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

}  // namespace docspec
