#include "cli/assemble.h"
#include "cli/commands.h"
#include "cli/report.h"
#include "core/output_file.h"
#include "core/page_window.h"

namespace docspec {

ExitCode draft(const Options& options) {
  if (options.inputs.size() != 1)
    throw Error(ExitCode::usage, "docspec draft takes one input; its JSON holds one document");
  const Assembly assembly(options);
  const OpenInput input = open_input(options.inputs[0], options);
  OutputFile output(options.output.value_or("-"));
  Report report(options, 1);
  report.begin_input(options.inputs[0], input.pages.size());
  const DocumentJob job = assembly.document_job(input);

  DraftsFile drafts{options.inputs[0], input.sha256, {}};
  PageWindow<DraftedPage> window(int(job.pages.size()), job.workers, job.workers + 1, [&job] {
    auto draft_page = job.make_drafter();
    return [&job, draft_page](int index) { return draft_page(job.pages[size_t(index)]); };
  });
  for (int number : job.pages) {
    Page page;
    page.page = number;
    try {
      DraftedPage drafted = window.next();
      page.timings_ms = drafted.timings_ms;
      drafts.pages.push_back(std::move(drafted.drafts));
    } catch (const Error& e) {
      if (e.code() == ExitCode::dependency) throw;
      page.status = PageStatus::failed;
      page.failure = Failure{e.code(), e.what()};
    }
    report.add_page(options.inputs[0], page);
    if (interrupted) throw Error(ExitCode::interrupted, "interrupted");
  }
  if (drafts.pages.empty())
    throw Error(ExitCode::input_file, options.inputs[0] + ": no page could be drafted");
  output.commit(render_drafts_json(drafts));
  report.finish({});
  return report.exit_code();
}

}  // namespace docspec
