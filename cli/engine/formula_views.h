#pragma once

#include <memory>
#include <span>
#include <vector>

#include "drafts/ocr/formulas/formula_reader.h"

namespace docspec {

/// Has what its reader is unsure of read again, with letters of other sizes, and takes the reading
/// on which most agree; of as many, the one with the larger least lead. For one thread at a time.
class FormulaViews : public FormulaReader {
 public:
  explicit FormulaViews(std::unique_ptr<FormulaReader> reader) : reader_(std::move(reader)) {}

  std::vector<ReadFormula> read(const PageImage& page, std::span<const Box> boxes,
                                double em_px) const override;
  std::vector<std::vector<ReadPart>> read_lines(const PageImage& page, std::span<const Box> boxes,
                                                double em_px) const override;

 private:
  std::unique_ptr<FormulaReader> reader_;
};

}  // namespace docspec
