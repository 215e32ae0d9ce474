#pragma once

#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "core/base/output_file.h"
#include "core/document/document.h"
#include "core/letters/reconcile.h"

namespace docspec {

/// The words of a run on which the model and the pages differ: their counts, and the list of
/// --report-differences.
class DifferenceReport {
 public:
  /// `path` "" = counts alone. Throws Error(output_file).
  explicit DifferenceReport(const std::string& path);

  void add(const std::string& input, const Page& page);
  const LetterCounts& counts() const { return counts_; }
  /// "letters: 12 of 3401 words differ: 10 replaced, ..."; "" where none were compared.
  std::string summary() const;
  /// Writes the list, in the order of `inputs` and their pages.
  void finish(const std::vector<std::string>& inputs);

 private:
  LetterCounts counts_;
  std::optional<OutputFile> file_;  ///< opened first: a name it cannot have is told before the work
  std::map<std::pair<std::string, int>, std::string> lines_;  ///< by input and page
};

}  // namespace docspec
