// Several pages in one prompt: exactness on a model with random weights, and the fates of the
// pages with one that does as it is told.
#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "core/base/error.h"
#include "core/markup/registry.h"
#include "core/read/vlm_reader.h"
#include "tests/support/real_stages.h"
#include "tests/support/scripted_vlm.h"

namespace docspec {
namespace {

class PagesInOnePrompt : public RealStages {
 protected:
  PagesInOnePrompt() : RealStages("unlimited_ocr/hub_tied") {}

  Job read(const StageEngine& engine, std::span<const StageInput> pages) {
    BatchScheduler scheduler(vlm_.language_model(), 1, 64);
    BatchSlot slot(scheduler);
    StageResult result = read_pages(slot, engine, pages).run();
    stats_ += result.stats;
    return std::move(result.jobs[0]);
  }
};

TEST_F(PagesInOnePrompt, DraftsOfAllPagesNeverChangeTheIds) {
  std::vector<PageImage> images = {oracle_.page(0), oracle_.page(1)};
  TokenizedTexts texts(vlm_.tokenizer());
  const auto inputs = [&](std::span<const std::vector<Draft>> drafts) {
    std::vector<StageInput> out;
    for (size_t i = 0; i < images.size(); ++i)
      out.push_back({&images[i], {}, drafts[i], &memory_, &texts});
    return out;
  };
  for (const double penalty : {1.0, 1.3}) {
    const std::vector<std::vector<Draft>> none(images.size());
    const Job plain = read(engine(penalty, {}), inputs(none));
    const Ids truth(plain.output().begin(), plain.output().end());
    const auto prompt = plain.prompt_ids();
    std::vector<const PageImage*> shown;
    for (const PageImage& image : images) shown.push_back(&image);
    EXPECT_EQ(std::count(prompt.begin(), prompt.end(), vlm_.image_token()),
              vlm_.visual_tokens(shown));
    for (uint32_t seed = 0; seed < 4; ++seed) {
      std::mt19937 rng(seed);
      std::vector<std::vector<Draft>> drafts(images.size());
      for (std::vector<Draft>& page : drafts) {
        Draft& draft = page.emplace_back();
        draft.source = "tesseract";
        draft.text = text(Ids(truth.begin() + rng() % 8, truth.end() - rng() % 8));
        if (rng() % 2) draft.text.insert(rng() % draft.text.size(), "<PAGE>");
      }
      const auto specs = parse_spec_list("--propose", any_propose(rng), forms(proposers()));
      const Job drafted = read(engine(penalty, specs), inputs(drafts));
      EXPECT_EQ(Ids(drafted.output().begin(), drafted.output().end()), truth) << "seed " << seed;
    }
  }
  EXPECT_GT(stats_.accepted, 5);
}

const std::string kTexts[] = {"The harbour office asked for a survey of the northern basin",
                              "The quay is repaired in spring when the water stands low",
                              "Ships of more than forty metres wait outside the breakwater"};

DraftedPage page_of(const std::string& text) {
  DraftedPage page;
  page.info = {144, 144, 0, 0};
  page.image.emplace(1, 144, 144, 72);
  page.drafts = {1, 144, 144, 72, {}, {}};
  page.drafts.regions = {{0, 0, RegionKind::text, {5, 5, 139, 60}}};
  page.drafts.drafts = {{0, "tesseract", text, 1, {}}};
  return page;
}

std::string marked(const std::string& text) {
  return "<PAGE><p>" + text + "</p>\n";
}

/// Three pages read by a model whose answer is `says`.
std::vector<Page> read_three(const std::string& says, int64_t most_tokens = 2000,
                             const std::string& before = "") {
  const auto ops = make_aten_ops();
  const nlohmann::json own = {{"questions", {{"pages", "Pages."}}}, {"page_mark", "<PAGE>"}};
  std::vector<std::string> texts;
  if (!before.empty()) texts.assign(3, before);
  texts.push_back(says);
  const Vlm vlm = scripted_vlm(*ops, texts, 10, "qwen2_5_vl", own);
  const auto dialect = make_dialect(vlm.prompts().dialect());
  const auto verifier = make_exact_verifier();
  const auto specs = parse_spec_list("--propose", "window", forms(proposers()));
  Generation generation =
      read_generation(nlohmann::json(), vlm.prompts(), vlm.tokenizer(), most_tokens);
  const StageEngine engine{vlm, *ops, *dialect, *verifier, specs, generation, {}};
  VlmReaderOptions options;
  options.stages = {Stage::page};
  if (!before.empty()) options.stages = {Stage::region, Stage::page};
  VlmReader reader(engine, options);
  const auto state = reader.begin_document("in.pdf");
  std::vector<DraftedPage> drafted;
  for (const std::string& text : kTexts) drafted.push_back(page_of(text));
  std::vector<Page> pages(3);
  std::vector<PageToRead> to_read;
  for (size_t i = 0; i < 3; ++i) to_read.push_back({&drafted[i], &pages[i]});
  reader.read_together(*state, to_read).run();
  EXPECT_TRUE(reader.has_free_slot());
  return pages;
}

std::string blocks_of(const Page& page) {
  std::string out;
  for (const Block& block : page.blocks) out += block.text + "|";
  return out;
}

TEST(ReadTogether, EachPageHasItsPartOfTheAnswer) {
  const auto pages = read_three(marked(kTexts[0]) + marked(kTexts[1]) + marked(kTexts[2]));
  for (size_t i = 0; i < 3; ++i) {
    EXPECT_EQ(blocks_of(pages[i]), kTexts[i] + "|");
    EXPECT_EQ(pages[i].status, PageStatus::ok);
    EXPECT_EQ(pages[i].level, PageLevel::vlm);
    EXPECT_EQ(pages[i].coverage, 1);
  }
}

TEST(ReadTogether, APageThatTheAnswerLacksOrThatIsAnotherFallsBackAlone) {
  const auto lacks = read_three(marked(kTexts[0]) + marked(kTexts[1]));
  EXPECT_EQ(lacks[1].status, PageStatus::ok);
  EXPECT_EQ(lacks[2].status, PageStatus::fallback);
  EXPECT_EQ(lacks[2].failure->message, "the model wrote nothing");
  EXPECT_EQ(blocks_of(lacks[2]), kTexts[2] + "|");
  const auto other = read_three(marked(kTexts[0]) + marked(kTexts[0]) + marked(kTexts[2]));
  EXPECT_EQ(other[0].status, PageStatus::ok);
  EXPECT_EQ(other[1].status, PageStatus::fallback);
  EXPECT_EQ(blocks_of(other[1]), kTexts[1] + "|");
  EXPECT_EQ(other[2].status, PageStatus::ok);
}

TEST(ReadTogether, PagesBeforeTheCutStand) {
  const auto pages = read_three(marked(kTexts[0]) + marked(kTexts[1]) + marked(kTexts[2]), 30);
  EXPECT_EQ(pages[0].status, PageStatus::ok);
  EXPECT_EQ(pages[2].status, PageStatus::fallback);
  EXPECT_EQ(pages[2].failure->message, "the model's text was cut off at the limit of 90 tokens");
  EXPECT_EQ(blocks_of(pages[2]), kTexts[2] + "|");
}

TEST(ReadTogether, PagesBeforeARunawayStand) {
  std::string circle;
  for (int i = 0; i < 80; ++i) circle += " over and over";
  const auto pages = read_three(marked(kTexts[0]) + "<PAGE>" + circle);
  EXPECT_EQ(pages[0].status, PageStatus::ok);
  EXPECT_EQ(blocks_of(pages[0]), kTexts[0] + "|");
  for (const size_t i : {1, 2}) {
    EXPECT_EQ(pages[i].status, PageStatus::fallback);
    EXPECT_NE(pages[i].failure->message.find("repeats"), std::string::npos);
    EXPECT_EQ(blocks_of(pages[i]), kTexts[i] + "|");
  }
}

TEST(ReadTogether, RegionsAreReadBeforeThePages) {
  const auto pages = read_three(marked(kTexts[0]), 2000, kTexts[2] + " now");
  EXPECT_EQ(pages[0].level, PageLevel::vlm);
  EXPECT_EQ(pages[2].level, PageLevel::region);
  EXPECT_EQ(blocks_of(pages[2]), kTexts[2] + " now|");
  EXPECT_EQ(pages[2].status, PageStatus::fallback);
}

}  // namespace
}  // namespace docspec
