#include "drafts/layout/picture_finder.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <sstream>

#include "drafts/lines/text_lines.h"

namespace docspec {
namespace {

constexpr int kDpi = 150, kEm = 20;

/// A scanned page on which one may draw and write.
class Scan {
 public:
  Scan() : image_(1, 1240, 1754, kDpi) {
    for (int y = 0; y < 1754; ++y) std::fill_n(image_.row(y), 3 * 1240, 255);
  }

  void paint(const Box& box, uint8_t shade = 0) {
    for (int y = box.y0; y < box.y1; ++y)
      std::fill_n(image_.row(y) + 3 * box.x0, 3 * box.width(), shade);
  }

  /// A staircase from corner to corner, which is no straight line.
  void draw(const Box& box) {
    for (int i = 0; i < box.width(); i += 4)
      paint({box.x0 + i, box.y0 + i * box.height() / box.width(), box.x0 + i + 8,
             box.y0 + i * box.height() / box.width() + 8});
  }

  void write(int x, int y, const std::string& text) {
    std::istringstream words(text);
    ++line_;
    for (std::string word; words >> word;) {
      const int width = int(word.size()) * kEm / 2;
      words_.push_back({word, {x, y, x + width, y + kEm}, 1, 10});
      words_.back().line = line_;
      paint({x + 2, y + 4, x + width - 2, y + kEm - 4});
      x += width + kEm / 3;
    }
  }

  void write_prose(int y) {
    for (int i = 0; i < 5; ++i)
      write(150, y + 30 * i, "A line of prose that goes from one margin of the page to the other");
  }

  std::vector<Box> diagrams() const {
    PageInput page;
    page.width_px = 1240, page.height_px = 1754, page.dpi = kDpi;
    page.image = &image_;
    page.words = words_;
    return find_diagrams(page, group_lines(words_, kDpi));
  }

 private:
  PageImage image_;
  std::vector<Word> words_;
  int line_ = 0;
};

TEST(Drawings, AScansDrawingHasItsLabelsWithoutACaption) {
  Scan scan;
  scan.write_prose(150);
  scan.draw({300, 420, 700, 700});
  scan.draw({360, 420, 760, 700});
  scan.write(560, 460, "Striatum");  // on it
  scan.write(790, 600, "lobe");      // at its side
  scan.write(320, 712, "Normal");    // in a row below
  scan.write(480, 712, "Parabiosis");
  scan.write_prose(800);
  const std::vector<Box> found = scan.diagrams();
  ASSERT_EQ(found.size(), 1u);
  EXPECT_LE(found[0].x0, 312);
  EXPECT_GE(found[0].x1, 825);
  EXPECT_LT(found[0].y0, 440);
  EXPECT_GT(found[0].y1, 725);
  EXPECT_LT(found[0].y1, 800);
}

TEST(Drawings, FramesOfCodeBarsBehindTextAndTextOnPicturesAreNone) {
  Scan frame;
  for (const Box& side : {Box{200, 400, 900, 403},
                          {200, 640, 900, 643},
                          {200, 400, 203, 643},
                          {897, 400, 900, 643},
                          {210, 643, 910, 653}})
    frame.paint(side);
  for (int i = 0; i < 6; ++i) frame.write(220, 420 + 35 * i, "for (i = 0)");
  EXPECT_TRUE(frame.diagrams().empty());
  Scan bar;
  for (const Box& side :
       {Box{200, 400, 500, 402}, {200, 500, 500, 502}, {200, 400, 202, 502}, {498, 400, 500, 502}})
    bar.paint(side);
  bar.write(210, 410, "first");
  bar.paint({202, 438, 498, 466}, 60);
  bar.write(210, 442, "second");
  EXPECT_TRUE(bar.diagrams().empty());
  Scan logo;
  logo.draw({300, 400, 700, 680});
  logo.write(340, 690, "deep");
  logo.write(500, 690, "seek");
  EXPECT_TRUE(logo.diagrams().empty());
  Scan banner;
  banner.paint({0, 100, 1240, 300}, 120);
  banner.write(200, 180, "Travel");
  for (int i = 0; i < 16; ++i)
    banner.paint({600 + 12 * i, 130 + 8 * i, 640 + 12 * i, 150 + 8 * i}, 255);
  banner.write_prose(400);
  EXPECT_TRUE(banner.diagrams().empty());
  Scan crossed;  // by prose, as a stamp is
  crossed.write_prose(400);
  crossed.draw({300, 380, 700, 680});
  EXPECT_TRUE(crossed.diagrams().empty());
}

}  // namespace
}  // namespace docspec
