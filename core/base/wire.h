#pragma once

#include <cstdint>
#include <cstring>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "core/base/error.h"

namespace docspec {

/// Values as bytes, for a process of the same binary, in declaration order. A type takes part
/// through a function `fields(archive, value)` next to it, which serves both directions.
class Packer {
 public:
  template <typename... T>
  void operator()(T&... values) {
    (put(values), ...);
  }
  std::string take() { return std::move(bytes_); }
  void reserve(size_t bytes) { bytes_.reserve(bytes); }
  void raw(const void* data, size_t size) { bytes_.append(static_cast<const char*>(data), size); }

 private:
  template <typename T>
  void put(T& value) {
    if constexpr (std::is_arithmetic_v<T> || std::is_enum_v<T>)
      raw(&value, sizeof value);
    else
      fields(*this, value);
  }
  void put(std::string& text) {
    size(text.size());
    raw(text.data(), text.size());
  }
  template <typename T>
  void put(std::vector<T>& list) {
    size(list.size());
    for (T& value : list) put(value);
  }
  template <typename T>
  void put(std::optional<T>& value) {
    bool there = value.has_value();
    put(there);
    if (there) put(*value);
  }
  template <typename A, typename B>
  void put(std::pair<A, B>& value) {
    put(value.first);
    put(value.second);
  }
  template <typename K, typename V>
  void put(std::map<K, V>& map) {
    size(map.size());
    for (auto& [key, value] : map) {
      K copy = key;
      put(copy);
      put(value);
    }
  }
  void size(uint64_t n) { put(n); }

  std::string bytes_;
};

/// Reads what Packer wrote. Any other bytes throw Error(internal): the process that sent them may
/// have been damaged by a hostile file.
class Unpacker {
 public:
  explicit Unpacker(std::string_view bytes) : bytes_(bytes) {}

  template <typename... T>
  void operator()(T&... values) {
    (get(values), ...);
  }
  void raw(void* to, size_t size) { std::memcpy(to, take(size), size); }
  size_t left() const { return bytes_.size(); }
  [[noreturn]] static void refuse() {
    throw Error(ExitCode::internal, "a worker process sent a damaged answer; please report it");
  }

 private:
  const char* take(size_t size) {
    if (size > bytes_.size()) refuse();
    const char* at = bytes_.data();
    bytes_.remove_prefix(size);
    return at;
  }
  template <typename T>
  void get(T& value) {
    if constexpr (std::is_same_v<T, bool>) {
      value = *take(1) != 0;
    } else if constexpr (std::is_arithmetic_v<T> || std::is_enum_v<T>) {
      raw(&value, sizeof value);
    } else {
      fields(*this, value);
    }
  }
  void get(std::string& text) {
    const size_t n = size();
    text.assign(take(n), n);
  }
  template <typename T>
  void get(std::vector<T>& list) {
    const size_t n = size();
    list.clear();
    for (size_t i = 0; i < n; ++i) get(list.emplace_back());
  }
  template <typename T>
  void get(std::optional<T>& value) {
    bool there = false;
    get(there);
    value.reset();
    if (there) get(value.emplace());
  }
  template <typename A, typename B>
  void get(std::pair<A, B>& value) {
    get(value.first);
    get(value.second);
  }
  template <typename K, typename V>
  void get(std::map<K, V>& map) {
    const size_t n = size();
    for (size_t i = 0; i < n; ++i) {
      K key{};
      get(key);
      get(map[key]);
    }
  }
  /// A count; each counted thing takes at least one byte.
  size_t size() {
    uint64_t n = 0;
    get(n);
    if (n > bytes_.size()) refuse();
    return size_t(n);
  }

  std::string_view bytes_;
};

}  // namespace docspec
