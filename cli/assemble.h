#pragma once

#include <filesystem>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "cli/flags/options.h"
#include "cli/model_run.h"
#include "core/document/drafts_json.h"
#include "core/input/document_reader.h"
#include "core/pipeline.h"
#include "core/worker/draft_worker.h"
#include "drafts/page_drafter.h"

namespace docspec {

/// An input's bytes, as they were when it was read.
struct InputFile {
  std::shared_ptr<const InputBytes> bytes;
  std::string sha256;
};

/// Reads a file or standard input ("-"). Throws Error(input_file).
InputFile read_input(const std::string& input);

/// An input that was opened: its pages.
struct OpenInput {
  InputFile file;
  int page_count = 0;
  std::vector<int> pages;  ///< chosen by --pages
  std::vector<OutlineEntry> outline;
  bool cut = false;  ///< --pages reached beyond the end
};

/// Options -> concrete classes by registry name: the only place that chooses them.
class Assembly {
 public:
  /// Throws Error(usage) for unknown names. Call it while the process has one thread.
  explicit Assembly(const Options& options);
  ~Assembly();

  /// Opens a document in a worker process. Throws Error(input_file) or Error(password);
  /// Error(usage) when `pages`, or --pages where that is empty, leaves nothing.
  OpenInput open(const InputFile& file, const std::string& pages = {}) const;
  /// Has a page of it drafted while the model is being loaded.
  void draft_ahead(const OpenInput& input, int page) const;
  /// The journey of one input, ready to run; loads the model.
  DocumentConversion conversion_of(const OpenInput& input);
  /// The model of the run, loaded at the first call; nullptr with --model none. Throws
  /// Error(usage) for its options, Error(dependency) or Error(out_of_memory) where it cannot be
  /// loaded.
  ModelRun* model();
  bool model_loaded() const { return model_ != nullptr; }
  /// Whether loading it was tried in vain: no input can be read then.
  bool model_failed() const { return model_failed_; }
  /// The processes that read pages.
  const WorkerPool& workers() const { return *workers_; }

 private:
  void choose_sources();
  PageDraftOptions draft_options() const;
  Sandbox sandbox() const;

  Options options_;
  std::vector<std::string> sources_;
  std::shared_ptr<const DraftsFile> replay_;
  std::filesystem::path replay_folder_;  ///< in place of `replay_`: drafts of each input
  std::unique_ptr<WorkerPool> workers_;  ///< made before the model
  std::unique_ptr<ModelRun> model_;
  bool model_failed_ = false;
  std::unique_ptr<PageReader> draft_reader_;
};

/// Drafting threads of a run: --jobs, else the cores, with a model one fewer; at least 1.
int drafting_threads(const Options& options);

}  // namespace docspec
