#include "core/input/wide/drawn_signs.h"

#include <algorithm>
#include <cmath>

namespace docspec {
namespace {

constexpr double kSteep = 1.5;  // heights of a line in its widths

bool rises(const DrawnLine& line) {
  return line.x1 > line.x0 && line.y0 - line.y1 > kSteep * (line.x1 - line.x0);
}

PageGlyph sign(uint32_t letter, int font, const DrawnLine& line) {
  PageGlyph glyph;
  glyph.letter = letter;
  glyph.font = font;
  glyph.x0 = line.x0;
  glyph.x1 = line.x1;
  glyph.top = std::min(line.y0, line.y1);
  glyph.bottom = glyph.base = std::max(line.y0, line.y1);
  glyph.size = glyph.bottom - glyph.top;
  glyph.order = line.order;
  return glyph;
}

}  // namespace

std::vector<PageGlyph> drawn_signs(std::span<const DrawnLine> lines,
                                   std::span<const PageRule> rules, int font) {
  constexpr double kMeet = 0.5, kUpright = 0.02, kTouch = 1;  // kTouch: pixels
  const auto touches = [&](const DrawnLine& line) {
    return std::any_of(lines.begin(), lines.end(), [&](const DrawnLine& other) {
      const auto meet = [](double x0, double y0, double x1, double y1) {
        return std::abs(x0 - x1) < kTouch && std::abs(y0 - y1) < kTouch;
      };
      return &other != &line && (meet(line.x0, line.y0, other.x0, other.y0) ||
                                 meet(line.x0, line.y0, other.x1, other.y1) ||
                                 meet(line.x1, line.y1, other.x0, other.y0) ||
                                 meet(line.x1, line.y1, other.x1, other.y1));
    });
  };
  // Where the tick of a root begins: its two lines lead to the one that rises.
  const auto tick = [&](const DrawnLine& rise) {
    double x = rise.x0, y = rise.y0;
    for (int part = 0; part < 2; ++part) {
      const auto line = std::find_if(lines.begin(), lines.end(), [&](const DrawnLine& other) {
        return other.order < rise.order && std::abs(other.x1 - x) < kTouch &&
               std::abs(other.y1 - y) < kTouch;
      });
      if (line == lines.end()) break;
      x = line->x0, y = line->y0;
    }
    return x;
  };
  std::vector<PageGlyph> signs;
  for (const DrawnLine& line : lines) {
    const double width = line.x1 - line.x0, height = std::abs(line.y0 - line.y1);
    const auto bar = std::find_if(rules.begin(), rules.end(), [&](const PageRule& rule) {
      return std::abs(rule.x0 - line.x1) < kMeet * width &&
             std::abs((rule.y0 + rule.y1) / 2 - line.y1) < kMeet * width;
    });
    if (rises(line) && bar != rules.end()) {
      signs.push_back(sign(0x221A, font, line));
      signs.back().x0 = tick(line);
      signs.back().x1 = bar->x0;
    } else if (line.picture && height > 0 && width < kUpright * height) {
      signs.push_back(sign('|', font, line));
    } else if (line.picture && rises(line) && !touches(line)) {
      signs.push_back(sign('/', font, line));
    }
  }
  return signs;
}

}  // namespace docspec
