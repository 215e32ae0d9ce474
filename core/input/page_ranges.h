#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace docspec {

/// Pages of `--pages 1-4,7,10-`, counted from 1, of a document of any length.
class PageRanges {
 public:
  /// All pages.
  PageRanges() = default;
  /// Throws Error(usage) when `text` is no list of N, N-M, N- or -M.
  explicit PageRanges(std::string_view text);

  /// The chosen pages of a document of `count` pages, ascending, each once.
  std::vector<int> pages(int count) const;
  /// True when something asked for lies beyond `count`: worth a warning.
  bool beyond(int count) const;

 private:
  struct Range {
    int first, last;
    bool open;  ///< "N-": up to the end, whatever it is
  };
  std::vector<Range> ranges_;
};

}  // namespace docspec
