#pragma once

#include <array>
#include <cstdint>
#include <mutex>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace docspec {

/// Lets maps with string keys be searched by string_view.
struct StringHash : std::hash<std::string_view> {
  using is_transparent = void;
};
template <typename Value>
using StringMap = std::unordered_map<std::string, Value, StringHash, std::equal_to<>>;

/// Byte-pair encoding of one word: the "model" of a tokenizer.json with type BPE. Merges are
/// applied lowest rank first, leftmost among equals. Thread-safe.
class Bpe {
 public:
  /// `byte_level`: words are bytes and the vocabulary is written in byte characters.
  /// Throws Error(dependency) naming the key: no merges, a merge outside the vocabulary, ...
  Bpe(const nlohmann::json& model, bool byte_level, const std::string& where);

  /// Appends the ids of `word`. O(n log n) in its length; frequent words come from a cache.
  void encode(std::string_view word, std::vector<int32_t>& out) const;
  const StringMap<int32_t>& vocab() const { return vocab_; }

 private:
  struct Merge {
    uint32_t rank;
    int32_t result;
  };
  void read_vocab(const nlohmann::json& model, const std::string& where);
  void read_merges(const nlohmann::json& merges, const std::string& where);
  std::vector<int32_t> encode_uncached(std::string_view word) const;
  std::vector<int32_t> symbols_of(std::string_view word) const;
  void push_unknown(std::string_view character, std::vector<int32_t>& out) const;
  void merge(std::vector<int32_t>& ids) const;
  std::optional<Merge> find_merge(int32_t left, int32_t right) const;

  bool byte_level_, ignore_merges_ = false, byte_fallback_ = false, fuse_unknown_ = false;
  StringMap<int32_t> vocab_;
  std::unordered_map<uint64_t, Merge> merges_;  // (left id << 32 | right id)
  std::array<int32_t, 256> byte_ids_{};         // byte -> id of its character or of <0xXX>; -1 none
  std::optional<int32_t> unknown_;
  mutable std::mutex cache_mutex_;
  mutable StringMap<std::vector<int32_t>> cache_;
};

}  // namespace docspec
