#include "core/text/pre_tokenizer.h"

#include <memory>
#include <nlohmann/json.hpp>
#include <utility>

#include "core/base/error.h"
#include "core/base/json_file.h"
#include "core/text/regex.h"

namespace docspec {
namespace {

using nlohmann::json;

// ByteLevel's own split, [GPT-2].
constexpr char kGpt2Split[] =
    R"('s|'t|'re|'ve|'m|'ll|'d| ?\p{L}+| ?\p{N}+| ?[^\s\p{L}\p{N}]+|\s+(?!\S)|\s+)";

enum class Behavior { removed, isolated, merged_with_previous, merged_with_next, contiguous };

struct TextPart {
  size_t from, to;
  bool match;
};

// The whole text as alternating matches and gaps.
std::vector<TextPart> parts_of(std::string_view text, const Regex& regex, bool invert) {
  std::vector<TextPart> out;
  size_t done = 0;
  for (const auto& [from, to] : regex.find_all(text)) {
    if (from > done) out.push_back({done, from, invert});
    out.push_back({from, to, !invert});
    done = to;
  }
  if (done < text.size()) out.push_back({done, text.size(), invert});
  return out;
}

// Joins neighbours as `behavior` says. Source: tokenizers' NormalizedString::split.
std::vector<TextPart> join(const std::vector<TextPart>& parts, Behavior behavior) {
  std::vector<TextPart> out;
  bool previous_match = false;
  for (const TextPart& part : parts) {
    bool joined = false;
    if (!out.empty()) {
      if (behavior == Behavior::contiguous) joined = part.match == previous_match;
      if (behavior == Behavior::merged_with_previous) joined = part.match && !previous_match;
      // A match takes what follows it, unless that is a match itself.
      if (behavior == Behavior::merged_with_next) joined = previous_match && !part.match;
    }
    if (joined)
      out.back().to = part.to;
    else
      out.push_back(part);
    previous_match = part.match;
  }
  if (behavior == Behavior::removed) std::erase_if(out, [](const TextPart& p) { return p.match; });
  return out;
}

Behavior behavior_of(const json& step, const std::string& where) {
  const std::string name = json_string(step, "behavior", where);
  if (name == "Removed") return Behavior::removed;
  if (name == "Isolated") return Behavior::isolated;
  if (name == "MergedWithPrevious") return Behavior::merged_with_previous;
  if (name == "MergedWithNext") return Behavior::merged_with_next;
  if (name == "Contiguous") return Behavior::contiguous;
  throw Error(ExitCode::dependency, where + ": key 'behavior' holds the unknown '" + name + "'");
}

auto splitter(Regex regex, Behavior behavior, bool invert) {
  return
      [regex = std::make_shared<Regex>(std::move(regex)), behavior, invert](Pieces& pieces, bool) {
        std::vector<std::string_view> out;
        for (const std::string_view piece : pieces.views)
          for (const TextPart& part : join(parts_of(piece, *regex, invert), behavior))
            out.push_back(piece.substr(part.from, part.to - part.from));
        pieces.views = std::move(out);
      };
}

Regex pattern_of(const json& step, const std::string& where) {
  const json& pattern = json_member(step, "pattern", where);
  if (pattern.is_object() && pattern.contains("String"))
    return {json_string(pattern, "String", where), Regex::Syntax::literal, where};
  return {json_string(pattern, "Regex", where + ": pattern"), Regex::Syntax::regex, where};
}

// Each piece rewritten by `change`, which returns nothing to leave it as it is.
template <typename Change>
void rewrite(Pieces& pieces, Change change) {
  for (std::string_view& piece : pieces.views)
    if (std::string changed = change(piece); changed != piece)
      piece = pieces.owned.emplace_back(std::move(changed));
}

}  // namespace

PreTokenizer::PreTokenizer(const json& pre_tokenizer, const std::string& where) {
  if (!pre_tokenizer.is_null()) add(pre_tokenizer, where);
}

void PreTokenizer::add(const json& step, const std::string& where) {
  const std::string type = json_string(step, "type", where);
  if (type == "Sequence") {
    for (const json& inner : json_member(step, "pretokenizers", where)) add(inner, where);
    return;
  }
  if (byte_level_)
    throw Error(ExitCode::dependency, where + ": '" + type + "' after ByteLevel is not supported");
  if (type == "Split") {
    steps_.push_back(splitter(pattern_of(step, where), behavior_of(step, where),
                              json_bool(step, "invert", false, where)));
  } else if (type == "Digits") {
    const bool each = json_bool(step, "individual_digits", false, where);
    steps_.push_back(splitter(Regex(each ? "\\p{N}" : "\\p{N}+", Regex::Syntax::regex, where),
                              Behavior::isolated, false));
  } else if (type == "ByteLevel") {
    add_byte_level(step, where);
  } else if (type == "Metaspace") {
    add_metaspace(step, where);
  } else {
    throw Error(ExitCode::dependency,
                where + ": unknown type '" + type +
                    "'; known: Split, ByteLevel, Digits, Metaspace, Sequence");
  }
}

void PreTokenizer::add_byte_level(const json& step, const std::string& where) {
  byte_level_ = true;
  if (json_bool(step, "add_prefix_space", true, where))
    steps_.push_back([](Pieces& pieces, bool) {
      rewrite(pieces, [](std::string_view piece) {
        return (piece.starts_with(' ') ? "" : " ") + std::string(piece);
      });
    });
  if (json_bool(step, "use_regex", true, where))
    steps_.push_back(
        splitter(Regex(kGpt2Split, Regex::Syntax::regex, where), Behavior::isolated, false));
}

void PreTokenizer::add_metaspace(const json& step, const std::string& where) {
  const std::string mark = json_string(step, "replacement", where);
  const bool legacy = json_bool(step, "add_prefix_space", true, where);
  const std::string scheme =
      json_string(step, "prepend_scheme", legacy ? "always" : "never", where);
  if (scheme != "always" && scheme != "first" && scheme != "never")
    throw Error(ExitCode::dependency,
                where + ": key 'prepend_scheme' holds the unknown '" + scheme + "'");
  steps_.push_back([mark, scheme](Pieces& pieces, bool at_start) {
    const bool prepend = scheme == "always" || (scheme == "first" && at_start);
    rewrite(pieces, [&](std::string_view piece) {
      std::string out;
      for (const char c : piece) c == ' ' ? out += mark : out += c;
      return prepend && !out.starts_with(mark) ? mark + out : out;
    });
  });
  if (json_bool(step, "split", true, where))
    steps_.push_back(
        splitter(Regex(mark, Regex::Syntax::literal, where), Behavior::merged_with_next, false));
}

Pieces PreTokenizer::split(std::string_view text, bool at_start) const {
  Pieces pieces;
  if (!text.empty()) pieces.views.push_back(text);
  for (const Step& step : steps_) step(pieces, at_start);
  return pieces;
}

}  // namespace docspec
