#include "drafts/grid/dark_strokes.h"

#include <allheaders.h>

#include <algorithm>
#include <cstdint>
#include <vector>

namespace docspec {
namespace {

/// The pixels of an image, row by row.
struct Bytes {
  int width = 0, height = 0;
  std::vector<uint8_t> values;

  uint8_t* row(int y) { return values.data() + size_t(y) * size_t(width); }
  const uint8_t* row(int y) const { return values.data() + size_t(y) * size_t(width); }
};

void keep_largest(uint8_t* __restrict to, const uint8_t* __restrict from, int count) {
  for (int i = 0; i < count; ++i) to[i] = std::max(to[i], from[i]);
}

void keep_smallest(uint8_t* __restrict to, const uint8_t* __restrict from, int count) {
  for (int i = 0; i < count; ++i) to[i] = std::min(to[i], from[i]);
}

/// Each pixel becomes what `keep` keeps of those within `half` pixels of it, above and below with
/// `down`, else left and right.
template <typename Keep>
Bytes kept(const Bytes& in, bool down, int half, Keep keep) {
  Bytes out = in;
  for (int y = 0; y < in.height; ++y)
    for (int k = 1; k <= half; ++k) {
      if (down) {
        if (y >= k) keep(out.row(y), in.row(y - k), in.width);
        if (y + k < in.height) keep(out.row(y), in.row(y + k), in.width);
      } else if (k < in.width) {
        keep(out.row(y), in.row(y) + k, in.width - k);
        keep(out.row(y) + k, in.row(y), in.width - k);
      }
    }
  return out;
}

}  // namespace

PixPtr dark_strokes(Pix* gray, bool across, int reach, int least) {
  Bytes page{pixGetWidth(gray), pixGetHeight(gray), {}};
  page.values.resize(size_t(page.width) * size_t(page.height));
  for (int y = 0; y < page.height; ++y) {
    const l_uint32* const line = pixGetData(gray) + size_t(y) * size_t(pixGetWpl(gray));
    uint8_t* const row = page.row(y);
    for (int x = 0; x < page.width; ++x) row[x] = GET_DATA_BYTE(line, x);
  }
  const Bytes light = kept(page, across, reach / 2, keep_largest);
  const Bytes closed = kept(light, across, reach / 2, keep_smallest);
  PixPtr out(pixCreate(page.width, page.height, 1));
  if (!out) return nullptr;
  for (int y = 0; y < page.height; ++y) {
    l_uint32* const line = pixGetData(out.get()) + size_t(y) * size_t(pixGetWpl(out.get()));
    const uint8_t *const sides = closed.row(y), *const row = page.row(y);
    for (int x = 0; x < page.width; ++x)
      if (sides[x] - row[x] >= least) SET_DATA_BIT(line, x);
  }
  return out;
}

}  // namespace docspec
