#include "cli/output_guard.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cctype>
#include <fstream>
#include <set>
#include <utility>
#include <vector>

#include "cli/flags/flags.h"
#include "cli/flags/named_files.h"
#include "cli/flags/share.h"
#include "cli/model_run.h"
#include "cli/page_files.h"
#include "core/base/error.h"
#include "core/input/document_reader.h"
#include "core/text/unicode.h"

namespace docspec {
namespace {

namespace fs = std::filesystem;

/// Whether the value of the flag with this long name is written to.
bool is_output(const std::string& name) {
  for (const Flag& flag : flag_table())
    if (long_name(flag) == name) return (flag.commands & kWrites) != 0;
  return false;
}

using FileId = std::pair<dev_t, ino_t>;

/// What a path leads to, if that is of the type S_IFREG or S_IFDIR that is asked for.
std::optional<FileId> id_of(const fs::path& path, mode_t type) {
  struct stat status {};
  if (stat(path.c_str(), &status) != 0 || (status.st_mode & S_IFMT) != type) return std::nullopt;
  return FileId(status.st_dev, status.st_ino);
}

bool is_document(const fs::path& path) {
  std::ifstream file(path, std::ios::binary);
  std::string begin(1100, '\0');
  file.read(begin.data(), std::streamsize(begin.size()));
  begin.resize(size_t(file.gcount()));
  return begins_document(begin);
}

/// What a run reads: inputs, files that options name, the model's.
class Reads {
 public:
  Reads(const Options& options, std::span<const std::string> inputs) {
    for (const std::string& input : inputs) {
      add(input);
      const fs::path folder = fs::path(input).parent_path();
      if (const auto id = id_of(folder.empty() ? "." : folder, S_IFDIR)) folders_.insert(*id);
    }
    for (const auto& [flag, value] : options.given)
      if (!is_output(flag))
        for (const std::string& file : named_files(value)) add(file);
    add(options.config);
    std::error_code error;
    if (wants_model(options))
      for (fs::directory_iterator it(model_folder(options.model), error), end; !error && it != end;
           it.increment(error))
        add(it->path());
  }

  bool holds(const fs::path& file) const {
    const auto id = id_of(file, S_IFREG);
    return id && files_.contains(*id);
  }
  /// Whether an input lies in the folder.
  bool from(const fs::path& folder) const {
    const auto id = id_of(folder, S_IFDIR);
    return id && folders_.contains(*id);
  }

 private:
  void add(const fs::path& file) {
    if (const auto id = id_of(file, S_IFREG)) files_.insert(*id);
  }

  std::set<FileId> files_, folders_;
};

[[noreturn]] void refuse(const fs::path& output, const std::string& what) {
  throw Error(ExitCode::usage, output.string() + ": " + what + "; name another file to write");
}

/// A name without case and composition.
std::string letters_of(const fs::path& path) {
  const std::string name = normalize_unicode(repair_utf8(path.string()), NormalForm::nfkd);
  std::string out;
  for (size_t at = 0; at < name.size();) append_utf8(out, lower_case(next_code_point(name, at)));
  return out;
}

fs::path probe_beside(const fs::path& output) {
  return output.parent_path() /
         (".docspec-" + std::to_string(getpid()) + "-" + output.filename().string());
}

/// Whether the folder holds one file under both names: an empty file of a name like the one can be
/// removed under a name like the other. (Numbers of files may be cached, on shares.)
bool are_one_file(const fs::path& a, const fs::path& b) {
  std::error_code error;
  for (const fs::path& path : {a, b}) fs::create_directories(path.parent_path(), error);
  const fs::path probe = probe_beside(a);
  const int made = open(probe.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
  if (made < 0) return false;  // what cannot be written there is told soon
  close(made);
  const bool one = fs::remove(probe_beside(b), error);
  fs::remove(probe, error);
  return one;
}

}  // namespace

bool has_input_suffix(const fs::path& path) {
  std::string suffix = path.extension().string();
  std::transform(suffix.begin(), suffix.end(), suffix.begin(),
                 [](unsigned char c) { return char(std::tolower(c)); });
  for (const char* known : {".pdf", ".png", ".jpg", ".jpeg", ".tif", ".tiff", ".webp"})
    if (suffix == known) return true;
  return false;
}

void refuse_harmful_outputs(const Options& options, std::span<const std::string> inputs,
                            std::span<const fs::path> outputs) {
  std::vector<fs::path> all(outputs.begin(), outputs.end());
  for (const auto& [flag, value] : options.given)
    if (is_output(flag)) all.push_back(value);
  const Reads reads(options, inputs);
  for (const fs::path& output : all) {
    std::error_code error;
    if (output == "-" || output.filename().empty() || fs::is_directory(output, error)) continue;
    if (reads.holds(output)) refuse(output, "is read in this run and would be replaced");
    if (has_input_suffix(output) || (fs::is_regular_file(output, error) && is_document(output)))
      refuse(output, "docspec writes no PDF or image and replaces none");
    if ((options.figures || options.overlay) && reads.from(files_folder(output)))
      refuse(output, "the inputs lie in " + files_folder(output).string() +
                         ", where this would write pictures");
  }
}

std::optional<std::string> TakenNames::take(const fs::path& output, const std::string& input) {
  const std::string letters = letters_of(output);
  for (auto [it, end] = by_letters_.equal_range(letters); it != end; ++it)
    if (it->second.output == output || are_one_file(it->second.output, output))
      return it->second.input;
  by_letters_.emplace(letters, Taken{output, input});
  return std::nullopt;
}

}  // namespace docspec
