#include "core/base/json_file.h"

#include <nlohmann/json.hpp>

#include "core/base/error.h"
#include "core/base/file_descriptor.h"

namespace docspec {
namespace {

[[noreturn]] void wrong_type(const std::string& where, std::string_view key, const char* expected) {
  throw Error(ExitCode::dependency, where + ": key '" + std::string(key) + "' is not " + expected);
}

// The value of a key that may be absent or null.
const nlohmann::json* optional_member(const nlohmann::json& object, std::string_view key) {
  if (!object.is_object()) return nullptr;
  const auto found = object.find(key);
  return found == object.end() || found->is_null() ? nullptr : &*found;
}

}  // namespace

std::string read_file(const std::filesystem::path& path) {
  return read_regular(path, kMostJsonBytes, ExitCode::dependency);
}

void refuse_deep_json(std::string_view text, const std::string& where) {
  constexpr int kMaxDepth = 200;
  int depth = 0;
  bool in_string = false;
  for (size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (in_string) {
      if (c == '\\') ++i;
      in_string = c != '"';
    } else if (c == '"') {
      in_string = true;
    } else if (c == '[' || c == '{') {
      if (++depth > kMaxDepth)
        throw Error(ExitCode::dependency, where + ": nested deeper than 200 levels");
    } else if (c == ']' || c == '}') {
      --depth;
    }
  }
}

nlohmann::json parse_json(std::string_view text, const std::string& where) {
  refuse_deep_json(text, where);
  try {
    return nlohmann::json::parse(text);
  } catch (const nlohmann::json::exception& e) {
    std::string why = e.what();  // "[json.exception...] parse error at line 1, column 2: ..."
    if (const auto end = why.find("] "); end != std::string::npos) why.erase(0, end + 2);
    throw Error(ExitCode::dependency, where + ": not JSON: " + why + "; fetch the file again");
  }
}

nlohmann::json read_json(const std::filesystem::path& path) {
  return parse_json(read_file(path), path.string());
}

const nlohmann::json& json_member(const nlohmann::json& object, std::string_view key,
                                  const std::string& where) {
  if (const auto* value = optional_member(object, key)) return *value;
  throw Error(ExitCode::dependency, where + ": missing key '" + std::string(key) + "'");
}

std::string json_string(const nlohmann::json& object, std::string_view key,
                        const std::string& where) {
  const auto& value = json_member(object, key, where);
  if (!value.is_string()) wrong_type(where, key, "a string");
  return value.get<std::string>();
}

std::string json_string(const nlohmann::json& object, std::string_view key,
                        std::string_view fallback, const std::string& where) {
  return optional_member(object, key) ? json_string(object, key, where) : std::string(fallback);
}

bool json_bool(const nlohmann::json& object, std::string_view key, bool fallback,
               const std::string& where) {
  const auto* value = optional_member(object, key);
  if (value && !value->is_boolean()) wrong_type(where, key, "true or false");
  return value ? value->get<bool>() : fallback;
}

}  // namespace docspec
