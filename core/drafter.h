#pragma once

#include <memory>
#include <string_view>
#include <vector>

#include "core/draft.h"

namespace docspec {

/// What a Drafter may look at. Pointers are valid during the call only.
struct PageInput {
  const PageImage* image = nullptr;               ///< the upright raster
  const std::vector<Word>* text_layer = nullptr;  ///< words of the PDF's text layer in image pixels
};

/// Reads a page once, before decoding. One object serves one thread at a time.
class Drafter {
 public:
  virtual ~Drafter() = default;
  /// Registry name, the `source` of its drafts.
  virtual std::string_view name() const = 0;
  /// One draft per region it can read (region = id) and, where it sees more than the regions hold,
  /// page-wide ones. Throws Error(dependency) when its engine cannot run; a page it cannot read
  /// gives no drafts.
  virtual std::vector<Draft> draft(const PageInput& page, const std::vector<Region>& regions) = 0;
};

/// Finds the regions of a page, in reading order.
class LayoutDetector {
 public:
  virtual ~LayoutDetector() = default;
  virtual std::string_view name() const = 0;
  virtual std::vector<Region> detect(const PageInput& page) = 0;
};

}  // namespace docspec
