#include "cli/run_key.h"

#include <algorithm>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "cli/flags/flags.h"
#include "cli/flags/named_files.h"
#include "cli/flags/share.h"
#include "core/base/error.h"
#include "core/base/sha256.h"
#include "drafts/replay/replay_formats.h"

namespace docspec {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;

/// The effect of the flag with this long name: kNoText, kRendering, or 0 if it decides text.
unsigned effect_of(const std::string& name) {
  for (const Flag& flag : flag_table())
    if (long_name(flag) == name) return flag.commands & (kNoText | kRendering);
  return 0;
}

Json describe_model(const std::string& name) {
  const fs::path model = model_folder(name);
  std::error_code error;
  if (!fs::is_directory(model, error)) return name;
  std::vector<std::string> files;
  for (fs::directory_iterator it(model, error), end; it != end && !error; it.increment(error))
    if (it->is_regular_file(error))
      files.push_back(it->path().filename().string() + ' ' + std::to_string(it->file_size(error)) +
                      ' ' + std::to_string(it->last_write_time(error).time_since_epoch().count()));
  std::sort(files.begin(), files.end());
  return files;
}

/// Digests of the files that a flag's value names, and of the drafts that a folder has for the
/// input.
Json digests(const std::string& value, const std::string& input_sha256) {
  Json out = Json::array();
  for (const std::string& file : named_files(value)) out.push_back(sha256_hex_of_file(file));
  const fs::path drafts =
      drafts_in_folder(value.substr(value.find_last_of(":=") + 1), input_sha256);
  if (std::error_code error; fs::is_regular_file(drafts, error))
    out.push_back(sha256_hex_of_file(drafts));
  return out;
}

std::string digest(const Json& json) {
  return sha256_hex(json.dump(-1, ' ', false, Json::error_handler_t::replace));
}

}  // namespace

std::string model_digest(const std::string& model) {
  return digest(describe_model(model));
}

JournalKey run_key(const Options& options, const std::string& input_sha256,
                   const std::string& pages) {
  Json reading = {{"version", DOCSPEC_VERSION}, {"model", describe_model(options.model)}};
  Json rendering = Json::object();
  if (!pages.empty()) rendering["pages"] = pages;
  for (const auto& [name, value] : options.given) {
    const unsigned effect = effect_of(name);
    if (effect & kNoText) continue;
    if (effect & kRendering) {
      rendering[name] = value;
    } else {
      reading[name] = Json::array({value, digests(value, input_sha256)});
    }
  }
  return {input_sha256, digest(reading), digest(rendering)};
}

}  // namespace docspec
