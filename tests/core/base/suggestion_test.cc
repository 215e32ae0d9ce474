#include "core/base/suggestion.h"

#include <gtest/gtest.h>

namespace docspec {
namespace {

TEST(Suggestion, NamesWhatIsAFewLettersAway) {
  const std::string_view known[] = {"builtin", "builtin-draft", "none"};
  EXPECT_EQ(did_you_mean("builtn", known), " (did you mean builtin?)");
  EXPECT_EQ(did_you_mean("none.", known), " (did you mean none?)");
  EXPECT_EQ(did_you_mean("dots.ocr", known), "");
  EXPECT_EQ(did_you_mean("", known), "");
}

TEST(Suggestion, NamesWhatIsShortForTheWord) {
  const std::string_view formats[] = {"md", "json", "html"};
  EXPECT_EQ(did_you_mean("markdown", formats), " (did you mean md?)");
  EXPECT_EQ(did_you_mean("htm", formats), " (did you mean html?)");
  EXPECT_EQ(did_you_mean("docx", formats), "");
  const std::string_view sources[] = {"text-layer", "tesseract"};
  EXPECT_EQ(did_you_mean("tess", sources), " (did you mean tesseract?)");
}

}  // namespace
}  // namespace docspec
