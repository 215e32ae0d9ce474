#pragma once

#include <vector>

#include "core/page/page_image.h"

namespace docspec {

/// Pixels of a part of a page that are not of its paper's colour, in pieces that hang together.
class InkPieces {
 public:
  struct Blob {
    Box box;
    int pixels = 0;
  };

  /// `part`: pixels of `image`, within it and not empty.
  InkPieces(const PageImage& image, const Box& part);

  bool ink(int x, int y) const { return ink_[at(x, y)]; }
  /// All pieces, by the row and column where they begin.
  const std::vector<Blob>& all() const { return all_; }
  /// Pieces that end within the part.
  std::vector<Blob> whole() const;
  /// Share of the pixels of a box that are ink.
  double share(const Box& box) const;

 private:
  size_t at(int x, int y) const {
    return size_t(y - part_.y0) * size_t(width_) + size_t(x - part_.x0);
  }
  Blob fill(int x, int y);

  Box part_;
  int width_;
  std::vector<bool> ink_, seen_;
  std::vector<Blob> all_;
};

}  // namespace docspec
