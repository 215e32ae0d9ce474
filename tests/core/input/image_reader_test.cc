#include "core/input/image_reader.h"

#include <allheaders.h>
#include <gtest/gtest.h>
#include <tiffio.h>

#include <algorithm>
#include <filesystem>

#include "core/base/error.h"
#include "tests/support/files.h"
#include "tests/support/pdf_writer.h"
#include "tests/support/temp_dir.h"

namespace docspec {
namespace {

using test::input;

constexpr int64_t kPlenty = 100'000'000;

/// A grey picture with a black square at (2,3)..(6,7), encoded.
std::string encode(int format, int depth = 8, int dpi = 100, int width = 40, int height = 30) {
  Pix* pix = pixCreate(width, height, 8);
  pixSetAllGray(pix, 200);
  for (int y = 3; y < 7; ++y)
    for (int x = 2; x < 6; ++x) pixSetPixel(pix, x, y, 0);
  Pix* out = depth == 32  ? pixConvertTo32(pix)
             : depth == 1 ? pixThresholdToBinary(pix, 100)
                          : pixClone(pix);
  pixSetResolution(out, dpi, dpi);
  l_uint8* data = nullptr;
  size_t size = 0;
  pixWriteMem(&data, &size, out, format);
  std::string bytes(reinterpret_cast<char*>(data), size);
  lept_free(data);
  pixDestroy(&out);
  pixDestroy(&pix);
  return bytes;
}

TEST(ImageReader, ReadsEachFormatAndDepth) {
  for (int format : {IFF_PNG, IFF_JFIF_JPEG, IFF_TIFF_LZW, IFF_WEBP})
    for (int depth : {1, 8, 32}) {
      if (depth == 1 && format != IFF_PNG) continue;
      const auto reader = open_document(input(encode(format, depth), "a.img"), "");
      ASSERT_EQ(reader->page_count(), 1) << format;
      const PageImage image = reader->raster(1, 600, kPlenty).image;
      EXPECT_EQ(image.width_px(), 40);
      EXPECT_EQ(image.height_px(), 30);
      EXPECT_LT(image.row(5)[4 * 3], 60) << format << " depth " << depth;
      EXPECT_GT(image.row(20)[20 * 3], 150) << format << " depth " << depth;
      EXPECT_TRUE(reader->text_layer(1, 100).empty());
    }
}

TEST(ImageReader, TakesTheFilesResolutionOrThatOfAUsualPage) {
  const auto sized = open_document(input(encode(IFF_PNG, 8, 100)), "");
  EXPECT_NEAR(sized->info(1).width_pt, 40 * 72 / 100.0, 0.5);
  const auto unsized = open_document(input(encode(IFF_PNG, 8, 0)), "");
  EXPECT_NEAR(unsized->info(1).width_pt, 40, 1e-9) << "72 at least";
  const auto dpi = [](int said, int width, int height) {
    return open_document(input(encode(IFF_PNG, 8, said, width, height)), "")->info(1).own_dpi;
  };
  EXPECT_NEAR(dpi(0, 1654, 2200), 200, 1) << "a page of 11 inches";
  EXPECT_NEAR(dpi(72, 600, 800), 72, 1) << "what a screen shows";
  EXPECT_NEAR(dpi(72, 2400, 3300), 300, 1) << "no page is 46 inches high";
  EXPECT_NEAR(dpi(1200, 1600, 2200), 200, 1) << "nor 1.8";
}

TEST(ImageReader, ScalesDownToTheAskedResolutionAndTheCeiling) {
  const auto reader = open_document(input(encode(IFF_PNG, 8, 200, 400, 300)), "");
  const Raster half = reader->raster(1, 100, kPlenty);
  EXPECT_EQ(half.image.width_px(), 200);
  EXPECT_NEAR(half.image.dpi(), 100, 1);
  const Raster small = reader->raster(1, 200, 5000);
  EXPECT_TRUE(small.dpi_reduced);
  EXPECT_LE(small.image.width_px() * small.image.height_px(), 5000);
}

TEST(ImageReader, ReadsEachPageOfATiff) {
  const test::TempDir dir;
  const std::string path = (dir / "m.tif").string();
  for (int page = 0; page < 3; ++page) {
    Pix* pix = pixCreate(20 + page, 10, 8);
    pixWriteTiff(path.c_str(), pix, IFF_TIFF_LZW, page ? "a" : "w");
    pixDestroy(&pix);
  }
  size_t size = 0;
  l_uint8* data = l_binaryRead(path.c_str(), &size);
  const auto reader = open_document(input({reinterpret_cast<char*>(data), size}, "m.tif"), "");
  lept_free(data);
  ASSERT_EQ(reader->page_count(), 3);
  for (int page = 1; page <= 3; ++page)
    EXPECT_EQ(reader->raster(page, 900, kPlenty).image.width_px(), 19 + page);
  EXPECT_THROW(reader->info(4), Error);
}

/// Appends a page of tiles to a TIFF, its left half black; `kind`: NewSubfileType, -1 = not said.
void write_tiled(TIFF* tiff, uint32_t width, uint32_t height, int kind) {
  constexpr uint32_t kSide = 64;
  TIFFSetField(tiff, TIFFTAG_IMAGEWIDTH, width);
  TIFFSetField(tiff, TIFFTAG_IMAGELENGTH, height);
  TIFFSetField(tiff, TIFFTAG_BITSPERSAMPLE, 8);
  TIFFSetField(tiff, TIFFTAG_SAMPLESPERPIXEL, 3);
  TIFFSetField(tiff, TIFFTAG_PHOTOMETRIC, PHOTOMETRIC_RGB);
  TIFFSetField(tiff, TIFFTAG_PLANARCONFIG, PLANARCONFIG_CONTIG);
  TIFFSetField(tiff, TIFFTAG_COMPRESSION, COMPRESSION_LZW);
  TIFFSetField(tiff, TIFFTAG_TILEWIDTH, kSide);
  TIFFSetField(tiff, TIFFTAG_TILELENGTH, kSide);
  if (kind >= 0) TIFFSetField(tiff, TIFFTAG_SUBFILETYPE, uint32_t(kind));
  std::vector<uint8_t> tile(size_t{kSide} * kSide * 3);
  for (uint32_t y = 0; y < height; y += kSide)
    for (uint32_t x = 0; x < width; x += kSide) {
      for (size_t i = 0; i < tile.size(); ++i) tile[i] = x + i / 3 % kSide < width / 2 ? 0 : 255;
      TIFFWriteTile(tiff, tile.data(), x, y, 0, 0);
    }
  TIFFWriteDirectory(tiff);
}

TEST(ImageReader, ReadsTilesAndAPyramidAsOnePage) {
  const test::TempDir dir;
  for (const int kind : {-1, int(FILETYPE_REDUCEDIMAGE)}) {
    const std::filesystem::path path = dir / "p.tif";
    TIFF* tiff = TIFFOpen(path.c_str(), "w");
    ASSERT_TRUE(tiff);
    write_tiled(tiff, 201, 301, -1);
    write_tiled(tiff, 101, 150, kind);
    write_tiled(tiff, 50, 75, kind);
    write_tiled(tiff, 240, 160, -1);  // another page
    TIFFClose(tiff);
    const auto reader = open_document(input(test::read_file(path), "p.tif"), "");
    ASSERT_EQ(reader->page_count(), 2) << kind;
    for (const auto& [page, width] : {std::pair{1, 201}, {2, 240}}) {
      const PageImage image = reader->raster(page, 900, kPlenty).image;
      ASSERT_EQ(image.width_px(), width);
      EXPECT_EQ(image.row(10)[0], 0);
      EXPECT_EQ(image.row(10)[3 * (width / 2 - 1)], 0);
      EXPECT_EQ(image.row(10)[3 * (width / 2)], 255);
    }
  }
}

/// EXIF data that holds an orientation alone.
std::string exif(int orientation, bool little) {
  return little ? std::string("II*\0\x08\0\0\0\1\0\x12\1\3\0\1\0\0\0", 18) + char(orientation) +
                      std::string(7, '\0')
                : std::string("MM\0*\0\0\0\x08\0\1\1\x12\0\3\0\0\0\1\0", 19) + char(orientation) +
                      std::string(6, '\0');
}

std::string big_endian(size_t value, int bytes) {
  std::string out;
  while (bytes-- > 0) out += char(value >> 8 * bytes & 255);
  return out;
}

/// The file with EXIF data put in as its format has it.
std::string with_exif(const std::string& file, int format, const std::string& data) {
  if (format == IFF_JFIF_JPEG)
    return file.substr(0, 2) + "\xff\xe1" + big_endian(data.size() + 8, 2) +
           std::string("Exif\0\0", 6) + data + file.substr(2);
  if (format == IFF_PNG) {
    const std::string chunk = big_endian(data.size(), 4) + "eXIf" + data + std::string(4, '\0');
    return file.substr(0, 33) + chunk + file.substr(33);
  }
  std::string size = big_endian(data.size(), 4);
  std::reverse(size.begin(), size.end());
  return file + "EXIF" + size + data;  // WebP: behind the pixels
}

/// Where the black square of `encode` is, as the middle's x and y; the picture was 40 x 30.
std::pair<int, int> square(const PageImage& image) {
  int x_sum = 0, y_sum = 0, count = 0;
  for (int y = 0; y < image.height_px(); ++y)
    for (int x = 0; x < image.width_px(); ++x)
      if (image.row(y)[3 * x] < 100) x_sum += x, y_sum += y, ++count;
  return count ? std::pair(x_sum / count, y_sum / count) : std::pair(-1, -1);
}

TEST(ImageReader, TurnsPhotographsAsExifSays) {
  const std::pair<int, int> upright[] = {{3, 4}, {35, 4}, {35, 24}, {3, 24},
                                         {4, 3}, {24, 3}, {24, 35}, {4, 35}};
  for (int format : {IFF_JFIF_JPEG, IFF_PNG, IFF_WEBP})
    for (int orientation = 1; orientation <= 8; ++orientation) {
      const std::string file =
          with_exif(encode(format, 32), format, exif(orientation, orientation % 2 == 0));
      const auto reader = open_document(input(file), "");
      const PageImage image = reader->raster(1, 600, kPlenty).image;
      const auto [x, y] = square(image);
      const auto [wanted_x, wanted_y] = upright[orientation - 1];
      EXPECT_NEAR(x, wanted_x, 1) << format << " orientation " << orientation;
      EXPECT_NEAR(y, wanted_y, 1) << format << " orientation " << orientation;
      EXPECT_EQ(image.width_px(), orientation < 5 ? 40 : 30);
      EXPECT_EQ(reader->info(1).width_pt > reader->info(1).height_pt, orientation < 5);
    }
}

TEST(ImageReader, TurnsTiffsAsTheySay) {
  for (int orientation : {1, 3, 6, 8}) {
    std::string file = encode(IFF_TIFF_LZW, 8);
    TIFF* tiff = nullptr;
    const test::TempDir dir;
    test::write_file(dir / "a.tif", file);
    tiff = TIFFOpen((dir / "a.tif").c_str(), "r+");
    ASSERT_TRUE(tiff);
    TIFFSetField(tiff, TIFFTAG_ORIENTATION, orientation);
    TIFFRewriteDirectory(tiff);
    TIFFClose(tiff);
    const auto reader = open_document(input(test::read_file(dir / "a.tif")), "");
    const PageImage image = reader->raster(1, 600, kPlenty).image;
    EXPECT_EQ(image.width_px(), orientation < 5 ? 40 : 30) << orientation;
    EXPECT_EQ(reader->info(1).width_pt > reader->info(1).height_pt, orientation < 5);
  }
}

TEST(ImageReader, DamagedExifTurnsNothing) {
  const std::string data = exif(6, true);
  for (size_t keep = 0; keep < data.size(); ++keep) {
    const std::string file =
        with_exif(encode(IFF_JFIF_JPEG, 32), IFF_JFIF_JPEG, data.substr(0, keep));
    const int width = open_document(input(file), "")->raster(1, 600, kPlenty).image.width_px();
    EXPECT_EQ(width, keep < 20 ? 40 : 30) << keep;
  }
}

TEST(ImageReader, LaysAlphaOnWhite) {
  Pix* pix = pixCreate(8, 8, 32);
  pixSetSpp(pix, 4);  // black, wholly transparent
  l_uint8* data = nullptr;
  size_t size = 0;
  pixWriteMem(&data, &size, pix, IFF_PNG);
  const std::string bytes(reinterpret_cast<char*>(data), size);
  lept_free(data);
  pixDestroy(&pix);
  EXPECT_EQ(open_document(input(bytes), "")->raster(1, 200, kPlenty).image.row(4)[12], 255);
}

TEST(ImageReader, ReadsOnePixel) {
  const auto reader = open_document(input(encode(IFF_PNG, 8, 100, 1, 1)), "");
  EXPECT_EQ(reader->raster(1, 200, kPlenty).image.width_px(), 1);
}

TEST(ImageReader, CallsTruncatedFilesAnErrorWithNoNoiseButLibpngsLine) {
  testing::internal::CaptureStderr();
  for (int format : {IFF_PNG, IFF_TIFF_LZW, IFF_WEBP}) {
    const std::string whole = encode(format, 8, 100, 400, 300);
    for (size_t keep : {size_t{12}, whole.size() / 2}) {
      try {
        open_document(input(whole.substr(0, keep), "cut"), "")->raster(1, 200, kPlenty);
        ADD_FAILURE() << "format " << format << " kept " << keep;
      } catch (const Error& error) {
        EXPECT_EQ(error.code(), ExitCode::input_file);
        EXPECT_TRUE(std::string(error.what()).starts_with("cut: ")) << error.what();
      }
    }
  }
  // libpng has no hook through Leptonica, and fd 2 belongs to all threads.
  const std::string noise = testing::internal::GetCapturedStderr();
  EXPECT_TRUE(noise.empty() || noise.starts_with("libpng error: ")) << noise;
  EXPECT_LE(std::count(noise.begin(), noise.end(), '\n'), 1) << noise;
}

}  // namespace
}  // namespace docspec
