#include "tests/support/files.h"

#include <cstdlib>
#include <fstream>
#include <sstream>
#include <stdexcept>

namespace docspec::test {

std::string read_file(const std::filesystem::path& path) {
  std::ostringstream out;
  out << std::ifstream(path, std::ios::binary).rdbuf();
  return out.str();
}

std::string oracle_folder(const std::string& name) {
  const char* elsewhere = std::getenv("DOCSPEC_ORACLE_DIR");
  return std::string(elsewhere ? elsewhere : DOCSPEC_BUILD_ORACLE) + "/" + name;
}

void write_file(const std::filesystem::path& path, std::string_view bytes) {
  std::ofstream out(path, std::ios::binary);
  out.write(bytes.data(), std::streamsize(bytes.size()));
  if (!out) throw std::runtime_error("cannot write " + path.string());
}

}  // namespace docspec::test
