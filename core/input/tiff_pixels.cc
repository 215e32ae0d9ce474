#include "core/input/tiff_pixels.h"

#include <allheaders.h>
#include <tiffio.h>

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <memory>
#include <vector>

namespace docspec {
namespace {

/// A file in memory, as libtiff reads one.
struct Stream {
  std::string_view bytes;
  size_t at = 0;
};

tmsize_t read_stream(thandle_t handle, void* to, tmsize_t size) {
  Stream& stream = *static_cast<Stream*>(handle);
  const size_t left = stream.at < stream.bytes.size() ? stream.bytes.size() - stream.at : 0;
  const size_t count = std::min(left, size_t(std::max<tmsize_t>(0, size)));
  if (count > 0) std::memcpy(to, stream.bytes.data() + stream.at, count);
  stream.at += count;
  return tmsize_t(count);
}

tmsize_t refuse_to_write(thandle_t, void*, tmsize_t) {
  return -1;
}

toff_t seek_stream(thandle_t handle, toff_t offset, int whence) {
  Stream& stream = *static_cast<Stream*>(handle);
  const toff_t from = whence == SEEK_CUR ? stream.at : whence == SEEK_END ? stream.bytes.size() : 0;
  return toff_t(stream.at = size_t(from + offset));
}

int keep_open(thandle_t) {
  return 0;
}

toff_t stream_size(thandle_t handle) {
  return static_cast<Stream*>(handle)->bytes.size();
}

}  // namespace

PixPtr read_tiff_pixels(std::string_view bytes) {
  Stream stream{bytes};
  const std::unique_ptr<TIFF, void (*)(TIFF*)> tiff(
      TIFFClientOpen("memory", "rm", &stream, read_stream, refuse_to_write, seek_stream, keep_open,
                     stream_size, nullptr, nullptr),
      TIFFClose);
  uint32_t width = 0, height = 0;
  if (!tiff || !TIFFGetField(tiff.get(), TIFFTAG_IMAGEWIDTH, &width) ||
      !TIFFGetField(tiff.get(), TIFFTAG_IMAGELENGTH, &height))
    return nullptr;
  PixPtr pix(pixCreate(int(width), int(height), 32));
  std::vector<uint32_t> pixels(pix ? size_t(width) * height : 0);
  if (pixels.empty() ||
      !TIFFReadRGBAImageOriented(tiff.get(), width, height, pixels.data(), ORIENTATION_TOPLEFT, 1))
    return nullptr;
  l_uint32* line = pixGetData(pix.get());
  for (size_t y = 0; y < height; ++y, line += pixGetWpl(pix.get()))
    for (size_t x = 0; x < width; ++x) {
      const uint32_t pixel = pixels[y * width + x];
      composeRGBPixel(int(TIFFGetR(pixel)), int(TIFFGetG(pixel)), int(TIFFGetB(pixel)), line + x);
    }
  return pix;
}

}  // namespace docspec
