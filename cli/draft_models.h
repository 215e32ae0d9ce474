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
  /// Loads those that `specs` name. Throws what load_vlm throws.
  DraftModels(std::span<const Spec> specs, const VlmOptions& options, const Ops& ops);
  ~DraftModels();

  /// As proposers find them; points into this object. One that fails is told of once on standard
  /// error. Throws Error(dependency) for one whose tokenizer is not the target's.
  std::vector<DraftModel> beside(const Vlm& target);

 private:
  struct Loaded;
  std::map<std::string, std::unique_ptr<Loaded>> models_;  ///< by folder
};

}  // namespace docspec
