#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "cli/model_run.h"
#include "cli/options.h"
#include "core/document_reader.h"
#include "core/drafts_json.h"
#include "core/pipeline.h"

namespace docspec {

/// An input that was opened: its bytes, its pages.
struct OpenInput {
  std::shared_ptr<const InputBytes> bytes;
  std::string sha256;
  int page_count = 0;
  std::vector<int> pages;  ///< chosen by --pages
  std::vector<OutlineEntry> outline;
  bool cut = false;  ///< --pages reached beyond the end
};

/// Reads a file or standard input ("-") and opens it. Throws Error(input_file) or Error(password);
/// Error(usage) when --pages leaves nothing.
OpenInput open_input(const std::string& input, const Options& options);

/// Options -> concrete classes by registry name: the only place that chooses them.
class Assembly {
 public:
  /// Throws Error(usage) for unknown names, Error(dependency) for a model that cannot be loaded.
  explicit Assembly(const Options& options);
  ~Assembly();

  /// The journey of one input, ready to run. `want_image`: each page's raster is wanted.
  DocumentJob document_job(const OpenInput& input, bool want_image = false) const;
  /// The model of the run; nullptr with --model none.
  ModelRun* model() const { return model_.get(); }

 private:
  Options options_;
  std::vector<std::string> sources_;
  std::shared_ptr<const DraftsFile> replay_;
  std::unique_ptr<ModelRun> model_;
  std::unique_ptr<PageReader> draft_reader_;
};

/// Drafting threads of a run: --jobs, else cores - 1, at least 1.
int drafting_threads(const Options& options);

}  // namespace docspec
