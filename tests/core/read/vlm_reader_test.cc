// The witness over a model that does as it is told.
#include "core/read/vlm_reader.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <sstream>

#include "core/base/error.h"
#include "core/decode/registry.h"
#include "core/decode/sample/generation.h"
#include "core/markup/registry.h"
#include "core/model/prompt_set.h"
#include "core/read/page_verdict.h"
#include "core/text/tokenizer.h"
#include "tests/support/later_ops.h"
#include "tests/support/scripted_vlm.h"

namespace docspec {
namespace {

const std::string kFirst = "The harbour office asked for a survey of the northern basin";
const std::string kSecond = "The quay is repaired in spring when the water stands low";

std::string circle() {
  std::string out;
  for (int i = 0; i < 60; ++i) out += " over and over";
  return out;
}

std::string paragraph(const std::string& text) {
  return "<p>" + text + "</p>\n";
}

/// A page of two paragraphs, as the drafters have it.
DraftedPage some_page() {
  DraftedPage page;
  page.info = {144, 144, 0, 0};
  page.image.emplace(1, 144, 144, 72);
  page.drafts = {1, 144, 144, 72, {}, {}};
  page.drafts.regions = {{0, 0, RegionKind::text, {5, 5, 139, 60}},
                         {1, 1, RegionKind::text, {5, 70, 139, 130}}};
  page.drafts.drafts = {{0, "tesseract", kFirst, 1, {}}, {1, "tesseract", kSecond, 1, {}}};
  return page;
}

struct Read {
  Page page;
  std::vector<std::vector<int32_t>> page_ids;
  size_t jobs = 0;
};

/// A reader whose model says `texts`, one a prefill.
struct ScriptedReader {
  ScriptedReader(const std::vector<std::string>& texts, VlmReaderOptions options,
                 bool plain = false, float margin = 10, const std::string& family = "qwen2_5_vl")
      : vlm(scripted_vlm(*ops, texts, margin, family)),
        specs(plain ? std::vector<Spec>()
                    : parse_spec_list("--propose", "window", forms(proposers()))),
        reader(engine, std::move(options)) {}

  const std::unique_ptr<Ops> ops = make_aten_ops();
  const LaterOps later{*ops, 3};
  const Vlm vlm;
  const std::unique_ptr<Dialect> dialect = make_dialect(vlm.prompts().dialect());
  const std::unique_ptr<Verifier> verifier =
      make_verifier(parse_spec("--verify", "exact", forms(verifiers())));
  const std::vector<Spec> specs;
  StageEngine engine_on(const Ops& of_stage) const {
    return {vlm,      of_stage,
            *dialect, *verifier,
            specs,    read_generation(nlohmann::json(), vlm.prompts(), vlm.tokenizer(), 2000),
            {},       false};
  }
  StageEngine engine = engine_on(*ops);
  VlmReader reader;
  const std::unique_ptr<PageReader::DocumentState> state = reader.begin_document("in.pdf");

