#pragma once

#include <memory>
#include <string>
#include <vector>

#include "core/document/drafted_page.h"
#include "core/input/document_reader.h"
#include "drafts/registry.h"

namespace docspec {

/// The settings of a PageDrafter.
struct PageDraftOptions {
  double dpi = 200;
  bool own_pixels = false;          ///< an image file is read as it is, whatever `dpi` says
  int64_t max_pixels = 50'000'000;  ///< of one raster
  std::vector<std::string> sources = automatic_names(drafter_registry());
  bool want_image = false;  ///< the raster is part of the result: a model reads it, figures are cut
  std::string detector = automatic(detector_registry());
  DrafterConfig config;
};

/// Reads pages on the CPU: raster where needed, regions, drafts. One object serves one thread; its
/// engines are made at the first page that needs them. Memory is that of one page.
class PageDrafter {
 public:
  /// Throws Error(usage) for an unknown source or detector.
  explicit PageDrafter(PageDraftOptions options);
  ~PageDrafter();
  PageDrafter(PageDrafter&&) noexcept;

  /// Throws Error(input_file) when the page can neither be rendered nor has text, Error(dependency)
  /// when the page needs OCR and Tesseract or its language is missing.
  DraftedPage draft(const DocumentReader& reader, int page);
  /// The page by its text layer alone, trusted or not; nothing is rendered.
  DraftedPage text_layer(const DocumentReader& reader, int page);

 private:
  struct Parts;
  std::unique_ptr<Parts> parts_;
};

}  // namespace docspec
