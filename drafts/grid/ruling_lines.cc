#include "drafts/grid/ruling_lines.h"

#include <allheaders.h>

#include <algorithm>
#include <cmath>
#include <cstring>

#include "core/page/pix_ptr.h"
#include "drafts/grid/dark_strokes.h"
#include "drafts/lines/font_style.h"

namespace docspec {
namespace {

/// The widest that a line may be.
int thickest(double dpi) {
  return std::max(3, int(std::lround(dpi / 20)));
}

/// Pixels of thin strokes in either direction: darker than what lies on both their sides, be that
/// paper or the fill of a cell. Where two strokes cross, both sides are dark: ink in a short gap of
/// a stroke belongs to it.
PixPtr strokes_of(const PageImage& image, double dpi) {
  constexpr int kDarker = 40;  // of 255; a hairline at 72 dpi is half paper
  constexpr int kInk = 160;
  const int thick = thickest(dpi), reach = 2 * thick + 1;
  const PixPtr gray = darkest_channel(image);
  const PixPtr ink(gray ? pixThresholdToBinary(gray.get(), kInk) : nullptr);
  PixPtr strokes(pixCreate(image.width_px(), image.height_px(), 1));
  if (!gray || !ink || !strokes) return nullptr;
  for (const bool across : {true, false}) {
    const PixPtr found = dark_strokes(gray.get(), across, reach, kDarker);
    if (!found) return nullptr;
    const PixPtr closed(
        pixCloseSafeBrick(nullptr, found.get(), across ? thick + 2 : 1, across ? 1 : thick + 2));
    if (!closed) return nullptr;
    pixAnd(closed.get(), closed.get(), ink.get());
    pixOr(strokes.get(), strokes.get(), found.get());
    pixOr(strokes.get(), strokes.get(), closed.get());
  }
  return strokes;
}

/// Boxes of the thin long runs of one direction, in image pixels.
std::vector<Box> thin_runs(Pix* dark, bool across, double dpi) {
  // Composite bricks take as many steps as two of their factors' sum: 16 for 64 pixels.
  constexpr double kFactor = 8;
  const int length = int(kFactor * std::max(2.0, std::round(dpi * 0.33 / kFactor)));
  const PixPtr bridged(across ? pixCloseSafeBrick(nullptr, dark, 3, 1)
                              : pixCloseSafeBrick(nullptr, dark, 1, 3));
  const PixPtr runs(bridged ? (across ? pixOpenCompBrick(nullptr, bridged.get(), length, 1)
                                      : pixOpenCompBrick(nullptr, bridged.get(), 1, length))
                            : nullptr);
  std::vector<Box> out = runs ? boxes_of_pieces(runs.get()) : std::vector<Box>();
  std::erase_if(
      out, [&](const Box& run) { return (across ? run.height() : run.width()) > thickest(dpi); });
  return out;
}

/// Joins pieces of one line that a gap of at most `gap` parts.
std::vector<Box> joined(std::vector<Box> lines, bool across, int gap) {
  std::sort(lines.begin(), lines.end(), [&](const Box& a, const Box& b) {
    return across ? std::pair(a.y0, a.x0) < std::pair(b.y0, b.x0)
                  : std::pair(a.x0, a.y0) < std::pair(b.x0, b.y0);
  });
  std::vector<Box> out;
  for (const Box& line : lines) {
    const auto home = std::find_if(out.rbegin(), out.rend(), [&](const Box& other) {
      const int apart = across ? std::abs(line.y0 - other.y0) : std::abs(line.x0 - other.x0);
      const int between = across ? std::max(line.x0, other.x0) - std::min(line.x1, other.x1)
                                 : std::max(line.y0, other.y0) - std::min(line.y1, other.y1);
      return apart <= 2 && between <= gap;
    });
    if (home == out.rend())
      out.push_back(line);
    else
      *home = unite(*home, line);
  }
  return out;
}

/// Lengths in pixels of what counts as a drawn line.
struct LineSizes {
  int piece, gap, whole, thick;

  explicit LineSizes(double dpi)
      : piece(px(9, dpi)), gap(px(2.5, dpi)), whole(px(20, dpi)), thick(px(3, dpi)) {}

