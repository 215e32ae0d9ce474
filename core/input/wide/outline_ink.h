#pragma once

#include <memory>
#include <optional>
#include <string>

namespace docspec {

/// How far the ink of a glyph reaches over its line and under it, and from its place to the right;
/// in font sizes.
struct GlyphInk {
  double above = 0, below = 0, left = 0, right = 0;
};

/// The ink of the glyphs of an embedded font program in outlines (Type 1, CFF, OpenType), read by
/// FreeType.
class OutlineInk {
 public:
  /// A program that FreeType cannot read has no ink.
  explicit OutlineInk(std::string program);
  ~OutlineInk();
  OutlineInk(const OutlineInk&) = delete;
  OutlineInk& operator=(const OutlineInk&) = delete;

  /// The ink of a code; nothing where it has none. Codes are the program's own (CIDs) where it has
  /// such, else numbers of glyphs.
  std::optional<GlyphInk> of(unsigned code) const;
  /// That of a glyph by its name.
  std::optional<GlyphInk> of(const std::string& name) const;

 private:
  struct Face;
  std::string program_;  // which the face reads from
  std::unique_ptr<Face> face_;
};

}  // namespace docspec
