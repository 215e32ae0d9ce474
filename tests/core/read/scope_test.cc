#include "core/read/scope.h"

#include <gtest/gtest.h>

#include "core/markup/registry.h"

namespace docspec {
namespace {

/// A page of two headings, a formula and a text.
PageDrafts drafts_of_page() {
  PageDrafts out{1, 200, 400, 100, {}, {}};
  const std::pair<RegionKind, const char*> parts[] = {
      {RegionKind::title, "Tides"},
      {RegionKind::section_header, "2.1 Sources"},
      {RegionKind::formula, "$$a=b$$"},
      {RegionKind::text, "The moon’s pull, “as read”."}};
  for (const auto& [kind, text] : parts) {
    const int id = int(out.regions.size());
    out.regions.push_back({id, id, kind, {10, 40 * id, 190, 40 * id + 30}});
    out.drafts.push_back({id, "text-layer", text, 1, {}});
  }
  return out;
}

constexpr PageFrame kFrame{144, 288, 200, 400};

TEST(Scope, APageIsWrittenAsItsModelWouldAndOnceMoreWithStraightQuotes) {
  const auto pages = written_pages(*make_dialect("olmocr"), kFrame, drafts_of_page());
  ASSERT_EQ(pages.size(), 2u);
  EXPECT_TRUE(pages[0].starts_with("---\nprimary_language: en\n"));
  EXPECT_TRUE(pages[0].ends_with(
      "---\n# Tides\n\n### 2.1 Sources\n\n\\[\na=b\n\\]\n\nThe moon’s pull, “as read”."))
      << pages[0];
  EXPECT_TRUE(pages[1].ends_with("The moon's pull, \"as read\".")) << pages[1];

  PageDrafts plain = drafts_of_page();
  plain.drafts.pop_back();
  EXPECT_EQ(written_pages(*make_dialect("olmocr"), kFrame, plain).size(), 1u);
}

TEST(Scope, AFormulaHasOnePairOfDelimiters) {
  const PageDrafts page = drafts_of_page();
  const PageImage image(1, 200, 400, 100);
  const auto written = [&](std::string_view question, size_t i) {
    return written_draft(*make_dialect("dots_json"), question, kFrame, image, &page.regions[i],
                         page.drafts[i]);
  };
  EXPECT_EQ(written("page", 2),
            "{\"bbox\": [10, 80, 190, 110], \"category\": \"Formula\", \"text\": \"$$a=b$$\"}");
  EXPECT_EQ(written("formula", 2), "$$a=b$$");
  EXPECT_EQ(written("page", 1),
            "{\"bbox\": [10, 40, 190, 70], \"category\": \"Section-header\", \"text\": "
            "\"### 2.1 Sources\"}");
}

}  // namespace
}  // namespace docspec
