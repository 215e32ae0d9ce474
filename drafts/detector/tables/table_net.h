#pragma once

#include <filesystem>
#include <functional>
#include <memory>
#include <vector>

#include "core/page/page_image.h"
#include "core/page/region.h"

namespace docspec {

/// The cells that a net sees in the image of a table.
struct SeenTable {
  int rows = 0, columns = 0;
  std::vector<GridCell> cells;  ///< by row, then column; boxes in pixels of the image, rough ones
  double score = 0;             ///< mean probability of its tokens, 0..1
  bool complete = false;        ///< the net wrote the table to its end
};

/// Reads the structure of a table from its image. Safe to use from one thread at a time.
class TableNet {
 public:
  virtual ~TableNet() = default;
  virtual SeenTable read(const PageImage& table) const = 0;
};

/// Opens a net at the first table that needs it; gives nullptr where the engine is not installed.
using OpenTableNet = std::function<std::unique_ptr<TableNet>()>;

/// Part of the engine. Reads the folder that packaging/ocr/table.py writes: SLANet_plus, a net of
/// convolutions and a recurrent layer that writes the table token by token, a box at each cell.
/// [slanet] Throws Error(dependency) that names file and fault.
std::unique_ptr<TableNet> make_table_net(const std::filesystem::path& folder);

}  // namespace docspec
