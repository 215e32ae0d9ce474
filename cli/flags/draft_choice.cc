#include "cli/flags/draft_choice.h"

#include <algorithm>

#include "core/base/error.h"
#include "core/decode/registry.h"
#include "drafts/registry.h"

namespace docspec {
namespace {

const std::vector<SpecForm>& known_forms() {
  static const std::vector<SpecForm> kForms = [] {
    std::vector<SpecForm> out = {{"auto"}, {"none"}};
    for (const SpecForm& form : forms(drafter_registry())) out.push_back(form);
    for (const SpecForm& form : forms(draft_proposers())) out.push_back(form);
    return out;
  }();
  return kForms;
}

}  // namespace

DraftChoice parse_draft(const std::string& text) {
  DraftChoice out;
  const std::vector<Spec> specs = parse_spec_list("--draft", text, known_forms());
  for (const Spec& spec : specs) {
    if (spec.name == "none") {
      if (specs.size() > 1)
        throw Error(ExitCode::usage, "--draft: none stands alone: it is plain decoding");
      out.plain = true;
    } else if (spec.name == "auto") {
      for (const std::string& name : automatic_names(drafter_registry()))
        if (std::none_of(out.pages.begin(), out.pages.end(),
                         [&](const Spec& other) { return other.name == name; }))
          out.pages.push_back({spec.axis, name, {}});
    } else if (find(draft_proposers(), spec.name)) {
      check_draft(spec);
      out.steps.push_back(spec);
    } else {
      out.pages.push_back(spec);
    }
  }
  // Among what docspec chooses, a draft model has to pay for itself.
  const bool chooses =
      std::any_of(specs.begin(), specs.end(), [](const Spec& s) { return s.name == "auto"; });
  for (Spec& spec : out.steps)
    if (const auto pays = spec.settings.find("pays");
        pays != spec.settings.end() && pays->second.empty())
      pays->second = chooses ? "1" : "0";
  return out;
}

std::vector<Spec> proposer_specs(const Options& options) {
  const DraftChoice choice = parse_draft(options.draft);
  if (options.preset == "plain" || choice.plain) return {};
  std::string chosen = options.propose == "auto" ? automatic(proposers()) : options.propose;
  if (options.preset == "paper") chosen = "window";
  std::vector<Spec> out = choice.steps;
  // Rules over the page's text have nothing to say where it is no draft.
  if (!choice.pages.empty() || options.propose != "auto")
    for (Spec& spec : parse_spec_list("--propose", chosen, forms(proposers())))
      out.push_back(std::move(spec));
  return out;
}

}  // namespace docspec
