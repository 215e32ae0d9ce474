#include "drafts/ocr/ppocr_drafter.h"

#include <gtest/gtest.h>

#include "drafts/ocr/ppocr/reader.h"

namespace docspec {
namespace {

/// Finds and reads these words, a line each.
class WordReader : public ppocr::Reader {
 public:
  explicit WordReader(std::vector<Word> words) : words_(std::move(words)) {}

  std::vector<ppocr::LineBox> find(const PageImage&) const override {
    std::vector<ppocr::LineBox> out;
    for (const Word& word : words_)
      out.push_back({(word.box.x0 + word.box.x1) / 2.0, (word.box.y0 + word.box.y1) / 2.0,
                     double(word.box.width()), double(word.box.height()), 0, 1});
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
};

TEST(PpOcrDrafter, AnInitialOfTwoLinesBeginsItsWord) {
  const std::vector<Word> words = {{"H", {200, 200, 290, 275}, 1, 36},
                                   {"ERE", {297, 202, 367, 230}, 1, 12},
                                   {"lies", {300, 248, 370, 276}, 1, 12},
                                   {"one", {200, 296, 290, 324}, 1, 12}};
  PpOcrDrafter drafter([&] { return std::make_unique<WordReader>(words); });
  const PageImage image(1, 600, 400, 200);
  PageInput page;
  page.image = &image;
  page.dpi = 200;
  const Region region{.box = {190, 190, 400, 340}};
  const std::vector<Draft> drafts = drafter.draft(page, {region});
  ASSERT_EQ(drafts.size(), 1u);
  EXPECT_EQ(drafts[0].text, "HERE lies one");
}

}  // namespace
}  // namespace docspec
