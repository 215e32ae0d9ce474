#include "core/json_file.h"

#include <cerrno>
#include <cstring>
#include <fstream>
#include <iterator>
#include <nlohmann/json.hpp>

#include "core/error.h"

namespace docspec {

std::string read_file(const std::filesystem::path& path) {
  std::error_code code;
  if (std::filesystem::is_directory(path, code))
    throw Error(ExitCode::dependency, path.string() + ": is a folder, expected a file");
  std::ifstream in(path, std::ios::binary);
  if (!in) throw Error(ExitCode::dependency, path.string() + ": " + std::strerror(errno));
  std::string text{std::istreambuf_iterator<char>(in), {}};
  if (in.bad()) throw Error(ExitCode::dependency, path.string() + ": read error");
  return text;
}

nlohmann::json parse_json(std::string_view text, const std::string& where) {
  try {
    return nlohmann::json::parse(text);
  } catch (const nlohmann::json::exception& e) {
    std::string why = e.what();  // "[json.exception...] parse error at line 1, column 2: ..."
    if (const auto end = why.find("] "); end != std::string::npos) why.erase(0, end + 2);
    throw Error(ExitCode::dependency, where + ": not JSON: " + why + "; fetch the file again");
  }
}

nlohmann::json read_json(const std::filesystem::path& path) {
  return parse_json(read_file(path), path.string());
}

}  // namespace docspec
