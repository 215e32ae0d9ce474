#include "core/decode/prune/layout_prior.h"

#include <algorithm>
#include <string>

#include "core/text/tokenizer.h"

namespace docspec {
namespace {

constexpr size_t kPlaces = 3;   ///< number of likeliest positions that are used
constexpr size_t kBefore = 1;   ///< tokens before a position
constexpr size_t kAhead = 16;   ///< and after it
constexpr size_t kReach = 400;  ///< most bytes of markup between two words
constexpr int64_t kMarginCells = 1;

}  // namespace

std::vector<Box> token_boxes(std::span<const int32_t> ids, std::span<const Word> words,
                             const Tokenizer& tokenizer) {
  std::string text;
  std::vector<size_t> ends;  // of each token
  for (const int32_t id : ids) {
    text += tokenizer.bytes_of(id);
    ends.push_back(text.size());
  }
  std::vector<Box> boxes(ids.size());
  size_t at = 0, token = 0;
  for (const Word& word : words) {
    const size_t found = word.text.empty() ? std::string::npos : text.find(word.text, at);
    if (found == std::string::npos || found > at + kReach) continue;
    at = found + word.text.size();
    while (token < ids.size() && ends[token] <= found) ++token;
    for (size_t i = token; i < ids.size(); ++i) {
      if (boxes[i].empty()) boxes[i] = word.box;
      if (ends[i] >= at) break;
    }
  }
  return boxes;
}

void LayoutPrior::add_cells(const Box& box, std::vector<int32_t>& cells) const {
  const int64_t width = grid_.frame.width(), height = grid_.frame.height();
  const auto cell = [](int64_t at, int64_t from, int64_t length, int64_t count, int64_t margin) {
    return std::clamp<int64_t>((at - from) * count / length + margin, 0, count - 1);
  };
  const int64_t top = cell(box.y0, grid_.frame.y0, height, grid_.rows, -kMarginCells);
  const int64_t bottom = cell(box.y1 - 1, grid_.frame.y0, height, grid_.rows, kMarginCells);
  const int64_t left = cell(box.x0, grid_.frame.x0, width, grid_.columns, -kMarginCells);
  const int64_t right = cell(box.x1 - 1, grid_.frame.x0, width, grid_.columns, kMarginCells);
  for (int64_t row = top; row <= bottom; ++row)
    for (int64_t column = left; column <= right; ++column)
      cells.push_back(int32_t(row * grid_.columns + column));
}

std::vector<int32_t> LayoutPrior::rows_after(std::span<const int32_t> output) const {
  aligner_->follow(output);
  std::vector<int32_t> cells;
  const std::vector<Continuation>& places = aligner_->places();
  for (size_t i = 0; i < std::min(kPlaces, places.size()); ++i) {
    if (places[i].draft >= boxes_.size()) continue;
    const std::vector<Box>& boxes = boxes_[places[i].draft];
    const size_t token = aligner_->draft(places[i].draft).token_of(places[i].symbol);
    for (size_t t = token - std::min(token, kBefore); t < std::min(token + kAhead, boxes.size());
         ++t)
      if (!boxes[t].empty()) add_cells(boxes[t], cells);
  }
  std::sort(cells.begin(), cells.end());
  cells.erase(std::unique(cells.begin(), cells.end()), cells.end());
  return cells;
}

}  // namespace docspec
