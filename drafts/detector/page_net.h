#pragma once

#include <filesystem>
#include <functional>
#include <memory>
#include <vector>

#include "core/page/page_image.h"
#include "core/page/region.h"

namespace docspec {

/// A region that a net finds on a page.
struct FoundRegion {
  RegionKind kind = RegionKind::text;
  Box box;           ///< pixels of the image
  double score = 0;  ///< 0..1
};

/// A published layout detector: it looks at the whole page at once. Safe to use from one thread at
/// a time.
class PageNet {
 public:
  virtual ~PageNet() = default;
  /// In no order; regions may overlap.
  virtual std::vector<FoundRegion> find(const PageImage& image) const = 0;
};

/// Opens a net at the first page that needs it; gives nullptr where the engine is not installed.
using OpenPageNet = std::function<std::unique_ptr<PageNet>()>;

/// Part of the engine. Reads a folder with config.json and model.safetensors: RT-DETRv2 as Hugging
/// Face publishes it, or the PicoDet of packaging/ocr/layout.py. Throws Error(dependency) that
/// names file and key where that cannot be read or is another net.
std::unique_ptr<PageNet> make_page_net(const std::filesystem::path& folder);

}  // namespace docspec
