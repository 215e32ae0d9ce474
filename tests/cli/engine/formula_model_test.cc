#include "cli/engine/formula_model.h"

#include <gtest/gtest.h>

#include "cli/flags/share.h"
#include "core/input/document_reader.h"
#include "tests/support/pdf_writer.h"

namespace docspec {
namespace {

/// A page with E = mc² and below it a fraction, drawn by Poppler at 200 dpi.
PageImage page_with_formulas() {
  test::PdfPage page;
  page.lines = {{250, 600, "E", 11, "F6"},   {262, 600, "=", 11, "F4"}, {274, 600, "mc", 11, "F6"},
                {287, 604.5, "2", 8, "F4"},  {250, 500, "y", 11, "F6"}, {260, 500, "=", 11, "F4"},
                {274, 507.5, "a", 11, "F6"}, {274, 493, "b", 11, "F6"}};
  page.drawing = test::rule(272, 282, 502.5);
  return open_document(test::input(test::make_pdf({page})), "")->raster(1, 200, 50'000'000).image;
}

Box points(double x0, double y0, double x1, double y1) {
  const double scale = 200.0 / 72;
  return {int(x0 * scale), int((792 - y1) * scale), int(x1 * scale), int((792 - y0) * scale)};
}

TEST(FormulaModel, ReadsIndicesAndFractionsFromTheImage) {
  const auto reader = make_formula_reader(builtin_model_folder());
  const Box boxes[] = {points(249, 597, 293, 612), points(249, 490, 284, 516)};
  const auto read = reader->read(page_with_formulas(), boxes, 11 * 200.0 / 72);
  ASSERT_EQ(read.size(), 2u);
  EXPECT_EQ(read[0].latex, "E=mc^2");
  EXPECT_EQ(read[1].latex, "y=\\frac{a}{b}");
  for (const ReadFormula& formula : read) EXPECT_GT(formula.least_margin, 0);
}

TEST(FormulaModel, NamesTheFolderThatHoldsNoModel) {
  try {
    make_formula_reader("/nowhere/at/all");
    FAIL();
  } catch (const std::exception& e) {
    EXPECT_NE(std::string(e.what()).find("/nowhere/at/all"), std::string::npos) << e.what();
  }
}

}  // namespace
}  // namespace docspec
