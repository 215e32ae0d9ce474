#include "core/decode/propose/box_proposer.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <random>

#include "core/base/json_file.h"
#include "core/decode/propose/box_history.h"
#include "core/text/tokenizer.h"
#include "tests/support/script_lm.h"

namespace docspec {
namespace {

const Tokenizer& tokenizer() {
  static const Tokenizer mini(read_file(DOCSPEC_SOURCE_DIR "/share/models/mini/tokenizer.json"));
  return mini;
}

std::vector<std::string> digits_of(const std::vector<NumberChoice>& choices) {
  std::vector<std::string> out;
  for (const NumberChoice& choice : choices) out.push_back(choice.digits);
  return out;
}

TEST(BoxHistory, BeginsWithTheDraftedNumber) {
  const BoxHistory none;
  EXPECT_EQ(none.corrected({201, 284, 1373, 353}, 1, "")[0].digits, "284");
  EXPECT_EQ(none.corrected({201, 284, 1373, 353}, 1, "30")[0].digits, "300")
      << "the nearest with these first digits";
  EXPECT_EQ(none.corrected({201, 99, 1373, 353}, 1, "12")[0].digits, "12") << "one digit more";
}

TEST(BoxHistory, LearnsHowFarOffTheDraftsAre) {
  BoxHistory history;
  const Box drafted[] = {{201, 208, 730, 231}, {201, 284, 1373, 353}, {203, 402, 894, 435}};
  for (const Box& box : drafted) history.add({200, box.y0 - 6, box.x1 + 1, box.y1 + 8}, &box);
  const Box next{202, 682, 1200, 813};
  EXPECT_EQ(history.corrected(next, 0, "")[0].digits, "200") << "the left edge of its column";
  EXPECT_EQ(history.corrected(next, 1, "")[0].digits, "676");
  EXPECT_EQ(history.corrected(next, 2, "")[0].digits, "1201");
  EXPECT_EQ(history.corrected(next, 3, "")[0].digits, "821");
  const auto after = digits_of(history.corrected(next, 1, "68"));
  EXPECT_EQ(after[0], "682") << "of what is left, the drafted number";
}

TEST(BoxHistory, FollowsTheRowsOfATableThatNobodyDrafted) {
  BoxHistory history;
  for (int y = 100; y < 300; y += 50) {
    history.add({100, y, 180, y + 20}, nullptr);
    history.add({300, y, 340, y + 20}, nullptr);
  }
  BoxNumbers box{};
  for (const auto& [side, number] : {std::pair{0, "100"}, {1, "300"}, {2, "180"}, {3, "320"}}) {
    EXPECT_EQ(history.as_before(box, size_t(side), "")[0].digits, number) << side;
    box[size_t(side)] = std::stoi(number);
  }
  history.add({100, 300, 180, 320}, nullptr);
  EXPECT_EQ(history.as_before({}, 0, "")[0].digits, "300");
  EXPECT_EQ(history.as_before({300, 0, 0, 0}, 1, "")[0].digits, "300") << "the same row";
}

/// A page in a layout markup: what the model says, and drafts whose boxes are some pixels off.
struct LayoutPage {
  std::string truth;
  std::vector<DraftTokens> drafts;
};

enum class Markup { json, html };

LayoutPage layout_page(uint32_t seed, Markup markup, int noise) {
  std::mt19937 rng(seed);
  const auto number = [&](int low, int high) {
    return low + int(rng() % unsigned(high - low + 1));
  };
  const auto block = [&](const Box& b, const std::string& text) {
    if (markup == Markup::html)
      return fmt::format("<p data-bbox=\"{} {} {} {}\">{}</p>", b.x0, b.y0, b.x1, b.y1, text);
    return fmt::format("{{\"bbox\": [{}, {}, {}, {}], \"category\": \"Text\", \"text\": \"{}\"}}",
                       b.x0, b.y0, b.x1, b.y1, text);
  };
  constexpr const char* kWords[] = {"harbour", "rope", "of", "the", "survey", "depth", "silt"};
  LayoutPage page;
  for (int y = 100; y < 1500; y += number(60, 120)) {
    std::string text;
    for (int i = number(1, 6); i > 0; --i)
      text += std::string(kWords[rng() % 7]) + (i > 1 ? " " : "");
    const Box drafted{200, y, number(400, 1400), y + 40};
    const Box box{198, drafted.y0 - 6, drafted.x1 + 1 + number(-noise, noise),
                  drafted.y1 + 2 + number(-noise, noise)};
    page.truth += (page.truth.empty()       ? ""
                   : markup == Markup::html ? "\n"
                                            : ", ") +
                  block(box, text);
    page.drafts.push_back({"tesseract", tokenizer().encode(block(drafted, text), false)});
  }
  if (markup == Markup::json) page.truth = "[" + page.truth + "]";
  return page;
}

int64_t passes(const LayoutPage& page, const std::string& propose) {
  const ScriptLm lm(tokenizer().encode(page.truth, false), 2048);
  return run_script(lm, propose, page.drafts, 24, &tokenizer()).passes;
}

class BoxProposerOn : public ::testing::TestWithParam<Markup> {};

TEST_P(BoxProposerOn, SavesTwoPassesInFiveWhereBoxesAreSomePixelsOff) {
  int64_t before = 0, after = 0;
  for (uint32_t seed = 0; seed < 4; ++seed) {
    const LayoutPage page = layout_page(seed, GetParam(), 1);
    before += passes(page, "window,cursor,backoff,automaton,template");
    after += passes(page, automatic(proposers()));
  }
  EXPECT_LT(5 * after, 3 * before) << before << " -> " << after;
}

TEST_P(BoxProposerOn, CostsNothingWhereBoxesAreRight) {
  LayoutPage page = layout_page(9, GetParam(), 0);
  page.drafts = {{"tesseract", tokenizer().encode(page.truth, false)}};
  EXPECT_LE(passes(page, automatic(proposers())),
            passes(page, "window,cursor,backoff,automaton,template") + 2);
}

INSTANTIATE_TEST_SUITE_P(Markup, BoxProposerOn, ::testing::Values(Markup::json, Markup::html));

TEST(BoxProposer, IsSilentWhereDraftsHaveNoBoxes) {
  const DraftTokens draft{"tesseract", tokenizer().encode("1 2 3 4] and the rope [5, 6]", false)};
  const auto aligner = std::make_shared<DraftAligner>(std::span(&draft, 1), &tokenizer());
  const auto proposer = make_box_proposer(aligner, &tokenizer());
  for (const char* said : {"", "1", "1 2 3", "[5, 6", "the rope"})
    EXPECT_TRUE(proposer->propose(tokenizer().encode(said, false)).empty()) << said;
}

/// Digits beyond any page, boxes without an end, markup of another kind: whatever the output says.
TEST(BoxProposer, HoldsWhateverTheModelWrites) {
  const LayoutPage page = layout_page(3, Markup::json, 2);
  constexpr const char* kPieces[] = {
      "{\"bbox\": [", "200", "99999999999999999999",    ", ",   "]",  " ",
      "\"",           "}, ", "{\"bbox\": [0, 0, 0, 0]", "rope", "-7", ".5"};
  std::mt19937 rng(5);
  for (int run = 0; run < 30; ++run) {
    const auto aligner = std::make_shared<DraftAligner>(page.drafts, &tokenizer());
    const auto proposer = make_box_proposer(aligner, &tokenizer());
    std::vector<int32_t> output;
    for (int step = 0; step < 60; ++step) {
      for (const int32_t id : tokenizer().encode(kPieces[rng() % std::size(kPieces)], false))
        output.push_back(id);
      for (const Candidate& candidate : proposer->propose(output)) {
        EXPECT_FALSE(candidate.tokens.empty());
        EXPECT_GT(candidate.score, 0);
        EXPECT_LE(candidate.score, 1);
      }
    }
  }
}

}  // namespace
}  // namespace docspec
