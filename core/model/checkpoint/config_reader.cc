#include "core/model/checkpoint/config_reader.h"

#include <cmath>
#include <limits>
#include <nlohmann/json.hpp>

#include "core/base/error.h"

namespace docspec {

using nlohmann::json;

ConfigReader::ConfigReader(const json& root, std::string file) : file_(std::move(file)) {
  if (!root.is_object()) throw Error(ExitCode::dependency, file_ + ": not a JSON object");
  sections_ = {{"", &root}};
}

ConfigReader::ConfigReader(std::string file, std::vector<Section> sections)
    : file_(std::move(file)), sections_(std::move(sections)) {}

ConfigReader ConfigReader::text() const {
  auto sections = sections_;
  for (const char* key : {"language_config", "text_config"}) {
    const json* nested = lookup(key);
    if (!nested) continue;
    if (!nested->is_object()) wrong(key, *nested, "an object");
    sections.insert(sections.begin(), {key, nested});
  }
  return {file_, sections};
}

ConfigReader ConfigReader::vision() const {
  return section("vision_config");
}

ConfigReader ConfigReader::section(std::string_view key) const {
  const json& nested = require(key);
  if (!nested.is_object()) wrong(key, nested, "an object");
  return {file_, {{std::string(key), &nested}}};
}

const json* ConfigReader::lookup(std::string_view key) const {
  for (const Section& section : sections_)
    if (const auto found = section.object->find(key);
        found != section.object->end() && !found->is_null())
      return &*found;
  return nullptr;
}

const json& ConfigReader::require(std::string_view key) const {
  if (const json* value = lookup(key)) return *value;
  std::string where;
  for (const Section& section : sections_)
    where += (where.empty() ? "" : " and ") +
             (section.name.empty() ? std::string("at top level") : "in " + section.name);
  throw Error(ExitCode::dependency,
              file_ + ": missing key '" + std::string(key) + "' (looked " + where + ")");
}

void ConfigReader::wrong(std::string_view key, const json& value, const char* expected) const {
  std::string shown = value.dump(-1, ' ', false, json::error_handler_t::replace);
  if (shown.size() > 60) shown = shown.substr(0, 60) + "...";
  throw Error(ExitCode::dependency,
              file_ + ": key '" + std::string(key) + "' is " + shown + ", expected " + expected);
}

bool ConfigReader::has(std::string_view key) const {
  return lookup(key) != nullptr;
}

int64_t ConfigReader::integer(std::string_view key) const {
  const json& value = require(key);
  const bool fits = value.is_number_integer() &&
                    (!value.is_number_unsigned() ||
                     value.get<uint64_t>() <= uint64_t(std::numeric_limits<int64_t>::max()));
  if (!fits) wrong(key, value, "an integer");
  return value.get<int64_t>();
}

int64_t ConfigReader::integer(std::string_view key, int64_t fallback) const {
  return has(key) ? integer(key) : fallback;
}

int64_t ConfigReader::count(std::string_view key) const {
  const int64_t value = integer(key);
  if (value < 1 || value > std::numeric_limits<int32_t>::max())
    wrong(key, require(key), "a size between 1 and 2147483647");
  return value;
}

int64_t ConfigReader::count(std::string_view key, int64_t fallback) const {
  return has(key) ? count(key) : fallback;
}

double ConfigReader::number(std::string_view key) const {
  const json& value = require(key);
  if (!value.is_number() || !std::isfinite(value.get<double>())) wrong(key, value, "a number");
  return value.get<double>();
}

double ConfigReader::number(std::string_view key, double fallback) const {
  return has(key) ? number(key) : fallback;
}

bool ConfigReader::boolean(std::string_view key) const {
  const json& value = require(key);
  if (!value.is_boolean()) wrong(key, value, "true or false");
  return value.get<bool>();
}

bool ConfigReader::boolean(std::string_view key, bool fallback) const {
  return has(key) ? boolean(key) : fallback;
}

std::string ConfigReader::string(std::string_view key) const {
  const json& value = require(key);
  if (!value.is_string()) wrong(key, value, "a string");
  return value.get<std::string>();
}

std::string ConfigReader::string(std::string_view key, std::string_view fallback) const {
  return has(key) ? string(key) : std::string(fallback);
}

std::vector<int64_t> ConfigReader::integers(std::string_view key) const {
  const json& value = require(key);
  if (!value.is_array()) wrong(key, value, "a list of integers");
  std::vector<int64_t> out;
  for (const json& item : value) {
    if (!item.is_number_integer()) wrong(key, value, "a list of integers");
    out.push_back(item.get<int64_t>());
  }
  return out;
}

std::vector<std::string> ConfigReader::strings(std::string_view key) const {
  const json& value = require(key);
  if (!value.is_array()) wrong(key, value, "a list of strings");
  std::vector<std::string> out;
  for (const json& item : value) {
    if (!item.is_string()) wrong(key, value, "a list of strings");
    out.push_back(item.get<std::string>());
  }
  return out;
}

std::optional<std::string> ConfigReader::dtype() const {
  for (const char* key : {"dtype", "torch_dtype"}) {
    if (!has(key)) continue;
    const std::string name = string(key);
    return name.starts_with("torch.") ? name.substr(6) : name;
  }
  return std::nullopt;
}

RopeConfig ConfigReader::rope() const {
  RopeConfig out;
  out.theta = number("rope_theta", out.theta);
  out.partial = number("partial_rotary_factor", out.partial);
  for (const char* key : {"rope_parameters", "rope_scaling"}) {
    const json* object = lookup(key);
    if (!object) continue;
    if (!object->is_object()) wrong(key, *object, "an object");
    const ConfigReader rope(file_, {{key, object}});
    out.theta = rope.number("rope_theta", out.theta);
    out.type = rope.string("rope_type", rope.string("type", out.type));
    for (const char* section : {"mrope_section", "xdrope_section"})
      if (rope.has(section)) out.mrope_section = rope.integers(section);
    out.alpha = rope.number("alpha", out.alpha);
    out.partial = rope.number("partial_rotary_factor", out.partial);
    break;
  }
  if (!(out.theta > 0))
    throw Error(ExitCode::dependency, file_ + ": key 'rope_theta' must be positive");
  return out;
}

[[noreturn]] void throw_unsupported_config(const std::string& message) {
  throw Error(ExitCode::dependency, "config.json: " + message + "; the model cannot be read");
}

}  // namespace docspec
