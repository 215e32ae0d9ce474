// The ink of glyphs in outlines, of a font that docspec's packages install.
#include "core/input/wide/outline_ink.h"

#include <gtest/gtest.h>

#include <fstream>
#include <iterator>

namespace docspec {
namespace {

std::string font_program() {
  std::ifstream in("/usr/share/fonts/opentype/urw-base35/NimbusSans-Regular.otf", std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

TEST(OutlineInk, AGlyphReachesOverItsLineAndUnderIt) {
  const std::string program = font_program();
  ASSERT_FALSE(program.empty());
  const OutlineInk ink(program);
  size_t inked = 0, deep = 0;
  for (unsigned glyph = 0; glyph < 200; ++glyph)
    if (const auto of = ink.of(glyph)) {
      ++inked;
      deep += of->below > 0.15;
      EXPECT_GT(of->above + of->below, 0) << glyph;
      EXPECT_LT(of->above, 1.5) << glyph;
      EXPECT_LT(of->left, of->right) << glyph;
    }
  EXPECT_GT(inked, 180u);
  EXPECT_GT(deep, 3u) << "g, j, p, q, y";
  EXPECT_LT(deep, 80u);
}

TEST(OutlineInk, WhatIsNoProgramHasNone) {
  EXPECT_FALSE(OutlineInk("").of(1));
  EXPECT_FALSE(OutlineInk("no font at all").of(1));
  const std::string program = font_program();
  for (const size_t end : {4u, 100u, 1000u, 9000u}) OutlineInk(program.substr(0, end)).of(5);
  EXPECT_FALSE(OutlineInk(program).of(0xFFFF));
  EXPECT_FALSE(OutlineInk(program).of("nosuchglyph"));
  EXPECT_TRUE(OutlineInk(program).of("parenleft"));
}

}  // namespace
}  // namespace docspec
