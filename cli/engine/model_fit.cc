#include "cli/engine/model_fit.h"

#include <fmt/format.h>

#include "cli/flags/share.h"
#include "core/base/error.h"
#include "core/base/spec.h"
#include "core/decode/registry.h"
#include "core/model/prompt_set.h"
#include "core/model/vlm.h"

namespace docspec {

void require_model_fits(const Options& options, const Vlm& vlm) {
  const bool stages = !options.stages.empty() && options.stages != "region";
  if (!vlm.prompts().asks("page") && (stages || options.preset == "paper"))
    throw Error(
        ExitCode::usage,
        fmt::format("{}: {} reads regions and no whole pages; leave it out",
                    stages ? "--stages " + options.stages : "--preset paper", vlm.info().family));
  if (options.pages_per_prompt > 1 && !vlm.prompts().asks("pages"))
    throw Error(ExitCode::usage,
                fmt::format("--pages-per-prompt {}: {} reads one page a prompt; leave it out",
                            options.pages_per_prompt, vlm.info().family));
  if (options.propose == "auto") return;
  for (const Spec& spec : parse_spec_list("--propose", options.propose, forms(proposers()))) {
    make_proposer(
        spec, {.drafts = {}, .tokenizer = &vlm.tokenizer()});  // throws for a setting out of range
    if (spec.name == "mtp" && !vlm.mtp_layer())
      throw Error(
          ExitCode::dependency,
          fmt::format("--propose mtp: the checkpoint {} has no layer for further tokens "
                      "(GLM-OCR's is layers.16 of its file, Qwen3.5's its mtp tensors); leave "
                      "mtp out",
                      model_folder(options.model).string()));
  }
}

}  // namespace docspec
