#pragma once

#include <atomic>
#include <filesystem>
#include <functional>
#include <string>
#include <vector>

namespace docspec {

/// A docspec of its own that converts one document for a server: whatever the document does to it,
/// the server goes on.
class ConverterProcess {
 public:
  /// Makes its folder. Throws Error(output_file).
  ConverterProcess();
  /// Removes the folder.
  ~ConverterProcess();
  ConverterProcess(const ConverterProcess&) = delete;
  ConverterProcess& operator=(const ConverterProcess&) = delete;

  /// Runs `docspec convert INPUT FLAGS... -o folder()/` and waits for it. `progress` is called with
  /// the pages that are done and those that there are. Throws Error with the code and the message
  /// of the process, unless it made a document.
  void run(const std::string& input, std::vector<std::string> flags,
           const std::function<void(int done, int all)>& progress);
  /// Ends it; from any thread.
  void cancel();

  const std::filesystem::path& folder() const { return folder_; }
  /// The first file there with this suffix (".json"), as text. Throws Error(internal) if none is.
  std::string output(const std::string& suffix) const;

 private:
  std::filesystem::path folder_;
  std::atomic<int> pid_ = 0;
  std::atomic<bool> cancelled_ = false;
};

}  // namespace docspec
