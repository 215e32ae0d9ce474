#pragma once

#include <functional>
#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "core/page/page_image.h"
#include "core/page/region.h"

namespace docspec {

/// A formula that a model read.
struct ReadFormula {
  std::string latex;  ///< without dollars; empty if the model did not come to an end
  /// The least lead of a token over the runner-up: the difference of their log-probabilities.
  double least_margin = 0;
  double unsure = 0;  ///< the share of tokens that led by less than half
};

/// A word of a line of text, or a formula within it, as a model read it.
struct ReadPart {
  std::string text;  ///< of a formula: LaTeX without dollars
  bool formula = false;
  bool after_blank = false;  ///< a blank stands before it
  double least_margin = 0;   ///< as of ReadFormula
};

/// A model that reads formulas, and lines of text with formulas, from their images. For one thread
/// at a time.
class FormulaReader {
 public:
  virtual ~FormulaReader() = default;
  /// One for each box, in their order. `page`: level; `em_px`: size of the letters of its text.
  virtual std::vector<ReadFormula> read(const PageImage& page, std::span<const Box> boxes,
                                        double em_px) const = 0;
  /// The parts of the line of text in each box, from left to right; none where the model did not
  /// come to an end. Otherwise as `read`.
  virtual std::vector<std::vector<ReadPart>> read_lines(const PageImage& page,
                                                        std::span<const Box> boxes,
                                                        double em_px) const = 0;
};

/// Opens the reader at the first page with formulas; gives nullptr where docspec's engine is
/// missing.
using OpenFormulaReader = std::function<std::unique_ptr<FormulaReader>()>;

/// A reader that is opened at its first use.
class LazyFormulaReader {
 public:
  explicit LazyFormulaReader(OpenFormulaReader open) : open_(std::move(open)) {}
  /// nullptr where there is none.
  const FormulaReader* get() {
    if (open_) reader_ = std::exchange(open_, {})();
    return reader_.get();
  }

 private:
  OpenFormulaReader open_;  ///< empty once it was called
  std::unique_ptr<FormulaReader> reader_;
};

}  // namespace docspec
