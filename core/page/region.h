#pragma once

#include <array>
#include <optional>
#include <string_view>
#include <vector>

#include "core/page/page_image.h"

namespace docspec {

/// The kind of a region: the categories of `docspec/1` (the eleven of dots.ocr, and Code).
enum class RegionKind {
  title,
  section_header,
  text,
  list_item,
  table,
  formula,
  picture,
  caption,
  footnote,
  page_header,
  page_footer,
  code,
};

inline constexpr std::array<std::string_view, 12> kRegionNames = {
    "Title",   "Section-header", "Text",     "List-item",   "Table",       "Formula",
    "Picture", "Caption",        "Footnote", "Page-header", "Page-footer", "Code"};

inline std::string_view name(RegionKind kind) {
  return kRegionNames[static_cast<size_t>(kind)];
}

/// The kind called `name` ("Section-header"), or nothing.
inline std::optional<RegionKind> region_kind(std::string_view name) {
  for (size_t i = 0; i < kRegionNames.size(); ++i)
    if (kRegionNames[i] == name) return static_cast<RegionKind>(i);
  return std::nullopt;
}

/// One cell of a table whose ruling lines show its grid.
struct GridCell {
  int row = 0, column = 0, row_span = 1, column_span = 1;
  Box box;
};

/// One region of a page, in pixels of the page's raster. Over a page `order` is a permutation of
/// 0..n-1 and `id` is unique.
struct Region {
  int id = 0;
  int order = 0;
  RegionKind kind = RegionKind::text;
  Box box;
  double score = 1;                  ///< 0..1
  std::vector<GridCell> cells = {};  ///< of a ruled table, by row, then column
  std::optional<int> whole = {};     ///< id of the region of which this is some lines
};

}  // namespace docspec
