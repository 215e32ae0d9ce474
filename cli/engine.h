#pragma once

#include <atomic>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "cli/flags/options.h"
#include "core/base/spec.h"
#include "core/document/drafter.h"
#include "core/model/families/model_report.h"

namespace docspec {

class LineNet;
class ModelRun;
class PageNet;
class TableNet;
class FormulaReader;
namespace ppocr {
class Reader;
}

/// One line of `docspec doctor`.
struct Check {
  std::string name, finding, fix;  ///< fix empty = all well
};

/// What the program gives to the model of a run.
struct ModelRunInput {
  const Options& options;                ///< must outlive the run, as must `interrupted`
  std::vector<Spec> proposers;           ///< what speaks at every step
  bool page_text = true;                 ///< whether the page's text is proposed
  std::vector<double> visual_shares;     ///< by layer, as `model calibrate` measured; or empty
  std::unique_ptr<Drafter> ocr;          ///< reads words on which model and text layer differ
  const std::atomic<bool>& interrupted;  ///< ends the run at the next pass
  void (*tell)(const std::string& lines) = nullptr;  ///< writes whole lines to the user
};

/// All that needs tensors: models and nets. The program itself is linked with no tensor library;
/// it knows libdocspec_engine.so through this interface alone. Each call throws Error(dependency)
/// for files that are missing or broken.
class Engine {
 public:
  virtual ~Engine() = default;
  /// Loads the model of --model. Throws what ModelRun says.
  virtual std::unique_ptr<ModelRun> model_run(ModelRunInput input) const = 0;
  /// `docspec model info` and `docspec model verify`. Throws Error(interrupted) once `interrupted`
  /// is set.
  virtual ModelReport model_info(const std::filesystem::path& folder,
                                 const std::atomic<bool>& interrupted) const = 0;
  virtual ModelReport model_verify(const std::filesystem::path& folder) const = 0;
  /// The layout nets, the net of tables and PP-OCR from the folders of their weights.
  virtual std::unique_ptr<LineNet> line_net(const std::filesystem::path& folder) const = 0;
  virtual std::unique_ptr<PageNet> page_net(const std::filesystem::path& folder) const = 0;
  virtual std::unique_ptr<TableNet> table_net(const std::filesystem::path& folder) const = 0;
  virtual std::unique_ptr<ppocr::Reader> ppocr(const std::filesystem::path& folder) const = 0;
  /// The model in `folder` as a reader of formulas.
  virtual std::unique_ptr<FormulaReader> formula_reader(
      const std::filesystem::path& folder) const = 0;
  /// What models run on: products, speed of the memory, GPU. Takes a second.
  virtual std::vector<Check> checks() const = 0;
};

/// The engine, opened at the first call in each process. Throws Error(dependency) that says how to
/// install it where it is missing, is of another version, or lacks libtorch.
const Engine& engine();

/// The folders that opening it reads: its own, and that of libtorch and what comes with it.
std::vector<std::filesystem::path> engine_folders();

/// Why it cannot be opened; nullopt where it can.
std::optional<std::string> engine_fault();

/// What both sides must agree on: the version, and the sizes of what crosses the door.
std::string engine_version();

}  // namespace docspec
