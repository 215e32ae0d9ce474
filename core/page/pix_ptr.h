#pragma once

#include <memory>
#include <vector>

struct Pix;

namespace docspec {

/// Frees an image of Leptonica's.
struct PixDelete {
  void operator()(Pix* pix) const;
};
using PixPtr = std::unique_ptr<Pix, PixDelete>;

class PageImage;
struct Box;

/// 1 bit a pixel, set where the green channel is below `level`; nothing without memory.
PixPtr dark_pixels(const PageImage& image, int level);

/// 8 bits of gray a pixel; nothing without memory.
PixPtr gray_pixels(const PageImage& image);

/// Boxes around the pieces of set pixels that hang together, also over corners; none without
/// memory.
std::vector<Box> boxes_of_pieces(Pix* bits);

}  // namespace docspec
