#include <algorithm>

#include "cli/assemble.h"
#include "cli/commands.h"
#include "cli/report.h"
#include "cli/targets.h"
#include "core/markup/registry.h"
#include "core/output_file.h"

namespace docspec {
namespace {

/// Nothing could be read: the input is unreadable, and nothing would be kept by writing it.
void throw_if_nothing_was_read(const Document& document) {
  for (const Page& page : document.pages)
    if (page.status != PageStatus::failed) return;
  const Failure& failure = *document.pages.front().failure;
  if (failure.code == ExitCode::interrupted) throw Error(failure.code, "interrupted");
  throw Error(failure.code, failure.message);
}

void throw_if_strict(const Document& document, const std::string& input) {
  for (const Page& page : document.pages)
    if (page.status != PageStatus::ok)
      throw Error(ExitCode::partial,
                  input + ": page " + std::to_string(page.page) + " " +
                      std::string(name(page.status)) +
                      ", and --strict writes nothing then: " + page.failure->message);
}

void convert_one(const Options& options, const Assembly& assembly, const Target& target,
                 Report& report) {
  const OpenInput input = open_input(target.input, options);
  if (input.cut)
    report.warn(target.input + ": has " + std::to_string(input.page_count) +
                " pages; --pages is cut to them");
  std::vector<OutputFile> outputs;
  for (const auto& path : target.outputs) outputs.emplace_back(path);
  report.begin_input(target.input, input.pages.size());
  DocumentJob job = assembly.document_job(input);
  job.interrupted = &interrupted;
  job.on_page = [&](const Page& page) { report.add_page(target.input, page); };
  const Document document = convert_document(job);
  throw_if_nothing_was_read(document);
  if (options.strict) throw_if_strict(document, target.input);
  for (size_t i = 0; i < outputs.size(); ++i)
    outputs[i].commit(make_output_format(target.formats[i])->render(document, options.render));
}

}  // namespace

ExitCode convert(const Options& options) {
  const Assembly assembly(options);
  const Plan plan = plan_targets(options);
  Report report(options, plan.targets.size());
  if (options.model.empty())
    report.warn(
        "no model is configured: the drafts are the result; --model builtin reads them with "
        "docspec's own small model (printed English; for trying out and measuring), --model DIR "
        "with a checkpoint of yours (README, Models), --model none is content with drafts");
  for (const Target& target : plan.targets) {
    if (interrupted) {
      report.add_error(target.input, Error(ExitCode::interrupted, target.input + ": interrupted"));
      continue;
    }
    try {
      convert_one(options, assembly, target, report);
    } catch (const Error& e) {
      report.add_error(target.input, e);
    } catch (const std::bad_alloc&) {
      report.add_error(target.input, Error(ExitCode::out_of_memory,
                                           target.input + ": out of memory; lower --max-pixels"));
    } catch (const std::exception& e) {
      report.add_error(target.input,
                       Error(ExitCode::internal, target.input + ": internal error: " + e.what() +
                                                     "; please report it"));
    }
  }
  if (ModelRun* model = assembly.model()) report.add_decode(model->finish());
  report.finish(plan.folder);
  return report.exit_code();
}

}  // namespace docspec
