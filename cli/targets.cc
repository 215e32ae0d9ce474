#include "cli/targets.h"

#include <algorithm>

#include "cli/output_guard.h"
#include "core/base/error.h"
#include "core/finish/journal.h"
#include "core/markup/registry.h"

namespace docspec {
namespace {

namespace fs = std::filesystem;

/// An input and its place in the output folder, without suffix.
struct Found {
  std::string input;
  fs::path stem;
};

/// The output folder may lie in an input folder: what was written there is no input.
bool same_folder(const fs::path& a, const std::optional<std::string>& b) {
  std::error_code error;
  return b && fs::equivalent(a, *b, error);
}

/// Whether the folder has pictures that an earlier run wrote next to an output, by its journal.
bool written_pictures(const fs::path& folder) {
  if (folder.extension() != ".files") return false;
  const auto& formats = output_formats();
  return std::any_of(formats.begin(), formats.end(), [&](const auto& format) {
    const fs::path output = fs::path(folder).replace_extension("." + std::string(format.name));
    std::error_code error;
    return fs::exists(Journal::file_of(output), error);
  });
}

bool is_stream(fs::file_status status) {
  return status.type() == fs::file_type::fifo || status.type() == fs::file_type::socket ||
         status.type() == fs::file_type::block || status.type() == fs::file_type::character;
}

/// Collects the files under a folder. A file that cannot be read or a broken link is among them:
/// reading it gives the error.
void walk(const fs::path& folder, const Options& options, std::vector<fs::path>& files,
          Plan& plan) {
  std::error_code error;
  fs::directory_iterator it(folder, error);
  for (; !error && it != fs::directory_iterator(); it.increment(error)) {
    const fs::path& path = it->path();
    std::error_code unknown;
    if (!it->is_directory(unknown)) {  // known without a look at a path that may be too long
      if (has_input_suffix(path) && !is_stream(it->status(unknown))) files.push_back(path);
    } else if (it->is_symlink(unknown)) {
      plan.warnings.push_back(path.string() +
                              ": a link to a folder is not followed; name it as an input");
    } else if (!same_folder(path, options.output) && !written_pictures(path)) {
      walk(path, options, files, plan);
    }
  }
  if (error)
    plan.unreadable.emplace_back(folder.string(), error.message() + "; check its permissions");
}

void find_in_folder(const std::string& folder, const Options& options, std::vector<Found>& out,
                    Plan& plan) {
  std::vector<fs::path> files;
  walk(folder, options, files, plan);
  if (files.empty() && plan.unreadable.empty())
    throw Error(ExitCode::input_file,
                folder + ": holds no PDF, PNG, JPEG, TIFF or WebP; name another folder");
  std::sort(files.begin(), files.end());
  for (const fs::path& file : files) {
    fs::path stem = file.lexically_relative(folder);
    out.push_back({file.string(), stem.replace_extension()});
  }
}

std::vector<Found> find_inputs(const Options& options, Plan& plan) {
  if (options.inputs.empty())
    throw Error(ExitCode::usage,
                "no input; name a PDF, an image, a folder, or - for standard input");
  std::vector<Found> out;
  for (const std::string& input : options.inputs) {
    std::error_code error;
    if (input != "-" && fs::is_directory(input, error)) {
      find_in_folder(input, options, out, plan);
    } else {
      out.push_back({input, input == "-" ? "stdin" : fs::path(input).stem()});
    }
  }
  return out;
}

std::vector<std::string> split_list(const std::string& list) {
  std::vector<std::string> out;
  for (size_t from = 0; from <= list.size();) {
    const size_t end = std::min(list.find(',', from), list.size());
    const std::string name = list.substr(from, end - from);
    if (std::find(out.begin(), out.end(), name) == out.end()) out.push_back(name);
    from = end + 1;
  }
  return out;
}

bool names_folder(const std::string& output) {
  std::error_code error;
  return output.ends_with("/") || fs::is_directory(output, error);
}

void make_folder(const fs::path& folder) {
  std::error_code error;
  if (folder.empty() || fs::is_directory(folder, error)) return;
  if (!fs::create_directories(folder, error) && error)
    throw Error(ExitCode::output_file, folder.string() + ": cannot be made: " + error.message() +
                                           "; name another place with -o");
}

fs::path with_suffix(const fs::path& stem, const std::string& format) {
  fs::path path = stem;
  path += "." + format;
  return path;
}

Target single(const Options& options, const Found& found) {
  const std::string output = options.output.value_or("-");
  Target target{found.input, {}, {}, true};
  const std::string by_suffix = output == "-" ? "" : format_of(output);
  target.formats = split_list(!options.to.empty()  ? options.to
                              : !by_suffix.empty() ? by_suffix
                                                   : "md");
  if (target.formats.size() == 1) {
    target.outputs.push_back(output);
    return target;
  }
  if (output == "-")
    throw Error(ExitCode::usage, "--to " + options.to + " needs files; name them with -o");
  const fs::path stem = by_suffix.empty() ? fs::path(output) : fs::path(output).replace_extension();
  for (const std::string& format : target.formats)
    target.outputs.push_back(with_suffix(stem, format));
  return target;
}

void batch(const Options& options, const std::vector<Found>& found, Plan& plan) {
  plan.folder = *options.output;
  const auto formats = split_list(options.to.empty() ? "md" : options.to);
  TakenNames taken;
  for (size_t i = 0; i < found.size(); ++i) {
    Target target{found[i].input, formats, {}, false};
    for (const std::string& format : formats) {
      const fs::path path = with_suffix(plan.folder / found[i].stem, format);
      if (const auto other = taken.take(path, found[i].input))
        throw Error(ExitCode::usage, *other + " and " + found[i].input + " would both become " +
                                         path.string() + "; convert them into different folders");
      target.outputs.push_back(path);
    }
    if (int(i % size_t(options.shard_count)) == options.shard_index - 1)
      plan.targets.push_back(std::move(target));
  }
}

/// Refuses outputs that would harm; then makes the folders of the others.
void prepare_outputs(const Options& options, const std::vector<Found>& found, const Plan& plan) {
  std::vector<std::string> inputs;
  for (const Found& input : found) inputs.push_back(input.input);
  std::vector<fs::path> outputs;
  for (const Target& target : plan.targets)
    outputs.insert(outputs.end(), target.outputs.begin(), target.outputs.end());
  refuse_harmful_outputs(options, inputs, outputs);
  if (plan.folder.empty()) return;
  for (const Target& target : plan.targets) make_folder(target.outputs[0].parent_path());
}

}  // namespace

Plan plan_targets(const Options& options) {
  Plan plan;
  const std::vector<Found> found = find_inputs(options, plan);
  std::error_code error;
  const bool several = options.inputs.size() > 1 || found.size() > 1 ||
                       (options.inputs[0] != "-" && fs::is_directory(options.inputs[0], error));
  const std::string output = options.output.value_or("-");
  if (!several && (output == "-" || !names_folder(output))) {
    plan.targets.push_back(single(options, found[0]));
    prepare_outputs(options, found, plan);
    return plan;
  }
  if (output == "-")
    throw Error(ExitCode::usage, "several inputs need an output folder; name it with -o FOLDER");
  if (!format_of(output).empty() && !names_folder(output))
    throw Error(ExitCode::usage, "-o " + output +
                                     ": several inputs need a folder, and this is the "
                                     "name of one file; write " +
                                     fs::path(output).replace_extension().string() + "/");
  batch(options, found, plan);
  prepare_outputs(options, found, plan);
  return plan;
}

}  // namespace docspec
