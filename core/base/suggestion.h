#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/registry.h"

namespace docspec {

/// " (did you mean builtin?)" with the one of `known` that `typed` probably stands for: a few
/// letters away, or one is short for the other ("markdown", "md"). "" where none is near.
std::string did_you_mean(std::string_view typed, std::span<const std::string_view> known);

/// The names of a registry table, in its order.
template <typename Make>
std::vector<std::string_view> name_list(std::span<const Entry<Make>> table) {
  std::vector<std::string_view> out;
  for (const auto& entry : table) out.push_back(entry.name);
  return out;
}

}  // namespace docspec
