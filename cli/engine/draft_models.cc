#include "cli/engine/draft_models.h"

#include <fmt/format.h>

#include <atomic>

#include "cli/flags/share.h"
#include "core/base/error.h"
#include "core/decode/draft_model/draft_gate.h"
#include "core/decode/draft_model/draft_model_session.h"

namespace docspec {

struct DraftModels::Loaded {
  Vlm vlm;
  DraftGate gate = DraftGate();
  std::atomic<bool> told = false;  ///< the user has been told that it fails
};

DraftModels::DraftModels(std::span<const Spec> specs, const VlmOptions& options, const Ops& ops,
                         void (*tell)(const std::string& lines))
    : tell_(tell) {
  for (const Spec& spec : specs) {
    const std::string& folder = spec.text("DIR");
    if (folder.empty() || models_.contains(folder)) continue;
    const Vlm& vlm =
        models_.emplace(folder, new Loaded{load_vlm(model_folder(folder), options, ops)})
            .first->second->vlm;
    if (!vlm.language_model().caches_can_drop())
      throw Error(
          ExitCode::usage,
          fmt::format("--draft model:{}: a model of the family {} cannot draft, because its "
                      "recurrent state cannot be wound back; take another draft model",
                      folder, vlm.info().family));
  }
}

DraftModels::~DraftModels() = default;

std::vector<DraftModel> DraftModels::for_target(const Vlm& target) {
  std::vector<DraftModel> out;
  for (const auto& [folder, loaded] : models_) {
    require_same_tokenizer(target, loaded->vlm, folder);
    out.push_back({folder, draft_model_sessions(loaded->vlm), loaded->gate,
                   [tell = tell_, folder = folder, &told = loaded->told](std::string_view why) {
                     if (!told.exchange(true))
                       tell(fmt::format(
                           "docspec: --draft model:{}: {}; what it fails at is read without it\n",
                           folder, why));
                   }});
  }
  return out;
}

}  // namespace docspec
