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

bool names_path(const Flag& flag, const std::string& value) {
  if (flag.completes == "FILE") return true;
  if (flag.completes.starts_with("DIR"))
    return value != "none" && value != "builtin" && value != "builtin-draft";
  if (long_name(flag) == "--shard") return false;  // 1/2
  if (value.find('/') != value.npos) return true;
  for (size_t at = value.find_first_of(":="); at != value.npos;) {
    const size_t end = value.find_first_of(",:=", at + 1);
    std::error_code error;
    if (std::filesystem::exists(value.substr(at + 1, end - at - 1), error)) return true;
    at = end;
  }
  return false;
}

}  // namespace docspec
