#include <algorithm>
#include <chrono>
#include <thread>

#include "cli/assemble.h"
#include "cli/commands.h"
#include "cli/commands/converting.h"
#include "cli/flags/share.h"
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
  return !target.outputs.empty() &&
         std::all_of(target.outputs.begin(), target.outputs.end(), [](const auto& path) {
           std::error_code error;
           const auto status = std::filesystem::status(path, error);
           return path != "-" &&
                  (!std::filesystem::exists(status) || std::filesystem::is_regular_file(status));
         });
}

/// How a run uses pages of an earlier one. Reports of decodes need decodes.
Earlier earlier(const Options& options) {
  if (options.force || wants_reports(options)) return Earlier::drop;
  return options.retry_failed ? Earlier::retry_failed : Earlier::keep;
}

/// Reports a document that an earlier run has finished.
void report_complete(const Target& target, const Journal& journal, Report& report) {
  report.begin_input(target.input, journal.pages().size());
  for (const auto& [number, page] : journal.pages()) report.add_page(target.input, page, true);
  report.detail(target.input + ": is converted already; --force does it again");
  report.add_output(target.outputs, false);
}

/// The pages that an earlier run has read.
Document document_of(const Journal& journal) {
  Document document;
  for (const auto& [number, page] : journal.pages()) document.pages.push_back(page);
  return document;
}

/// Loads the model if this is the first input of the run with pages to read, while the first of
/// them is drafted.
void load_model(Assembly& assembly, const OpenInput& input, const Journal* journal,
                Report& report) {
  if (assembly.model_loaded()) return;
  const auto unread = std::find_if(input.pages.begin(), input.pages.end(), [journal](int page) {
    return !journal || !journal->pages().contains(page);
  });
  if (unread != input.pages.end()) assembly.draft_ahead(input, *unread);
  assembly.model()->on_tokens([&report](size_t tokens) { report.add_tokens(tokens); });
  const MemoryPlan& memory = assembly.model()->memory();
  report.detail("memory: " + memory.text());
  for (const std::string& step : memory.steps) report.warn("--memory: " + step);
}

/// The document of an input, pages of the journal taken over, new ones added to it.
Task<Document> read_document(ConvertRun& run, const InputFile& file, const std::string& pages,
                             const PageFiles& files, std::optional<Journal>& journal) {
  auto& [options, assembly, report, scheduler, on_document] = run;
  const std::string& name = file.bytes->name;
  const OpenInput input = assembly.open(file, pages);
  if (input.cut && pages.empty())
    report.warn(name + ": has " + std::to_string(input.page_count) +
                " pages; --pages is cut to them");
  report.begin_input(name, input.pages.size());
  if (wants_model(options)) load_model(assembly, input, journal ? &*journal : nullptr, report);
  DocumentConversion conversion = assembly.conversion_of(input);
  if (files.want_image())
    conversion.on_read = [&](const DraftedPage& drafted, Page& page) { files.take(drafted, page); };
  if (journal) {
    conversion.earlier = &journal->pages();
    conversion.lacks_files = [&](const Page& page) { return files.lacks_files(page); };
  }
  size_t earlier_pages = 0;
  conversion.on_page = [&](const Page& page, bool earlier) {
    earlier_pages += earlier;
    const bool kept =
        earlier && files.lacks_files(journal->pages().at(page.page)) == files.lacks_files(page);
    if (journal && !kept && !was_interrupted(page)) journal->add(page);
    report.add_page(name, page, earlier);
  };
  Document document = co_await convert_document(conversion, scheduler);
  throw_if_nothing_was_read(document, journal);
  document.earlier_pages = earlier_pages;
  finish_document(document, {!options.no_join_tables, input.outline});
  co_return document;
}

}  // namespace

/// Markdown of blank pages alone says so: an empty file would look like
/// an unnoticed failure.
std::string rendered(const Document& document, const std::string& format,
                     const RenderOptions& options) {
  std::string text = make_output_format(format)->render(document, options);
  if (format == "md" && text.find_first_not_of(" \n") == std::string::npos)
    text = "<!-- blank: no page has text -->\n";
  return text;
}

