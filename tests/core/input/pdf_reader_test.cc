#include "core/input/pdf_reader.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <fstream>
#include <sstream>

#include "core/base/error.h"
#include "tests/support/pdf_writer.h"
#include "tests/support/temp_dir.h"

namespace docspec {
namespace {

using test::input;
using test::make_pdf;

constexpr int64_t kPixels = 100'000'000;

/// The error that opening `bytes` (and rendering page 1) ends with; nothing thrown = ok.
std::pair<ExitCode, std::string> failure(const std::string& bytes,
                                         const std::string& password = "") {
  try {
    open_document(input(bytes), password)->raster(1, 72, kPixels);
  } catch (const Error& error) {
    return {error.code(), error.what()};
  }
  return {ExitCode::ok, ""};
}

std::string read_file(const std::filesystem::path& path) {
  std::ifstream file(path, std::ios::binary);
  std::ostringstream out;
  out << file.rdbuf();
  return out.str();
}

/// Is any pixel in the box dark?
bool has_ink(const PageImage& image, const Box& box) {
  for (int y = box.y0; y < box.y1; ++y)
    for (int x = box.x0; x < box.x1; ++x)
      if (image.row(y)[x * 3] < 100) return true;
  return false;
}

TEST(PdfReader, GivesWordsWithBoxesFontsAndSpaces) {
  const auto reader =
      open_document(input(make_pdf({{{{72, 700, "Hello brave world", 20, "F2"}}}})), "");
  EXPECT_EQ(reader->page_count(), 1);
  const auto words = reader->text_layer(1, 144);
  ASSERT_EQ(words.size(), 3u);
  EXPECT_EQ(words[0].text, "Hello");
  EXPECT_EQ(words[0].font, "Helvetica-Bold");
  EXPECT_DOUBLE_EQ(words[0].font_size_pt, 20);
  EXPECT_TRUE(words[0].space_after);
  EXPECT_NEAR(words[0].box.x0, 144, 6);
  EXPECT_LT(words[0].box.y0, (792 - 700) * 2);
  const Raster raster = reader->raster(1, 144, kPixels);
  for (const Word& word : words) EXPECT_TRUE(has_ink(raster.image, word.box)) << word.text;
}

TEST(PdfReader, UndoesEachRotation) {
  for (int rotate : {0, 90, 180, 270}) {
    const auto reader = open_document(input(make_pdf({{{{100, 600, "upright", 30}}, rotate}})), "");
    const PageInfo info = reader->info(1);
    EXPECT_EQ(info.rotation, rotate);
    EXPECT_EQ(info.width_pt, rotate % 180 ? 792 : 612);
    const Raster raster = reader->raster(1, 72, kPixels);
    EXPECT_EQ(raster.image.width_px(), int(info.width_pt));
    const auto words = reader->text_layer(1, 72);
    ASSERT_EQ(words.size(), 1u) << rotate;
    const Box box = words[0].box;
    EXPECT_GE(box.x0, 0);
    EXPECT_LE(box.y1, raster.image.height_px());
    EXPECT_TRUE(has_ink(raster.image, box)) << rotate;
  }
}

TEST(PdfReader, RendersSmallerRatherThanAboveTheCeiling) {
  const auto reader = open_document(input(make_pdf({{{{72, 700, "x"}}}})), "");
  const Raster whole = reader->raster(1, 100, kPixels);
  EXPECT_FALSE(whole.dpi_reduced);
  EXPECT_DOUBLE_EQ(whole.image.dpi(), 100);
  const Raster less = reader->raster(1, 3000, 500'000);
  EXPECT_TRUE(less.dpi_reduced);
  EXPECT_LE(int64_t{less.image.width_px()} * less.image.height_px(), 500'000);
  EXPECT_GT(int64_t{less.image.width_px()} * less.image.height_px(), 450'000);
}

TEST(PdfReader, KeepsTheCeilingOnNarrowPagesWhoseSidesRoundUp) {
  test::PdfPage strip{{{72, 10, "x"}}};
  strip.width = 6197;
  strip.height = 22;
  const auto reader = open_document(input(make_pdf({strip})), "");
  for (int64_t pixels = 39'000; pixels < 40'000; pixels += 37) {
    const PageImage image = reader->raster(1, 72, pixels).image;
    EXPECT_LE(int64_t{image.width_px()} * image.height_px(), pixels);
  }
}

TEST(PdfReader, RefusesPagesOfAstronomicSize) {
  test::PdfPage page{{{72, 10, "x"}}};
  page.height = 79e13;
  const auto reader = open_document(input(make_pdf({page})), "");
  try {
    reader->info(1);
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ExitCode::input_file);
    EXPECT_NE(std::string(error.what()).find("MediaBox"), std::string::npos) << error.what();
  }
}

TEST(PdfReader, AcceptsJunkBeforeTheHeader) {
  EXPECT_EQ(failure(std::string(1000, ' ') + make_pdf({{{{72, 700, "x"}}}})).first, ExitCode::ok);
}

TEST(PdfReader, NamesWhatIsWrongWithBadFiles) {
  const std::string good = make_pdf({{{{72, 700, "x"}}}});
  for (const std::string& bad :
       {std::string(), std::string("%PDF-1.4\nnothing\n%%EOF"), good.substr(0, 60), make_pdf({}),
        std::string("just text"), std::string("\0\1\2", 3)}) {
    const auto [code, message] = failure(bad);
    EXPECT_EQ(code, ExitCode::input_file) << bad.substr(0, 20);
    EXPECT_TRUE(message.starts_with("in.pdf: ")) << message;
    EXPECT_NE(message.find("; "), message.npos) << "no advice in: " << message;
  }
}

TEST(PdfReader, SurvivesLoopsInThePageTree) {
  const std::string loop =
      "%PDF-1.4\n1 0 obj\n<</Type/Catalog/Pages 2 0 R>>\nendobj\n"
      "2 0 obj\n<</Type/Pages/Kids[2 0 R]/Count 1>>\nendobj\ntrailer\n<</Root 1 0 R>>\n%%EOF\n";
  EXPECT_EQ(failure(loop).first, ExitCode::input_file);
}

TEST(PdfReader, CallsADamagedBlankPageAnError) {
  std::string pdf = make_pdf({{{{72, 700, "seen"}}}});
  const size_t at = pdf.find("BT /F1");
  pdf.replace(at, 6, "<< /F1");  // the page's content no longer parses
  EXPECT_EQ(failure(pdf).first, ExitCode::input_file);
}

TEST(PdfReader, RefusesGiantImagesBeforeRendering) {
  std::string pdf = make_pdf({{{{72, 700, "x"}}}});
  pdf.insert(pdf.find("3 0 obj"),
             "9 0 obj\n<</Type/XObject/Subtype/Image/Width 40000/Height "
             "40000>>\nstream\nendstream\nendobj\n");
  const auto [code, message] = failure(pdf);
  EXPECT_EQ(code, ExitCode::input_file);
  EXPECT_NE(message.find("1600 million"), message.npos) << message;
  EXPECT_EQ(open_document(input(pdf), "")->text_layer(1, 72).size(), 1u);
}

TEST(PdfReader, AsksForThePasswordAndTakesTheRightOne) {
  const test::TempDir dir;
  std::ofstream(dir / "plain.pdf", std::ios::binary) << make_pdf({{{{72, 700, "secret"}}}});
  const std::string command = "qpdf --encrypt user owner 256 -- " + (dir / "plain.pdf").string() +
                              " " + (dir / "locked.pdf").string() + " >/dev/null 2>&1";
  ASSERT_NE(std::system(command.c_str()), -1);
  const std::string locked = read_file(dir / "locked.pdf");
  ASSERT_FALSE(locked.empty()) << "qpdf is needed: packaging/deps installs it";
  EXPECT_EQ(failure(locked).first, ExitCode::password);
  EXPECT_NE(failure(locked).second.find("--password"), std::string::npos);
  EXPECT_EQ(failure(locked, "no").first, ExitCode::password);
  EXPECT_EQ(failure(locked, "user").first, ExitCode::ok);
  EXPECT_EQ(failure(locked, "owner").first, ExitCode::ok);
}

TEST(PdfReader, RefusesPagesThatAreNotThere) {
  const auto reader = open_document(input(make_pdf({{{{72, 700, "x"}}}})), "");
  EXPECT_THROW(reader->info(0), Error);
  EXPECT_THROW(reader->text_layer(2, 72), Error);
}

}  // namespace
}  // namespace docspec
