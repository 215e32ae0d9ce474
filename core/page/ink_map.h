#pragma once

#include <span>
#include <vector>

#include "core/page/draft.h"
#include "core/page/page_image.h"

namespace docspec {

/// Where a page has ink, on a coarse grid; coordinates outside are pixels of the frame.
class InkMap {
 public:
  /// A cell is about 3 points wide and has ink when a pixel in it differs from white. `scale` =
  /// frame pixels a pixel of `image`.
  InkMap(const PageImage& image, double scale);

  bool blank() const;
  /// Share of the page's cells that have ink.
  double share() const;
  /// Share of the cells of a box that have ink; 0 where the box is empty.
  double share(const Box& box) const;
  /// Takes the ink under `boxes`, grown by a cell, away.
  void erase(std::span<const Box> boxes);

  /// A connected piece of ink.
  struct Piece {
    Box box;
    double fill = 0;       ///< share of the box's cells that have ink
    double core_fill = 0;  ///< the same without a frame of two cells
  };
  /// Pieces of ink, gaps of up to two cells bridged, from top to bottom.
  std::vector<Piece> pieces() const;
  /// Those that are left without the ink under `boxes`.
  std::vector<Piece> pieces_beside(std::span<const Box> boxes) const;

 private:
  Box cells(const Box& box, int grow) const;
  double core_fill(const Box& cells) const;

  int columns_ = 0, rows_ = 0;
  double cell_px_ = 1;  // side of a cell in frame pixels
  std::vector<uint8_t> ink_;
};

}  // namespace docspec
