#pragma once

#include <filesystem>
#include <string>
#include <string_view>

namespace docspec {

/// Treatment of a link in the place of an output: a link that the user named is followed, a link in
/// the place of a file that docspec names is replaced.
enum class Links { follow, replace };

/// An output. A regular file is written without a name in the same folder and renamed by commit, so
/// that no partial file is ever visible. A device or pipe is written directly; "-" is stdout.
class OutputFile {
 public:
  /// Makes the temporary file at once: a target that cannot be written is known before any work.
  /// Throws Error(output_file).
  explicit OutputFile(std::filesystem::path target, Links links = Links::follow);
  /// Removes the temporary file when commit was not reached.
  ~OutputFile();
  OutputFile(OutputFile&& other) noexcept;
  OutputFile& operator=(OutputFile&&) = delete;

  /// Writes all of `data` and puts it in place. Throws Error(output_file), leaving no partial file;
  /// without a message where the reader of standard output went away.
  void commit(std::string_view data);
  const std::filesystem::path& target() const { return target_; }

 private:
  void give_name();

  std::filesystem::path target_, temporary_;
  int fd_ = -1;
  bool nameless_ = false;  ///< the temporary file has no name yet
};

}  // namespace docspec
