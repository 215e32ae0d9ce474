#include "cli/assemble.h"
#include "cli/commands.h"
#include "cli/output_guard.h"
#include "cli/report.h"
#include "core/base/output_file.h"

namespace docspec {

ExitCode draft(const Options& options) {
  if (options.inputs.size() != 1)
    throw Error(ExitCode::usage, "docspec draft takes one input; its JSON holds one document");
  refuse_harmful_outputs(options, options.inputs, {});
  Assembly assembly(options);
  const OpenInput input = assembly.open(read_input(options.inputs[0]));
  OutputFile output(options.output.value_or("-"));
  Report report(options, 1);
  report.begin_input(options.inputs[0], input.pages.size());
  const DocumentConversion conversion = assembly.conversion_of(input);

  DraftsFile drafts{options.inputs[0], input.file.sha256, {}};
  auto window = drafted_pages(conversion, conversion.pages);
  for (int number : conversion.pages) {
    Page page;
    page.page = number;
    try {
      DraftedPage drafted = window.next();
      page.timings_ms = drafted.timings_ms;
      page.failure = drafted.failure;
      if (drafted.failure) page.status = PageStatus::fallback;
      if (drafted.drafts.width_px > 0) drafts.pages.push_back(std::move(drafted.drafts));
    } catch (const std::exception& e) {
      if (ends_document(e)) throw;
      fail(page, e);
    }
    report.add_page(options.inputs[0], page, false);
    throw_if_interrupted();
  }
  if (drafts.pages.empty())
    throw Error(ExitCode::input_file, options.inputs[0] + ": no page could be drafted");
  output.commit(render_drafts_json(drafts));
  report.add_output({options.output.value_or("-")}, true);
  report.set_worker_memory(assembly.workers().peak_memory_mb(), assembly.workers().lost());
  report.finish({});
  return report.exit_code();
}

}  // namespace docspec
