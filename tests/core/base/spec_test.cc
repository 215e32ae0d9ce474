#include "core/base/spec.h"

#include <gtest/gtest.h>

#include "core/base/error.h"

namespace docspec {
namespace {

constexpr SpecForm kForms[] = {{"off"},
                               {"exact"},
                               {"tolerant", "tau=0.75"},
                               {"retrieval", "store=,scope=document"},
                               {"replay", "FILE"},
                               {"model", "DIR,inputs=image,width=1"}};

std::string usage(auto&& call) {
  try {
    call();
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ExitCode::usage);
    return error.what();
  }
  ADD_FAILURE() << "no error";
  return "";
}

TEST(Spec, FillsDefaultsAndReadsTypedSettings) {
  EXPECT_EQ(parse_spec("--verify", "tolerant", kForms).number("tau", 0, 1), 0.75);
  EXPECT_EQ(parse_spec("--verify", "tolerant:tau=0.5", kForms).number("tau", 0, 1), 0.5);
  const Spec model = parse_spec("--draft", "model:/a/b=c,width=3", kForms);
  EXPECT_EQ(model.text("DIR"), "/a/b=c");
  EXPECT_EQ(model.text("inputs"), "image");
  EXPECT_EQ(model.integer("width", 1, 3), 3);
  EXPECT_TRUE(parse_spec("--prune", "off", kForms).settings.empty());
}

TEST(Spec, ListKeepsSettingsWithTheirChoice) {
  const auto specs = parse_spec_list(
      "--draft", "retrieval:store=a.bin,scope=run,exact,replay:x.json,tolerant:tau=1", kForms);
  ASSERT_EQ(specs.size(), 4u);
  EXPECT_EQ(specs[0].text("scope"), "run");
  EXPECT_EQ(specs[1].name, "exact");
  EXPECT_EQ(specs[2].text("FILE"), "x.json");
  EXPECT_EQ(specs[3].text("tau"), "1");
}

TEST(Spec, ErrorsListWhatIsKnown) {
  EXPECT_EQ(usage([] { parse_spec("--verify", "exakt", std::span(kForms).first(3)); }),
            "--verify: no 'exakt' (did you mean exact?); known: off, exact, tolerant");
  EXPECT_EQ(usage([] { parse_spec("--verify", "tolerant:t=1", kForms); }),
            "--verify: tolerant: no setting 't'; known: tau");
  EXPECT_EQ(usage([] { parse_spec("--verify", "exact:tau=1", kForms); }),
            "--verify: exact: no setting 'tau'; it takes none");
  EXPECT_EQ(usage([] { parse_spec("--draft", "replay", kForms); }),
            "--draft: replay needs FILE: replay:FILE");
  EXPECT_EQ(usage([] { parse_spec_list("--draft", "exact,exact", kForms); }),
            "--draft: 'exact' given twice");
  EXPECT_EQ(usage([] { parse_spec_list("--draft", "", kForms); }).substr(0, 14), "--draft: no ''");
}

TEST(Spec, NumbersOutOfRangeOrNotNumbersAreUsageErrors) {
  for (const char* value : {"2", "-1", "x", "", "nan", "0.5x", "inf"}) {
    const Spec spec = parse_spec("--verify", std::string("tolerant:tau=") + value, kForms);
    EXPECT_EQ(usage([&] { spec.number("tau", 0, 1); }),
              std::string("--verify: tolerant: tau=") + value + ": must be a number from 0 to 1");
  }
}

}  // namespace
}  // namespace docspec
