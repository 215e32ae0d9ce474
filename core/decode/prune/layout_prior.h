#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "core/decode/align/draft_aligner.h"
#include "core/page/draft.h"

namespace docspec {

/// The visual rows of an image: `rows` x `columns` cells in raster order over `frame`, the part of
/// the page (pixels of its raster) that the image shows.
struct VisualGrid {
  Box frame;
  int64_t rows = 0, columns = 0;
};

/// The box of each token of a draft on the page, from the words that it was read from; an empty box
/// if no word fits. `ids`: tokens whose text contains the words in this order, with markup between
/// them.
std::vector<Box> token_boxes(std::span<const int32_t> ids, std::span<const Word> words,
                             const Tokenizer& tokenizer);

/// Predicts the visual rows of the next words, if the drafts are right: the rows under the tokens
/// that follow the likeliest positions of the output in the drafts, with a margin of one cell. A
/// jump to another region is one of these positions before any word of it is written (beyond
/// [fastocr] 2.3).
class LayoutPrior {
 public:
  /// `boxes`: for each draft of the aligner, the boxes of its tokens. Drafts that are added later
  /// have none.
  LayoutPrior(std::shared_ptr<DraftAligner> aligner, std::vector<std::vector<Box>> boxes,
              const VisualGrid& grid)
      : aligner_(std::move(aligner)), boxes_(std::move(boxes)), grid_(grid) {}

  /// Sorted and unique.
  std::vector<int32_t> rows_after(std::span<const int32_t> output) const;

 private:
  void add_cells(const Box& box, std::vector<int32_t>& cells) const;

  std::shared_ptr<DraftAligner> aligner_;
  std::vector<std::vector<Box>> boxes_;
  VisualGrid grid_;
};

}  // namespace docspec
