#include "drafts/formula/block_tables.h"

#include <algorithm>
#include <cmath>
#include <map>

namespace docspec {

bool is_grid(const GlyphLines& lines, const std::vector<size_t>& block) {
  const auto glyph = [&](size_t i) -> const PageGlyph& { return lines.glyph(i); };
  constexpr double kWide = 1.5;  // font sizes
  double size = 0;
  for (const size_t i : block) size = std::max(size, glyph(i).size);
  std::map<long, std::vector<size_t>> rows;
  for (const size_t i : block)
    if (glyph(i).size > 0.85 * size) rows[std::lround(glyph(i).base / (0.25 * size))].push_back(i);
  const auto is_blank = [&](double x0, double x1, double base) {
    return x1 - x0 > kWide * size && std::none_of(block.begin(), block.end(), [&](size_t i) {
             const double middle = (glyph(i).x0 + glyph(i).x1) / 2;
             return middle > x0 && middle < x1 && std::abs(glyph(i).base - base) < 1.5 * size;
           });
  };
  size_t gapped = 0;
  for (auto& [height, row] : rows) {
    std::sort(row.begin(), row.end(),
              [&](size_t a, size_t b) { return glyph(a).x0 < glyph(b).x0; });
    size_t gaps = 0;
    for (size_t k = 1; k < row.size(); ++k)
      gaps += is_blank(glyph(row[k - 1]).x1, glyph(row[k]).x0, glyph(row[k]).base);
    gapped += gaps >= 2;
  }
  return gapped >= 3;
}

bool is_head(const GlyphLines& lines, std::vector<size_t> block) {
  const auto glyph = [&](size_t i) -> const PageGlyph& { return lines.glyph(i); };
  constexpr double kWide = 0.9;  // font sizes
  constexpr int kLeastGaps = 3;
  std::sort(block.begin(), block.end(),
            [&](size_t a, size_t b) { return glyph(a).x0 < glyph(b).x0; });
  double size = 0, end = glyph(block[0]).x1;
  for (const size_t i : block) size = std::max(size, glyph(i).size);
  int gaps = 0;
  for (const size_t i : block) {
    gaps += glyph(i).x0 - end > kWide * size;
    end = std::max(end, glyph(i).x1);
  }
  return gaps >= kLeastGaps;
}

}  // namespace docspec
