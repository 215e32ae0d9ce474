#include "drafts/ocr/ppocr_drafter.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "core/base/error.h"
#include "drafts/ocr/ocr_words.h"
#include "drafts/ocr/ppocr/reader.h"
#include "drafts/text/region_text.h"

namespace docspec {
namespace {

/// The box around a line that leans, without what it was grown by to hold all ink.
Box around(const ppocr::LineBox& line) {
  constexpr double kInk = 0.75;  // of a found line's height
  const double height = line.height * kInk, width = line.width - (line.height - height);
  const double c = std::abs(std::cos(line.angle)), s = std::abs(std::sin(line.angle));
  const double x = (width * c + height * s) / 2, y = (width * s + height * c) / 2;
  return {int(std::lround(line.x - x)), int(std::lround(line.y - y)), int(std::lround(line.x + x)),
          int(std::lround(line.y + y))};
}

bool holds(const Box& box, const ppocr::LineBox& line) {
  return line.x >= box.x0 && line.x < box.x1 && line.y >= box.y0 && line.y < box.y1;
}

class PpOcrDrafter : public Drafter {
 public:
  explicit PpOcrDrafter(std::filesystem::path folder) : folder_(std::move(folder)) {}
  std::string_view name() const override { return "ppocr"; }
  DrafterRole role() const override { return DrafterRole::raster; }

  std::vector<Box> text_lines(const PageInput& page) override {
    find(page);
    found_in_ = page.image;
    std::vector<Box> out;
    for (const ppocr::LineBox& line : lines_) out.push_back(around(line));
    return out;
  }

  std::vector<Draft> draft(const PageInput& page, const std::vector<Region>& regions) override {
    // The lines may be known from text_lines(); they are used once, for the image may change.
    if (std::exchange(found_in_, nullptr) != page.image) find(page);
    std::vector<ppocr::LineBox> wanted;
    for (const ppocr::LineBox& line : lines_)
      if (std::none_of(regions.begin(), regions.end(), [&](const Region& region) {
            return region.kind == RegionKind::picture && holds(region.box, line);
          }))
        wanted.push_back(line);
    std::vector<Word> words;
    std::vector<size_t> lengths;
    for (ppocr::ReadLine& line : reader_->read(*page.image, wanted)) {
      if (line.words.empty()) continue;
      lengths.push_back(line.words.size());
      words.insert(words.end(), std::make_move_iterator(line.words.begin()),
                   std::make_move_iterator(line.words.end()));
    }
    mark_heavy(words, lengths, *page.image);
    return region_drafts(regions, words, page.dpi, name());
  }

 private:
  void find(const PageInput& page) {
    if (!page.image || page.image->empty())
      throw Error(ExitCode::internal, "OCR: page " + std::to_string(page.page) + " has no raster");
    if (!reader_) reader_ = std::make_unique<ppocr::Reader>(folder_);
    lines_ = reader_->find(*page.image);
  }

  const std::filesystem::path folder_;
  std::unique_ptr<ppocr::Reader> reader_;
  const PageImage* found_in_ = nullptr;
  std::vector<ppocr::LineBox> lines_;
};

}  // namespace

std::unique_ptr<Drafter> make_ppocr_drafter(std::filesystem::path folder) {
  return std::make_unique<PpOcrDrafter>(std::move(folder));
}

}  // namespace docspec
