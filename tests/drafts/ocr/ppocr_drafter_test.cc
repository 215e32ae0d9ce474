#include "drafts/ocr/ppocr_drafter.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "drafts/ocr/ppocr/reader.h"

namespace docspec {
namespace {

/// Finds and reads these words, a line each, the last of which is turned by `angle`.
class WordReader : public ppocr::Reader {
 public:
  explicit WordReader(std::vector<Word> words, double angle = 0)
      : words_(std::move(words)), angle_(angle) {}

  std::vector<ppocr::LineBox> find(const PageImage&) const override {
    std::vector<ppocr::LineBox> out;
    for (const Word& word : words_)
      out.push_back({(word.box.x0 + word.box.x1) / 2.0, (word.box.y0 + word.box.y1) / 2.0,
                     double(word.box.width()), double(word.box.height()), 0, 1});
    out.back().angle = angle_;
    return out;
  }
  std::vector<ppocr::ReadLine> read(const PageImage&,
                                    std::span<const ppocr::LineBox> boxes) const override {
    std::vector<ppocr::ReadLine> out;
    for (size_t i = 0; i < boxes.size(); ++i)
      out.push_back({boxes[i], {words_[i]}, words_[i].text, 1});
    return out;
  }

 private:
  std::vector<Word> words_;
  double angle_;
};

/// Text of a region that the words make up.
std::string text_of(const std::vector<Word>& words, const PageImage& image, double angle = 0) {
  PpOcrDrafter drafter([&] { return std::make_unique<WordReader>(words, angle); });
  PageInput page;
  page.image = &image;
  page.dpi = 200;
  const Region region{.box = {0, 0, image.width_px(), image.height_px()}};
  const std::vector<Draft> drafts = drafter.draft(page, {region});
  return drafts.empty() ? "" : drafts[0].text;
}

TEST(PpOcrDrafter, PassesOverSlantingLinesOfALevelPage) {
  std::vector<Word> words;
  for (int i = 0; i < 6; ++i)
    words.push_back({"level", {20, 20 + 50 * i, 120, 48 + 50 * i}, 1, 12});
  words.push_back({"DRAFT", {20, 320, 120, 348}, 1, 12});
  const PageImage image(1, 600, 400, 200);
  EXPECT_NE(text_of(words, image, 0.02).find("DRAFT"), std::string::npos);
  EXPECT_EQ(text_of(words, image, 0.7).find("DRAFT"), std::string::npos);
  EXPECT_NE(text_of({words[0], words[6]}, image, 0.7).find("DRAFT"), std::string::npos);
}

/// Reads lines as one would that run downwards where they are narrow.
class NarrowReader : public WordReader {
 public:
  using WordReader::WordReader;
  std::vector<ppocr::ReadLine> read(const PageImage& image,
                                    std::span<const ppocr::LineBox> boxes) const override {
    std::vector<ppocr::ReadLine> out = WordReader::read(image, boxes);
    for (ppocr::ReadLine& line : out)
      if (line.box.height >= 1.5 * line.box.width) line.words[0].text = "downwards";
    return out;
  }
};

TEST(PpOcrDrafter, ANarrowSignThatStandsAloneIsNoLineThatRunsDownwards) {
  std::vector<Word> words;
  for (int i = 0; i < 6; ++i)
    words.push_back({"level", {20, 20 + 50 * i, 120, 48 + 50 * i}, 1, 12});
  words.push_back({"}", {20, 320, 37, 348}, 1, 12});
  const PageImage image(1, 600, 600, 200);
  const auto text = [&] {
    PpOcrDrafter drafter([&] { return std::make_unique<NarrowReader>(words); });
    PageInput page;
    page.image = &image;
    page.dpi = 200;
    return drafter.draft(page, {Region{.box = {0, 0, 600, 600}}})[0].text;
  };
  EXPECT_EQ(text().find("downwards"), std::string::npos);
  words.back().box = {20, 320, 48, 448};
  EXPECT_NE(text().find("downwards"), std::string::npos);
}

TEST(PpOcrDrafter, ADotThatOpensALineIsItsSignWhateverItWasReadAs) {
  PageImage image(1, 600, 400, 200);
  for (int y = 0; y < 400; ++y) std::fill_n(image.row(y), 3 * 600, 255);
  std::vector<Word> words;
  for (const int y : {20, 80}) {
    words.push_back({"apples", {40, y, 300, y + 40}, 1, 12});
    const auto paint = [&](const Box& box) {
      for (int row = box.y0; row < box.y1; ++row)
        std::fill_n(image.row(row) + 3 * box.x0, 3 * box.width(), 0);
    };
    paint({45, y + 15, 55, y + 25});
    for (int x = 90; x < 290; x += 20) paint({x, y + 6, x + 16, y + 34});
  }
  EXPECT_EQ(text_of(words, image), "• apples • apples");
}

TEST(PpOcrDrafter, UnreadLinesCountUnlessTheyAreOrnaments) {
  const auto doubt = [](int wider) {  // of every other sign
    PageImage image(1, 900, 200, 200);
    for (int y = 0; y < 200; ++y) std::fill_n(image.row(y), 3 * 900, 255);
    for (int i = 0; i < 30; ++i)
      for (int y = 130; y < 146; ++y)
        std::fill_n(image.row(y) + 3 * (20 + 28 * i), 3 * (9 + i % 2 * wider), 0);
    const std::vector<Word> words = {{"harbour", {20, 20, 320, 60}, 1, 12},
                                     {"*", {20, 126, 860, 150}, 0.1, 12}};
    PpOcrDrafter drafter([&] { return std::make_unique<WordReader>(words); });
    PageInput page;
    page.image = &image;
    page.dpi = 200;
    drafter.draft(page, {{.box = {0, 0, 900, 200}}});
    return drafter.doubt();
  };
  EXPECT_EQ(doubt(0), "");
  EXPECT_EQ(doubt(6), kIllegible);
}

TEST(PpOcrDrafter, AnInitialOfTwoLinesBeginsItsWord) {
  const std::vector<Word> words = {{"H", {200, 200, 290, 275}, 1, 36},
                                   {"ERE", {297, 202, 367, 230}, 1, 12},
                                   {"lies", {300, 248, 370, 276}, 1, 12},
                                   {"one", {200, 296, 290, 324}, 1, 12}};
  const PageImage image(1, 600, 400, 200);
  EXPECT_EQ(text_of(words, image), "HERE lies one");
}

TEST(PpOcrDrafter, ManyShortPaleLinesAreDirt) {
  const auto page_of = [](int specks, uint8_t level) {
    PageImage image(1, 900, 600, 200);
    for (int y = 0; y < 600; ++y) std::fill_n(image.row(y), 3 * 900, 255);
    std::vector<Word> words = {{"harbour", {20, 20, 320, 60}, 1, 12}};
    for (int x = 30; x < 300; x += 30)
      for (int y = 30; y < 50; ++y) std::fill_n(image.row(y) + 3 * x, 3 * 12, 20);
    for (int i = 0; i < specks; ++i) {
      const int x = 20 + 80 * (i % 10), y = 120 + 80 * (i / 10) + (i * 37) % 50;
      words.push_back({"Z", {x, y, x + 30, y + 30}, 1, 12});
      for (int row = y + 8; row < y + 22; ++row)
        std::fill_n(image.row(row) + 3 * (x + 8), 3 * 14, level);
    }
    return text_of(words, image);
  };
  EXPECT_EQ(page_of(25, 150), "harbour");
  EXPECT_NE(page_of(25, 40).find('Z'), std::string::npos) << "as dark as the text";
  EXPECT_NE(page_of(8, 150).find('Z'), std::string::npos) << "few: captions, say";
}

TEST(PpOcrDrafter, PaleCellsOfATableAreNoDirt) {
  PageImage image(1, 900, 600, 200);
  for (int y = 0; y < 600; ++y) std::fill_n(image.row(y), 3 * 900, 255);
  std::vector<Word> words = {{"harbour", {20, 20, 320, 60}, 1, 12}};
  for (int x = 30; x < 300; x += 30)
    for (int y = 30; y < 50; ++y) std::fill_n(image.row(y) + 3 * x, 3 * 12, 20);
  for (int i = 0; i < 25; ++i) {  // five rows of five
    const int x = 20 + 160 * (i % 5), y = 120 + 80 * (i / 5);
    words.push_back({"71", {x, y, x + 60, y + 30}, 1, 12});
    for (int row = y + 8; row < y + 22; ++row)
      std::fill_n(image.row(row) + 3 * (x + 8), 3 * 40, 150);
  }
  const std::string text = text_of(words, image);
  EXPECT_EQ(std::count(text.begin(), text.end(), '7'), 25) << text;
}

TEST(PpOcrDrafter, PartsLinesThatRunOverANarrowGutter) {
  PageImage image(1, 800, 600, 200);
  for (int y = 0; y < 600; ++y) std::fill_n(image.row(y), 3 * 800, 255);
  std::vector<Word> lines;  // over both columns
  for (int y = 40; y < 520; y += 36) {
    lines.push_back({"line", {40, y, 760, y + 32}, 1, 12});
    for (int x = 44; x < 750; x += 24)  // letters, none in the gutter
      if (x + 20 < 388 || x >= 412)
        for (int row = y + 4; row < y + 28; ++row) std::fill_n(image.row(row) + 3 * x, 3 * 20, 0);
  }
  PpOcrDrafter drafter([&] { return std::make_unique<WordReader>(lines); });
  PageInput page;
  page.image = &image;
  page.dpi = 200;
  const std::vector<Box> found = drafter.text_lines(page);
  ASSERT_EQ(found.size(), 2 * lines.size());
  EXPECT_LT(found[0].x1, 400);
  EXPECT_GT(found[1].x0, 400);
}

}  // namespace
}  // namespace docspec
