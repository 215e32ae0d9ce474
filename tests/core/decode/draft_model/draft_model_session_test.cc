// A draft model of one family beside a target of another, both tiny with random weights.
#include "core/decode/draft_model/draft_model_session.h"

#include <ATen/ATen.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "core/base/error.h"
#include "core/decode/draft_model/draft_gate.h"
#include "core/model/checkpoint/checkpoint.h"
#include "core/model/checkpoint/weights.h"
#include "core/model/families/families.h"
#include "tests/support/files.h"
#include "tests/support/real_stages.h"

namespace docspec {
namespace {

const VlmOptions kTiny = {.dtype = "f32", .share = DOCSPEC_SOURCE_DIR "/share"};
const std::vector<DraftInput> kAllInputs = parse_inputs("", "image+text+pooled+draft");

Vlm load_tiny(const std::string& name, const Ops& ops) {
  return load_vlm(test::oracle_folder(name + "/model"), kTiny, ops);
}

class DraftModelOnRealEngine : public RealStages {
 protected:
  /// What a drafter is shown of the oracle's page.
  DraftModelInput scene_of_page() {
    DraftModelInput scene;
    scene.image = &page_;
    scene.stage = "page";
    scene.text = "a line of text\nand another";
    scene.generation = &generation_;
    scene.vocab_size = vlm_.language_model().vocab_size();
    return scene;
  }
  std::vector<Spec> specs(const std::string& draft, const std::string& propose) {
    std::vector<Spec> out = parse_spec_list("--draft", draft, forms(draft_proposers()));
    if (propose.empty()) return out;
    for (Spec& spec : parse_spec_list("--propose", propose, forms(proposers())))
      out.push_back(std::move(spec));
    return out;
  }
  std::vector<DraftModel> models() {
    const auto note = [this](std::string_view why) { failures_.emplace_back(why); };
    return {{"sibling", draft_model_sessions(sibling_), gate_, note},
            {"itself", draft_model_sessions(vlm_), gate_, note}};
  }

