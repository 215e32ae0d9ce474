#include "core/text/token_decoder.h"

#include <charconv>
#include <nlohmann/json.hpp>

#include "core/base/error.h"
#include "core/base/json_file.h"
#include "core/text/byte_map.h"
#include "core/text/text_normalizer.h"

namespace docspec {

using nlohmann::json;

TokenDecoder::TokenDecoder(const json& decoder, bool byte_level, const std::string& where)
    : where_(where) {
  if (decoder.is_null())
    byte_level_ = byte_level;
  else
    add(decoder, where);
}

void TokenDecoder::add(const json& step, const std::string& where) {
  constexpr size_t kMostSteps = 64;
  if (replace_.size() == kMostSteps)
    throw Error(ExitCode::dependency, where + ": more than 64 replacements");
  const std::string type = json_string(step, "type", where);
  if (type == "Sequence") {
    for (const json& inner : json_member(step, "decoders", where)) add(inner, where);
  } else if (type == "ByteLevel") {
    byte_level_ = true;
  } else if (type == "ByteFallback") {
    byte_fallback_ = true;
  } else if (type == "Replace") {
    replace_.emplace_back(
        json_string(json_member(step, "pattern", where), "String", where + ": pattern"),
        json_string(step, "content", where));
    if (replace_.back().first.empty())
      throw Error(ExitCode::dependency, where + ": key 'pattern' is empty");
    refuse_long_replacement(replace_.back().second, where);
  } else if (type == "Metaspace") {
    replace_.emplace_back(json_string(step, "replacement", where), " ");
    const bool never = json_string(step, "prepend_scheme", "always", where) == "never" ||
                       !json_bool(step, "add_prefix_space", true, where);
    strip_left_ = never ? 0 : 1;
  } else if (type == "Strip") {
    const json& start = json_member(step, "start", where);
    if (json_string(step, "content", where) != " " || !start.is_number_unsigned())
      throw Error(ExitCode::dependency, where + ": only Strip of blanks at the start is supported");
    strip_left_ = start.get<size_t>();
  } else if (type != "Fuse") {  // Fuse joins tokens, which is what decoding does anyway
    throw Error(ExitCode::dependency, where + ": unknown type '" + type +
                                          "'; known: ByteLevel, ByteFallback, Replace, Metaspace, "
                                          "Strip, Fuse, Sequence");
  }
}

std::string TokenDecoder::bytes_of(std::string_view token) const {
  if (byte_level_) return from_byte_characters(token).value_or(std::string(token));
  if (byte_fallback_ && token.size() == 6 && token.starts_with("<0x") && token.ends_with('>')) {
    unsigned byte = 0;
    const auto [end, error] = std::from_chars(token.data() + 3, token.data() + 5, byte, 16);
    if (error == std::errc() && end == token.data() + 5) return std::string(1, char(byte));
  }
  std::string out(token);
  for (const auto& [from, to] : replace_) {
    out = replace_all(out, from, to);
    refuse_growth(token, out, where_);
  }
  return out;
}

}  // namespace docspec
