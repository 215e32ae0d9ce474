#include "core/base/output_file.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <utility>

#include "core/base/error.h"
#include "core/base/sha256.h"

namespace docspec {
namespace {

std::string reason(int error) {
  return std::strerror(error);
}

[[noreturn]] void refuse(const std::filesystem::path& target, int error) {
  // Whoever reads the output has enough of it, as in `| head`: that is no fault to tell.
  if (target == "-" && error == EPIPE) throw Error(ExitCode::output_file, "");
  throw Error(ExitCode::output_file, (target == "-" ? "standard output" : target.string()) +
                                         ": cannot be written: " + reason(error) +
                                         "; name another place with -o");
}

mode_t default_mode() {
  const mode_t mask = umask(0);
  umask(mask);
  return 0666 & ~mask;
}

/// Whether the open file stands at `path`: another run for the same target may have renamed it.
bool stands_at(const std::filesystem::path& path, int fd) {
  struct stat there {};
  struct stat own {};
  return stat(path.c_str(), &there) == 0 && fstat(fd, &own) == 0 && there.st_dev == own.st_dev &&
         there.st_ino == own.st_ino;
}

}  // namespace

OutputFile::OutputFile(std::filesystem::path target, Links links) : target_(std::move(target)) {
  if (target_ == "-") {
    fd_ = STDOUT_FILENO;
    return;
  }
  std::error_code error;
  const bool replaces_link = links == Links::replace && std::filesystem::is_symlink(target_, error);
  const auto status = replaces_link
                          ? std::filesystem::file_status(std::filesystem::file_type::not_found)
                          : std::filesystem::status(target_, error);
  if (std::filesystem::is_directory(status)) refuse(target_, EISDIR);
  if (std::filesystem::exists(status) && !std::filesystem::is_regular_file(status)) {
    fd_ = open(target_.c_str(), O_WRONLY | O_CLOEXEC);
    if (fd_ < 0) refuse(target_, errno);
    return;
  }
  // A link stays a link: what it points to is replaced.
  if (!replaces_link && std::filesystem::is_symlink(target_, error))
    target_ = std::filesystem::weakly_canonical(target_, error);
  if (std::filesystem::exists(status) && access(target_.c_str(), W_OK) != 0) refuse(target_, errno);
  const auto folder = target_.has_parent_path() ? target_.parent_path() : ".";
  fd_ = open(folder.c_str(), O_TMPFILE | O_WRONLY | O_CLOEXEC, 0600);
  nameless_ = fd_ >= 0;
  if (nameless_) return;  // if the process is killed, no file remains
  std::string name = (folder / ".docspec-XXXXXX").string();
  fd_ = mkostemp(name.data(), O_CLOEXEC);
  if (fd_ < 0) refuse(target_, errno);
  temporary_ = name;
}

/// Gives the nameless file a name from which it can be renamed. It follows from the target, so that
/// the next run for it replaces what a run left that was killed before it could rename.
void OutputFile::give_name() {
  constexpr size_t kDigits = 16;
  const std::string from = "/proc/self/fd/" + std::to_string(fd_);
  std::filesystem::path name = target_;
  name.replace_filename(".docspec-" + sha256_hex(target_.filename().string()).substr(0, kDigits));
  while (linkat(AT_FDCWD, from.c_str(), AT_FDCWD, name.c_str(), AT_SYMLINK_FOLLOW) != 0)
    if (errno != EEXIST || (unlink(name.c_str()) != 0 && errno != ENOENT)) refuse(target_, errno);
  temporary_ = name;
}

OutputFile::OutputFile(OutputFile&& other) noexcept
    : target_(std::move(other.target_)),
      temporary_(std::exchange(other.temporary_, {})),
      fd_(std::exchange(other.fd_, -1)),
      nameless_(std::exchange(other.nameless_, false)) {}

OutputFile::~OutputFile() {
  if (fd_ >= 0 && fd_ != STDOUT_FILENO) close(fd_);
  if (!temporary_.empty()) unlink(temporary_.c_str());
}

void OutputFile::commit(std::string_view data) {
  while (!data.empty()) {
    const ssize_t written = write(fd_, data.data(), data.size());
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) refuse(target_, errno);
    data.remove_prefix(size_t(written));
  }
  if (temporary_.empty() && !nameless_) return;
  if (fchmod(fd_, default_mode()) != 0 || fsync(fd_) != 0) refuse(target_, errno);
  if (nameless_) give_name();
  if (rename(temporary_.c_str(), target_.c_str()) != 0 && !stands_at(target_, fd_))
    refuse(target_, errno);
  temporary_.clear();
  nameless_ = false;
}

}  // namespace docspec
