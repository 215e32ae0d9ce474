#include "core/text/bpe.h"

#include <limits>
#include <nlohmann/json.hpp>
#include <queue>
#include <utility>

#include "core/base/error.h"
#include "core/base/json_file.h"
#include "core/text/byte_map.h"
#include "core/text/unicode.h"

namespace docspec {
namespace {

using nlohmann::json;

// Words of text repeat; a page has a few thousand different ones. Longer ones hardly come back.
constexpr size_t kCacheWords = 1 << 16;
constexpr size_t kCacheWordBytes = 64;
constexpr char kHex[] = "0123456789ABCDEF";

[[noreturn]] void fail(const std::string& message) {
  throw Error(ExitCode::dependency, message);
}

// "a b" or ["a", "b"].
std::pair<std::string, std::string> read_merge(const json& merge, const std::string& where) {
  if (merge.is_array() && merge.size() == 2 && merge[0].is_string() && merge[1].is_string())
    return {merge[0].get<std::string>(), merge[1].get<std::string>()};
  const std::string text = merge.is_string() ? merge.get<std::string>() : "";
  const size_t blank = text.find(' ');
  if (blank == std::string::npos || text.find(' ', blank + 1) != std::string::npos)
    fail(where + " is neither \"a b\" nor [\"a\", \"b\"]");
  return {text.substr(0, blank), text.substr(blank + 1)};
}

void refuse_unsupported(const json& model, const std::string& where) {
  if (const std::string type = json_string(model, "type", "BPE", where); type != "BPE")
    fail(where + ": unknown type '" + type + "'; known: BPE");
  for (const char* key : {"continuing_subword_prefix", "end_of_word_suffix"})
    if (!json_string(model, key, "", where).empty())
      fail(where + ": key '" + key + "' is not supported");
  if (const auto dropout = model.find("dropout");
      dropout != model.end() && !dropout->is_null() && !(dropout->is_number() && *dropout == 0))
    fail(where + ": key 'dropout' is not supported: encoding must be deterministic");
}

}  // namespace

Bpe::Bpe(const json& model, bool byte_level, const std::string& where) : byte_level_(byte_level) {
  if (!model.is_object()) fail(where + " is not an object");
  refuse_unsupported(model, where);
  read_vocab(model, where);
  read_merges(json_member(model, "merges", where), where);
  ignore_merges_ = json_bool(model, "ignore_merges", false, where);
  byte_fallback_ = json_bool(model, "byte_fallback", false, where);
  fuse_unknown_ = json_bool(model, "fuse_unk", false, where);
  if (const std::string unknown = json_string(model, "unk_token", "", where); !unknown.empty()) {
    if (!vocab_.contains(unknown)) fail(where + ": key 'unk_token' is not in 'vocab'");
    unknown_ = vocab_.at(unknown);
  }
  for (int b = 0; b < 256; ++b) {
    const std::string token = byte_level_ ? to_byte_characters(std::string(1, char(b)))
                                          : std::string("<0x") + kHex[b >> 4] + kHex[b & 15] + ">";
    const auto found = vocab_.find(token);
    byte_ids_[size_t(b)] = found == vocab_.end() ? -1 : found->second;
  }
}

void Bpe::read_vocab(const json& model, const std::string& where) {
  const json& vocab = json_member(model, "vocab", where);
  if (!vocab.is_object() || vocab.empty()) fail(where + ": key 'vocab' is not an object of ids");
  vocab_.reserve(vocab.size());
  for (const auto& [token, id] : vocab.items()) {
    if (!id.is_number_unsigned() || id.get<uint64_t>() > 0x7FFFFFFE)
      fail(where + ": vocab['" + token + "'] is not an id");
    vocab_.emplace(token, id.get<int32_t>());
  }
}

void Bpe::read_merges(const json& merges, const std::string& where) {
  if (!merges.is_array()) fail(where + ": key 'merges' is not a list");
  merges_.reserve(merges.size());
  const auto id_of = [&](const std::string& token, const std::string& place) {
    const auto found = vocab_.find(token);
    if (found == vocab_.end()) fail(place + ": '" + token + "' is not in 'vocab'");
    return found->second;
  };
  for (size_t rank = 0; rank < merges.size(); ++rank) {
    const std::string place = where + ": merges[" + std::to_string(rank) + "]";
    const auto [left, right] = read_merge(merges[rank], place);
    const uint64_t key = uint64_t(id_of(left, place)) << 32 | uint32_t(id_of(right, place));
    merges_[key] = {uint32_t(rank), id_of(left + right, place)};
  }
}

void Bpe::encode(std::string_view word, std::vector<int32_t>& out) const {
  const bool cached = word.size() <= kCacheWordBytes;
  if (cached) {
    const std::lock_guard lock(cache_mutex_);
    if (const auto found = cache_.find(word); found != cache_.end()) {
      out.insert(out.end(), found->second.begin(), found->second.end());
      return;
    }
  }
  const std::vector<int32_t> ids = encode_uncached(word);
  out.insert(out.end(), ids.begin(), ids.end());
  if (cached) {
    const std::lock_guard lock(cache_mutex_);
    if (cache_.size() < kCacheWords) cache_.emplace(word, ids);
  }
}

std::vector<int32_t> Bpe::encode_uncached(std::string_view word) const {
  if (ignore_merges_) {
    const auto whole = byte_level_ ? vocab_.find(to_byte_characters(word)) : vocab_.find(word);
    if (whole != vocab_.end()) return {whole->second};
  }
  std::vector<int32_t> ids = symbols_of(word);
  merge(ids);
  return ids;
}

std::vector<int32_t> Bpe::symbols_of(std::string_view word) const {
  std::vector<int32_t> out;
  for (size_t i = 0; i < word.size();) {
    const size_t bytes = byte_level_ ? 1 : code_point_at(word, i).bytes;
    const std::string_view character = word.substr(i, bytes);
    if (byte_level_ && byte_ids_[uint8_t(word[i])] >= 0)
      out.push_back(byte_ids_[uint8_t(word[i])]);
    else if (const auto found = vocab_.find(character); !byte_level_ && found != vocab_.end())
      out.push_back(found->second);
    else
      push_unknown(character, out);
    i += bytes;
  }
  return out;
}

// A character outside the vocabulary: its bytes, else the unknown token, else nothing at all (what
// the reference does).
void Bpe::push_unknown(std::string_view character, std::vector<int32_t>& out) const {
  if (byte_fallback_ && !byte_level_) {
    bool all = true;
    for (const char b : character) all &= byte_ids_[uint8_t(b)] >= 0;
    if (all) {
      for (const char b : character) out.push_back(byte_ids_[uint8_t(b)]);
      return;
    }
  }
  if (unknown_ && !(fuse_unknown_ && !out.empty() && out.back() == *unknown_))
    out.push_back(*unknown_);
}

std::optional<Bpe::Merge> Bpe::find_merge(int32_t left, int32_t right) const {
  const auto found = merges_.find(uint64_t(left) << 32 | uint32_t(right));
  return found == merges_.end() ? std::nullopt : std::optional(found->second);
}

void Bpe::merge(std::vector<int32_t>& ids) const {
  struct Candidate {
    uint32_t rank, place;
    int32_t result;
    bool operator>(const Candidate& o) const {
      return std::pair(rank, place) > std::pair(o.rank, o.place);
    }
  };
  constexpr uint32_t kNone = std::numeric_limits<uint32_t>::max();
  const auto n = uint32_t(ids.size());
  std::vector<uint32_t> next(n), previous(n);
  std::priority_queue<Candidate, std::vector<Candidate>, std::greater<>> queue;
  const auto propose = [&](uint32_t left) {
    if (left == kNone || next[left] == kNone) return;
    if (const auto merge = find_merge(ids[left], ids[next[left]]))
      queue.push({merge->rank, left, merge->result});
  };
  for (uint32_t i = 0; i < n; ++i) {
    next[i] = i + 1 < n ? i + 1 : kNone;
    previous[i] = i > 0 ? i - 1 : kNone;
  }
  for (uint32_t i = 0; i < n; ++i) propose(i);
  while (!queue.empty()) {
    const auto [rank, place, result] = queue.top();
    queue.pop();
    // Stale when either side has merged since: the pair there is another one now.
    if (ids[place] < 0 || next[place] == kNone) continue;
    const uint32_t right = next[place];
    const auto current = find_merge(ids[place], ids[right]);
    if (!current || current->result != result) continue;
    ids[place] = result;
    ids[right] = -1;
    next[place] = next[right];
    if (next[right] != kNone) previous[next[right]] = place;
    propose(previous[place]);
    propose(place);
  }
  std::erase(ids, -1);
}

}  // namespace docspec
