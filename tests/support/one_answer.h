#pragma once

#include <span>
#include <utility>
#include <vector>

#include "drafts/ocr/formulas/formula_reader.h"

namespace docspec::test {

/// Says the same of each formula, and keeps the boxes that it was asked for.
class OneAnswer : public FormulaReader {
 public:
  OneAnswer(ReadFormula answer, std::vector<Box>& asked)
      : answer_(std::move(answer)), asked_(asked) {}
  std::vector<ReadFormula> read(const PageImage&, std::span<const Box> boxes,
                                double) const override {
    asked_.assign(boxes.begin(), boxes.end());
    return std::vector<ReadFormula>(boxes.size(), answer_);
  }
  std::vector<std::vector<ReadPart>> read_lines(const PageImage&, std::span<const Box> boxes,
                                                double) const override {
    return std::vector<std::vector<ReadPart>>(boxes.size());
  }

 private:
  ReadFormula answer_;
  std::vector<Box>& asked_;
};

}  // namespace docspec::test
