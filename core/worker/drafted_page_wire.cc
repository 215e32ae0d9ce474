#include "core/worker/drafted_page_wire.h"

#include "core/base/wire.h"

namespace docspec {

// Structured bindings name every member: a new one does not compile until it travels too. Found by
// their arguments' namespace, so not in an unnamed one.

template <typename Archive>
static void fields(Archive& archive, Box& value) {
  auto& [x0, y0, x1, y1] = value;
  archive(x0, y0, x1, y1);
}

template <typename Archive>
static void fields(Archive& archive, Word& value) {
  auto& [text, box, confidence, size, font, heavy, space, turns, line, link, formula, places] =
      value;
  archive(text, box, confidence, size, font, heavy, space, turns, line, link, formula, places);
}

template <typename Archive>
static void fields(Archive& archive, TextMark& value) {
  auto& [kind, from, to, target] = value;
  archive(kind, from, to, target);
  if (size_t(kind) > size_t(TextMark::Kind::formula) || from > to) Unpacker::refuse();
}

template <typename Archive>
static void fields(Archive& archive, Draft& value) {
  auto& [region, source, text, confidence, words, marks] = value;
  archive(region, source, text, confidence, words, marks);
}

template <typename Archive>
static void fields(Archive& archive, GridCell& value) {
  auto& [row, column, row_span, column_span, box] = value;
  archive(row, column, row_span, column_span, box);
}

template <typename Archive>
static void fields(Archive& archive, Region& value) {
  auto& [id, order, kind, box, score, cells, whole] = value;
  archive(id, order, kind, box, score, cells, whole);
  if (size_t(kind) >= kRegionNames.size()) Unpacker::refuse();
}

template <typename Archive>
static void fields(Archive& archive, PageDrafts& value) {
  auto& [page, width, height, dpi, regions, drafts] = value;
  archive(page, width, height, dpi, regions, drafts);
}

template <typename Archive>
static void fields(Archive& archive, PageInfo& value) {
  auto& [width, height, rotation, own_dpi] = value;
  archive(width, height, rotation, own_dpi);
}

template <typename Archive>
static void fields(Archive& archive, Failure& value) {
  auto& [code, message] = value;
  archive(code, message);
}

static void fields(Packer& archive, PageImage& value) {
  int page = value.page(), width = value.width_px(), height = value.height_px();
  double dpi = value.dpi();
  archive(page, width, height, dpi);
  if (!value.empty()) archive.raw(value.row(0), size_t(width) * size_t(height) * 3);
}

static void fields(Unpacker& archive, PageImage& value) {
  int page = 0, width = 0, height = 0;
  double dpi = 0;
  archive(page, width, height, dpi);
  if (width <= 0 || height <= 0 || !(dpi > 0) ||
      size_t(width) * size_t(height) > archive.left() / 3)
    Unpacker::refuse();
  value = PageImage(page, width, height, dpi);
  archive.raw(value.row(0), size_t(width) * size_t(height) * 3);
}

template <typename Archive>
static void fields(Archive& archive, DraftedPage& value) {
  auto& [info, drafts, image, reduced, skew, layer, trusted, doubt, blank, coverage, failure,
         timings] = value;
  archive(info, drafts, image, reduced, skew, layer, trusted, doubt, blank, coverage, failure,
          timings);
}

std::string pack(const DraftedPage& page) {
  constexpr size_t kText = 1 << 16;  // a little more is one growth
  Packer packer;
  if (page.image)
    packer.reserve(kText + size_t(page.image->width_px()) * size_t(page.image->height_px()) * 3);
  packer(const_cast<DraftedPage&>(page));  // a Packer only reads
  return packer.take();
}

DraftedPage unpack_drafted_page(std::string_view bytes) {
  Unpacker unpacker(bytes);
  DraftedPage page;
  unpacker(page);
  if (unpacker.left() > 0) Unpacker::refuse();
  return page;
}

}  // namespace docspec
