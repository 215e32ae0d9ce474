#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <new>
#include <utility>

#include "core/input/document_reader.h"

namespace docspec {
namespace {

/// No process can write it any more, or make it shorter while another one reads it (SIGBUS).
constexpr int kSeals = F_SEAL_WRITE | F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_SEAL;

/// A file in memory of so many bytes; none where the system refuses (ulimit -f, open files).
FileDescriptor memory_file(size_t size) {
  FileDescriptor file(memfd_create("docspec-input", MFD_CLOEXEC | MFD_ALLOW_SEALING));
  if (file.get() >= 0 && ftruncate(file.get(), off_t(size)) != 0) file.close();
  return file;
}

/// The memory of a file while it is filled.
class Writable {
 public:
  Writable(const FileDescriptor& file, size_t size)
      : size_(size), at_(mmap(nullptr, size, PROT_READ | PROT_WRITE, MAP_SHARED, file.get(), 0)) {
    if (at_ == MAP_FAILED) throw std::bad_alloc();
  }
  ~Writable() { munmap(at_, size_); }
  Writable(const Writable&) = delete;
  Writable& operator=(const Writable&) = delete;
  char* data() { return static_cast<char*>(at_); }

 private:
  const size_t size_;
  void* const at_;
};

SharedBytes of_this_process(size_t size, const std::function<size_t(char*)>& fill) {
  std::string bytes(size, '\0');
  bytes.resize(fill(bytes.data()));
  return bytes;
}

}  // namespace

SharedBytes SharedBytes::shared(size_t size, const std::function<size_t(char*)>& fill) {
  FileDescriptor file = size > 0 ? memory_file(size) : FileDescriptor();
  if (file.get() < 0) return of_this_process(size, fill);
  const size_t filled = fill(Writable(file, size).data());
  if (filled == 0) return {};
  if (ftruncate(file.get(), off_t(filled)) != 0 || fcntl(file.get(), F_ADD_SEALS, kSeals) != 0)
    throw Error(ExitCode::internal, "a file in memory cannot be sealed; please report it");
  return received(std::move(file));
}

SharedBytes SharedBytes::received(FileDescriptor file) {
  struct stat status {};
  const int seals = fcntl(file.get(), F_GET_SEALS);
  if (seals < 0 || (seals & kSeals) != kSeals || fstat(file.get(), &status) != 0)
    throw Error(ExitCode::internal, "an input came by no sealed file; please report it");
  SharedBytes out;
  out.file_ = std::move(file);
  out.size_ = size_t(status.st_size);
  void* const at = mmap(nullptr, out.size_, PROT_READ, MAP_SHARED, out.file_.get(), 0);
  if (at == MAP_FAILED) throw std::bad_alloc();
  out.mapped_ = static_cast<const char*>(at);
  return out;
}

SharedBytes::SharedBytes(SharedBytes&& other) noexcept
    : own_(std::move(other.own_)),
      file_(std::move(other.file_)),
      mapped_(std::exchange(other.mapped_, nullptr)),
      size_(std::exchange(other.size_, 0)) {}

SharedBytes& SharedBytes::operator=(SharedBytes&& other) noexcept {
  std::swap(own_, other.own_);
  std::swap(file_, other.file_);
  std::swap(mapped_, other.mapped_);
  std::swap(size_, other.size_);
  return *this;
}

SharedBytes::~SharedBytes() {
  if (mapped_) munmap(const_cast<char*>(mapped_), size_);
}

}  // namespace docspec
