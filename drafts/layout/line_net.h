#pragma once

#include <array>
#include <filesystem>
#include <memory>
#include <vector>

#include "core/document/drafter.h"
#include "drafts/lines/text_lines.h"

namespace docspec {

/// Logarithms of the probabilities of the categories, in the order of RegionKind.
using KindScores = std::array<float, kRegionNames.size()>;

/// The layout net of share/models/layout: a small view of the page and a transformer over its lines
/// (half a million weights, a few milliseconds per page). Trained on synthetic pages by
/// train/train.py.
class LineNet {
 public:
  /// Throws Error(dependency) naming file and key when the checkpoint cannot be read.
  explicit LineNet(const std::filesystem::path& folder);
  ~LineNet();

  /// One row a line. PageInput::words and image are read; without an image the page looks blank.
  std::vector<KindScores> scores(const PageInput& page, const std::vector<TextLine>& lines,
                                 double body_px) const;

 private:
  struct Weights;
  std::unique_ptr<Weights> weights_;
};

}  // namespace docspec
