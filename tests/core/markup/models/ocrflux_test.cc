#include "core/markup/models/ocrflux.h"

#include <gtest/gtest.h>

#include <string>

namespace docspec {
namespace {

const PageFrame kFrame{600, 800, 1204, 1596};
const auto kDialect = make_ocrflux_dialect();

constexpr char kPage[] =
    "{\"primary_language\":\"en\",\"is_rotation_valid\":true,\"rotation_correction\":0,"
    "\"is_table\":false,\"is_diagram\":false,\"natural_text\":\"# A \\\"title\\\"\\n\\nSome "
    "words \\u00e9.\\n\\n<table><tr><td>1</td></tr></table>\"}";

TEST(OcrFlux, ReadsThePublishedForm) {
  const auto blocks = kDialect->parse_page(kPage, kFrame);
  ASSERT_EQ(blocks.size(), 3u);
  EXPECT_EQ(blocks[0].kind, RegionKind::title);
  EXPECT_EQ(blocks[0].text, "A \"title\"");
  EXPECT_EQ(blocks[1].text, "Some words é.");
  EXPECT_EQ(blocks[2].kind, RegionKind::table);
  EXPECT_TRUE(
      kDialect->parse_page("{\"primary_language\":null,\"natural_text\":null}", kFrame).empty());
}

TEST(OcrFlux, ParseOfRenderGivesTheBlocksBack) {
  const auto blocks = kDialect->parse_page(kPage, kFrame);
  const auto again = kDialect->parse_page(kDialect->render_page(blocks, kFrame), kFrame);
  ASSERT_EQ(again.size(), blocks.size());
  for (size_t i = 0; i < blocks.size(); ++i) {
    EXPECT_EQ(again[i].kind, blocks[i].kind);
    EXPECT_EQ(again[i].text, blocks[i].text);
    EXPECT_EQ(again[i].html, blocks[i].html);
  }
}

TEST(OcrFlux, APageCutAnywhereKeepsItsTextAndNothingOfTheObject) {
  const std::string page = kPage;
  const size_t body = page.find("Some");
  for (size_t cut = 30; cut <= page.size(); ++cut) {
    std::string text;
    for (const Block& b : kDialect->parse_page(page.substr(0, cut), kFrame))
      text += b.text + b.html.value_or("");
    EXPECT_EQ(text.find("natural"), std::string::npos) << cut;
    EXPECT_EQ(text.find("\\u"), std::string::npos) << cut << ": " << text;
    if (cut > body + 12) {
      EXPECT_NE(text.find("Some words"), std::string::npos) << cut;
    }
  }
}

TEST(OcrFlux, WhatIsNoObjectIsMarkdown) {
  const auto blocks = kDialect->parse_page("Plain words.", kFrame);
  ASSERT_EQ(blocks.size(), 1u);
  EXPECT_EQ(blocks[0].text, "Plain words.");
}

}  // namespace
}  // namespace docspec
