#pragma once

#include <memory>
#include <optional>
#include <string>
#include <utility>

namespace docspec {

/// The ink of the glyphs of an embedded font program in outlines (CFF, OpenType), read by FreeType.
class OutlineInk {
 public:
  /// A program that FreeType cannot read has no ink.
  explicit OutlineInk(std::string program);
  ~OutlineInk();
  OutlineInk(const OutlineInk&) = delete;
  OutlineInk& operator=(const OutlineInk&) = delete;

  /// How far the ink of a code reaches over its line and under it, in font sizes; nothing where it
  /// has none. Codes are the program's own (CIDs) where it has such, else numbers of glyphs.
  std::optional<std::pair<double, double>> of(unsigned code) const;

 private:
  struct Face;
  std::string program_;  // which the face reads from
  std::unique_ptr<Face> face_;
};

}  // namespace docspec
