#include "core/input/image_reader.h"

#include <allheaders.h>
#include <tiffio.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <set>
#include <utility>
#include <vector>

#include "core/base/error.h"
#include "core/input/exif.h"
#include "core/input/tiff_pixels.h"
#include "core/page/pix_ptr.h"

namespace docspec {
namespace {

using Bytes = std::string_view;

constexpr double kLeastDpi = 30;
// Decoding takes up to 4 bytes a pixel twice; this keeps a page near 1 GB.
constexpr int64_t kMaxDecodedPixels = 120'000'000;

bool is_tiff(Bytes b) {
  return b.starts_with(Bytes("II*\0", 4)) || b.starts_with(Bytes("MM\0*", 4));
}

const l_uint8* data(std::string_view bytes) {
  return reinterpret_cast<const l_uint8*>(bytes.data());
}

/// A number of `size` bytes of a TIFF; 0 beyond its end.
uint32_t tiff_number(Bytes b, size_t at, size_t size) {
  if (at > b.size() || size > b.size() - at) return 0;
  uint32_t value = 0;
  for (size_t i = 0; i < size; ++i)
    value |= uint32_t(uint8_t(b[at + i])) << 8 * (b[0] == 'I' ? i : size - 1 - i);
  return value;
}

/// Entries of a page's directory.
struct TiffPage {
  uint32_t kind = 0, width = 0, height = 0, tile_width = 0;

