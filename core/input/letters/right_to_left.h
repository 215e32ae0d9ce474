#pragma once

#include <string>

namespace docspec {

/// Poppler keeps a word's letters from left to right as painted: turns a right-to-left word into
/// reading order, the numbers in it kept as they are; brackets become those that are read.
std::string logical_order(const std::string& visual);

}  // namespace docspec
