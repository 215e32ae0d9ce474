#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/page/region.h"

namespace docspec {

/// One element of a dots.ocr answer as it stands there.
struct DotsItem {
  std::optional<Box> box;  ///< four numbers, rounded; nothing when fewer
  std::string category;    ///< as written, "" when missing
  std::string text;        ///< unescaped; values under unknown keys are added to it
};

/// Reads a list of objects, text outside of them as objects of its own, however broken it is: cut
/// off anywhere, quotes and backslashes not escaped, line feeds in strings, a fence or prose around
/// it, lists inside objects. Text is never lost; keys, numbers outside of "text" and punctuation
/// are. Never throws; linear in the input.
std::vector<DotsItem> scan_dots_json(std::string_view answer);

}  // namespace docspec
