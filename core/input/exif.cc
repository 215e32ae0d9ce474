#include "core/input/exif.h"

#include <cstdint>
#include <optional>

namespace docspec {
namespace {

using Bytes = std::string_view;

/// An unsigned number of `size` bytes at `at`; nothing beyond the end.
std::optional<uint32_t> number(Bytes b, size_t at, size_t size, bool little) {
  if (at > b.size() || size > b.size() - at) return std::nullopt;
  uint32_t value = 0;
  for (size_t i = 0; i < size; ++i)
    value |= uint32_t(uint8_t(b[at + i])) << 8 * (little ? i : size - 1 - i);
  return value;
}

/// The payload of the segment or chunk that holds EXIF; "" where there is none.
Bytes find_in_jpeg(Bytes file) {
  constexpr Bytes kMark("Exif\0\0", 6);
  size_t at = 2;
  while (true) {
    const auto marker = number(file, at, 2, false), length = number(file, at + 2, 2, false);
    constexpr uint32_t kStartOfScan = 0xffda, kApp1 = 0xffe1;
    if (!marker || !length || *marker < 0xff00 || *marker == kStartOfScan || *length < 2) return "";
    const Bytes payload = file.substr(at + 4).substr(0, *length - 2);
    if (*marker == kApp1 && payload.starts_with(kMark)) return payload.substr(kMark.size());
    at += 2 + *length;
  }
}

Bytes find_in_png(Bytes file) {
  for (size_t at = 8;;) {
    const auto length = number(file, at, 4, false);
    if (!length || file.size() - at < 12 || *length > file.size() - at - 12) return "";
    const Bytes type = file.substr(at + 4, 4);
    if (type == "eXIf") return file.substr(at + 8, *length);
    at += 12 + *length;
  }
}

Bytes find_in_webp(Bytes file) {
  for (size_t at = 12;;) {
    const auto length = number(file, at + 4, 4, true);
    if (!length || *length > file.size() - at - 8) return "";
    Bytes payload = file.substr(at + 8, *length);
    if (file.substr(at, 4) == "EXIF") {
      if (payload.starts_with("Exif")) payload.remove_prefix(6);  // some writers keep JPEG's mark
      return payload;
    }
    at += 8 + *length + *length % 2;
  }
}

Bytes find_exif(Bytes file) {
  if (file.starts_with("\xff\xd8")) return find_in_jpeg(file);
  if (file.starts_with("\x89PNG")) return find_in_png(file);
  return file.starts_with("RIFF") ? find_in_webp(file)
                                  : file;  // a TIFF is what EXIF data looks like
}

}  // namespace

int image_orientation(Bytes file, int page) {
  const Bytes exif = find_exif(file);
  const bool little = exif.starts_with("II");
  if (!little && !exif.starts_with("MM")) return 1;
  auto directory = number(exif, 4, 4, little);
  auto entries = directory ? number(exif, *directory, 2, little) : std::nullopt;
  for (int i = 1; i < page && entries; ++i) {
    directory = number(exif, size_t{*directory} + 2 + 12 * *entries, 4, little);
    entries = directory ? number(exif, *directory, 2, little) : std::nullopt;
  }
  for (size_t i = 0; entries && i < *entries; ++i) {
    constexpr uint32_t kOrientation = 0x0112, kShort = 3;
    const size_t entry = size_t{*directory} + 2 + 12 * i;
    if (number(exif, entry, 2, little) != kOrientation) continue;
    const auto value = number(exif, entry + 8, 2, little);
    const bool known = number(exif, entry + 2, 2, little) == kShort && value;
    return known && *value >= 1 && *value <= 8 ? int(*value) : 1;
  }
  return 1;
}

}  // namespace docspec
