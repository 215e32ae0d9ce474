#pragma once

#include <map>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "core/decode/registry.h"
#include "core/model/families/registry.h"

namespace docspec {

/// The draft models of a run, each loaded once.
class DraftModels {
 public:
  /// Loads those that `specs` name; `tell` writes to the user. Throws what load_vlm throws.
  DraftModels(std::span<const Spec> specs, const VlmOptions& options, const Ops& ops,
              void (*tell)(const std::string& lines));
  ~DraftModels();

  /// The draft models for proposers; points into this object. A failure is reported once. Throws
  /// Error(dependency) for a model whose tokenizer is not that of the target.
  std::vector<DraftModel> for_target(const Vlm& target);

 private:
  struct Loaded;
  void (*tell_)(const std::string& lines);
  std::map<std::string, std::unique_ptr<Loaded>> models_;  ///< by folder
};

}  // namespace docspec