  Task<void> read(const DraftedPage& drafted, Page& page) {
    return reader.read(*state, drafted, page);
  }
};

/// Reads `drafted` with a model that says `texts`, one a prefill.
Read read(const std::vector<std::string>& texts, const DraftedPage& drafted, bool witness,
          std::vector<Stage> stages, bool plain = false, float margin = 10) {
  Read out;
  VlmReaderOptions options;
  options.stages = std::move(stages);
  options.witness = witness;
  options.on_job = [&](const Job& job) {
    ++out.jobs;
    if (job.label().stage == "page")
      out.page_ids.emplace_back(job.output().begin(), job.output().end());
  };
  ScriptedReader scripted(texts, options, plain, margin);
  out.page.page = 1;
  scripted.read(drafted, out.page).run();
  return out;
}

std::string text_of(const Page& page) {
  std::string out;
  for (const Block& block : page.blocks) out += block.text + "|";
  return out;
}

TEST(VlmReader, AModelThatFindsRegionsIsAskedForThemAndReadsThemInItsOrder) {
  const auto element = [](const char* box, const char* type) {
    return fmt::format("<|box_start|>{}<|box_end|><|ref_start|>{}<|ref_end|><|rotate_up|>\n", box,
                       type);
  };
  const std::vector<std::string> says = {element("000 500 999 900", "table") +
                                             element("000 950 999 990", "image") +
                                             element("000 000 999 450", "text"),
                                         "<fcel>a<fcel>b<nl>", kFirst + " now"};
  VlmReaderOptions options;
  options.stages = {Stage::adaptive};
  std::vector<std::string> stages;
  options.on_job = [&](const Job& job) { stages.push_back(job.label().stage); };
  ScriptedReader scripted(says, options, false, 10, "mineru2_5");
  Page page;
  scripted.read(some_page(), page).run();
  EXPECT_EQ(stages, (std::vector<std::string>{"layout", "region", "region"}));
  ASSERT_EQ(page.blocks.size(), 3u);
  EXPECT_EQ(page.blocks[0].html, "<table><tr><td>a</td><td>b</td></tr></table>");
  EXPECT_EQ(page.blocks[1].kind, RegionKind::picture);
  EXPECT_EQ(page.blocks[2].text, kFirst + " now");
  EXPECT_EQ(page.level, PageLevel::region);
}

TEST(VlmReader, ALayoutThatIsNoneLeavesThePagesOwnRegions) {
  VlmReaderOptions options;
  options.stages = {Stage::adaptive};
  ScriptedReader scripted({"nothing to see", kFirst, kSecond}, options, false, 10, "mineru2_5");
  Page page;
  scripted.read(some_page(), page).run();
  EXPECT_EQ(text_of(page), kFirst + "|" + kSecond + "|");
}

TEST(VlmReaderWitness, CutsACircleAndReadsTheRestAlone) {
  const std::vector<std::string> says = {
      paragraph(kFirst) + "<p>" + kSecond.substr(0, 9) + circle(), kSecond + " tide"};
  const Read got = read(says, some_page(), true, {Stage::page});
  EXPECT_EQ(got.page.status, PageStatus::fallback);
  EXPECT_EQ(got.page.level, PageLevel::region);
  const std::string text = text_of(got.page);
  EXPECT_NE(text.find(kFirst), std::string::npos) << text;
  EXPECT_NE(text.find(kSecond + " tide"), std::string::npos) << text;
  EXPECT_EQ(text.find("over and over over"), std::string::npos) << text;
  ASSERT_TRUE(got.page.failure);
  for (const char* word : {"repeats", "cut after", "1 missing region"})
    EXPECT_NE(got.page.failure->message.find(word), std::string::npos) << got.page.failure->message;
  EXPECT_GT(*got.page.coverage, 0.95);
}

TEST(VlmReaderWitness, WhatAPageLeavesOutIsReadAloneAndPutInItsPlace) {
  DraftedPage page = some_page();
  const std::string third = "Ships that are longer than sixty metres wait outside";
  page.drafts.regions.push_back({2, 2, RegionKind::text, {5, 132, 139, 140}});
  page.drafts.drafts.push_back({2, "tesseract", third, 1, {}});
  const std::string said = paragraph(kFirst) + paragraph(third);
  const Read with = read({said, kSecond}, page, true, {Stage::page});
  EXPECT_EQ(text_of(with.page), kFirst + "|" + kSecond + "|" + third + "|");
  EXPECT_EQ(with.page.status, PageStatus::fallback);
  ASSERT_TRUE(with.page.failure);
  EXPECT_NE(with.page.failure->message.find("leaves out 1 region, which was read alone"),
            std::string::npos)
      << with.page.failure->message;
  EXPECT_EQ(with.page.coverage, 1);
  EXPECT_EQ(with.page.blocks[0].box_pt, (PointBox{5, 5, 139, 60})) << "the draft's";
  EXPECT_EQ(text_of(read({said, kSecond}, page, false, {Stage::page}).page),
            kFirst + "|" + third + "|")
      << "without a witness";
  // OCR that the model does not confirm: what it reads there is in the page's text.
  const Read same = read({said, kFirst}, page, true, {Stage::page});
  EXPECT_EQ(text_of(same.page), kFirst + "|" + third + "|");
  EXPECT_EQ(same.page.status, PageStatus::ok);
  // The same with wrong letters, and text that looks like the beginning of a tag.
  const std::string misread = "Thc quay ls repaircd in sprlng when the watcr stands lcw";
  const Read wrong = read({paragraph(kFirst) + paragraph(third + " C</$ ]") + paragraph(misread)},
                          page, true, {Stage::page});
  EXPECT_EQ(wrong.page.status, PageStatus::ok) << text_of(wrong.page);
  // OCR that is not sure says nothing.
  page.drafts.drafts[1].confidence = 0.5;
  EXPECT_EQ(text_of(read({said, kSecond}, page, true, {Stage::page}).page),
            kFirst + "|" + third + "|");
}

TEST(VlmReaderWitness, ARegionThatRunsAwayTooKeepsItsDraft) {
  const std::vector<std::string> says = {paragraph(kFirst) + circle(), "x" + circle()};
  const Read got = read(says, some_page(), true, {Stage::page});
  EXPECT_NE(text_of(got.page).find(kSecond), std::string::npos) << text_of(got.page);
  EXPECT_EQ(got.page.level, PageLevel::draft);
}

TEST(VlmReaderWitness, RegionsThatAStageHasReadAreNotReadAgain) {
  const std::vector<std::string> says = {kFirst + " now", kSecond + " tide", circle()};
  const Read got = read(says, some_page(), true, {Stage::region, Stage::page});
  EXPECT_EQ(text_of(got.page), kFirst + " now|" + kSecond + " tide|");
  EXPECT_EQ(got.jobs, 3u);
}

/// Reads a page whose drafts are its own text, by regions.
Read read_own(const std::vector<std::string>& texts, bool witness, float margin) {
  DraftedPage page = some_page();
  for (Draft& draft : page.drafts.drafts) draft.source = "text-layer";
  return read(texts, page, witness, {Stage::region}, false, margin);
}

TEST(VlmReaderWitness, ARegionReadInDoubtThatIsNotThePdfsTextKeepsThat) {
  const std::string other = "The harbour office asked for auauauauauauauauauauauauauauauauauau";
  const Read one = read_own({other, kSecond + " tide"}, true, 1);
  EXPECT_EQ(text_of(one.page), kFirst + "|" + kSecond + " tide|");
  EXPECT_EQ(one.page.status, PageStatus::ok);
  const Read both = read_own({other, "The quay u_u_u_u_u_u"}, true, 1);
  EXPECT_EQ(text_of(both.page), kFirst + "|" + kSecond + "|");
  EXPECT_EQ(both.page.status, PageStatus::fallback);
  ASSERT_TRUE(both.page.failure);
  EXPECT_NE(both.page.failure->message.find("2 of 2 regions"), std::string::npos)
      << both.page.failure->message;
  EXPECT_EQ(text_of(read_own({other, kSecond}, false, 1).page), other + "|" + kSecond + "|");
  EXPECT_EQ(text_of(read_own({other, kSecond}, true, 9).page), other + "|" + kSecond + "|")
      << "a model that is sure may know better";
}

TEST(Misread, OnlyWhereTheDraftCanBeTrustedAndTheModelIsInDoubt) {
  const std::string text = "Ash_Wmfilth.auuauuauuuuuuuuuuuuuuuuuuuuuuuuuu";
  const auto draft = [](const char* source, double confidence, std::string says) {
    return std::vector<Draft>{{0, source, std::move(says), confidence, {}}};
  };
  const auto wrong = [](const std::string& says, const std::vector<Draft>& drafts,
                        RegionKind kind = RegionKind::text, float margin = 2.9f) {
    return contradicts_reliable_draft(kind, says, std::vector<float>(7, margin), drafts);
  };
  const auto wraith = draft("text-layer", 1, "Ash Wraith ..................... 7");
  EXPECT_TRUE(wrong(text, wraith));
  EXPECT_FALSE(wrong(text, wraith, RegionKind::text, 3.1f));
  EXPECT_TRUE(wrong("9", draft("text-layer", 1, "7")));
  EXPECT_FALSE(wrong("**Ash** wraith, p. 7", draft("text-layer", 1, "Ash Wraith .... p 7")));
  EXPECT_FALSE(wrong("x", draft("text-layer", 1, "\xe2\x80\xa2 ..."))) << "nothing to judge by";
  for (const RegionKind kind : {RegionKind::table, RegionKind::formula, RegionKind::picture})
    EXPECT_FALSE(wrong(text, wraith, kind));
  EXPECT_FALSE(wrong("of \\(\\mathbf{x}_{i}\\) and \\(\\frac{a}{b}\\), <b>so</b>",
                     draft("text-layer", 1, "of xi and a b, so")));
  EXPECT_TRUE(wrong(text, draft("tesseract", 0.93, "Ash Wraith ....... 7")));
  EXPECT_FALSE(wrong(text, draft("tesseract", 0.7, "Ash Wraith ....... 7")));
  EXPECT_FALSE(wrong("9", draft("tesseract", 0.99, "7")));
}

TEST(Misread, ATableWithoutSomeOfItsRows) {
  const std::vector<Draft> page = {
      {0,
       "text-layer",
       "<table><tr><td>Depth</td><td>6.4</td></tr><tr><td>Silt</td><td>0.2</td></tr></table>",
       1,
       {}}};
  EXPECT_TRUE(lacks_cells("<table><tr><td>Depth</td><td>6.4</td></tr></table>", page));
  EXPECT_FALSE(lacks_cells(
      "<table><tr><td>Dept</td><td>64</td></tr><tr><td>Sit</td><td>02</td></tr></table>", page));
}

TEST(VlmReaderWitness, NeverChangesIdsAndIsTheSameForPlainDecoding) {
  const std::vector<std::vector<std::string>> scripts = {{paragraph(kFirst) + paragraph(kSecond)},
                                                         {paragraph(kFirst) + circle(), kSecond},
                                                         {circle(), kFirst}};
  for (const auto& says : scripts) {
    const Read on = read(says, some_page(), true, {Stage::page});
    const Read off = read(says, some_page(), false, {Stage::page});
    const Read plain = read(says, some_page(), true, {Stage::page}, true);
    EXPECT_EQ(on.page_ids, off.page_ids);
    EXPECT_EQ(on.page_ids, plain.page_ids);
    EXPECT_EQ(on.jobs, off.jobs) << "reading alone is not traced";
    EXPECT_EQ(text_of(on.page), text_of(plain.page));
    EXPECT_EQ(on.page.status, plain.page.status);
  }
}

TEST(VlmReaderWitness, ABlankPageReachesNoModel) {
  DraftedPage blank = some_page();
  blank.drafts.regions.clear();
  blank.drafts.drafts.clear();
  blank.blank = true;
  const Read on = read({paragraph("Once upon a time")}, blank, true, {Stage::page});
  EXPECT_EQ(on.jobs, 0u);
  EXPECT_TRUE(on.page.blocks.empty());
  EXPECT_EQ(on.page.status, PageStatus::ok);
  EXPECT_EQ(read({paragraph("Once upon a time")}, blank, false, {Stage::page}).jobs, 1u);
}

/// A page with a text layer goes on without an image where it cannot be rendered; the pipeline then
/// keeps its drafts.
TEST(VlmReader, APageThatCannotBeRenderedIsNotRead) {
  DraftedPage page = some_page();
  page.image.reset();
  EXPECT_THROW(read({}, page, true, {Stage::page}), Error);
}

TEST(VlmReaderWitness, LetsAGoodPageStand) {
  const Read got = read({paragraph(kFirst) + paragraph(kSecond)}, some_page(), true, {Stage::page});
  EXPECT_EQ(got.page.status, PageStatus::ok);
  EXPECT_EQ(got.page.level, PageLevel::vlm);
  EXPECT_EQ(text_of(got.page), kFirst + "|" + kSecond + "|");
  EXPECT_EQ(got.page.coverage, 1);
}

/// The page with its two paragraphs as a text layer, and ink under it.
DraftedPage page_with_layer() {
  DraftedPage page = some_page();
  page.text_layer_trusted = true;
  int y = 5;
  for (const std::string& text : {kFirst, kSecond}) {
    std::istringstream in(text);
    int x = 5;
    for (std::string word; in >> word; x += 2) {
      const int width = 4 * int(word.size());
      if (x + width > 139) x = 5, y += 10;
      page.text_layer.push_back({word, {x, y, x + width, y + 8}});
      for (int row = y + 2; row < y + 6; ++row)
        std::fill_n(page.image->row(row) + size_t(x) * 3, width * 3, uint8_t(0));
      x += width;
    }
    y = 70;
  }
  return page;
}

TEST(VlmReaderLetters, BecomeTheTextLayersAndIdsStay) {
  const std::string first = "The harbor office asked for a survay of the northern basin";
  const std::string second = "The quay is repaired in in spring when the water low";
  std::vector<Page> pages;
  std::vector<std::vector<int32_t>> ids;
  for (const LetterRule rule : {LetterRule::model, LetterRule::automatic}) {
    VlmReaderOptions options;
    options.stages = {Stage::page};
    options.letters = rule;
    options.on_job = [&](const Job& job) {
      ids.emplace_back(job.output().begin(), job.output().end());
    };
    ScriptedReader scripted({paragraph(first) + paragraph(second)}, options);
    scripted.read(page_with_layer(), pages.emplace_back()).run();
  }
  EXPECT_EQ(text_of(pages[0]), first + "|" + second + "|");
  EXPECT_EQ(text_of(pages[1]), kFirst + "|" + kSecond + "|");
  ASSERT_EQ(ids.size(), 2u);
  EXPECT_EQ(ids[0], ids[1]);
  EXPECT_TRUE(pages[0].blocks[0].words.empty());
  const LetterCounts counts = count_letters(pages[1]);
  EXPECT_EQ(counts.replaced, 2u);
  EXPECT_EQ(counts.inserted, 1u);
  EXPECT_EQ(counts.removed, 1u);
  EXPECT_GT(*pages[1].coverage, *pages[0].coverage);
}

TEST(VlmReader, PagesReadTogetherAreThoseReadAlone) {
  const std::vector<std::string> says = {paragraph(kFirst) + paragraph(kSecond),
                                         paragraph(kFirst + " " + kSecond),
                                         paragraph(kSecond) + circle(), kFirst + " now"};
  const DraftedPage drafted = some_page();
  std::vector<Page> alone(3), together(3);
  VlmReaderOptions options;
  options.stages = {Stage::page};
  ScriptedReader one(says, options);
  options.most_pages = 3;
  ScriptedReader three(says, options);
  std::vector<Task<void>> tasks;
  for (Page& page : together) {
    EXPECT_TRUE(three.reader.has_free_slot());
    tasks.push_back(three.read(drafted, page));
    tasks.back().start();
    EXPECT_FALSE(tasks.back().done());
  }
  EXPECT_FALSE(three.reader.has_free_slot());
  while (!tasks[0].done() || !tasks[1].done() || !tasks[2].done()) three.reader.run_pass();
  for (size_t i = 0; i < 3; ++i) {
    one.read(drafted, alone[i]).run();
    tasks[i].get();
    EXPECT_EQ(text_of(together[i]), text_of(alone[i]));
    EXPECT_EQ(together[i].status, alone[i].status);
  }
  EXPECT_EQ(together[2].status, PageStatus::fallback) << "it ran away";
  EXPECT_EQ(three.reader.page_stats().output_tokens, one.reader.page_stats().output_tokens);
  EXPECT_LT(three.reader.page_stats().forwards, one.reader.page_stats().forwards);
  EXPECT_TRUE(three.reader.has_free_slot());
}

TEST(VlmReader, APageWhoseImageIsBeingSeenLetsTheOthersGoOn) {
  const std::vector<std::string> says = {paragraph(kFirst) + paragraph(kSecond),
                                         paragraph(kSecond)};
  const DraftedPage drafted = some_page();
  VlmReaderOptions options;
  options.stages = {Stage::page};
  options.most_pages = 2;
  ScriptedReader plain(says, options, true);
  StageEngine late = plain.engine_on(plain.later);
  VlmReader reader(late, options);
  std::vector<Page> pages(2);
  std::vector<Task<void>> tasks;
  for (Page& page : pages) {
    tasks.push_back(reader.read(*plain.state, drafted, page));
    tasks.back().start();
    if (pages.data() == &page)
      for (int i = 0; i < 6; ++i) reader.run_pass();  // the first is decoded when the second comes
  }
  while (reader.run_pass()) {
  }
  for (Task<void>& task : tasks) task.get();
  EXPECT_EQ(text_of(pages[0]), kFirst + "|" + kSecond + "|");
  EXPECT_EQ(text_of(pages[1]), kSecond + "|");
  const std::string& events = plain.later.events;
  const size_t second = events.find('s', 1);
  ASSERT_NE(second, std::string::npos);
  EXPECT_EQ(events.substr(second, 4), "srrd") << "passes of the first page while it is seen";
  EXPECT_EQ(events.find('w', second), std::string::npos) << events;
}

TEST(VlmReader, APageThatTakesTooLongEndsAloneAmongOthers) {
  const DraftedPage drafted = some_page();
  VlmReaderOptions options;
  options.stages = {Stage::page};
  options.most_pages = 2;
  options.page_timeout = 1e-9;
  ScriptedReader slow({paragraph(kFirst)}, options);
  Page page;
  Task<void> task = slow.read(drafted, page);
  task.start();
  while (!task.done()) slow.reader.run_pass();
  EXPECT_THROW(task.get(), Error);
  EXPECT_TRUE(slow.reader.has_free_slot());
}

}  // namespace
}  // namespace docspec
