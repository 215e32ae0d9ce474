#pragma once

#include <memory>
#include <span>
#include <vector>

#include "core/document/drafter.h"
#include "drafts/ocr/missed_ink.h"
#include "drafts/ocr/ppocr/reader.h"

namespace docspec {

/// OCR by PP-OCRv6 small: its detector's lines, read by its recogniser. No language to choose: it
/// knows Latin letters, Chinese and Japanese; of other scripts it reads little, or blanks.
class PpOcrDrafter : public Drafter {
 public:
  /// `open`: called at the first page; empty = not installed. All methods throw Error(dependency)
  /// when weights or engine are missing or broken.
  explicit PpOcrDrafter(ppocr::OpenReader open);
  ~PpOcrDrafter() override;

  std::string_view name() const override { return "ppocr"; }
  DrafterRole role() const override { return DrafterRole::raster; }
  std::vector<Box> text_lines(const PageInput& page) override;
  std::vector<Draft> draft(const PageInput& page, const std::vector<Region>& regions) override;
  std::string doubt() const override;

  /// Whether docspec's engine is there; throws when the weights are broken.
  bool can_run();
  /// How much of a page it can read, 0..1, by a look at a few of the longest lines that
  /// text_lines found in it last: near 1 for print in its scripts, below 0.7 for others. 1 where
  /// there are no lines.
  double legibility(const PageInput& page);
  /// The same of all lines of the last draft.
  double legibility() const { return legibility_; }

 private:
  void find(const PageInput& page);
  /// What was read outside `pictures`, with the signs of lists; no line without words.
  std::vector<ppocr::ReadLine> read_wanted(const PageImage& image, std::span<const Box> pictures);

  const ppocr::OpenReader open_;
  std::unique_ptr<ppocr::Reader> reader_;
  const PageImage* found_in_ = nullptr;
  std::vector<ppocr::LineBox> lines_;                // those found, then letters that stand alone
  size_t letters_from_ = 0;                          // where the letters begin
  std::vector<MissedInk::Sign> signs_;               // before some of the lines
  double legibility_ = 1, jitter_ = 0, slopes_ = 0;  // of the last draft
  bool vietnamese_ = false;                          // the same
};

}  // namespace docspec
