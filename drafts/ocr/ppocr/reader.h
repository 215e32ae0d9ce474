#pragma once

#include <filesystem>
#include <functional>
#include <memory>
#include <span>
#include <vector>

#include "core/page/draft.h"
#include "core/page/page_image.h"
#include "drafts/ocr/ppocr/nets.h"
#include "drafts/ocr/ppocr/text_map.h"

namespace docspec::ppocr {

/// One line as it was read.
struct ReadLine {
  LineBox box;              ///< as found, grown around the ink
  std::vector<Word> words;  ///< boxes around their ink; confidence: that all characters are right
  std::string text;         ///< all of it, spaces as read
  double confidence = 0;    ///< mean of the characters'
};

struct ReaderOptions {
  Precision precision = Precision::fastest;
  int page_side = 1280;  ///< longer side of the detector's image
  int bucket = 32;       ///< widths of lines are rounded up to a multiple, to be read together
  int least_width = 96;  ///< of a line's image
  int most_width = 8000;
  int batch_width = 2048;  ///< of the lines read together
};

/// Reads images of text without a page's structure.
class Reader {
 public:
  virtual ~Reader() = default;
  virtual std::vector<LineBox> find(const PageImage& page) const = 0;
  /// One for each box, in their order; without words where nothing was read.
  virtual std::vector<ReadLine> read(const PageImage& page,
                                     std::span<const LineBox> boxes) const = 0;
};

/// Opens a reader at the first page that needs one; nullptr where docspec's engine is missing.
using OpenReader = std::function<std::unique_ptr<Reader>()>;

/// Part of the engine. Throws Error(dependency) where the weights are missing or broken.
std::unique_ptr<Reader> make_reader(const std::filesystem::path& folder,
                                    const ReaderOptions& options = {});

}  // namespace docspec::ppocr
