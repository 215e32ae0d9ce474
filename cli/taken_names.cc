#include "cli/taken_names.h"

#include <fcntl.h>

#include "core/base/file_descriptor.h"
#include "core/text/unicode.h"

namespace docspec {
namespace {

namespace fs = std::filesystem;

std::string letters_of(const fs::path& path) {
  const std::string name = normalize_unicode(repair_utf8(path.string()), NormalForm::nfkd);
  std::string out;
  for (size_t at = 0; at < name.size();) append_utf8(out, lower_case(next_code_point(name, at)));
  return out;
}

fs::path probe_beside(const fs::path& output) {
  return output.parent_path() / (".docspec-" + output.filename().string());
}

bool are_one_file(const fs::path& a, const fs::path& b) {
  std::error_code error;
  for (const fs::path& path : {a, b}) fs::create_directories(path.parent_path(), error);
  const fs::path probe = probe_beside(a);
  if (FileDescriptor(open(probe.c_str(), O_WRONLY | O_CREAT | O_NOFOLLOW | O_CLOEXEC, 0600)).get() <
      0)
    return false;  // what cannot be written there is told soon
  const bool one = fs::equivalent(probe, probe_beside(b), error);
  fs::remove(probe, error);
  return one;
}

}  // namespace

std::optional<std::string> TakenNames::take(const fs::path& output, const std::string& input) {
  const std::string letters = letters_of(output);
  for (auto [it, end] = by_letters_.equal_range(letters); it != end; ++it)
    if (it->second.output == output || are_one_file(it->second.output, output))
      return it->second.input;
  by_letters_.emplace(letters, Taken{output, input});
  return std::nullopt;
}

}  // namespace docspec
