#pragma once

#include <fmt/format.h>

#include <charconv>
#include <cstdint>
#include <string>
#include <string_view>

#include "cli/flags/options.h"

namespace docspec {

// How flags read their values. All throw Error(usage) that names the flag and what it takes.

[[noreturn]] void refuse(std::string_view flag, const std::string& value, std::string_view wanted);

/// A number of type T within [low, high].
template <typename T>
T number(std::string_view flag, const std::string& value, T low, T high) {
  T out{};
  const auto [end, error] = std::from_chars(value.data(), value.data() + value.size(), out);
  if (error != std::errc{} || end != value.data() + value.size() || !(out >= low) || !(out <= high))
    refuse(flag, value, fmt::format("a number from {} to {}", low, high));
  return out;
}

/// "6G", "1.5GiB", "800M", "4000000000": bytes, in powers of 1024.
int64_t memory_size(std::string_view flag, const std::string& value);

/// The value, if it is among `known`.
std::string one_of(std::string_view flag, const std::string& value,
                   std::initializer_list<std::string_view> known);

void set_headers(Options& o, const std::string& value);
void set_layout(Options& o, const std::string& value);
void set_password_file(Options& o, const std::string& path);
void set_shard(Options& o, const std::string& value);
void set_to(Options& o, const std::string& value);

// What a registry offers, a line a name: its settings with defaults, its summary, exact or not.
std::string format_choices();
std::string proposer_choices();
std::string verifier_choices();
std::string selector_choices();
std::string detector_choices();
std::string drafter_choices();

}  // namespace docspec
