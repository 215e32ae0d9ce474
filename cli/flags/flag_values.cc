#include "cli/flags/flag_values.h"

#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <span>
#include <sstream>

#include "core/base/error.h"
#include "core/base/file_descriptor.h"
#include "core/base/suggestion.h"
#include "core/decode/registry.h"
#include "core/markup/registry.h"
#include "drafts/registry.h"

namespace docspec {
namespace {

/// Whether the distribution of the output is that of the plain decode.
template <typename Make>
bool lossless(const Entry<Make>& entry) {
  if constexpr (std::is_same_v<Make, MakeVerifier>)
    return make_verifier(parse_spec("--verify", entry.name, forms(verifiers())))->samples();
  return false;
}

template <typename Make>
std::string listing(std::span<const Entry<Make>> table, bool exactness) {
  const auto call = [](const Entry<Make>& entry) {
    return std::string(entry.name) + (entry.settings.empty() ? "" : ":") +
           std::string(entry.settings);
  };
  constexpr size_t kWidest = 40;  // a wider one has a line of its own
  size_t width = 14;
  for (const auto& entry : table)
    if (call(entry).size() <= kWidest) width = std::max(width, call(entry).size());
  std::string out;
  for (const auto& entry : table) {
    const std::string name = call(entry);
    out += fmt::format("{:<{}} {}{}{}\n", name.size() > width ? name + "\n" : name,
                       name.size() > width ? name.size() + 1 + width : width, entry.summary,
                       !exactness        ? ""
                       : lossless(entry) ? " (lossless: the same distribution)"
                       : entry.exact     ? " (exact)"
                                         : " (approximate)",
                       entry.automatic ? "; in auto" : "");
  }
  return out;
}

}  // namespace

void refuse(std::string_view flag, const std::string& value, std::string_view wanted) {
  throw Error(ExitCode::usage, fmt::format("{} {}: must be {}", flag, value, wanted));
}

int64_t memory_size(std::string_view flag, const std::string& value) {
  double count = 0;
  const char* end = value.data() + value.size();
  const auto [unit, error] = std::from_chars(value.data(), end, count);
  constexpr std::string_view kUnits = "KMGT";
  const size_t power = unit == end ? kUnits.npos : kUnits.find(*unit);
  const std::string_view tail =
      power == kUnits.npos ? std::string_view(unit, end) : std::string_view(unit + 1, end);
  const bool known = tail.empty() || (power != kUnits.npos && (tail == "B" || tail == "iB"));
  const double bytes = power == kUnits.npos ? count : std::ldexp(count, 10 * (int(power) + 1));
  if (error != std::errc{} || !known || !(bytes >= 1) || !(bytes <= 1e15))
    refuse(flag, value, "a size such as 6G, 800M or 1.5GiB");
  return int64_t(bytes);
}

std::string one_of(std::string_view flag, const std::string& value,
                   std::initializer_list<std::string_view> known) {
  std::string list;
  for (std::string_view name : known) {
    if (name == value) return value;
    list += (list.empty() ? "" : ", ") + std::string(name);
  }
  refuse(flag, value,
         "one of " + list + did_you_mean(value, std::span(known.begin(), known.size())));
}

std::string format_choices() {
  return listing(output_formats(), false);
}
std::string proposer_choices() {
  return listing(proposers(), true);
}
std::string verifier_choices() {
  return listing(verifiers(), true);
}
std::string selector_choices() {
  return listing(selectors(), true);
}
std::string detector_choices() {
  return listing(detector_registry(), false);
}
std::string drafter_choices() {
  return listing(drafter_registry(), false) + listing(draft_proposers(), true);
}

void set_headers(Options& o, const std::string& value) {
  one_of("--headers", value, {"drop", "keep", "comment"});
  o.render.headers = value == "drop"   ? HeaderPolicy::drop
                     : value == "keep" ? HeaderPolicy::keep
                                       : HeaderPolicy::comment;
}

void set_layout(Options& o, const std::string& value) {
  std::vector<std::string_view> known = name_list(detector_registry());
  known.insert(known.begin(), "auto");
  std::erase(known, "regions");  // it needs a folder, which stands for it alone, too
  constexpr std::string_view kRegions = "regions:";
  const std::string folder = value.starts_with(kRegions) ? value.substr(kRegions.size()) : value;
  o.layout_folder.clear();
  if (std::find(known.begin(), known.end(), value) != known.end()) {
    o.layout = value;
    return;
  }
  std::error_code error;
  if (!std::filesystem::is_regular_file(std::filesystem::path(folder) / "config.json", error))
    refuse("--layout", value,
           fmt::format("one of {}, or a detector's checkpoint folder, with config.json{}",
                       fmt::join(known, ", "), did_you_mean(value, known)));
  o.layout_folder = std::filesystem::absolute(folder);
}

void set_password_file(Options& o, const std::string& path) {
  constexpr int64_t kMost = 100'000;
  std::istringstream file(read_regular(path, kMost, ExitCode::usage));
  if (!std::getline(file, o.password))
    throw Error(ExitCode::usage, "--password-file " + path + ": cannot be read or is empty");
  if (!o.password.empty() && o.password.back() == '\r') o.password.pop_back();
}

void set_shard(Options& o, const std::string& value) {
  const size_t slash = value.find('/');
  if (slash == std::string::npos) refuse("--shard", value, "I/N, for example 2/8");
  o.shard_count = number("--shard", value.substr(slash + 1), 1, 1'000'000);
  o.shard_index = number("--shard", value.substr(0, slash), 1, o.shard_count);
}

void set_to(Options& o, const std::string& value) {
  size_t from = 0;
  while (true) {
    const size_t comma = value.find(',', from);
    make_output_format(value.substr(from, comma - from));
    if (comma == std::string::npos) break;
    from = comma + 1;
  }
  o.to = value;
}

}  // namespace docspec
