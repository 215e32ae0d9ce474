#include "core/read/runaway_detector.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <set>

namespace docspec {
namespace {

constexpr size_t kGroup = 64;     ///< longest repeated group
constexpr size_t kShortest = 64;  ///< a shorter repetition may be a table or a dotted line
constexpr size_t kTimes = 4;
constexpr size_t kAgreed = 4;  ///< tokens in a row that agree

/// A range in which each token equals the one `period` before it.
struct Repetition {
  size_t begin = 0, length = 0;
};

Repetition longest_repetition(std::span<const int32_t> ids, size_t period) {
  Repetition best;
  for (size_t i = period, same = 0; i < ids.size(); ++i) {
    same = ids[i] == ids[i - period] ? same + 1 : 0;
    if (same > 0 && same + period > best.length) best = {i + 1 - same - period, same + period};
  }
  return best;
}

struct Circle {
  size_t begin, period, length;
};

/// The first repetition that no draft has.
std::optional<Circle> find_circle(std::span<const int32_t> output,
                                  std::span<const TokenIds> drafts) {
  std::optional<Circle> first;
  for (size_t period = 1; period <= kGroup; ++period) {
    const Repetition found = longest_repetition(output, period);
    if (found.length <= std::max(kShortest, kTimes * period)) continue;
    if (first && first->begin <= found.begin) continue;
    size_t drafted = 0;
    for (const TokenIds& draft : drafts)
      drafted = std::max(drafted, longest_repetition(draft, period).length);
    if (found.length > 2 * drafted) first = Circle{found.begin, period, found.length};
  }
  return first;
}

}  // namespace

std::optional<Runaway> find_runaway(std::span<const int32_t> output,
                                    std::span<const TokenIds> drafts) {
  if (const auto circle = find_circle(output, drafts)) {
    const size_t begin =
        circle->begin + circle->period;  // the first occurrence is not a repetition
    return Runaway{last_agreed(output, drafts, begin),
                   fmt::format("repeats {} tokens {} times from token {}", circle->period,
                               circle->length / circle->period, begin)};
  }
  constexpr size_t kLeast = 32, kSpare = 256;
  size_t drafted = 0;
  for (const TokenIds& draft : drafts) drafted += draft.size();
  if (drafted < kLeast || output.size() <= 2 * drafted + kSpare) return std::nullopt;
  return Runaway{last_agreed(output, drafts, output.size()),
                 fmt::format("has {} tokens where the drafts have {}", output.size(), drafted)};
}

size_t last_agreed(std::span<const int32_t> output, std::span<const TokenIds> drafts,
                   size_t before) {
  using Group = std::array<int32_t, kAgreed>;
  const auto group = [](std::span<const int32_t> ids, size_t at) {
    Group out;
    std::copy_n(ids.begin() + ptrdiff_t(at), kAgreed, out.begin());
    return out;
  };
  std::set<Group> known;
  for (const TokenIds& draft : drafts)
    for (size_t i = 0; i + kAgreed <= draft.size(); ++i) known.insert(group(draft, i));
  for (size_t end = std::min(before, output.size()); end >= kAgreed; --end)
    if (known.contains(group(output, end - kAgreed))) return end;
  return 0;
}

}  // namespace docspec
