#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cmath>
#include <nlohmann/json.hpp>

#include "cli/assemble.h"
#include "cli/calibration.h"
#include "cli/commands.h"
#include "cli/flags/share.h"
#include "cli/output_guard.h"
#include "core/base/json_file.h"
#include "core/base/output_file.h"
#include "core/decode/prune/fixation_selector.h"
#include "core/decode/prune/visual_shares.h"

namespace docspec {
namespace {

constexpr int64_t kTokens = 64;  // decoded of each page or region

/// Reads the files' pages with the model, plainly, and measures what its layers look at.
VisualShares measure(const Options& options, std::span<const std::string> files) {
  Options reading = options;
  reading.model = options.inputs[1];
  reading.max_new_tokens = kTokens;
  reading.max_nodes = "1";
  reading.prune = "off";
  Assembly assembly(reading);
  if (!assembly.model())
    throw Error(ExitCode::usage, "docspec model calibrate: DIR must be a model's folder");
  VisualShares shares;
  assembly.model()->select(
      [&](const SelectorInput& input) { return make_share_meter(shares, input); });
  for (const std::string& file : files) {
    throw_if_interrupted();
    const OpenInput input = assembly.open(read_input(file));
    convert_document(assembly.conversion_of(input));
  }
  if (shares.rows() == 0)
    throw Error(ExitCode::input_file,
                "docspec model calibrate: no page was read; give pages with text on them");
  return shares;
}

/// Writes the model's docspec.json with the numbers added, to go into a copy of the model.
std::string write_settings(const std::string& model, const std::vector<double>& shares,
                           OutputFile& output) {
  const std::filesystem::path own = model_folder(model) / "docspec.json";
  auto json = nlohmann::ordered_json::object();
  if (std::filesystem::exists(own)) json = nlohmann::ordered_json::parse(read_file(own));
  json["visual_shares"] = shares;
  output.commit(json.dump(2) + "\n");
  return output.target();
}

}  // namespace

ExitCode calibrate(const Options& options) {
  if (options.inputs.size() < 3)
    throw Error(ExitCode::usage,
                "write docspec model calibrate DIR FILE..., FILE a PDF or image of the kind that "
                "you convert");
  const std::span files = std::span(options.inputs).subspan(2);
  refuse_harmful_outputs(options, files, {});
  std::optional<OutputFile> output;  // a name it cannot have is told before the work
  if (options.output) output.emplace(*options.output);
  const VisualShares measured = measure(options, files);
  std::vector<double> shares = measured.mean();
  for (double& share : shares) share = std::round(share * 1e4) / 1e4;
  const std::string& model = options.inputs[1];
  const std::string kept =
      output ? write_settings(model, shares, *output) : save_calibration(model, shares);
  const FixationOptions defaults;
  OutputFile("-").commit(fmt::format(
      "attention on visual tokens by layer, mean of {} decoded tokens: {}\n"
      "focal layers of --prune fixation: {}\n"
      "kept in {}: {}\n",
      measured.rows(), fmt::join(shares, " "),
      fmt::join(focal_layers(shares, defaults.focal, defaults.gap), " "), kept,
      options.output
          ? "as docspec.json in the model's folder it spares --prune fixation its warm-up"
          : "--prune fixation needs no warm-up with this model any more"));
  return ExitCode::ok;
}

}  // namespace docspec