 private:
  static int px(double points, double dpi) {
    return std::max(1, int(std::lround(points * dpi / 72)));
  }
};

/// Collects the runs along one row (or column) of pixels whose colour parts from the next one's.
class EdgeRun {
 public:
  /// `at` is an edge; calls `done(from, to)` when that ends a run of `least` and more.
  template <class Done>
  void add(int at, int least, const Done& done) {
    constexpr int kBridge = 2;  // a crossing line
    if (at - last_ > kBridge) {
      finish(least, done);
      from_ = at;
    }
    last_ = at;
  }
  template <class Done>
  void finish(int least, const Done& done) {
    if (from_ >= 0 && last_ + 1 - from_ >= least) done(from_, last_ + 1);
    from_ = -1;
  }

 private:
  int from_ = -1, last_ = -100;
};

bool parted(const uint8_t* a, const uint8_t* b) {
  constexpr int kLeast = 24;  // of three channels: a pale grey beside white
  return std::abs(a[0] - b[0]) + std::abs(a[1] - b[1]) + std::abs(a[2] - b[2]) >= kLeast;
}

/// Edges between a row of pixels and the next, one pixel high.
std::vector<Box> edges_across(const PageImage& image, int least) {
  std::vector<Box> edges;
  for (int y = 0; y + 1 < image.height_px(); ++y) {
    const uint8_t *above = image.row(y), *below = image.row(y + 1);
    if (std::memcmp(above, below, size_t(image.width_px()) * 3) == 0) continue;
    const auto done = [&](int from, int to) { edges.push_back({from, y, to, y + 1}); };
    EdgeRun run;
    for (int x = 0; x < image.width_px(); ++x)
      if (parted(above + 3 * x, below + 3 * x)) run.add(x, least, done);
    run.finish(least, done);
  }
  return edges;
}

/// Edges between a column of pixels and the next, one pixel wide.
std::vector<Box> edges_down(const PageImage& image, int least) {
  std::vector<Box> edges;
  std::vector<EdgeRun> runs(size_t(image.width_px()));
  const auto done = [&](int x) {
    return [&edges, x](int from, int to) { edges.push_back({x, from, x + 1, to}); };
  };
  for (int y = 0; y < image.height_px(); ++y) {
    const uint8_t* rgb = image.row(y);
    if (std::memcmp(rgb, rgb + 3, size_t(image.width_px() - 1) * 3) == 0) continue;  // one colour
    for (int x = 0; x + 1 < image.width_px(); ++x, rgb += 3)
      if (parted(rgb, rgb + 3)) runs[size_t(x)].add(y, least, done(x));
  }
  for (int x = 0; x < image.width_px(); ++x) runs[size_t(x)].finish(least, done(x));
  return edges;
}

/// Whether an edge across is of the letters of words: small ones stand so near each other that
/// their feet seem one line. `scale`: page pixels in one of the image.
bool is_of_letters(const Box& edge, std::span<const Word> words, double scale, int whole) {
  // Of a word's height: rules may stand so near above and below it, but as pieces they are long.
  const double aside = edge.width() < whole ? 0.0 : 0.15;
  const double y = (edge.y0 + edge.y1) / 2.0 * scale, from = edge.x0 * scale, to = edge.x1 * scale;
  double covered = 0;
  for (const Word& word : words) {
    const Box& b = word.box;
    const double margin = aside * b.height();
    if (word.quarter_turns % 2 || y < b.y0 + margin || y > b.y1 - margin) continue;
    covered += std::max(0.0, std::min(to, double(b.x1)) - std::max(from, double(b.x0)));
  }
  return covered > 0.8 * (to - from);
}

/// The two edges of a line, and its pieces, as one box.
std::vector<Box> lines_of(std::vector<Box> edges, bool across, const LineSizes& sizes) {
  const auto from = [&](const Box& b) { return across ? b.x0 : b.y0; };
  const auto to = [&](const Box& b) { return across ? b.x1 : b.y1; };
  const auto side = [&](const Box& b) { return across ? b.y0 : b.x0; };
  const auto far_side = [&](const Box& b) { return across ? b.y1 : b.x1; };
  std::sort(edges.begin(), edges.end(), [&](const Box& a, const Box& b) {
    return std::pair(side(a), from(a)) < std::pair(side(b), from(b));
  });
  std::vector<Box> lines;
  for (bool again = true; again;) {  // a piece may close the gap between two others
    lines.clear();
    size_t first_near = 0;
    for (const Box& edge : edges) {
      while (first_near < lines.size() && side(edge) - far_side(lines[first_near]) > sizes.thick)
        ++first_near;
      const auto home = std::find_if(
          lines.begin() + std::ptrdiff_t(first_near), lines.end(), [&](const Box& line) {
            return side(edge) - side(line) <= sizes.thick && from(edge) - to(line) <= sizes.gap &&
                   from(line) - to(edge) <= sizes.gap;
          });
      if (home == lines.end())
        lines.push_back(edge);
      else
        *home = unite(*home, edge);
    }
    again = lines.size() < edges.size();
    edges = lines;
  }
  std::erase_if(lines, [&](const Box& line) { return to(line) - from(line) < sizes.whole; });
  return lines;
}

/// Boxes of image pixels in page pixels.
std::vector<Box> scaled(std::vector<Box> boxes, double scale) {
  for (Box& b : boxes)
    b = {int(std::lround(b.x0 * scale)), int(std::lround(b.y0 * scale)),
         int(std::lround(b.x1 * scale)), int(std::lround(b.y1 * scale))};
  return boxes;
}

/// Whether an edge across, in page pixels, is of a filled box around code within a line: words of
/// type of one width end just within it, and fill ends where it does. `scale`: page pixels in one
/// of the image.
bool is_of_code(const PageImage& image, const Box& edge, std::span<const Word> words,
                double scale) {
  const auto pixel = [&](int x, int y) {
    return image.row(std::clamp(int(y / scale), 0, image.height_px() - 1)) +
           3 * std::clamp(int(x / scale), 0, image.width_px() - 1);
  };
  const int step = std::max(2, int(std::lround(2 * scale)));
  return std::any_of(words.begin(), words.end(), [&](const Word& word) {
    if (!font_style(word.font).mono) return false;
    const int em = word.box.height(), y = (word.box.y0 + word.box.y1) / 2;
    const int within = std::abs(word.box.x0 - edge.x0);
    if (word.box.x0 < edge.x0 || within > em / 2 || edge.y1 < word.box.y0 - em / 2 ||
        edge.y0 > word.box.y1 + em / 2 ||
        !parted(pixel(edge.x0 - step, y), pixel(edge.x0 + step, y)) ||
        !parted(pixel(edge.x1 + step, y), pixel(edge.x1 - step, y)))
      return false;
    Box all = word.box;
    for (const Word& other : words)
      if (row_overlap(other.box, word.box) > 0.5 && other.box.x0 >= edge.x0 &&
          other.box.x1 <= edge.x1)
        all = unite(all, other.box);
    return all.x1 <= edge.x1 && edge.x1 - all.x1 <= em / 2;
  });
}

/// Whether what is beside a stroke is as dark as it: the ground between letters of light print.
bool is_ground(const PageImage& image, const Box& stroke, double dpi) {
  constexpr double kBeside = 0.08;  // inches
  constexpr int kLighter = 24;      // gray levels
  const int reach = std::max(3, int(kBeside * dpi));
  const auto green = [&](int x, int y) { return int(image.row(y)[3 * x + 1]); };
  size_t all = 0, light = 0;
  const int x = std::clamp((stroke.x0 + stroke.x1) / 2, 0, image.width_px() - 1);
  for (int y = std::max(0, stroke.y0); y < std::min(stroke.y1, image.height_px()); ++y)
    for (const int side : {x - stroke.width() - reach, x + stroke.width()})
      for (int at = std::max(0, side); at < std::min(side + reach, image.width_px()); ++at)
        ++all, light += green(at, y) > green(x, y) + kLighter;
  return light * 2 < all;
}

/// Rules at the head and the foot of a page, with the many rules of a table between them.
bool encloses_table(const std::vector<Box>& stack, const std::vector<std::vector<Box>>& stacks,
                    int height_px) {
  constexpr size_t kMostRules = 3, kLeastInside = 6;
  constexpr double kMargin = 0.15;  // of the page
  const Box all = unite(stack.front(), stack.back());
  if (stack.size() > kMostRules || all.y0 > kMargin * height_px ||
      all.y1 < (1 - kMargin) * height_px)
    return false;
  return std::any_of(stacks.begin(), stacks.end(), [&](const auto& other) {
    const Box inner = unite(other.front(), other.back());
    return other.size() >= kLeastInside && 2 * inner.height() > all.height() && inner.y0 > all.y0 &&
           inner.y1 < all.y1 && inner.x0 > all.x0 && inner.x1 < all.x1;
  });
}

}  // namespace

std::vector<std::vector<Box>> rule_stacks(const RulingLines& rules, int height_px, double em_px) {
  std::vector<std::vector<Box>> stacks;
  for (const Box& rule : rules.across) {
    if (rule.width() < 8 * em_px) continue;
    const auto home = std::find_if(stacks.begin(), stacks.end(), [&](const auto& stack) {
      return std::abs(stack.back().x0 - rule.x0) < em_px &&
             std::abs(stack.back().x1 - rule.x1) < em_px;
    });
    if (home == stacks.end())
      stacks.push_back({rule});
    else
      home->push_back(rule);
  }
  const std::vector<std::vector<Box>> all = stacks;
  std::erase_if(stacks, [&](const auto& stack) { return encloses_table(stack, all, height_px); });
  return stacks;
}

RulingLines find_drawn_lines(const PageImage& image, double scale, std::span<const Word> words) {
  const LineSizes sizes(image.dpi());
  std::vector<Box> across = edges_across(image, sizes.piece);
  std::erase_if(across,
                [&](const Box& edge) { return is_of_letters(edge, words, scale, sizes.whole); });
  across = scaled(lines_of(std::move(across), true, sizes), scale);
  std::erase_if(across, [&](const Box& edge) { return is_of_code(image, edge, words, scale); });
  return {std::move(across), scaled(lines_of(edges_down(image, sizes.piece), false, sizes), scale)};
}

RulingLines find_ruling_lines(const PageImage& image, double scale) {
  RulingLines lines;
  const PixPtr strokes = strokes_of(image, image.dpi());
  if (!strokes) return lines;
  const int gap = int(image.dpi() / 24);
  lines.across = scaled(joined(thin_runs(strokes.get(), true, image.dpi()), true, gap), scale);
  lines.down = scaled(joined(thin_runs(strokes.get(), false, image.dpi()), false, gap), scale);
  return lines;
}

RulingLines find_rules(const PageInput& page) {
  if (!page.image || page.image->empty()) return {};
  const double scale = double(page.width_px) / page.image->width_px();
  return are_rendered(page.words) ? find_drawn_lines(*page.image, scale, page.words)
                                  : find_ruling_lines(*page.image, scale);
}

std::vector<Box> find_column_rules(const PageImage& image, double scale, double dpi) {
  constexpr double kWhole = 1.2, kBreak = 0.3;  // inches
  constexpr double kTilt = 0.03;                // a page that is warped is not set straight
  const PixPtr strokes = strokes_of(image, dpi);
  if (!strokes) return {};
  std::vector<Box> pieces = thin_runs(strokes.get(), false, dpi);
  std::erase_if(pieces, [&](const Box& piece) { return is_ground(image, piece, dpi); });
  std::sort(pieces.begin(), pieces.end(), [](const Box& a, const Box& b) { return a.y0 < b.y0; });
  std::vector<std::vector<Box>> rules;
  for (const Box& piece : pieces) {
    const auto home = std::find_if(rules.begin(), rules.end(), [&](const std::vector<Box>& rule) {
      const Box& last = rule.back();
      const double aside = std::abs(last.x0 + last.x1 - piece.x0 - piece.x1) / 2.0;
      return piece.y0 - last.y1 < kBreak * dpi && piece.y1 > last.y1 &&
             aside < dpi / 72 + kTilt * (piece.y0 + piece.y1 - last.y0 - last.y1) / 2.0;
    });
    if (home == rules.end()) {
      rules.push_back({piece});
    } else {
      home->back().y1 = std::max(home->back().y1, piece.y0);
      home->push_back(piece);
    }
  }
  std::vector<Box> out;
  for (const std::vector<Box>& rule : rules)
    if (rule.back().y1 - rule.front().y0 >= kWhole * dpi)
      out.insert(out.end(), rule.begin(), rule.end());
  return scaled(std::move(out), scale);
}

}  // namespace docspec