  /// Whether this is another page, made smaller for viewers that zoom: said so, or of half its size
  /// and in tiles as well.
  bool reduces(const TiffPage& larger) const {
    const auto halved = [](uint32_t size, uint32_t of) {
      return size > 0 && (size == of / 2 || size == (of + 1) / 2);
    };
    const bool half = halved(width, larger.width) && halved(height, larger.height);
    return (kind & FILETYPE_REDUCEDIMAGE) != 0 || (half && tile_width > 0 && larger.tile_width > 0);
  }
};

constexpr size_t kTiffEntry = 12;

TiffPage tiff_page(Bytes b, size_t at) {
  TiffPage page;
  const size_t entries = tiff_number(b, at, 2);
  for (size_t i = 0; i < entries; ++i) {
    const size_t entry = at + 2 + kTiffEntry * i;
    const uint32_t value =
        tiff_number(b, entry + 8, tiff_number(b, entry + 2, 2) == TIFF_SHORT ? 2 : 4);
    switch (tiff_number(b, entry, 2)) {
      case TIFFTAG_SUBFILETYPE:
        page.kind = value;
        break;
      case TIFFTAG_IMAGEWIDTH:
        page.width = value;
        break;
      case TIFFTAG_IMAGELENGTH:
        page.height = value;
        break;
      case TIFFTAG_TILEWIDTH:
        page.tile_width = value;
        break;
      default:
        break;
    }
  }
  return page;
}

/// Where the directories of a TIFF's pages lie, each once, those that can be read.
std::vector<uint32_t> tiff_directories(Bytes b) {
  constexpr size_t kMost = 100'000;
  std::vector<uint32_t> out;
  std::set<uint32_t> seen;
  TiffPage before;
  for (uint32_t at = tiff_number(b, 4, 4); at != 0 && out.size() < kMost;) {
    const uint32_t entries = tiff_number(b, at, 2);
    if (entries == 0 || !seen.insert(at).second) break;
    const TiffPage page = tiff_page(b, at);
    if (out.empty() || !page.reduces(before)) out.push_back(at);
    before = page;
    at = tiff_number(b, size_t{at} + 2 + kTiffEntry * entries, 4);
  }
  return out;
}

/// Keeps Leptonica and libtiff, which complains about common private tags, silent in this process.
/// libpng and libjpeg offer no hook through Leptonica: their line about a damaged file is seen.
void silence_libraries() {
  setMsgSeverity(L_SEVERITY_NONE);
  TIFFSetErrorHandler(nullptr);
  TIFFSetWarningHandler(nullptr);
}

struct Header {
  int width = 0, height = 0;  ///< upright
  double dpi = 0;
  int orientation = 1;  ///< of the pixels in the file, as image_orientation tells it
};

/// Pixels an inch of a page, or as many as a page of the usual size has where the file says nothing
/// or what it says makes a page of the size of a poster or a stamp: cameras and programs write 72
/// or 96 into everything.
double believable_dpi(double said, int longer_px) {
  constexpr double kUsualInches = 11, kPoster = 20, kStamp = 4, kFinest = 400;
  const double inches = longer_px / std::max(1.0, said);
  const bool stamp = inches < kStamp && said > kFinest;
  if (said >= kLeastDpi && inches <= kPoster && !stamp) return said;
  return std::clamp(longer_px / kUsualInches, 72.0, 300.0);
}

/// Degrees clockwise that undo an orientation, after a mirroring if it has one.
int degrees_of(int orientation) {
  constexpr int kDegrees[] = {0, 0, 180, 180, 270, 90, 90, 270};
  return kDegrees[orientation - 1];
}

PixPtr turn_upright(PixPtr pix, int orientation) {
  const bool mirrored =
      orientation == 2 || orientation == 4 || orientation == 5 || orientation == 7;
  if (mirrored) pix.reset(pixFlipLR(nullptr, pix.get()));
  if (const int turns = degrees_of(orientation) / 90; pix && turns > 0)
    pix.reset(pixRotateOrth(pix.get(), turns));
  return pix;
}

/// Any depth, palette or alpha -> 32 bits a pixel on white.
PixPtr to_rgb32(PixPtr pix) {
  if (pixGetColormap(pix.get())) pix.reset(pixRemoveColormap(pix.get(), REMOVE_CMAP_BASED_ON_SRC));
  if (pix && pixGetDepth(pix.get()) == 32 && pixGetSpp(pix.get()) == 4)
    pix.reset(pixAlphaBlendUniform(pix.get(), 0xffffff00));
  if (pix) pix.reset(pixConvertTo32(pix.get()));
  return pix;
}

PageImage to_page_image(Pix* pix, int page, double dpi) {
  PageImage image(page, pixGetWidth(pix), pixGetHeight(pix), dpi);
  const l_uint32* line = pixGetData(pix);
  for (int y = 0; y < image.height_px(); ++y, line += pixGetWpl(pix)) {
    uint8_t* to = image.row(y);
    for (int x = 0; x < image.width_px(); ++x, to += 3) {
      to[0] = uint8_t(line[x] >> L_RED_SHIFT);
      to[1] = uint8_t(line[x] >> L_GREEN_SHIFT);
      to[2] = uint8_t(line[x] >> L_BLUE_SHIFT);
    }
  }
  return image;
}

class ImageReader : public DocumentReader {
 public:
  explicit ImageReader(std::shared_ptr<const InputBytes> input) : input_(std::move(input)) {
    silence_libraries();
    tiff_ = is_tiff(input_->bytes.view());
    if (tiff_) {
      bytes_ = input_->bytes.view();
      directories_ = tiff_directories(bytes_);
      pages_ = int(directories_.size());
    }
    if (pages_ < 1) fail("corrupt TIFF; convert or scan it again");
    header(1);
  }

  int page_count() const override { return pages_; }

  PageInfo info(int page) const override {
    const Header h = header(page);
    return {h.width * 72.0 / h.dpi, h.height * 72.0 / h.dpi, degrees_of(h.orientation), h.dpi};
  }

  Raster raster(int page, double dpi, int64_t max_pixels) const override {
    const Header h = header(page);
    double scale = dpi < h.dpi * 0.95 ? dpi / h.dpi : 1;
    Raster raster;
    const auto pixels = [&] {
      return (std::floor(h.width * scale) + 1) * (std::floor(h.height * scale) + 1);
    };
    if (scale < 1 ? pixels() > double(max_pixels)
                  : double(h.width) * h.height > double(max_pixels)) {
      scale = std::min(scale, std::sqrt(double(max_pixels) / h.width / h.height));
      while (scale > 1e-3 && pixels() > double(max_pixels)) scale *= 0.99;
      raster.dpi_reduced = true;
    }
    PixPtr pix = decode(page);
    if (pix && scale < 1) pix.reset(pixScaleAreaMap(pix.get(), float(scale), float(scale)));
    if (pix && !tiff_) pix = turn_upright(std::move(pix), h.orientation);  // Leptonica turns TIFFs
    if (!pix)
      fail(page_of(page) + "cannot be decoded (truncated or corrupt); convert or scan it again");
    raster.image = to_page_image(pix.get(), page, h.dpi * scale);
    return raster;
  }

