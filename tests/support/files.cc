#include "tests/support/files.h"

#include <cstdlib>
#include <fstream>
#include <sstream>
#include <stdexcept>

namespace docspec::test {
namespace {

std::string from_environment(const char* name, const char* otherwise) {
  const char* value = std::getenv(name);
  return value ? value : otherwise;
}

}  // namespace

std::string read_file(const std::filesystem::path& path) {
  std::ostringstream out;
  out << std::ifstream(path, std::ios::binary).rdbuf();
  return out.str();
}

std::string oracle_folder(const std::string& name) {
  return from_environment("DOCSPEC_ORACLE_DIR", DOCSPEC_BUILD_ORACLE) + "/" + name;
}

std::string share_dir() {
  return from_environment("DOCSPEC_SHARE_DIR", DOCSPEC_SOURCE_DIR "/share");
}

void write_file(const std::filesystem::path& path, std::string_view bytes) {
  std::ofstream out(path, std::ios::binary);
  out.write(bytes.data(), std::streamsize(bytes.size()));
  if (!out) throw std::runtime_error("cannot write " + path.string());
}

}  // namespace docspec::test
