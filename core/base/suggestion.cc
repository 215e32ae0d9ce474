#include "core/base/suggestion.h"

#include <algorithm>
#include <vector>

namespace docspec {
namespace {

size_t edit_distance(std::string_view a, std::string_view b) {
  std::vector<size_t> row(b.size() + 1);
  for (size_t j = 0; j <= b.size(); ++j) row[j] = j;
  for (size_t i = 1; i <= a.size(); ++i) {
    size_t diagonal = row[0]++;
    for (size_t j = 1; j <= b.size(); ++j) {
      const size_t above = row[j];
      row[j] = std::min({above + 1, row[j - 1] + 1, diagonal + (a[i - 1] != b[j - 1])});
      diagonal = above;
    }
  }
  return row[b.size()];
}

/// Whether `brief` has the first letter of `full` and the rest of its letters in their order.
bool is_short_for(std::string_view brief, std::string_view full) {
  if (brief.size() < 2 || brief.front() != full.front()) return false;
  size_t at = 0;
  for (const char letter : full) at += at < brief.size() && letter == brief[at];
  return at == brief.size();
}

}  // namespace

std::string did_you_mean(std::string_view typed, std::span<const std::string_view> known) {
  if (typed.empty()) return "";
  std::string_view best;
  size_t distance = std::max<size_t>(2, typed.size() / 3) + 1;
  for (const std::string_view name : known) {
    const size_t d = edit_distance(typed, name);
    if (d < std::min({distance, typed.size(), name.size()})) best = name, distance = d;
  }
  for (const std::string_view name : known)
    if (best.empty() && !name.empty() && (is_short_for(name, typed) || is_short_for(typed, name)))
      best = name;
  return best.empty() ? "" : " (did you mean " + std::string(best) + "?)";
}

}  // namespace docspec
