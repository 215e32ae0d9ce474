#include <filesystem>
#include <nlohmann/json.hpp>
#include <sstream>

#include "cli/commands.h"
#include "cli/commands/converting.h"
#include "cli/output_guard.h"
#include "cli/path_queue.h"
#include "core/base/output_file.h"

namespace docspec {
namespace {

using Json = nlohmann::ordered_json;

void print_line(const Json& json) {
  OutputFile("-").commit(json.dump(-1, ' ', false, Json::error_handler_t::replace) + "\n");
}

Json line_of(const ConvertRun& run, const Target& target, const Document& document) {
  Json pages = {{"ok", 0}, {"fallback", 0}, {"failed", 0}};
  for (const Page& page : document.pages) {
    Json& count = pages[std::string(name(page.status))];
    count = count.get<int>() + 1;
  }
  const bool ok = pages["ok"] == document.pages.size();
  Json line = {{"input", target.input},
               {"code", int(ok ? ExitCode::ok : ExitCode::partial)},
               {"pages", pages}};
  if (target.outputs.empty()) {
    for (const std::string& format : target.formats) {
      const std::string text = rendered(document, format, run.options.render);
      line[format] = format == "json" ? Json::parse(text) : Json(text);
    }
  } else {
    line["outputs"] = Json::array();
    for (const auto& path : target.outputs) line["outputs"].push_back(path.string());
  }
  return line;
}

/// A line: a path, or a JSON object with the path and, of this input, the pages.
struct Named {
  std::string path, pages;

  explicit Named(const std::string& line) : path(line) {
    const Json json = Json::parse(line, nullptr, false);
    if (!json.is_object() || !json.contains("input") || !json["input"].is_string()) return;
    path = json["input"];
    if (!json.contains("pages")) return;
    pages = json["pages"].is_string() ? json["pages"].get<std::string>() : json["pages"].dump();
  }
};

/// The targets of one input: its files in the output folder, or none for a line with the text.
std::vector<Target> targets_of(const ConvertRun& run, const std::string& path, TakenNames& taken,
                               Plan& plan) {
  Options one = run.options;
  one.inputs = {path};
  if (one.output) {
    *one.output += "/";
    const Plan its_own = plan_targets(one);
    for (const Target& target : its_own.targets)
      for (const auto& output : target.outputs)
        if (taken.take(output, path))
          throw Error(ExitCode::usage, path + ": another input has become " + output.string() +
                                           " in this run; convert it into another folder");
    plan.unreadable.insert(plan.unreadable.end(), its_own.unreadable.begin(),
                           its_own.unreadable.end());
    return its_own.targets;
  }
  Target target{path, {}, {}, false};
  std::istringstream formats(one.to.empty() ? "md" : one.to);
  for (std::string format; std::getline(formats, format, ',');) target.formats.push_back(format);
  return {target};
}

/// Waits for a path, and converts it.
Task<void> convert_next(ConvertRun& run, PathQueue& paths, TakenNames& taken, Plan& plan) {
  while (!paths.ready()) co_await run.scheduler.yield();
  const std::optional<std::string> line = paths.take();
  if (!line) co_return;
  const auto [path, pages] = Named(*line);
  try {
    for (Target& target : targets_of(run, path, taken, plan)) {
      target.pages = pages;
      if (interrupted) throw Error(ExitCode::interrupted, target.input + ": interrupted");
      const bool converted = co_await convert_one(run, target);
      if (!converted)
        throw Error(ExitCode::output_file,
                    target.input + ": another docspec converts it; name it again later");
    }
  } catch (...) {
    if (run.assembly.model_failed()) throw;
    const Error failure = failure_of(path);
    run.report.add_error(path, failure);
    print_line({{"input", path}, {"code", int(failure.code())}, {"message", failure.what()}});
  }
}

}  // namespace

void convert_named(ConvertRun& run, Plan& plan) {
  const Options& options = run.options;
  if (!options.inputs.empty())
    throw Error(ExitCode::usage, "--files-from names the inputs; leave " + options.inputs[0]);
  if (options.output == "-")
    throw Error(ExitCode::usage,
                "--files-from writes lines of JSON to standard output; leave -o -");
  if (options.output) plan.folder = *options.output;
  run.on_document = [&run](const Target& target, const Document& document) {
    print_line(line_of(run, target, document));
  };
  TakenNames taken;
  PathQueue paths(
      options.files_from, [&run] { run.scheduler.limiter().tell_drafted(); }, interrupted);
  run.scheduler.run([&]() -> std::optional<Task<void>> {
    if (paths.ended()) return std::nullopt;
    return convert_next(run, paths, taken, plan);
  });
}

}  // namespace docspec
