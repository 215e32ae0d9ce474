#pragma once

#include <memory>
#include <span>
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

/// 8 bits a pixel, the darkest of its three colours: lines of a pale colour are dark in one of
/// them. Nothing without memory.
PixPtr darkest_channel(const PageImage& image);

/// Clears the pixels in boxes, which may reach beyond the image.
void clear_boxes(Pix* bits, std::span<const Box> boxes);

/// Boxes around the pieces of set pixels that hang together, also over corners; none without
/// memory.
std::vector<Box> boxes_of_pieces(Pix* bits);

}  // namespace docspec
