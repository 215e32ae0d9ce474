#define POINTERHOLDER_TRANSITION 4  // QPDF's headers warn without it
#include "core/input/pdf_links.h"

#include <algorithm>
#include <cctype>
#include <exception>
#include <qpdf/QPDF.hh>
#include <qpdf/QPDFObjectHandle.hh>
#include <qpdf/QPDFPageObjectHelper.hh>

namespace docspec {
namespace {

/// An address that a reader may be sent to; others could run a program or a script.
bool harmless(const std::string& address) {
  constexpr size_t kLongest = 2000;
  std::string lower;
  for (char c : address.substr(0, 8)) lower += char(std::tolower(uint8_t(c)));
  // No starts_with: for fuzzing this file is C++17, the latest in which clang reads qpdf's headers.
  const auto begins_with = [&](const char* scheme) { return lower.rfind(scheme, 0) == 0; };
  const bool known = begins_with("http://") || begins_with("https://") || begins_with("mailto:");
  return known && address.size() <= kLongest &&
         std::all_of(address.begin(), address.end(), [](char c) { return uint8_t(c) > 0x20; });
}

/// Corners of a rectangle or a quadrilateral; an empty box where it is none.
PointBox box_of(const std::vector<QPDFObjectHandle>& numbers, size_t from, size_t count) {
  PointBox box{1e9, 1e9, -1e9, -1e9};
  for (size_t i = from; i < from + count; ++i) {
    QPDFObjectHandle number = numbers[i];
    if (!number.isNumber()) return {};
    const double value = number.getNumericValue();
    double& low = (i - from) % 2 ? box.y0 : box.x0;
    double& high = (i - from) % 2 ? box.y1 : box.x1;
    low = std::min(low, value);
    high = std::max(high, value);
  }
  return box;
}

/// A box of the file's space, whose origin is the bottom left, on the upright page.
PointBox upright(const PointBox& box, const PointBox& page, int turns) {
  const double l = box.x0 - page.x0, r = box.x1 - page.x0;
  const double b = box.y0 - page.y0, t = box.y1 - page.y0;
  const double width = page.x1 - page.x0, height = page.y1 - page.y0;
  switch (turns) {
    case 1:
      return {b, l, t, r};
    case 2:
      return {width - r, b, width - l, t};
    case 3:
      return {height - t, width - r, height - b, width - l};
    default:
      return {l, height - t, r, height - b};
  }
}

}  // namespace

std::vector<PdfLink> read_pdf_links(QPDF& pdf, int page) {
  constexpr int kMost = 10'000;  // a fuzzed page may have any number
  std::vector<PdfLink> links;
  try {
    const auto& pages = pdf.getAllPages();
    if (page < 1 || size_t(page) > pages.size()) return links;
    QPDFPageObjectHelper helper(pages[size_t(page) - 1]);
    QPDFObjectHandle annotations = helper.getObjectHandle().getKey("/Annots");
    if (!annotations.isArray()) return links;
    const PointBox crop = box_of(helper.getCropBox().getArrayAsVector(), 0, 4);
    QPDFObjectHandle rotate = helper.getAttribute("/Rotate", false);
    const int turns = rotate.isInteger() ? int(((rotate.getIntValue() / 90) % 4 + 4) % 4) : 0;
    for (int i = 0; i < std::min(annotations.getArrayNItems(), kMost); ++i) {
      QPDFObjectHandle annotation = annotations.getArrayItem(i);
      if (!annotation.isDictionary() || !annotation.getKey("/A").isDictionary()) continue;
      QPDFObjectHandle uri = annotation.getKey("/A").getKey("/URI");
      if (!uri.isString() || !harmless(uri.getUTF8Value())) continue;
      // Quadrilaterals leave out what the rectangle around several lines holds besides.
      QPDFObjectHandle quads = annotation.getKey("/QuadPoints");
      const bool several = quads.isArray() && quads.getArrayNItems() >= 8;
      QPDFObjectHandle shape = several ? quads : annotation.getKey("/Rect");
      const size_t corners = several ? 8 : 4;
      if (!shape.isArray()) continue;
      const auto numbers = shape.getArrayAsVector();
      for (size_t at = 0; at + corners <= numbers.size(); at += corners)
        links.push_back({upright(box_of(numbers, at, corners), crop, turns), uri.getUTF8Value()});
    }
  } catch (const std::exception&) {
    links.clear();
  }
  return links;
}

}  // namespace docspec