  std::vector<Word> text_layer(int, double) const override { return {}; }

 private:
  [[noreturn]] void fail(const std::string& what) const {
    throw Error(ExitCode::input_file, input_->name + ": " + what);
  }
  std::string page_of(int page) const {
    return pages_ > 1 ? "page " + std::to_string(page) + ": " : "";
  }

  /// The file with this page as its first: libtiff would walk to it from the first one each time.
  std::string_view bytes_of(int page) const {
    if (!tiff_) return input_->bytes.view();
    const uint32_t at = directories_[size_t(page) - 1];
    for (size_t i = 0; i < 4; ++i) bytes_[4 + i] = char(at >> 8 * (bytes_[0] == 'I' ? i : 3 - i));
    return bytes_;
  }

  Header header(int page) const {
    if (page < 1 || page > pages_) fail("page " + std::to_string(page) + ": not in the document");
    const std::string_view bytes = bytes_of(page);
    l_int32 w = 0, h = 0, res = 0, format = 0, bps = 0, spp = 0, cmap = 0, failed = 0;
    if (tiff_)
      failed =
          readHeaderMemTiff(data(bytes), bytes.size(), 0, &w, &h, &bps, &spp, &res, &cmap, &format);
    else
      failed = pixReadHeaderMem(data(bytes), bytes.size(), &format, &w, &h, &bps, &spp, &cmap);
    if (failed || w < 1 || h < 1)
      fail(page_of(page) + "corrupt or truncated image; convert or scan it again");
    if (int64_t{w} * h > kMaxDecodedPixels)
      fail(page_of(page) + "image of " + std::to_string(w) + " x " + std::to_string(h) +
           " pixels is too large; scale it down");
    Header header{w, h};
    header.orientation = image_orientation(bytes, 1);
    if (header.orientation >= 5) std::swap(header.width, header.height);
    if (!tiff_) res = resolution(format);
    header.dpi = believable_dpi(res, std::max(w, h));
    return header;
  }

  /// Pixels an inch as the file says, 0 where it says nothing.
  int resolution(int format) const {
    const std::string_view bytes = input_->bytes.view();
    l_int32 x = 0, y = 0;
    FILE* file = fmemopen(const_cast<char*>(bytes.data()), bytes.size(), "rb");
    if (!file) return 0;
    if (format == IFF_PNG) fgetPngResolution(file, &x, &y);
    if (format == IFF_JFIF_JPEG) fgetJpegResolution(file, &x, &y);
    std::fclose(file);
    return x;
  }

  PixPtr decode(int page) const {
    const std::string_view bytes = bytes_of(page);
    PixPtr pix(tiff_ ? pixReadMemTiff(data(bytes), bytes.size(), 0)
                     : pixReadMem(data(bytes), bytes.size()));
    if (!pix && tiff_) pix = read_tiff_pixels(bytes);
    return pix ? to_rgb32(std::move(pix)) : nullptr;
  }

  std::shared_ptr<const InputBytes> input_;
  bool tiff_ = false;
  mutable std::string bytes_;  ///< of a TIFF: `input_`'s, but for the place of the first page
  std::vector<uint32_t> directories_;
  int pages_ = 1;
};

}  // namespace

bool is_image(Bytes b) {
  return b.starts_with("\x89PNG\r\n\x1a\n") || b.starts_with("\xff\xd8\xff") || is_tiff(b) ||
         (b.starts_with("RIFF") && b.substr(0, 12).ends_with("WEBP"));
}

std::unique_ptr<DocumentReader> open_image(std::shared_ptr<const InputBytes> input) {
  return std::make_unique<ImageReader>(std::move(input));
}

}  // namespace docspec
