#include "cli/commands.h"
#include "cli/engine.h"
#include "cli/flags/share.h"
#include "core/base/output_file.h"
#include "core/base/suggestion.h"
#include "core/text/printable.h"

namespace docspec {

ExitCode model(const Options& options) {
  constexpr std::string_view kActions[] = {"info", "verify", "calibrate"};
  const std::string action = options.inputs.empty() ? "" : options.inputs[0];
  if (action == "calibrate") return calibrate(options);
  if (options.inputs.size() != 2 || (action != "info" && action != "verify"))
    throw Error(
        ExitCode::usage,
        "write docspec model info DIR, docspec model verify DIR, or docspec model calibrate DIR "
        "FILE..." +
            did_you_mean(action, kActions));
  if (options.output)
    throw Error(ExitCode::usage,
                "docspec model " + action + " writes to standard output; leave -o");
  const std::filesystem::path folder = model_folder(options.inputs[1]);
  const ModelReport report =
      action == "info" ? engine().model_info(folder, interrupted) : engine().model_verify(folder);
  OutputFile("-").commit(printable(report.text, LineBreaks::keep));
  return report.code;
}

}  // namespace docspec
