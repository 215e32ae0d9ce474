#include "core/input/page_ranges.h"

#include <charconv>
#include <climits>
#include <set>

#include "core/base/error.h"

namespace docspec {
namespace {

[[noreturn]] void refuse(std::string_view text, std::string_view part) {
  throw Error(ExitCode::usage,
              "--pages " + std::string(text) + ": '" + std::string(part) +
                  "' is no page range; write it like 1-4,7,10- (pages count from 1)");
}

}  // namespace

PageRanges::PageRanges(std::string_view text) {
  std::string_view rest = text;
  while (true) {
    const size_t comma = rest.find(',');
    const std::string_view part = rest.substr(0, comma);
    const size_t dash = part.find('-');
    const auto number = [&](std::string_view digits, int when_empty) {
      if (digits.empty()) return when_empty;
      int value = 0;
      const auto [end, error] =
          std::from_chars(digits.data(), digits.data() + digits.size(), value);
      if (error != std::errc{} || end != digits.data() + digits.size() || value < 1)
        refuse(text, part);
      return value;
    };
    if (part.empty() || part == "-") refuse(text, part);
    if (dash == std::string_view::npos) {
      const int page = number(part, 0);
      ranges_.push_back({page, page, false});
    } else {
      const std::string_view last = part.substr(dash + 1);
      ranges_.push_back({number(part.substr(0, dash), 1), number(last, INT_MAX), last.empty()});
      if (ranges_.back().last < ranges_.back().first) refuse(text, part);
    }
    if (comma == std::string_view::npos) break;
    rest.remove_prefix(comma + 1);
  }
}

std::vector<int> PageRanges::pages(int count) const {
  std::set<int> chosen;
  for (const Range& range : ranges_)
    for (int page = range.first; page <= range.last && page <= count; ++page) chosen.insert(page);
  if (ranges_.empty())
    for (int page = 1; page <= count; ++page) chosen.insert(page);
  return {chosen.begin(), chosen.end()};
}

bool PageRanges::beyond(int count) const {
  for (const Range& range : ranges_)
    if ((range.open ? range.first : range.last) > count) return true;
  return false;
}

}  // namespace docspec
