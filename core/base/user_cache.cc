#include "core/base/user_cache.h"

#include <fcntl.h>
#include <unistd.h>

#include <cstdlib>
#include <exception>
#include <filesystem>

#include "core/base/file_descriptor.h"
#include "core/base/output_file.h"

namespace docspec {
namespace {

std::filesystem::path path_of(const std::string& name) {
  const char* cache = std::getenv("XDG_CACHE_HOME");
  const char* home = std::getenv("HOME");
  std::filesystem::path folder;
  if (cache && *cache) {
    folder = cache;
  } else if (home && *home) {
    folder = std::filesystem::path(home) / ".cache";
  } else {
    return {};
  }
  return folder / "docspec" / name;
}

}  // namespace

std::optional<std::string> read_cache(const std::string& name) {
  const FileDescriptor file(
      open(path_of(name).c_str(), O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC));
  if (file.get() < 0) return std::nullopt;
  std::string bytes;
  char part[4096];
  ssize_t count = 0;
  while ((count = ::read(file.get(), part, sizeof part)) > 0) bytes.append(part, size_t(count));
  if (count < 0) return std::nullopt;
  return bytes;
}

std::string write_cache(const std::string& name, std::string_view bytes) {
  const auto path = path_of(name);
  if (path.empty()) return "";
  try {
    std::filesystem::create_directories(path.parent_path());
    OutputFile(path, Links::replace).commit(bytes);
  } catch (const std::exception&) {
    return "";
  }
  return path.string();
}

}  // namespace docspec
