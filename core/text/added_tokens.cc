#include "core/text/added_tokens.h"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "core/base/error.h"
#include "core/base/json_file.h"
#include "core/text/unicode.h"

namespace docspec {
namespace {

using nlohmann::json;

AddedToken read_token(const json& entry, const std::string& where) {
  const json& id = json_member(entry, "id", where);
  if (!id.is_number_unsigned() || id.get<uint64_t>() > 0x7FFFFFFE)
    throw Error(ExitCode::dependency, where + ": key 'id' is not an id");
  AddedToken token;
  token.id = id.get<int32_t>();
  token.content = json_string(entry, "content", where);
  token.special = json_bool(entry, "special", false, where);
  token.single_word = json_bool(entry, "single_word", false, where);
  token.lstrip = json_bool(entry, "lstrip", false, where);
  token.rstrip = json_bool(entry, "rstrip", false, where);
  token.normalized = json_bool(entry, "normalized", !token.special, where);
  return token;
}

// The last character that ends at `end`; -1 at the start.
int32_t character_before(std::string_view text, size_t end) {
  if (end == 0) return -1;
  size_t from = end - 1;
  while (from > 0 && (uint8_t(text[from]) & 0xC0) == 0x80) --from;
  return code_point_at(text, from).value;
}

size_t skip_spaces(std::string_view text, size_t from) {
  while (from < text.size()) {
    const CodePoint c = code_point_at(text, from);
    if (!is_space(c.value)) break;
    from += c.bytes;
  }
  return from;
}

size_t skip_spaces_back(std::string_view text, size_t end) {
  while (end > 0 && is_space(character_before(text, end))) {
    --end;
    while (end > 0 && (uint8_t(text[end]) & 0xC0) == 0x80) --end;
  }
  return end;
}

}  // namespace

AddedTokens::AddedTokens(const json& list, const TextNormalizer& normalizer,
                         const std::string& where) {
  if (list.is_null()) return;
  if (!list.is_array()) throw Error(ExitCode::dependency, where + " is not a list");
  for (size_t i = 0; i < list.size(); ++i) {
    tokens_.push_back(read_token(list[i], where + "[" + std::to_string(i) + "]"));
    const AddedToken& token = tokens_.back();
    const std::string content =
        token.normalized ? normalizer.apply(repair_utf8(token.content)) : token.content;
    if (content.empty()) continue;
    Index& index = indices_[token.normalized];
    index.by_content.emplace(content, i);
    auto& lengths = index.lengths_by_first[uint8_t(content[0])];
    if (std::find(lengths.begin(), lengths.end(), content.size()) == lengths.end())
      lengths.push_back(content.size());
    std::sort(lengths.rbegin(), lengths.rend());
  }
}

void AddedTokens::make_text(int32_t id) {
  for (AddedToken& token : tokens_)
    if (token.id == id) token.special = false;
}

std::vector<TokenSpan> AddedTokens::split(std::string_view text, bool normalized,
                                          bool parse_special) const {
  const Index& index = indices_[normalized];
  const auto longest_at = [&](size_t at) -> const StringMap<size_t>::value_type* {
    for (const size_t length : index.lengths_by_first[uint8_t(text[at])]) {
      if (length > text.size() - at) continue;
      if (const auto found = index.by_content.find(text.substr(at, length));
          found != index.by_content.end())
        return &*found;
    }
    return nullptr;
  };
  std::vector<TokenSpan> out;
  size_t done = 0;
  for (size_t at = 0; at < text.size();) {
    const auto* found = longest_at(at);
    if (!found) {
      ++at;
      continue;
    }
    const AddedToken& token = tokens_[found->second];
    size_t from = at, to = at + found->first.size();
    at = to;  // also when it is turned down: matches do not overlap
    if (token.special && !parse_special) continue;
    if (token.single_word && (is_word(character_before(text, from)) ||
                              (to < text.size() && is_word(code_point_at(text, to).value))))
      continue;
    if (token.lstrip) from = std::max(skip_spaces_back(text, from), done);
    if (token.rstrip) to = skip_spaces(text, to);
    if (from > done) out.push_back({done, from, std::nullopt});
    out.push_back({from, to, token.id});
    done = to;
  }
  if (done < text.size()) out.push_back({done, text.size(), std::nullopt});
  return out;
}

}  // namespace docspec
