#include "drafts/ocr/orientation.h"

#include <allheaders.h>

#include <algorithm>
#include <cmath>

#include "core/page/pix_ptr.h"

namespace docspec {
namespace {

constexpr int kDark = 160;

/// How much the ink of neighbouring rows of pixels differs: much where lines of text lie in rows.
float rows_differ(Pix* ink) {
  l_float32 sum = 0;
  return pixFindDifferentialSquareSum(ink, &sum) == 0 ? sum : 0;
}

/// Whether text lies in rows when the page is turned by a right angle, rather than as it is.
/// Pictures and rules have strokes that look like ascenders of sideways letters. Words are made
/// one blot each, so that letters below letters are no rows.
bool rows_if_turned(Pix* ink) {
  const PixPtr blots(pixReduceRankBinaryCascade(ink, 1, 1, 1, 0));
  const PixPtr turned(blots ? pixRotateOrth(blots.get(), 1) : nullptr);
  return turned && rows_differ(turned.get()) > rows_differ(blots.get());
}

struct Skew {
  double degrees = 0, confidence = 0;
};

Skew skew_of(Pix* ink) {
  l_float32 degrees = 0, confidence = 0;
  if (pixFindSkew(ink, &degrees, &confidence) != 0) return {};
  return {double(degrees), double(confidence)};
}

/// Whether a page of clear skew, whose lines are not parallel, has it above and below: paper that
/// was photographed, or that bends at the spine.
bool halves_agree(Pix* ink, const Skew& page) {
  constexpr double kLeast = 1, kApart = 1;            // degrees
  constexpr double kConfidence = 1.3, kOfHalf = 1.2;  // drafts.md 5
  if (page.confidence < kConfidence || std::abs(page.degrees) < kLeast) return false;
  const int width = pixGetWidth(ink), height = pixGetHeight(ink);
  for (const int top : {0, height / 2}) {
    ::Box* box = boxCreate(0, top, width, height / 2);
    const PixPtr half(pixClipRectangle(ink, box, nullptr));
    boxDestroy(&box);
    if (!half) return false;
    const Skew skew = skew_of(half.get());
    if (skew.confidence < kOfHalf || std::abs(skew.degrees - page.degrees) > kApart) return false;
  }
  return true;
}

}  // namespace

int quarter_turns_to_upright(const PageImage& image) {
  const PixPtr ink = dark_pixels(image, kDark);
  if (!ink) return 0;
  l_float32 up = 0, left = 0;
  if (pixOrientDetect(ink.get(), &up, &left, 0, 0) != 0) return 0;
  l_int32 orientation = L_TEXT_ORIENT_UNKNOWN;
  makeOrientDecision(up, left, 0, 0, &orientation, 0);
  switch (orientation) {
    case L_TEXT_ORIENT_LEFT:
      return rows_if_turned(ink.get()) ? 1 : 0;
    case L_TEXT_ORIENT_DOWN:
      return 2;
    case L_TEXT_ORIENT_RIGHT:
      return rows_if_turned(ink.get()) ? 3 : 0;
    default:
      return 0;
  }
}

PageImage turn(const PageImage& image, int quarter_turns) {
  if (quarter_turns % 4 == 0) return image;
  const int w = image.width_px(), h = image.height_px();
  const bool sideways = quarter_turns % 2 != 0;
  PageImage out(image.page(), sideways ? h : w, sideways ? w : h, image.dpi());
  for (int y = 0; y < h; ++y) {
    const uint8_t* from = image.row(y);
    for (int x = 0; x < w; ++x, from += 3) {
      uint8_t* to = quarter_turns == 1   ? out.row(x) + size_t(h - 1 - y) * 3
                    : quarter_turns == 2 ? out.row(h - 1 - y) + size_t(w - 1 - x) * 3
                                         : out.row(w - 1 - x) + size_t(y) * 3;
      to[0] = from[0];
      to[1] = from[1];
      to[2] = from[2];
    }
  }
  return out;
}

double degrees_to_straight(const PageImage& image) {
  constexpr double kLeast =
      0.15;                    // less moves the end of a line by less than a third of its height
  constexpr double kSure = 3;  // Leptonica's own least confidence
  const PixPtr ink = dark_pixels(image, kDark);
  if (!ink) return 0;
  const Skew skew = skew_of(ink.get());
  const bool sure = skew.confidence >= kSure || halves_agree(ink.get(), skew);
  return sure && std::abs(skew.degrees) >= kLeast ? skew.degrees : 0;
}

}  // namespace docspec
