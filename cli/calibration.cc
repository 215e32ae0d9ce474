#include "cli/calibration.h"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "cli/run_key.h"
#include "core/base/error.h"
#include "core/base/user_cache.h"

namespace docspec {
namespace {

std::string file_of(const std::string& model) {
  return "visual-shares-" + model_digest(model).substr(0, 16) + ".json";
}

}  // namespace

std::vector<double> load_calibration(const std::string& model) {
  const auto json = nlohmann::json::parse(read_cache(file_of(model)).value_or(""), nullptr, false);
  const bool numbers = json.is_array() && std::all_of(json.begin(), json.end(),
                                                      [](const auto& j) { return j.is_number(); });
  return numbers ? json.get<std::vector<double>>() : std::vector<double>();
}

std::string save_calibration(const std::string& model, std::span<const double> shares) {
  const std::string path = write_cache(file_of(model), nlohmann::json(shares).dump() + "\n");
  if (path.empty())
    throw Error(ExitCode::output_file,
                "the user's cache cannot be written (XDG_CACHE_HOME, else ~/.cache); name a file "
                "with -o");
  return path;
}

}  // namespace docspec