namespace {

/// Writes the document. A run that was interrupted leaves a file that is there as it is: it may be
/// the whole of an earlier run.
void write_outputs(const ConvertRun& run, const Target& target, const Document& document,
                   std::vector<OutputFile>& outputs) {
  const bool cut = std::any_of(document.pages.begin(), document.pages.end(), was_interrupted);
  for (size_t i = 0; i < outputs.size(); ++i) {
    std::error_code error;
    const auto& path = outputs[i].target();
    if (cut && std::filesystem::is_regular_file(path, error) &&
        std::filesystem::file_size(path, error) > 0) {
      run.report.warn(path.string() + ": stays as it was before");
    } else {
      outputs[i].commit(rendered(document, target.formats[i], run.options.render));
    }
  }
}

}  // namespace

Task<bool> convert_one(ConvertRun& run, const Target& target) {
  const Options& options = run.options;
  const InputFile file = read_input(target.input);
  std::vector<OutputFile> outputs;
  const Links links = target.named_by_user ? Links::follow : Links::replace;
  for (const auto& path : target.outputs) outputs.emplace_back(path, links);
  const PageFiles files(options, target);
  const bool journalled = keeps_journal(target);
  auto journal = journalled
                     ? Journal::open(target.outputs[0], run_key(options, file.sha256, target.pages),
                                     earlier(options))
                     : std::nullopt;
  if (journalled && !journal) co_return false;
  if (journal && journal->complete(target.outputs)) {
    report_complete(target, *journal, run.report);
    if (run.on_document) run.on_document(target, document_of(*journal));
    co_return true;
  }
  Document document = co_await read_document(run, file, target.pages, files, journal);
  if (options.strict) throw_if_strict(document, target.input);
  write_outputs(run, target, document, outputs);
  if (journal && std::none_of(document.pages.begin(), document.pages.end(), was_interrupted))
    journal->finish(target.outputs);
  run.report.add_output(target.outputs, true);
  if (run.on_document) run.on_document(target, document);
  co_return true;
}

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

namespace {

/// The same with its failures as data, but for that of a model that cannot be loaded. Inputs that
/// another process is at are added to `waiting`.
Task<void> try_to_convert(ConvertRun& run, const Target& target,
                          std::vector<const Target*>& waiting) {
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
std::vector<const Target*> convert_all(ConvertRun& run, const std::vector<const Target*>& targets) {
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

/// Counts the pages of all inputs, so that the first line of progress knows the end. Inputs that
/// two seconds do not suffice for are taken to be as long as the others.
void count_pages(const Assembly& assembly, const Plan& plan, Report& report) {
  if (!report.shows_progress() || plan.targets.size() < 2) return;
  const auto end = std::chrono::steady_clock::now() + 2s;
  size_t pages = 0, counted = 0;
  for (const Target& target : plan.targets) {
    if (interrupted || std::chrono::steady_clock::now() > end) break;
    if (target.input == "-") continue;  // is read once
    ++counted;
    try {
      pages += assembly.open(read_input(target.input)).pages.size();
    } catch (const std::exception&) {  // converting it says so
    }
  }
  if (counted > 0) report.expect_pages(pages * plan.targets.size() / counted);
}

}  // namespace

ExitCode convert(const Options& options) {
  if (wants_model(options)) model_folder(options.model);  // a name that is none is told first
  Assembly assembly(options);
  Plan plan = options.files_from.empty() ? plan_targets(options) : Plan();
  Report report(options, plan.targets.size());
  if (options.model.empty())
    report.warn(
        "no model is configured: the drafts are the result. --model builtin uses docspec's own "
        "small model (printed English, to try it out), --model DIR a checkpoint of yours (README, "
        "Models), --model none silences this line");
  for (const std::string& warning : plan.warnings) report.warn(warning);
  for (const auto& [folder, reason] : plan.unreadable)
    report.add_error(folder, Error(ExitCode::input_file, folder + ": " + reason));
  count_pages(assembly, plan, report);
  DocumentScheduler scheduler(open_documents(options), [&assembly] {
    return assembly.model_loaded() && assembly.model()->reader().run_pass();
  });
  ConvertRun run{options, assembly, report, scheduler, {}};
  if (!options.files_from.empty()) convert_named(run, plan);
  std::vector<const Target*> targets;
  if (options.files_from.empty())
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
