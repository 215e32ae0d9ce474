// A model that says what wants to be code: nothing of it is, in any output.
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "core/decode/registry.h"
#include "core/markup/registry.h"
#include "core/model/prompt_set.h"
#include "core/read/vlm_reader.h"
#include "tests/support/command.h"
#include "tests/support/files.h"
#include "tests/support/scripted_vlm.h"
#include "tests/support/temp_dir.h"

namespace docspec {
namespace {

/// The page of one region whose draft is `text`.
DraftedPage page_of(int number, const std::string& text) {
  DraftedPage page;
  page.info = {144, 144, 0, 0};
  page.image.emplace(number, 144, 144, 72);
  page.drafts = {number, 144, 144, 72, {}, {}};
  page.drafts.regions = {{0, 0, RegionKind::text, {5, 5, 139, 60}}};
  page.drafts.drafts = {{0, "tesseract", text, 1, {}}};
  return page;
}

/// What a scripted model of `family` made of the strings, one a page.
Document said_by_a_model(const std::vector<std::string>& strings, const std::string& family) {
  const std::unique_ptr<Ops> ops = make_aten_ops();
  const Vlm vlm = scripted_vlm(*ops, strings, 10, family);
  const std::unique_ptr<Dialect> dialect = make_dialect(vlm.prompts().dialect());
  const std::unique_ptr<Verifier> verifier =
      make_verifier(parse_spec("--verify", "exact", forms(verifiers())));
  const std::vector<Spec> specs = parse_spec_list("--propose", "window", forms(proposers()));
  StageEngine engine{
      vlm,       *ops,  *dialect,
      *verifier, specs, read_generation(nlohmann::json(), vlm.prompts(), vlm.tokenizer(), 2000),
      {}};
  VlmReaderOptions options;
  options.stages = {Stage::page};
  options.witness = false;
  options.letters = LetterRule::model;
  VlmReader reader(engine, options);
  const auto state = reader.begin_document("in.pdf");
  Document document;
  document.source_file = "in.pdf";
  for (size_t i = 0; i < strings.size(); ++i) {
    const DraftedPage drafted = page_of(int(i) + 1, strings[i]);
    Page& page = document.pages.emplace_back();
    page.page = int(i) + 1;
    page.width_pt = page.height_pt = 144;
    reader.read(*state, drafted, page).run();
  }
  return document;
}

class Injections : public testing::TestWithParam<const char*> {};

TEST_P(Injections, OfAModelAreNeverCode) {
  const std::vector<std::string> strings =
      nlohmann::json::parse(test::read_file(DOCSPEC_SOURCE_DIR "/tests/faults/strings.json"));
  ASSERT_GE(strings.size(), 200u);
  const Document document = said_by_a_model(strings, GetParam());
  size_t read = 0;
  for (const Page& page : document.pages) read += page.level == PageLevel::vlm;
  EXPECT_GT(read, strings.size() / 2) << "the model's text, not the drafts";
  const test::TempDir dir;
  for (const char* name : {"md", "html", "json"}) {
    const std::string file = (dir / "said.").string() + name;
    test::write_file(file, make_output_format(name)->render(document, {}));
    if (name == std::string("json")) {
      EXPECT_NO_THROW(nlohmann::json::parse(test::read_file(file)));
      continue;
    }
    const auto seen =
        test::run_program({"python3", DOCSPEC_SOURCE_DIR "/tests/faults/render.py", file});
    EXPECT_EQ(seen.code, 0) << seen.out << seen.err;
  }
}

INSTANTIATE_TEST_SUITE_P(Families, Injections,
                         testing::Values("qwen2_5_vl", "qwen2_vl", "olmocr", "chandra", "ocrflux"));

}  // namespace
}  // namespace docspec
