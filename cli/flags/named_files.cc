#include "cli/flags/named_files.h"

#include <algorithm>
#include <filesystem>

namespace docspec {

std::vector<std::string> named_files(const std::string& value) {
  std::vector<std::string> out;
  for (size_t at = 0; at < value.size();) {
    const size_t end = std::min(value.find(',', at), value.size());
    const std::string item = value.substr(at, end - at);
    const std::string file = item.substr(item.find_last_of(":=") + 1);
    std::error_code error;
    if (std::filesystem::is_regular_file(file, error)) out.push_back(file);
    at = end + 1;
  }
  return out;
}

}  // namespace docspec
