// docspec convert --model through the real binary, on a tiny checkpoint with random weights.
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <sstream>

#include "tests/support/command.h"
#include "tests/support/files.h"
#include "tests/support/temp_dir.h"

namespace docspec::test {
namespace {

using nlohmann::json;

const std::string kInvoice = DOCSPEC_SOURCE_DIR "/share/samples/invoice.pdf";
const std::string kModel = oracle_folder("qwen2_5_vl/hub_tied/model");

bool contains(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

std::vector<json> json_lines(const std::string& path) {
  std::vector<json> out;
  std::istringstream in(read_file(path));
  for (std::string line; std::getline(in, line);) out.push_back(json::parse(line));
  return out;
}

/// A run's process, its document and the records of its trace by stage.
struct Converted {
  CommandResult process;
  json document, stats;
  std::map<std::string, std::vector<json>> trace;

  const json& page_ids() const { return trace.at("page").at(0).at("output_ids"); }
};

Converted convert(const std::vector<std::string>& flags) {
  TempDir dir;
  std::vector<std::string> arguments = {
      "convert", kInvoice,         "--model",   kModel, "--trace", dir / "t.jsonl",
      "-o",      dir / "out.json", "--threads", "1",    "--stats", dir / "s.json"};
  if (std::find(flags.begin(), flags.end(), "--max-new-tokens") == flags.end())
    arguments.insert(arguments.end(), {"--max-new-tokens", "12"});
  arguments.insert(arguments.end(), flags.begin(), flags.end());
  Converted run;
  // Idle threads that spin slow two threads tenfold on a busy machine.
  run.process = docspec(arguments, {.environment = {"OMP_WAIT_POLICY=passive"}});
  if (!std::filesystem::exists(dir / "out.json")) return run;
  run.document = json::parse(read_file(dir / "out.json"));
  run.stats = json::parse(read_file(dir / "s.json"));
  for (json& record : json_lines(dir / "t.jsonl"))
    run.trace[record.at("stage")].push_back(std::move(record));
  return run;
}

const std::vector<std::string> kBothStages = {"--stages", "region,page"};

TEST(ModelConvert, AMemoryCeilingIsPlannedForAndSaid) {
  const Converted roomy = convert({"--memory", "64G", "-v"});
  EXPECT_TRUE(contains(roomy.process.err, "memory: base ")) << roomy.process.err;
  EXPECT_FALSE(contains(roomy.process.err, "--memory: ")) << roomy.process.err;
  const Converted tight = convert({"--memory", "1M"});
  EXPECT_EQ(tight.process.code, 7) << tight.process.err;
  EXPECT_TRUE(contains(tight.process.err, "the smallest plan is base")) << tight.process.err;
  EXPECT_TRUE(tight.document.is_null()) << "nothing is written";
}

TEST(ModelConvert, ThreadsThatWaitSpinBrieflyUnlessTheUserSaysOtherwise) {
  const auto said = [](const std::string& setting) {
    return test::run_program({"env", "-u", "OMP_WAIT_POLICY", "OMP_DISPLAY_ENV=verbose", setting,
                              DOCSPEC_BINARY, "convert", "none.pdf", "--model", "builtin"},
                             {})
        .err;
  };
  EXPECT_TRUE(contains(said("NO=1"), "GOMP_SPINCOUNT = '10000'")) << said("NO=1");
  EXPECT_TRUE(contains(said("GOMP_SPINCOUNT=7"), "GOMP_SPINCOUNT = '7'"));
}

TEST(ModelConvert, WholeNumbersSayThatTheirExactnessIsTheirOwn) {
  for (const std::string dtype : {"int8", "int4"}) {
    const Converted run = convert({"--dtype", dtype});
    EXPECT_TRUE(contains(run.process.err, "exact (compared with plain decoding in " + dtype + ")"))
        << run.process.err;
    EXPECT_EQ(run.document.at("stats").at("dtype"), dtype);
    EXPECT_EQ(run.stats.at("decode").at("dtype"), dtype);
  }
}

TEST(ModelConvert, RunsBothStagesAndWritesTheDocumentOfTheFallback) {
  // A budget of rows: a tiny model's passes cost so little for one row that no draft would pay.
  const Converted run = convert({"--stages", "region,page", "--max-nodes", "32"});
  EXPECT_EQ(run.process.code, 3) << run.process.err;
  EXPECT_TRUE(contains(run.process.err, "cut off at the limit of 12 tokens")) << run.process.err;
  EXPECT_TRUE(contains(run.process.err, "· exact")) << run.process.err;
  const json& page = run.document.at("pages").at(0);
  EXPECT_EQ(page.at("status"), "fallback");
  EXPECT_EQ(page.at("level"), "text-layer");
  EXPECT_TRUE(contains(page.at("failure").at("message"), "limit of 12 tokens"));
  EXPECT_TRUE(contains(page.at("blocks").dump(), "Mooring rope")) << "nothing is lost";

  EXPECT_GT(run.trace.at("region").size(), 2u);
  ASSERT_EQ(run.trace.at("page").size(), 1u);
  for (const auto& [stage, records] : run.trace)
    for (const json& record : records) {
      EXPECT_EQ(record.at("page"), 1);
      EXPECT_EQ(record.at("region").is_null(), stage == "page");
      EXPECT_EQ(record.at("output_ids").size(), 12u);
      int64_t emitted = 1, visual = 0;  // the first token comes from the prompt
      for (const json& step : record.at("steps")) {
        EXPECT_GE(step.at("rows"), 1);
        EXPECT_EQ(step.at("source").is_null(), step.at("accepted") == 0);
        emitted += 1 + step.at("accepted").get<int64_t>();
      }
      EXPECT_EQ(emitted, 12);
      for (const json& id : record.at("prompt_ids")) visual += id == 510;
      EXPECT_GT(visual, 3) << "a placeholder for each visual token";
    }
  EXPECT_GT(run.trace.at("page")[0].at("steps")[0].at("rows"), 1) << "drafts were proposed";
}

TEST(ModelConvert, DocumentNamesItsModelAndItsCounts) {
  const Converted run = convert(kBothStages);
  const json& model = run.document.at("model");
  EXPECT_EQ(model.at("family"), "qwen2_5_vl");
  EXPECT_EQ(model.at("dtype"), "f32") << "auto, below 100 M parameters";
  EXPECT_GT(model.at("parameters"), 100'000);
  const json& stats = run.document.at("stats");
  EXPECT_EQ(stats.at("exactness"), "exact");
  EXPECT_EQ(stats.at("page").at("output_tokens"), 12);
  EXPECT_GT(stats.at("region").at("decodes"), 2);
  EXPECT_EQ(run.stats.at("decode").at("exactness"), "exact");
  EXPECT_GT(run.stats.at("decode").at("tokens_per_s"), 0);
  EXPECT_EQ(run.stats.at("decode").at("page"), stats.at("page")) << "one document";
}

TEST(ModelConvert, PageIdsAreThoseOfPlainDecoding) {
  const Converted drafted = convert({"--draft", "auto"});
  EXPECT_FALSE(drafted.trace.contains("region")) << "born digital: nothing is in doubt";
  for (const std::vector<std::string>& flags :
       std::vector<std::vector<std::string>>{{"--draft", "none"},
                                             {"--preset", "plain"},
                                             {"--preset", "paper"},
                                             {"--stages", "page", "--propose", "window:n=1"},
                                             {"--stages", "region,page", "--propose", "cursor"},
                                             {"--propose", "window,automaton,history,template"},
                                             {"--max-nodes", "5", "--batch", "1"}}) {
    const Converted other = convert(flags);
    EXPECT_EQ(other.page_ids(), drafted.page_ids()) << flags[1];
    const bool plain = flags[1] == "none" || flags[1] == "plain";
    if (plain) {
      EXPECT_EQ(other.trace.at("page")[0].at("steps").size(), 11u);
    }
    EXPECT_EQ(other.trace.contains("region"), flags[1] == "paper" || flags[1] == "region,page");
  }
}

TEST(ModelConvert, ThreadsChangeNoId) {
  const Converted one =
      convert({"--threads", "1", "--max-new-tokens", "20", "--stages", "region,page"});
  const Converted two =
      convert({"--threads", "2", "--max-new-tokens", "20", "--stages", "region,page"});
  ASSERT_EQ(one.trace.at("region").size(), two.trace.at("region").size());
  for (const auto& [stage, records] : one.trace)
    for (size_t i = 0; i < records.size(); ++i)
      EXPECT_EQ(records[i].at("output_ids"), two.trace.at(stage)[i].at("output_ids"))
          << stage << ' ' << i;
}

TEST(ModelConvert, ApproximateRulesAreCalledSo) {
  for (const std::vector<std::string>& flags :
       std::vector<std::vector<std::string>>{{"--verify", "tolerant:tau=0.75"},
                                             {"--verify", "prob-ratio"},
                                             {"--prune", "fixation"},
                                             {"--stages", "region"}}) {
    const Converted run = convert(flags);
    EXPECT_TRUE(contains(run.process.err, "· approximate")) << run.process.err;
    EXPECT_EQ(run.document.at("stats").at("exactness"), "approximate") << flags[1];
    EXPECT_EQ(run.stats.at("decode").at("exactness"), "approximate") << flags[1];
  }
  EXPECT_EQ(convert({"--verify", "tolerant:tau=1"}).document.at("stats").at("exactness"), "exact");
}

TEST(ModelConvert, FixationSaysWhatItLeftOutAndAllOfItIsPlainDecoding) {
  const std::string plain = "fixation:least=1,warmup=2,focal=0.5,keep=";
  const Converted few = convert({"--prune", plain + "0.1", "--draft", "none"});
  EXPECT_TRUE(contains(few.process.err, "fixation in ")) << few.process.err;
  const auto& counts = few.stats.at("decode").at("page");
  EXPECT_GT(counts.at("pruned_passes"), 0);
  EXPECT_LT(counts.at("visual_keys").get<int64_t>(), counts.at("all_visual_keys").get<int64_t>());
  const Converted none = convert({"--draft", "none"});
  EXPECT_EQ(convert({"--prune", plain + "1", "--max-nodes", "16"}).page_ids(), none.page_ids());
  EXPECT_EQ(convert({"--prune", plain + "0.1,guard=100000"}).page_ids(), none.page_ids());
  EXPECT_TRUE(contains(convert({"--prune", "fixation:least=100000"}).process.err,
                       "no image had enough visual tokens"));
}

TEST(ModelConvert, CalibrationSparesTheWarmUpAndLeavesTheModelsFilesAlone) {
  TempDir dir;
  const std::string model = dir / "model";
  std::filesystem::copy(kModel, model);
  const CommandOptions cached{.environment = {"XDG_CACHE_HOME=" + (dir / "cache").string()}};
  const auto pruned = [&](const std::string& folder) {
    const auto run = docspec({"convert", kInvoice, "--model", folder, "--draft", "none", "-o",
                              dir / "out.md", "--prune", "fixation:least=1,warmup=6", "--force",
                              "--max-new-tokens", "40", "--threads", "1", "--stats", dir / "stats"},
                             cached);
    EXPECT_TRUE(run.code == 0 || run.code == 3) << run.err;
    const json counts = json::parse(read_file(dir / "stats")).at("decode").at("page");
    return std::pair(counts.at("pruned_passes").get<int>(), counts.at("passes").get<int>());
  };
  const auto before = pruned(model);
  EXPECT_LT(before.first, before.second);
  const auto calibrated = docspec({"model", "calibrate", model, kInvoice}, cached);
  ASSERT_EQ(calibrated.code, 0) << calibrated.err;
  EXPECT_TRUE(contains(calibrated.out, "focal layers of --prune fixation: ")) << calibrated.out;
  EXPECT_TRUE(contains(calibrated.out, "kept in " + (dir / "cache").string())) << calibrated.out;
  EXPECT_FALSE(std::filesystem::exists(model + "/docspec.json"));
  const auto after = pruned(model);
  EXPECT_EQ(after.first, after.second) << "no warm-up";

  // For a copy of the model that is given on.
  const std::string settings = dir / "docspec.json";
  ASSERT_EQ(docspec({"model", "calibrate", model, kInvoice, "-o", settings}).code, 0);
  const json shares = json::parse(read_file(settings)).at("visual_shares");
  const json config = json::parse(read_file(kModel + "/config.json"));
  EXPECT_EQ(shares.size(), config.at("num_hidden_layers").get<size_t>());
  for (const json& share : shares) {
    EXPECT_GT(share, 0.0);
    EXPECT_LT(share, 1.0);
  }
  std::filesystem::rename(settings, model + "/docspec.json");
  const auto given_on = pruned(model);
  EXPECT_EQ(given_on.first, given_on.second);
}

TEST(ModelConvert, CalibrationOfTheShippedModelWritesNoShippedFile) {
  const std::string settings = DOCSPEC_SOURCE_DIR "/share/models/mini/docspec.json";
  const std::string before = read_file(settings);
  const auto written = std::filesystem::last_write_time(settings);
  const auto calibrated = docspec({"model", "calibrate", "builtin", kInvoice});
  ASSERT_EQ(calibrated.code, 0) << calibrated.err;
  EXPECT_EQ(std::filesystem::last_write_time(settings), written);
  EXPECT_EQ(read_file(settings), before);
}

TEST(ModelConvert, CalibrationNeedsAModelAndFiles) {
  EXPECT_EQ(docspec({"model", "calibrate", "none", kInvoice}).code, 1);
  const auto no_pages = docspec({"model", "calibrate", kModel});
  EXPECT_EQ(no_pages.code, 1);
  EXPECT_TRUE(contains(no_pages.err, "FILE")) << no_pages.err;
}

TEST(ModelConvert, SampledTextDependsOnTheSeedAndNotOnDrafts) {
  const std::vector<std::string> flags = {"--temperature", "1", "--top-k", "50", "--seed"};
  const auto sampled = [&](const char* seed, const std::vector<std::string>& more) {
    std::vector<std::string> all = flags;
    all.push_back(seed);
    all.insert(all.end(), more.begin(), more.end());
    return convert(all);
  };
  const Converted drafted = sampled("7", {"--propose", "window:n=1"});
  EXPECT_EQ(sampled("7", {"--draft", "none"}).page_ids(), drafted.page_ids());
  EXPECT_EQ(sampled("7", {"--batch", "1", "--max-nodes", "3"}).page_ids(), drafted.page_ids());
  EXPECT_NE(sampled("8", {}).page_ids(), drafted.page_ids());
  EXPECT_TRUE(contains(drafted.process.err, "· lossless")) << drafted.process.err;
  EXPECT_EQ(drafted.document.at("stats").at("exactness"), "lossless");
  for (const char* rule : {"token", "block", "restart"})
    EXPECT_EQ(sampled("7", {"--verify", rule, "--draft", "none"}).page_ids(), drafted.page_ids())
        << rule;
}

TEST(ModelConvert, AStoreChangesNoIdAndABadOneEndsTheRun) {
  TempDir dir;
  std::ofstream(dir / "text.md") << "Invoice of a rope maker";
  ASSERT_EQ(docspec({"store", "build", dir / "text.md", "-o", dir / "store.json"}).code, 0);
  const std::string store = "retrieval:store=" + std::string(dir / "store.json");
  EXPECT_EQ(convert({"--propose", store}).page_ids(), convert({"--draft", "none"}).page_ids());
  const Converted bad = convert({"--propose", "retrieval:store=" + std::string(dir / "text.md")});
  EXPECT_EQ(bad.process.code, 1);
  EXPECT_TRUE(contains(bad.process.err, "docspec store build")) << bad.process.err;
}

TEST(ModelConvert, BenchComparesWithPlainDecoding) {
  TempDir dir;
  std::filesystem::create_directory(dir / "truth");
  std::ofstream(dir / "truth/invoice.md") << "Mooring rope";
  // A budget of rows, as a measured curve may say that no draft pays here, and is not measured
  // then.
  const Converted run =
      convert({"--bench-out", dir / "b.json", "--explain", dir / "e.jsonl", "--bench-truth",
               dir / "truth", "--stages", "region,page", "--max-nodes", "32"});
  EXPECT_TRUE(contains(run.process.err, "SRdecode")) << run.process.err;
  const json bench = json::parse(read_file(dir / "b.json"));
  EXPECT_EQ(bench.at("schema"), "docspec-bench/1");
  for (const char* key : {"path", "family", "parameters", "dtype"})
    EXPECT_TRUE(bench.at("model").contains(key)) << key;
  EXPECT_EQ(bench.at("device").at("threads"), 1);
  EXPECT_EQ(bench.at("options").at("verify"), "exact");
  const json& page = bench.at("pages").at(0);
  EXPECT_EQ(page.at("identical"), true);
  EXPECT_EQ(page.at("output_tokens"), 12);
  EXPECT_GT(page.at("by_source").size(), 0u);
  EXPECT_GE(
      page.at("run").at("decode_ms").get<double>(),
      page.at("run").at("region_ms").get<double>() + page.at("run").at("draft_ms").get<double>());
  EXPECT_EQ(bench.at("total").at("identical_pages"), 1);
  EXPECT_GT(bench.at("cost_curve").size(), 3u);
  EXPECT_GT(bench.at("texts").at(0).at("edit_distance"), 0.5);
  size_t refused = 0;
  for (const json& record : json_lines(dir / "e.jsonl")) refused += record.at("refused").size();
  EXPECT_GT(refused, 0u) << "a random model agrees with no draft";
}

TEST(ModelConvert, BenchIsAPageOfHtmlByItsNameAndTheCurveIsKept) {
  TempDir dir;
  const CommandOptions options = {
      .environment = {"OMP_WAIT_POLICY=passive", "XDG_CACHE_HOME=" + (dir / "cache").string()}};
  for (int run = 0; run < 2; ++run) {
    const auto result =
        docspec({"convert", kInvoice, "--model", kModel, "--threads", "1", "--max-new-tokens", "12",
                 "--bench-out", dir / "b.html", "-o", dir / "out.md", "--force"},
                options);
    EXPECT_EQ(result.code, 3) << result.err;
    EXPECT_TRUE(contains(read_file(dir / "b.html"), "Milliseconds per pass, by number of rows"));
  }
  const std::filesystem::directory_iterator curves(dir / "cache/docspec");
  EXPECT_EQ(std::distance(begin(curves), end(curves)), 1) << "measured once";
}

TEST(ModelConvert, UnknownSettingsAreUsageErrorsThatListTheKnownOnes) {
  const std::pair<std::vector<std::string>, const char*> cases[] = {
      {{"--propose", "window:m=3"}, "n, candidates, suffix"},
      {{"--propose", "windows"}, "window"},
      {{"--verify", "tolerant:theta=1"}, "tau"},
      {{"--verify", "exakt"}, "prob-ratio"},
      {{"--verify", "tolerant:tau=7"}, "tau"},
      {{"--stages", "pages"}, "region,page"},
      {{"--draft", "tesserakt"}, "tesseract"},
      {{"--max-nodes", "many"}, "1 to 4096"},
      {{"--device", "tpu"}, "cuda"}};
  for (const auto& [flags, known] : cases) {
    const Converted run = convert(flags);
    EXPECT_EQ(run.process.code, 1) << flags[1] << run.process.err;
    EXPECT_TRUE(contains(run.process.err, known)) << flags[1] << ": " << run.process.err;
    EXPECT_TRUE(run.document.is_null()) << flags[1];
  }
}

TEST(ModelConvert, AModelThatIsNoneIsADependencyError) {
  TempDir dir;
  const auto result = docspec({"convert", kInvoice, "--model", dir.path().string()});
  EXPECT_EQ(result.code, 4) << result.err;
  EXPECT_TRUE(contains(result.err, dir.path().string())) << result.err;
}

}  // namespace
}  // namespace docspec::test
