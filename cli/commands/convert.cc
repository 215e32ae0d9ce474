#include <algorithm>
#include <chrono>
#include <nlohmann/json.hpp>
#include <thread>

#include "cli/assemble.h"
#include "cli/commands.h"
#include "cli/page_files.h"
#include "cli/report.h"
#include "cli/run_key.h"
#include "cli/targets.h"
#include "core/base/output_file.h"
#include "core/finish/finish_document.h"
#include "core/finish/journal.h"
#include "core/markup/registry.h"

namespace docspec {
namespace {

using namespace std::chrono_literals;

/// Nothing could be read: the input is unreadable, and nothing would be kept by writing it.
void throw_if_nothing_was_read(const Document& document, std::optional<Journal>& journal) {
  for (const Page& page : document.pages)
    if (page.status != PageStatus::failed) return;
  if (journal) journal->discard();
  const Failure& failure = *document.pages.front().failure;
  if (failure.code == ExitCode::interrupted)
    throw Error(failure.code, document.source_file + ": interrupted");
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

bool was_interrupted(const Page& page) {
  return page.failure && page.failure->code == ExitCode::interrupted;
}

/// Devices and pipes have no folder to keep a journal in.
bool keeps_journal(const Target& target) {
  return std::all_of(target.outputs.begin(), target.outputs.end(), [](const auto& path) {
    std::error_code error;
    const auto status = std::filesystem::status(path, error);
    return path != "-" &&
           (!std::filesystem::exists(status) || std::filesystem::is_regular_file(status));
  });
}

/// What a run takes over from an earlier one. Reports of decodes need decodes.
Earlier earlier(const Options& options) {
  if (options.force || wants_reports(options)) return Earlier::drop;
  return options.retry_failed ? Earlier::retry_failed : Earlier::keep;
}

/// The counts of a document are those of this run: says how many pages came from an earlier one.
void note_known_pages(Document& document, size_t known) {
  if (known == 0) return;
  auto stats = nlohmann::ordered_json::parse(document.stats_json);
  stats["pages_of_an_earlier_run"] = known;
  document.stats_json = stats.dump();
}

/// Tells of a document that an earlier run finished.
void report_complete(const Target& target, const Journal& journal, Report& report) {
  report.begin_input(target.input, journal.pages().size());
  for (const auto& [number, page] : journal.pages()) report.add_page(target.input, page, true);
  report.detail(target.input + ": is converted already; --force does it again");
}

/// Loads the model if this is the run's first input that has pages to read; the first of them is
/// drafted meanwhile.
void load_model(Assembly& assembly, const OpenInput& input, const Journal* journal,
                Report& report) {
  if (assembly.model_loaded()) return;
  const auto unread = std::find_if(input.pages.begin(), input.pages.end(), [journal](int page) {
    return !journal || !journal->pages().contains(page);
  });
  if (unread != input.pages.end()) assembly.draft_ahead(input, *unread);
  const MemoryPlan& memory = assembly.model()->memory();
  report.detail("memory: " + memory.text());
  for (const std::string& step : memory.steps) report.warn("--memory: " + step);
}

/// What the inputs of a run share.
struct Run {
  const Options& options;
  Assembly& assembly;
  Report& report;
  DocumentScheduler& scheduler;
};

/// The document of an input, pages of the journal taken over, new ones added to it.
Task<Document> read_document(Run& run, const InputFile& file, const PageFiles& files,
                             std::optional<Journal>& journal) {
  auto& [options, assembly, report, scheduler] = run;
  const std::string& name = file.bytes->name;
  const OpenInput input = assembly.open(file);
  if (input.cut)
    report.warn(name + ": has " + std::to_string(input.page_count) +
                " pages; --pages is cut to them");
  report.begin_input(name, input.pages.size());
  if (wants_model(options)) load_model(assembly, input, journal ? &*journal : nullptr, report);
  DocumentJob job = assembly.document_job(input);
  if (files.want_image())
    job.on_read = [&](const DraftedPage& drafted, Page& page) { files.take(drafted, page); };
  if (journal) job.known = &journal->pages();
  size_t known_pages = 0;
  job.on_page = [&](const Page& page, bool known) {
    known_pages += known;
    if (journal && !known && !was_interrupted(page)) journal->add(page);
    report.add_page(name, page, known);
  };
  Document document = co_await convert_document(job, scheduler);
  throw_if_nothing_was_read(document, journal);
  note_known_pages(document, known_pages);
  finish_document(document, {!options.no_join_tables, input.outline});
  co_return document;
}

/// The document in one format. Markdown of nothing but blank pages says so: an empty file would
/// look like a failure that nobody noticed.
std::string rendered(const Document& document, const std::string& format,
                     const RenderOptions& options) {
  std::string text = make_output_format(format)->render(document, options);
  if (format == "md" && text.find_first_not_of(" \n") == std::string::npos)
    text = "<!-- blank: no page has text -->\n";
  return text;
}

/// Converts one input. False when another process is at it.
Task<bool> convert_one(Run& run, const Target& target) {
  const Options& options = run.options;
  const InputFile file = read_input(target.input);
  std::vector<OutputFile> outputs;
  for (const auto& path : target.outputs) outputs.emplace_back(path);
  const PageFiles files(options, target);
  const bool journalled = keeps_journal(target);
  auto journal =
      journalled ? Journal::open(target.outputs[0], run_key(options, file.sha256), earlier(options))
                 : std::nullopt;
  if (journalled && !journal) co_return false;
  if (journal && journal->complete(target.outputs)) {
    report_complete(target, *journal, run.report);
    co_return true;
  }
  Document document = co_await read_document(run, file, files, journal);
  if (options.strict) throw_if_strict(document, target.input);
  for (size_t i = 0; i < outputs.size(); ++i)
    outputs[i].commit(rendered(document, target.formats[i], options.render));
  if (journal && std::none_of(document.pages.begin(), document.pages.end(), was_interrupted))
    journal->finish(target.outputs);
  co_return true;
}

/// The exception at hand, as it is told of an input.
Error failure_of(const std::string& input) {
  try {
    throw;
  } catch (const Error& e) {
    return e;
  } catch (const std::bad_alloc&) {
    return Error(ExitCode::out_of_memory, input + ": out of memory; lower --max-pixels");
  } catch (const std::exception& e) {
    return Error(ExitCode::internal,
                 input + ": internal error: " + e.what() + "; please report it");
  }
}

/// The same with its failures as data, but for that of a model that cannot be loaded. Inputs that
/// another process is at are added to `waiting`.
Task<void> try_to_convert(Run& run, const Target& target, std::vector<const Target*>& waiting) {
  try {
    if (interrupted) throw Error(ExitCode::interrupted, target.input + ": interrupted");
    const bool converted = co_await convert_one(run, target);
    if (!converted) waiting.push_back(&target);
  } catch (...) {
    if (run.assembly.model_failed()) throw;
    run.report.add_error(target.input, failure_of(target.input));
  }
}

/// Converts `targets`; gives those that another process is at.
std::vector<const Target*> convert_all(Run& run, const std::vector<const Target*>& targets) {
  std::vector<const Target*> waiting;
  auto next = targets.begin();
  run.scheduler.run([&]() -> std::optional<Task<void>> {
    if (next == targets.end()) return std::nullopt;
    return try_to_convert(run, **next++, waiting);
  });
  return waiting;
}

/// Documents open at a time: enough for all drafting threads and for the pages that are read
/// together. Reports are of one document after the other.
size_t open_documents(const Options& options) {
  if (wants_reports(options)) return 1;
  return size_t(drafting_threads(options)) + (wants_model(options) ? pages_at_once(options) : 1);
}

}  // namespace

ExitCode convert(const Options& options) {
  Assembly assembly(options);
  const Plan plan = plan_targets(options);
  Report report(options, plan.targets.size());
  if (options.model.empty())
    report.warn(
        "no model is configured: the drafts are the result; --model builtin reads them with "
        "docspec's own small model (printed English; for trying out and measuring), --model DIR "
        "with a checkpoint of yours (README, Models), --model none is content with drafts");
  for (const std::string& warning : plan.warnings) report.warn(warning);
  for (const auto& [folder, reason] : plan.unreadable)
    report.add_error(folder, Error(ExitCode::input_file, folder + ": " + reason));
  DocumentScheduler scheduler(open_documents(options), [&assembly] {
    return assembly.model_loaded() && assembly.model()->reader().step();
  });
  Run run{options, assembly, report, scheduler};
  std::vector<const Target*> targets;
  for (const Target& target : plan.targets) targets.push_back(&target);
  for (const Target* target : convert_all(run, targets)) {  // see what the other made of them
    report.detail(target->input + ": waits for another docspec that converts it");
    for (auto pause = 100ms; !convert_all(run, {target}).empty();
         pause = std::min(2 * pause, 3200ms))  // each try reads the input
      std::this_thread::sleep_for(pause);
  }
  if (assembly.model_loaded()) report.add_decode(assembly.model()->finish());
  report.set_worker_memory(assembly.workers().peak_memory_mb(), assembly.workers().lost());
  report.finish(plan);
  return report.exit_code();
}

}  // namespace docspec
