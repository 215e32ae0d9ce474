#include "core/document/page_wire.h"

#include "core/base/wire.h"

namespace docspec {

// Structured bindings name every member: a new one does not compile until it travels too. Found by
// their arguments' namespace, so not in an unnamed one.

template <typename Archive>
static void fields(Archive& archive, PointBox& value) {
  auto& [x0, y0, x1, y1] = value;
  archive(x0, y0, x1, y1);
}

template <typename Archive>
static void fields(Archive& archive, Failure& value) {
  auto& [code, message] = value;
  archive(code, message);
}

template <typename Archive>
static void fields(Archive& archive, TablePart& value) {
  auto& [page, box, from, to] = value;
  archive(page, box, from, to);
}

template <typename Archive>
static void fields(Archive& archive, WordReading& value) {
  auto& [source, count, text, model, document, ocr, why, box, doubtful] = value;
  archive(source, count, text, model, document, ocr, why, box, doubtful);
  if (size_t(source) > size_t(WordSource::ocr)) Unpacker::refuse();
}

template <typename Archive>
static void fields(Archive& archive, TextMark& value) {
  auto& [kind, from, to, target] = value;
  archive(kind, from, to, target);
  if (size_t(kind) > size_t(TextMark::Kind::formula) || from > to) Unpacker::refuse();
}

template <typename Archive>
static void fields(Archive& archive, Block& value) {
  auto& [id, order, kind, box, text, markdown, marks, depth, html, latex, level, figure, font_pt,
         parts, source, unsure, agreement, logprob, range, words] = value;
  archive(id, order, kind, box, text, markdown, marks, depth, html, latex, level, figure, font_pt,
          parts, source, unsure, agreement, logprob, range, words);
  if (size_t(kind) >= kRegionNames.size()) Unpacker::refuse();
}

template <typename Archive>
static void fields(Archive& archive, Page& value) {
  auto& [number, width, height, rotation, dpi, reduced, status, level, failure, blocks, picture,
         coverage, timings] = value;
  archive(number, width, height, rotation, dpi, reduced, status, level, failure, blocks, picture,
          coverage, timings);
  if (size_t(status) > size_t(PageStatus::failed) || size_t(level) > size_t(PageLevel::image))
    Unpacker::refuse();
}

std::string pack(const Page& page) {
  Packer packer;
  packer(const_cast<Page&>(page));  // a Packer only reads
  return packer.take();
}

Page unpack_page(std::string_view bytes) {
  Unpacker unpacker(bytes);
  Page page;
  unpacker(page);
  if (unpacker.left() > 0) Unpacker::refuse();
  return page;
}

}  // namespace docspec
