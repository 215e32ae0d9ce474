#pragma once

#include <filesystem>
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
  int most_width = 3200;
  int batch_width = 2048;  ///< of the lines read together
};

/// Reads images of text without a page's structure.
class Reader {
 public:
  /// Throws Error(dependency) where the weights are missing or broken.
  explicit Reader(const std::filesystem::path& folder, const ReaderOptions& options = {});
  ~Reader();

  std::vector<LineBox> find(const PageImage& page) const;
  /// One for each box, in their order; without words where nothing was read.
  std::vector<ReadLine> read(const PageImage& page, std::span<const LineBox> boxes) const;

 private:
  ReaderOptions options_;
  Nets nets_;
};

}  // namespace docspec::ppocr
