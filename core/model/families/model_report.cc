#include "core/model/families/model_report.h"

#include <algorithm>
#include <functional>
#include <map>
#include <nlohmann/json.hpp>
#include <numeric>
#include <sstream>
#include <vector>

#include "core/base/file_descriptor.h"
#include "core/base/json_file.h"
#include "core/base/sha256.h"
#include "core/model/checkpoint/checkpoint.h"
#include "core/model/checkpoint/config_reader.h"
#include "core/model/families/registry.h"
#include "core/model/family_file.h"
#include "core/text/tokenizer.h"

namespace docspec {
namespace {

namespace fs = std::filesystem;

// At most this many names are shown; the count says how many there are.
constexpr size_t kShownNames = 20;

std::string line(const std::string& key, const std::string& value) {
  return key + std::string(key.size() < 12 ? 12 - key.size() : 1, ' ') + value + "\n";
}

// 1234567 -> "1,234,567".
std::string grouped(int64_t number) {
  std::string out = std::to_string(number);
  for (auto at = std::ptrdiff_t(out.size()) - 3; at > 0; at -= 3) out.insert(size_t(at), 1, ',');
  return out;
}

std::string parameters_by_dtype(const Checkpoint& checkpoint) {
  std::map<std::string, int64_t> by_dtype;
  int64_t all = 0;
  for (const TensorInfo& tensor : checkpoint.tensors()) {
    const int64_t n =
        std::accumulate(tensor.shape.begin(), tensor.shape.end(), int64_t{1}, std::multiplies<>());
    by_dtype[tensor.dtype] += n;
    all += n;
  }
  std::string out;
  for (const auto& [dtype, n] : by_dtype)
    out += (out.empty() ? "" : ", ") + dtype + " " + grouped(n);
  return grouped(all) + " (" + (out.empty() ? "no tensors" : out) + ")";
}

std::vector<fs::path> files_of(const fs::path& folder) {
  std::vector<fs::path> out;
  for (const auto& entry : fs::directory_iterator(folder))
    if (entry.is_regular_file()) out.push_back(entry.path());
  std::sort(out.begin(), out.end());
  return out;
}

std::string listed(const std::string& key, const std::vector<std::string>& names) {
  std::string out = line(key, names.empty() ? "none" : std::to_string(names.size()));
  for (size_t i = 0; i < std::min(names.size(), kShownNames); ++i) out += "  " + names[i] + "\n";
  if (names.size() > kShownNames)
    out += "  ... and " + std::to_string(names.size() - kShownNames) + " more\n";
  return out;
}

/// `text` without blanks, quotes and the marks of a heading around it.
std::string unquoted(const std::string& text) {
  const size_t from = text.find_first_not_of(" \t\r\"'#");
  if (from == std::string::npos) return "";
  return text.substr(from, text.find_last_not_of(" \t\r\"'") + 1 - from);
}

/// "" where there is no such file.
std::string text_of(const fs::path& file) {
  constexpr int64_t kMost = 10'000'000;
  std::error_code code;
  return fs::is_regular_file(file, code) ? read_regular(file, kMost, ExitCode::dependency) : "";
}

}  // namespace

std::string stated_licence(const fs::path& folder) {
  std::istringstream readme(text_of(folder / "README.md"));
  std::string text;
  if (std::getline(readme, text) && unquoted(text) == "---") {
    while (std::getline(readme, text) && unquoted(text) != "---")
      if (text.starts_with("license:"))
        if (const std::string licence = unquoted(text.substr(8)); !licence.empty())
          return licence + " (README.md)";
  }
  for (const char* name : {"LICENSE", "LICENSE.txt", "LICENSE.md"}) {
    std::istringstream file(text_of(folder / name));
    while (std::getline(file, text))
      if (const std::string first = unquoted(text); !first.empty())
        return first + " (" + name + ")";
  }
  return "unknown: see its model card";
}

ModelReport model_info(const fs::path& folder, const fs::path& families_folder,
                       const std::atomic<bool>* interrupted) {
  const Checkpoint checkpoint(folder);
  const ConfigReader config(checkpoint.config(), (folder / "config.json").string());
  config.string("model_type");
  const std::string type = family_of_config(checkpoint.config());
  const bool known = find(families(), type) != nullptr;
  ModelReport report;
  report.text += line(
      "family",
      type + (known ? "" : " (not known to this docspec: it reads " + names(families()) + ")"));
  report.text += line("parameters", parameters_by_dtype(checkpoint));
  report.text += line("dtype", config.text().dtype().value_or("not stated"));
  report.text += line("licence", stated_licence(folder));
  const nlohmann::json own = checkpoint.json("docspec.json");
  if (known) {
    const FamilyFile file = find_family_file(folder, checkpoint.config(), own, families_folder);
    report.text += line("prompts", file.path.filename().string() + " (" + file.reason + ")" +
                                       (own.is_object() ? " and docspec.json" : ""));
  }
  if (own.is_object() && own.contains("card") && own["card"].is_object())
    for (const auto& [key, value] : own["card"].items())
      if (value.is_string()) report.text += line(key, value.get<std::string>());
  // Files of JSON have a ceiling; the others may be as large as a model is.
  const auto sum = [&](const fs::path& file) {
    return file.extension() == ".json" ? sha256_hex(read_file(file))
                                       : sha256_hex_of_file(file, interrupted);
  };
  report.text += line("files", "bytes, SHA-256");
  for (const fs::path& file : files_of(folder))
    report.text += "  " + file.filename().string() + "  " + grouped(int64_t(fs::file_size(file))) +
                   "  " + sum(file) + "\n";
  return report;
}

ModelReport model_verify(const fs::path& folder, const Ops& ops) {
  const CheckpointReport checked = verify_checkpoint(folder, ops);
  std::vector<std::string> faults = checked.faults;
  try {
    Tokenizer::load(folder / "tokenizer.json");
  } catch (const Error& e) {
    faults.insert(faults.begin(), e.what());
  }
  ModelReport report;
  report.text = line("family", checked.family) + line("parameters", grouped(checked.parameters)) +
                listed("faults", faults) + listed("unknown", checked.unknown) +
                line("verdict", faults.empty() ? "usable" : "not usable: fetch the files again");
  if (!faults.empty()) report.code = ExitCode::dependency;
  return report;
}

}  // namespace docspec
