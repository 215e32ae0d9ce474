#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

namespace docspec {

/// The letters of one of Adobe's sets of Chinese, Japanese and Korean characters ("GB1"), by their
/// numbers in it; 0 = none. They come from the file that Poppler reads its text by; empty where
/// poppler-data is not installed or has no such set.
const std::vector<uint32_t>& letters_of_set(std::string_view ordering);

}  // namespace docspec
