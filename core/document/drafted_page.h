#pragma once

#include <map>
#include <optional>
#include <string>

#include "core/document/document.h"
#include "core/input/document_reader.h"
#include "core/page/draft.h"
#include "core/page/page_image.h"

namespace docspec {

/// One page as the CPU read it: what the drafting threads hand to the thread that decodes.
struct DraftedPage {
  PageInfo info;
  PageDrafts drafts;
  std::optional<PageImage> image;  ///< of the drafts' size; there when wanted or OCR needed it
  bool dpi_reduced = false;        ///< drafts.dpi is below the asked dpi because of max_pixels
  double skew = 0;                 ///< degrees clockwise by which a scan's lines become level
  std::vector<Word> text_layer;    ///< of the PDF, in its order, trusted or not
  bool text_layer_trusted = false;
  /// Why the text of the drafts is missing or not to be relied on; empty = it was read.
  std::string doubt;
  bool blank = false;              ///< neither ink nor words: nothing for a model to read
  std::optional<double> coverage;  ///< share of the words found on the page that the drafts hold
  /// Why only a rest of the page could be read (its text layer) or nothing: its reader crashed,
  /// took too long, or wanted too much memory.
  std::optional<Failure> failure;
  std::map<std::string, double> timings_ms;  ///< "raster", "text_layer", "layout", "ocr"
};

}  // namespace docspec
