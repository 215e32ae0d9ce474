#pragma once

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/page/draft.h"
#include "core/page/page_image.h"

namespace docspec {

/// A display formula with its number; its LaTeX is without dollars, empty if it cannot be read.
struct PageFormula {
  Box box;
  std::string latex;
};

/// The view of a page that a Drafter or LayoutDetector gets; valid during the call only. Boxes are
/// pixels of the frame: the upright page at `dpi`.
struct PageInput {
  int page = 0;  ///< counted from 1
  int width_px = 0, height_px = 0;
  double dpi = 0;
  /// The upright page, or nullptr. For a detector it may be rendered smaller than the frame; a
  /// drafter that reads pixels gets one of the frame's size.
  const PageImage* image = nullptr;
  std::span<const Word> text_layer;  ///< words of the PDF's text layer, empty when not trusted
  std::span<const Word> words;       ///< words known so far from any source, for detectors
  /// Text lines found in the raster, where no words are known; a drafter that is given some need
  /// not look for them.
  std::span<const Box> lines;
  /// Display formulas that the page's content itself shows; nothing where only its words are known.
  std::optional<std::span<const PageFormula>> formulas = {};
};

/// The part that a drafter has in reading a page.
enum class DrafterRole {
  text_layer,  ///< reads the words of the PDF, where they can be trusted
  raster,      ///< reads pixels (OCR); its words show the regions of a page without a text layer
  replay,      ///< brings the regions of the page with it, see Drafter::regions
  regions,     ///< reads the regions that the others have found
};

/// Reads a page once, before decoding. One object serves one thread at a time.
class Drafter {
 public:
  virtual ~Drafter() = default;
  /// Registry name, the `source` of its drafts.
  virtual std::string_view name() const = 0;
  virtual DrafterRole role() const { return DrafterRole::regions; }
  /// The regions that a drafter with the role `replay` has for the page; nullopt if it does not
  /// have the page.
  virtual std::optional<std::vector<Region>> regions(const PageInput&) { return std::nullopt; }
  /// Lines of text that its engine sees in the raster before any word is known, each of one column;
  /// empty when it has no such engine. Throws as draft does.
  virtual std::vector<Box> text_lines(const PageInput&) { return {}; }
  /// One draft per region it can read (region = id) and, where it sees more than the regions hold,
  /// page-wide ones. Throws Error(dependency) when its engine cannot run; a page it cannot read
  /// gives no drafts.
  virtual std::vector<Draft> draft(const PageInput& page, const std::vector<Region>& regions) = 0;
  /// Why the text that it drafted last is missing or not to be relied on, for people; else empty.
  virtual std::string doubt() const { return {}; }
};

/// Finds the regions of a page, in reading order.
class LayoutDetector {
 public:
  virtual ~LayoutDetector() = default;
  virtual std::string_view name() const = 0;
  virtual std::vector<Region> detect(const PageInput& page) = 0;
};

}  // namespace docspec
