// docspec_simulated_ocr [PAGES]: passes of the paper's rule and of the ensemble on simulated pages
// (algorithms.md 1.9): a scripted model, drafts with 0 to 20 % token errors. JSON to stdout.
// docspec_simulated_ocr pages.json tokenizer.json [ROWS]: the same on the pages that replay_pages
// makes, with 16 and 64 rows a pass or ROWS.
#include <ATen/ATen.h>

#include <cstdio>
#include <fstream>
#include <map>
#include <nlohmann/json.hpp>

#include "core/text/tokenizer.h"
#include "tests/support/script_lm.h"

using namespace docspec;
using nlohmann::json;

namespace {

/// The proposers asked beside the passes, as on a GPU.
constexpr const char* kBeside = "ours beside";

const std::pair<const char*, std::string> kRules[] = {{"paper", "window:n=3"},
                                                      {"cursor", "cursor"},
                                                      {"ours", automatic(proposers())},
                                                      {kBeside, automatic(proposers())}};

json counts(const DecodeStats& stats, double pages, double paper_passes) {
  return {{"passes_per_page", double(stats.passes) / pages},
          {"tokens_per_pass", stats.tokens_per_pass()},
          {"aal_all", stats.aal_all()},
          {"empty_share", double(stats.empty_passes) / double(stats.passes)},
          {"times_fewer_than_paper", paper_passes / double(stats.passes)},
          {"host_us_per_pass",
           1000 * (stats.ms("propose") + stats.ms("commit")) / double(stats.passes)},
          {"beside_us_per_pass", 1000 * stats.ms("propose concurrently") / double(stats.passes)}};
}

/// Real pages, real drafts, the tokenizer's own ids; only the model is a script.
int real_pages(const std::string& pages, const std::string& tokenizer_file,
               const std::vector<size_t>& all_rows) {
  const Tokenizer tokenizer = Tokenizer::load(tokenizer_file);
  const json input = json::parse(std::ifstream(pages));
  for (const size_t rows : all_rows) {
    std::map<std::pair<std::string, std::string>, DecodeStats> sums;
    std::map<std::string, int> count;
    for (const json& page : input.at("pages")) {
      const ScriptLm lm(tokenizer.encode(page.at("truth").get<std::string>(), false), 151936);
      std::vector<DraftTokens> drafts;
      for (const json& draft : page.at("drafts"))
        drafts.push_back(
            {draft.at("source"), tokenizer.encode(draft.at("text").get<std::string>(), false)});
      const std::string group = page.at("group");
      ++count[group];
      std::string line = page.at("name").get<std::string>() + ": " +
                         std::to_string(lm.script().size()) + " tokens";
      for (const auto& [name, propose] : kRules) {
        const DecodeStats stats =
            run_script(lm, std::string(propose), drafts, rows, &tokenizer, name == kBeside);
        sums[{group, name}] += stats;
        line += std::string(" ") + name + " " + std::to_string(stats.passes);
        if (name == std::string("ours"))
          for (const auto& [source, n] : stats.by_source)
            line += " " + source + ":" + std::to_string(n.accepted);
      }
      std::fprintf(stderr, "%s\n", line.c_str());
    }
    for (const auto& [key, stats] : sums)
      std::printf("%zu rows %s %s %s\n", rows, key.first.c_str(), key.second.c_str(),
                  counts(stats, count[key.first], double(sums[{key.first, "paper"}].passes))
                      .dump()
                      .c_str());
  }
  return 0;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc > 3) return real_pages(argv[1], argv[2], {size_t(std::atoi(argv[3]))});
  if (argc > 2) return real_pages(argv[1], argv[2], {16, 64});
  const int pages = argc > 1 ? std::atoi(argv[1]) : 10;
  nlohmann::json out = {
      {"command", "build/release/tests/docspec_simulated_ocr " + std::to_string(pages)},
      {"note", "scripted model, 1500 tokens a page; no machine time in it"}};
  for (const size_t rows : {16, 128})
    for (const double rate : {0.0, 0.02, 0.05, 0.1, 0.2}) {
      nlohmann::json row = {{"max_nodes", rows}, {"token_errors", rate}};
      double paper = 0;
      for (const auto& [name, propose] : kRules) {
        DecodeStats stats;
        for (int seed = 0; seed < pages; ++seed) {
          std::mt19937 rng{uint32_t(seed)};
          const SimulatedPage page = simulate_page(rng, rate);
          const DraftTokens draft{"draft", page.draft};
          stats += run_script(ScriptLm(page.truth, SimulatedPage::kVocab), std::string(propose),
                              {&draft, 1}, rows, nullptr, name == kBeside);
        }
        if (paper == 0) paper = double(stats.passes);
        row[name] = counts(stats, pages, paper);
      }
      out["rows"].push_back(row);
      std::fprintf(stderr, "%s\n", row.dump().c_str());
    }
  std::printf("%s\n", out.dump(1).c_str());
}
