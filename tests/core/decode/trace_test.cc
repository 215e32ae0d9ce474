#include "core/decode/trace.h"

#include <ATen/ATen.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "core/decode/verify/exact_verifier.h"
#include "tests/support/decode_laws.h"
#include "tests/support/scripted_proposer.h"

namespace docspec {
namespace {

/// A model with a known output, and a job that is offered: the truth and a wrong token; nothing;
/// the truth up to a wrong token with two tokens below it.
struct Scene {
  ToyLm lm{{.vocab = 50, .seed = 8}};
  std::unique_ptr<Ops> ops = make_aten_ops();
  Ids truth;
  std::vector<Ids> told;
  std::vector<Job> jobs;

  Scene() {
    ToyCase toy;
    toy.lm = {.vocab = 50, .seed = 8};
    toy.prompts = {{1, 2}};
    toy.limits.max_new_tokens = 8;
    truth = run(toy, *make_exact_verifier(), ProposersOf()).output[0];
    const int32_t wrong = (truth[1] + 1) % 50, wrong5 = (truth[5] + 1) % 50;
    Job& job =
        jobs.emplace_back(JobLabel{3, "region", 7}, Ids{1, 2}, lm.prefill({1, 2}), toy.limits);
    job.add(std::make_unique<ScriptedProposer>(
        ScriptedProposer::Script{{{truth[1], truth[2]}, {wrong}}, {}, {{wrong5, 1, 2}, {-1, 4}}},
        &told));
    job.keep_refusals();
    at::Tensor logits = lm.logits_after({1, 2});
    start(job, *ops, logits);
    decode(lm, *ops, *make_exact_verifier(), nullptr, jobs, {});
  }
};

TEST(Trace, RecordOfADecode) {
  const Scene scene;
  const auto record = nlohmann::json::parse(trace_record(scene.jobs[0]).dump());
  EXPECT_EQ(record["page"], 3);
  EXPECT_EQ(record["stage"], "region");
  EXPECT_EQ(record["region"], 7);
  EXPECT_EQ(record["prompt_ids"], (Ids{1, 2}));
  EXPECT_EQ(record["output_ids"], scene.truth);
  EXPECT_EQ(record["end"], "length");
  ASSERT_EQ(record["steps"].size(), 5u);  // 1 + (3, 1, 1, 1, 1) tokens
  EXPECT_EQ(record["steps"][0],
            (nlohmann::json{{"rows", 4}, {"accepted", 2}, {"source", "script"}}));
  EXPECT_EQ(record["steps"][1],
            (nlohmann::json{{"rows", 1}, {"accepted", 0}, {"source", nullptr}}));
  EXPECT_EQ(record["steps"][2]["rows"], 3);  // cut to the budget: two places before the bonus token
  EXPECT_EQ(record["steps"][2]["accepted"], 0);
}

TEST(Trace, ExplainsEachRefusal) {
  const Scene scene;
  const auto record = explain_record(scene.jobs[0], [](int32_t id) { return std::to_string(id); });
  ASSERT_EQ(record["refused"].size(), 2u);
  const auto& first = record["refused"][0];
  EXPECT_EQ(first["position"], 1);
  EXPECT_EQ(first["model"], scene.truth[1]);
  EXPECT_EQ(first["proposed"], (scene.truth[1] + 1) % 50);
  EXPECT_EQ(first["proposed_text"], std::to_string((scene.truth[1] + 1) % 50));
  EXPECT_EQ(first["source"], "script");
  EXPECT_EQ(first["lost_rows"], 1);
  EXPECT_GT(first["margin"], 0.0);
  Ids path{1, 2, scene.truth[0]};
  const at::Tensor p = at::log_softmax(scene.lm.logits_after(path)[0], 0);
  EXPECT_NEAR(first["logprob"], p[(scene.truth[1] + 1) % 50].item<double>(), 1e-5);
  EXPECT_NEAR(first["margin"], (p[scene.truth[1]] - p[(scene.truth[1] + 1) % 50]).item<double>(),
              1e-5);
  EXPECT_EQ(record["refused"][1]["position"], 5);
  EXPECT_EQ(record["refused"][1]["lost_rows"], 2);
}

TEST(Trace, ProposersHearWhatWasEmitted) {
  const Scene scene;
  Ids all{scene.truth[0]};
  for (const Ids& step : scene.told) all.insert(all.end(), step.begin(), step.end());
  EXPECT_EQ(all, scene.truth);
}

}  // namespace
}  // namespace docspec
