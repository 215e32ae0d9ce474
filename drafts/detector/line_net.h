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
  virtual ~LineNet() = default;

  /// One row a line. PageInput::words and image are read; without an image the page looks blank.
  virtual std::vector<KindScores> scores(const PageInput& page, const std::vector<TextLine>& lines,
                                         double body_px) const = 0;
};

/// Part of the engine. Throws Error(dependency) naming file and key when the checkpoint cannot be
/// read.
std::unique_ptr<LineNet> make_line_net(const std::filesystem::path& folder);

}  // namespace docspec
