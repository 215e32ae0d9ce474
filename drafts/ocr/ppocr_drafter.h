#pragma once

#include <filesystem>
#include <memory>
#include <vector>

#include "core/document/drafter.h"

namespace docspec {

namespace ppocr {
class Reader;
struct LineBox;
struct ReadLine;
}  // namespace ppocr

/// OCR by PP-OCRv6 small: its detector's lines, read by its recogniser. No language to choose: it
/// knows Latin letters, Chinese and Japanese; of other scripts it reads little, or blanks.
class PpOcrDrafter : public Drafter {
 public:
  /// `folder`: what packaging/deps --ocr installs; read at the first page. All methods throw
  /// Error(dependency) when the weights are missing or broken.
  explicit PpOcrDrafter(std::filesystem::path folder);
  ~PpOcrDrafter() override;

  std::string_view name() const override { return "ppocr"; }
  DrafterRole role() const override { return DrafterRole::raster; }
  std::vector<Box> text_lines(const PageInput& page) override;
  std::vector<Draft> draft(const PageInput& page, const std::vector<Region>& regions) override;
  std::string doubt() const override;

  /// How much of a page it can read, 0..1, by a look at a few of its longest lines: near 1 for
  /// print in its scripts, below 0.7 for others. 1 where there are no lines.
  double legibility(const PageInput& page);
  /// The same of all lines of the last draft.
  double legibility() const { return legibility_; }

 private:
  void find(const PageInput& page);

  const std::filesystem::path folder_;
  std::unique_ptr<ppocr::Reader> reader_;
  const PageImage* found_in_ = nullptr;
  std::vector<ppocr::LineBox> lines_;
  double legibility_ = 1, jitter_ = 0;  // of the last draft
};

}  // namespace docspec
