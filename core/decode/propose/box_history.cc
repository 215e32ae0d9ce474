#include "core/decode/propose/box_history.h"

#include <algorithm>
#include <cstdlib>

namespace docspec {
namespace {

constexpr double kFading = 0.9;      ///< factor for older evidence at each box
constexpr double kDrafted = 0.3;     ///< weight of the drafted number itself, in boxes
constexpr double kNeighbour = 0.08;  ///< weight of each of its two neighbours
constexpr double kEdge = 1;          ///< weight of a number at the same side of an earlier box
constexpr int kEdgeReach = 12;       ///< how far such an edge may be off
constexpr double kSameRow = 2;       ///< weight of the lower edge of a box with the same upper edge
constexpr double kLessLike = 0.3;    ///< factor for a box of another column
constexpr size_t kRemembered = 64;   ///< boxes that are remembered
constexpr size_t kMostChoices = 4;

}  // namespace

BoxNumbers numbers_of(const Box& box) {
  return {int(box.x0), int(box.y0), int(box.x1), int(box.y1)};
}

void BoxHistory::add(const Box& written, const Box* drafted) {
  const BoxNumbers numbers = numbers_of(written);
  for (size_t side = 0; side < 4; ++side) {
    for (auto& [offset, belief] : offsets_[side]) belief *= kFading;
    if (drafted) offsets_[side][numbers[side] - numbers_of(*drafted)[side]] += 1;
  }
  written_.push_back(numbers);
  if (written_.size() > kRemembered) written_.erase(written_.begin());
}

/// If no number begins with these digits: the number nearest to the likeliest one that does.
std::vector<NumberChoice> BoxHistory::choices(const Beliefs& beliefs, const std::string& digits) {
  std::vector<NumberChoice> out;
  for (const auto& [number, belief] : beliefs)
    if (std::string text = std::to_string(number); number >= 0 && text.starts_with(digits))
      out.push_back({std::move(text), belief});
  if (out.empty()) {
    const auto less = [](const auto& a, const auto& b) { return a.second < b.second; };
    const auto likeliest = std::max_element(beliefs.begin(), beliefs.end(), less);
    const int wanted = likeliest == beliefs.end() ? 0 : std::max(0, likeliest->first);
    std::string low = digits, high = digits;
    low.resize(std::max(digits.size(), std::to_string(wanted).size()), '0');
    high.resize(low.size(), '9');
    return {{std::to_string(std::clamp(wanted, std::stoi(low), std::stoi(high))), 1}};
  }
  std::stable_sort(out.begin(), out.end(), [](const NumberChoice& a, const NumberChoice& b) {
    return a.belief > b.belief;
  });
  if (out.size() > kMostChoices) out.resize(kMostChoices);
  return out;
}

std::vector<NumberChoice> BoxHistory::corrected(const Box& drafted, size_t side,
                                                const std::string& digits) const {
  const int number = numbers_of(drafted)[side];
  Beliefs beliefs = {{number, kDrafted}, {number - 1, kNeighbour}, {number + 1, kNeighbour}};
  for (const auto& [offset, belief] : offsets_[side]) beliefs[number + offset] += belief;
  const bool upright = side % 2 == 0;  // columns align boxes, rows only those of tables
  double belief = kEdge;
  for (size_t i = written_.size(); upright && i-- > 0; belief *= kFading)
    if (const int edge = written_[i][side]; std::abs(edge - number) <= kEdgeReach)
      beliefs[edge] += belief;
  return choices(beliefs, digits);
}

std::vector<NumberChoice> BoxHistory::as_before(const BoxNumbers& box, size_t side,
                                                const std::string& digits) const {
  Beliefs beliefs;
  double belief = 1;
  const BoxNumbers& last = written_.back();
  for (size_t i = written_.size() - 1; i > 0; --i, belief *= kFading) {
    const BoxNumbers &one = written_[i], &before = written_[i - 1];
    const bool column = one[0] == box[0];
    const double like = column ? belief : kLessLike * belief;
    if (side == 0) beliefs[one[0]] += before[0] == last[0] ? belief : kLessLike * belief;
    if (side == 1 && column) beliefs[last[1] + one[1] - before[1]] += belief;
    if (side == 2) beliefs[one[2]] += like;
    if (side == 3 && one[1] == box[1]) beliefs[one[3]] += kSameRow * belief;
    if (side == 3) beliefs[box[1] + one[3] - one[1]] += like;
  }
  return choices(beliefs, digits);
}

}  // namespace docspec
