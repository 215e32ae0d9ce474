#include "core/input/wide/outline_ink.h"

#include <ft2build.h>
#include FT_FREETYPE_H

namespace docspec {

struct OutlineInk::Face {
  FT_Library library = nullptr;
  FT_Face face = nullptr;

  ~Face() {
    if (face) FT_Done_Face(face);
    if (library) FT_Done_FreeType(library);
  }
};

OutlineInk::OutlineInk(std::string program)
    : program_(std::move(program)), face_(std::make_unique<Face>()) {
  if (program_.empty() || FT_Init_FreeType(&face_->library) != 0) return;
  const auto* const bytes = reinterpret_cast<const FT_Byte*>(program_.data());
  if (FT_New_Memory_Face(face_->library, bytes, FT_Long(program_.size()), 0, &face_->face) != 0)
    face_->face = nullptr;
}

OutlineInk::~OutlineInk() = default;

std::optional<GlyphInk> OutlineInk::of(unsigned code) const {
  FT_Face face = face_->face;
  if (!face || face->units_per_EM == 0) return std::nullopt;
  // FreeType takes the CIDs of a program that has them for numbers of glyphs.
  if (FT_Load_Glyph(face, code, FT_LOAD_NO_SCALE | FT_LOAD_NO_BITMAP) != 0) return std::nullopt;
  const FT_Glyph_Metrics& ink = face->glyph->metrics;
  if (ink.height <= 0) return std::nullopt;
  const double em = face->units_per_EM;
  return GlyphInk{double(ink.horiBearingY) / em, double(ink.height - ink.horiBearingY) / em,
                  double(ink.horiBearingX) / em, double(ink.horiBearingX + ink.width) / em};
}

std::optional<GlyphInk> OutlineInk::of(const std::string& name) const {
  if (!face_->face || !FT_HAS_GLYPH_NAMES(face_->face)) return std::nullopt;
  const FT_UInt glyph = FT_Get_Name_Index(face_->face, name.c_str());
  return glyph == 0 ? std::nullopt : of(glyph);
}

}  // namespace docspec