  Vlm sibling_ = load_tiny("qwen3_vl/hub_tied", *ops_);
  const PageImage page_ = oracle_.page(0);
  const Generation generation_ = generation(1.2);
  std::vector<std::string> failures_;
  DraftGate gate_;
};

TEST_F(DraftModelOnRealEngine, AfterAnyRollbackLawsHaveTheBitsOfAFreshCache) {
  const int64_t vocab = vlm_.language_model().vocab_size();
  for (uint32_t seed = 0; seed < 4; ++seed) {
    std::mt19937 rng(seed);
    const auto any = [&] { return int32_t(rng() % uint64_t(vocab - 20)); };
    const auto source = draft_model_sessions(sibling_)(scene_of_page(), kAllInputs);
    Ids output = {any()}, ahead;
    for (int round = 0; round < 6; ++round) {
      ahead.resize(rng() % 9);
      for (int32_t& id : ahead) id = any();
      const size_t from = rng() % (ahead.size() + 1);
      const auto distributions = source->read(output, ahead, from);
      ASSERT_EQ(distributions.size(), ahead.size() + 1 - from);
      const auto fresh = draft_model_sessions(sibling_)(scene_of_page(), kAllInputs);
      Ids text = output;
      text.insert(text.end(), ahead.begin(), ahead.end());
      EXPECT_EQ(distributions.back(), fresh->read(text, {}, 0).at(0)) << "seed " << seed;
      const size_t accepted = rng() % (ahead.size() + 1);
      output.insert(output.end(), ahead.begin(), ahead.begin() + std::ptrdiff_t(accepted));
      output.push_back(rng() % 2 && accepted < ahead.size() ? ahead[accepted] : any());
    }
  }
}

TEST_F(DraftModelOnRealEngine, EachInputShowsWhatItIsNamedFor) {
  const Ids output = {7};
  const auto laws_of_scene = [&](const DraftModelInput& scene) {
    return draft_model_sessions(sibling_)(scene, kAllInputs)->read(output, {}, 0).at(0);
  };
  const DraftModelInput scene = scene_of_page();
  const auto distributions = laws_of_scene(scene);
  for (size_t a = 0; a < distributions.size(); ++a)
    for (size_t b = 0; b < a; ++b) EXPECT_NE(distributions[a], distributions[b]) << a << b;
  PageImage other = page_;
  for (int y = 0; y < other.height_px(); ++y) std::fill_n(other.row(y), other.width_px(), 99);
  DraftModelInput changed = scene;
  changed.image = &other;
  const auto by_image = laws_of_scene(changed);
  EXPECT_NE(by_image[0], distributions[0]);
  EXPECT_EQ(by_image[1], distributions[1]) << "text";
  EXPECT_NE(by_image[2], distributions[2]);
  EXPECT_EQ(by_image[3], distributions[3]) << "draft";
  changed = scene;
  changed.text = "<|im_end|> other";  // must not end anything
  const auto by_text = laws_of_scene(changed);
  for (size_t m = 0; m < 3; ++m) EXPECT_EQ(by_text[m], distributions[m]);
  EXPECT_NE(by_text[3], distributions[3]);
  // The text variant is its prompt with line breaks in the image's place, token for token.
  Ids prompt = sibling_.prompt_ids(&page_, sibling_.prompts().question("page"));
  const int32_t line_break = sibling_.tokenizer().encode("\n", false).at(0);
  std::replace(prompt.begin(), prompt.end(), sibling_.image_token(), line_break);
  Prefilled read = sibling_.prefill(nullptr, prompt);
  const at::Tensor logits = test::step(sibling_.language_model(), *read.cache, 7).contiguous();
  LogitProcessor penalties(generation_.processor);
  penalties.commit(output);
  at::Tensor penalized = logits;
  penalties.apply(penalized, 0, DraftTree(7));
  EXPECT_EQ(sampling_distribution({penalized.const_data_ptr<float>(), size_t(scene.vocab_size)},
                                  {.temperature = 1}),
            distributions[1]);
}

TEST_F(DraftModelOnRealEngine, PoolingAveragesFourRows) {
  const VisualRows seen = sibling_.encode_image(page_), half = pooled(seen);
  EXPECT_EQ(half.height, (seen.height + 1) / 2);
  EXPECT_EQ(half.width, (seen.width + 1) / 2);
  EXPECT_EQ(half.rows.size(0), half.height * half.width);
  const auto row = [&](int64_t y, int64_t x) { return seen.rows[y * seen.width + x]; };
  const at::Tensor mean = (row(0, 0) + row(0, 1) + row(1, 0) + row(1, 1)) / 4;
  EXPECT_TRUE(at::allclose(half.rows[0], mean, 1e-5, 1e-6));
  const VisualRows list = pooled({seen.rows, seen.rows.size(0), 1});
  EXPECT_EQ(list.rows.size(0), (seen.rows.size(0) + 3) / 4);
}

TEST_F(DraftModelOnRealEngine, IdsAreThoseOfPlainDecodingHoweverItDrafts) {
  const auto loaded = models();
  int64_t accepted = 0;
  uint32_t seed = 0;
  for (const char* draft :
       {"model:sibling", "model:itself,gamma=3", "model:sibling,width=2",
        "model:itself,width=3,gamma=7", "model:sibling,inputs=image+text+pooled+draft",
        "model:itself,inputs=draft+image,window=4", "model:sibling,phrases=6",
        "model:itself,phrases=3", "model:sibling,width=2",
        "model:itself,inputs=pooled+text,weights=equal",
        "model:sibling,model:itself,gamma=2,retrieval"})
    for (const std::string& propose : {std::string(), automatic(proposers())}) {
      SCOPED_TRACE(std::string(draft) + " " + propose);
      std::mt19937 rng(++seed);
      const uint32_t kind = seed % 2 ? 0 : 3;  // without and with a penalty
      const Scene& page = scene(kind);
      const std::vector<Draft> drafts = random_drafts(rng, page, scene(1));
      const std::vector<Spec> all = specs(draft, propose);
      StageEngine engine = this->engine(kind < 3 ? 1 : 1.3, all);
      engine.draft_models = loaded;
      engine.page_drafts = !propose.empty();
      engine.decode.cost.fixed = 1 + rng() % 60;
      engine.decode.max_batch = 1 + rng() % 4;
      const StageInput input{&page.image, page.regions, drafts, &memory_};
      for (const Stage stage : {Stage::region, Stage::page}) {
        const StageResult result = run_stage(stage, engine, input);
        for (const Job& job : result.jobs) {
          const auto output = job.output();
          EXPECT_EQ(Ids(output.begin(), output.end()), page.truth.at(stage).at(job.label().region));
        }
        accepted += result.stats.accepted;
      }
    }
  EXPECT_GT(accepted, 500);
  EXPECT_TRUE(failures_.empty()) << failures_.front();
}

TEST_F(DraftModelOnRealEngine, TheTargetAsItsOwnDrafterIsAcceptedWhole) {
  const auto loaded = models();
  const Scene& page = scene(3);
  const auto one = specs("model:itself,gamma=4", "");
  StageEngine engine = this->engine(1.3, one);
  engine.draft_models = loaded;
  engine.decode.cost.fixed = 16;
  const StageResult result = run_stage(Stage::page, engine, {&page.image, page.regions, {}});
  const auto& own = result.stats.by_source.at("draft-model");
  EXPECT_EQ(own.accepted, own.proposed);
  EXPECT_EQ(result.stats.passes, (result.stats.emitted + 4) / 5);
}

class Blind : public VisionEncoder {
  at::Tensor encode(const Patches&) const override { throw std::runtime_error("sees nothing"); }
  VisionBytes bytes() const override { return {}; }
};

TEST_F(DraftModelOnRealEngine, AModelThatCannotReadThePageCostsItsProposals) {
  const Checkpoint checkpoint(oracle_.model());
  Weights weights(checkpoint, at::kFloat, at::kCPU);
  Vlm::Parts parts = make_qwen2_5_vl(checkpoint, weights, *ops_);
  parts.trunk->finish();
  parts.vision = std::make_unique<Blind>();
  const Vlm blind({"blind", 0, "f32"}, std::move(parts),
                  std::make_unique<Tokenizer>(Tokenizer::load(oracle_.model() / "tokenizer.json")),
                  vlm_.prompts());
  const std::vector<DraftModel> loaded = {
      {"blind", draft_model_sessions(blind), gate_,
       [this](std::string_view why) { failures_.emplace_back(why); }}};
  const Scene& page = scene(0);
  const auto specs = this->specs("model:blind", "");
  StageEngine engine = this->engine(1, specs);
  engine.draft_models = loaded;
  EXPECT_EQ(ids(Stage::page, engine, {&page.image, page.regions, {}}), page.truth.at(Stage::page));
  EXPECT_EQ(failures_, std::vector<std::string>{"sees nothing"});
}

TEST_F(DraftModelOnRealEngine, AnotherTokenizerIsRefusedByName) {
  require_same_tokenizer(vlm_, sibling_, "sibling");
  const Vlm other = load_tiny("dots_ocr/hub", *ops_);
  try {
    require_same_tokenizer(vlm_, other, "other");
    ADD_FAILURE() << "not refused";
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ExitCode::dependency);
    EXPECT_NE(std::string(error.what()).find("--draft model:other"), std::string::npos);
  }
}

TEST(DraftInputs, AreReadFromTheirNames) {
  EXPECT_EQ(parse_inputs("--draft", "draft+image"),
            (std::vector<DraftInput>{DraftInput::draft, DraftInput::image}));
  for (const char* bad : {"", "image+", "images", "image+image"})
    EXPECT_THROW(parse_inputs("--draft", bad), Error) << bad;
}

}  // namespace
}  // namespace docspec
