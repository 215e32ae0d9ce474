// The choice of the OCR engine by the page's script, on the real command line.
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>

#include "tests/support/command.h"
#include "tests/support/files.h"
#include "tests/support/pdf_writer.h"
#include "tests/support/png_writer.h"
#include "tests/support/temp_dir.h"

namespace docspec::test {
namespace {

namespace fs = std::filesystem;

/// A scan of Russian words: Helvetica's substitute has the letters by their old glyph names.
std::string russian_scan() {
  PdfPage page;
  const std::string words = "DOLJ NA POLKE STOIT KNIGA O STARYH GORODAH I REKAH ";
  for (int line = 0; line < 30; ++line) {
    std::string text;
    for (int i = 0; i < 52; ++i) text += words[size_t(line * 7 + i) % words.size()];
    page.lines.push_back({60, 740.0 - 22 * line, text, 13});
  }
  std::string pdf = make_pdf({page});
  std::string encoding = "/Encoding<</Differences[65";
  for (int i = 0; i < 26; ++i) encoding += "/afii" + std::to_string(10068 + i);
  encoding += "]>>/FirstChar 32/LastChar 90/Widths[300";  // the standard font has none for them
  for (int i = 0; i < 58; ++i) encoding += " 700";
  encoding += "]";
  const std::string plain = "/Encoding/WinAnsiEncoding";
  pdf.replace(pdf.find(plain), plain.size(), encoding);  // Poppler mends the table of objects
  return png_bytes(open_document(input(pdf), "")->raster(1, 200, 50'000'000).image);
}

/// A folder with Tesseract's English and script data alone.
void copy_tessdata(const fs::path& to) {
  for (const auto& version : fs::directory_iterator("/usr/share/tesseract-ocr"))
    for (const char* name : {"eng.traineddata", "osd.traineddata"})
      if (fs::exists(version.path() / "tessdata" / name))
        fs::copy_file(version.path() / "tessdata" / name, to / name);
}

TEST(OcrScript, APageThatNoEngineReadsNamesThePackageAndHasNoText) {
  const TempDir folder;
  copy_tessdata(folder.path());
  const std::string scan = (folder.path() / "scan.png").string();
  write_file(scan, russian_scan());
  const CommandResult run = docspec({"convert", scan, "--model", "none"},
                                    {.environment = {"TESSDATA_PREFIX=" + folder.path().string(),
                                                     "XDG_DATA_HOME=" + folder.path().string()}});
  EXPECT_EQ(run.code, 3) << run.err;
  EXPECT_NE(run.out.find("apt-get install tesseract-ocr-rus"), std::string::npos) << run.out;
  EXPECT_EQ(std::count(run.out.begin(), run.out.end(), '\n'), 1) << run.out;
}

/// Words that Tesseract reads, but that keep no line, as written by hand.
std::string uneven_scan() {
  PdfPage page;
  for (int line = 0; line < 12; ++line)
    for (int i = 0; i < 8; ++i)
      page.lines.push_back(
          {60.0 + 58 * i, 740.0 - 30 * line + (i * 5 + line) % 3 * 2, "harbour", 14});
  return png_bytes(open_document(input(make_pdf({page})), "")->raster(1, 200, 50'000'000).image);
}

TEST(OcrScript, HandwritingThatTesseractReadsIsNotOk) {
  const TempDir folder;
  const std::string scan = (folder.path() / "scan.png").string();
  write_file(scan, uneven_scan());
  const CommandResult run = docspec({"convert", scan, "--model", "none", "--draft", "tesseract"});
  EXPECT_EQ(run.code, 3) << run.err;
  EXPECT_NE(run.out.find("lines are uneven"), std::string::npos) << run.out;
  EXPECT_NE(run.out.find("harbour"), std::string::npos) << run.out;
}

}  // namespace
}  // namespace docspec::test
