// Text layers that lie: none makes a word worse.
#include <gtest/gtest.h>

#include <algorithm>
#include <ctime>

#include "tests/support/letter_page.h"
#include "tests/support/lying_layers.h"

namespace docspec {
namespace {

using test::LetterPage;
using test::LyingLayer;
using test::TruthOcr;

/// Wrong words of a page before and after, with this kind of layer.
std::pair<size_t, size_t> errors(const LyingLayer& kind, double token_errors, bool boxes,
                                 double ocr_errors, double& slowest_ms) {
  std::mt19937 rng(11);
  size_t before = 0, after = 0;
  for (int i = 0; i < 2; ++i) {
    LetterPage page;
    std::vector<std::string> truth;
    for (size_t b = 0; b < 6; ++b) {
      truth.push_back(test::report_text(50, rng));
      page.add_block(RegionKind::text, truth[b]);
      page.says(b, test::with_token_errors(truth[b], token_errors, rng));
      before += test::wrong_words(truth[b], page.text(b));
      if (!boxes) page.page.blocks[b].box_pt = {0, 0, 612, 792};
    }
    page.paint();
    TruthOcr ocr(page.layer, ocr_errors);
    page.ocr = &ocr;
    kind.change(page.layer, rng);
    const std::clock_t begin = std::clock();
    page.reconcile();
    slowest_ms = std::max(slowest_ms, 1000.0 * double(std::clock() - begin) / CLOCKS_PER_SEC);
    for (size_t b = 0; b < 6; ++b) after += test::wrong_words(truth[b], page.text(b));
  }
  return {before, after};
}

TEST(AdversarialLayers, NoneMakesAPageWorseThanTheModelAlone) {
  for (const LyingLayer& kind : test::lying_layers()) {
    std::string line;
    double slowest_ms = 0;
    for (const double rate : {0.0, 0.02, 0.2})
      for (const bool boxes : {true, false}) {
        const auto [before, after] = errors(kind, rate, boxes, 0.02, slowest_ms);
        EXPECT_LE(after, before) << kind.name << ", " << rate << (boxes ? "" : ", no boxes");
        line += " " + std::to_string(before) + "->" + std::to_string(after);
      }
    std::printf("%-50s%s, %.0f ms of CPU\n", kind.name, line.c_str(), slowest_ms);
  }
}

TEST(AdversarialLayers, MoreGlyphsThanAPageCanShowAreNoLayer) {
  LetterPage page;
  page.add_block(RegionKind::text, "The harbour office asked for a survey of the northern basin");
  page.says(0, "The harbor office asked for a survey of the northern basin");
  const Word glyph{"x", {100, 40, 112, 64}};
  page.layer.insert(page.layer.end(), 300'000, glyph);
  page.reconcile();
  EXPECT_EQ(page.text(0), "The harbor office asked for a survey of the northern basin");
}

}  // namespace
}  // namespace docspec
