#include "core/base/suggestion.h"

#include <algorithm>

#include "core/base/levenshtein.h"

namespace docspec {
namespace {

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
    const size_t d = levenshtein(typed, name);
    if (d < std::min({distance, typed.size(), name.size()})) best = name, distance = d;
  }
  for (const std::string_view name : known)
    if (best.empty() && !name.empty() && (is_short_for(name, typed) || is_short_for(typed, name)))
      best = name;
  return best.empty() ? "" : " (did you mean " + std::string(best) + "?)";
}

}  // namespace docspec
