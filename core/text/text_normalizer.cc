#include "core/text/text_normalizer.h"

#include <map>
#include <nlohmann/json.hpp>
#include <utility>

#include "core/base/error.h"
#include "core/base/json_file.h"
#include "core/text/unicode.h"

namespace docspec {
std::string replace_all(const std::string& text, const std::string& from, const std::string& to) {
  std::string out;
  size_t done = 0;
  for (size_t at; (at = text.find(from, done)) != std::string::npos; done = at + from.size())
    out.append(text, done, at - done).append(to);
  return out.append(text, done);
}

void refuse_growth(std::string_view text, const std::string& made, const std::string& where) {
  constexpr size_t kMostTimes = 16, kAnyLength = 4096;
  if (made.size() > kMostTimes * text.size() + kAnyLength)
    throw Error(ExitCode::dependency, where + ": its replacements make text grow without end");
}

void refuse_long_replacement(const std::string& content, const std::string& where) {
  constexpr size_t kMost = 64;
  if (content.size() > kMost)
    throw Error(ExitCode::dependency, where + ": a replacement of more than 64 bytes");
}

TextNormalizer::TextNormalizer(const nlohmann::json& normalizer, const std::string& where)
    : where_(where) {
  if (!normalizer.is_null()) add(normalizer, where);
}

void TextNormalizer::add(const nlohmann::json& step, const std::string& where) {
  static const std::map<std::string_view, NormalForm> kForms = {{"NFC", NormalForm::nfc},
                                                                {"NFD", NormalForm::nfd},
                                                                {"NFKC", NormalForm::nfkc},
                                                                {"NFKD", NormalForm::nfkd}};
  constexpr size_t kMostSteps = 64;
  if (steps_.size() == kMostSteps)
    throw Error(ExitCode::dependency, where + ": more than 64 steps");
  const std::string type = json_string(step, "type", where);
  if (const auto form = kForms.find(type); form != kForms.end()) {
    steps_.push_back([f = form->second](std::string text) { return normalize_unicode(text, f); });
  } else if (type == "Sequence") {
    for (const auto& inner : json_member(step, "normalizers", where)) add(inner, where);
  } else if (type == "Prepend") {
    refuse_long_replacement(json_string(step, "prepend", where), where);
    steps_.push_back([prefix = json_string(step, "prepend", where)](std::string text) {
      return text.empty() ? text : prefix + text;
    });
  } else if (type == "Replace") {
    const std::string from =
        json_string(json_member(step, "pattern", where), "String", where + ": pattern");
    if (from.empty()) throw Error(ExitCode::dependency, where + ": key 'pattern' is empty");
    refuse_long_replacement(json_string(step, "content", where), where);
    steps_.push_back([from, to = json_string(step, "content", where)](std::string text) {
      return replace_all(text, from, to);
    });
  } else {
    throw Error(ExitCode::dependency, where + ": unknown type '" + type +
                                          "'; known: NFC, NFD, NFKC, NFKD, Prepend, Replace, "
                                          "Sequence");
  }
}

std::string TextNormalizer::apply(std::string_view text) const {
  std::string out(text);
  for (const auto& step : steps_) {
    out = step(std::move(out));
    refuse_growth(text, out, where_);
  }
  return out;
}

}  // namespace docspec
