// simulated_ocr [PAGES]: passes of the paper's rule and of the ensemble on simulated pages
// (algorithms.md 1.9): a scripted model, drafts with 0 to 20 % token errors. JSON to stdout.
#include <ATen/ATen.h>

#include <cstdio>
#include <nlohmann/json.hpp>

#include "tests/support/script_lm.h"

using namespace docspec;

int main(int argc, char** argv) {
  const int pages = argc > 1 ? std::atoi(argv[1]) : 10;
  nlohmann::json out = {
      {"command", "build/release/tests/docspec_simulated_ocr " + std::to_string(pages)},
      {"note", "scripted model, 1500 tokens a page; no machine time in it"}};
  const std::pair<const char*, std::string> rules[] = {
      {"paper", "window:n=3"}, {"cursor", "cursor"}, {"ours", std::string(kAllProposers)}};
  for (const size_t rows : {16, 128})
    for (const double rate : {0.0, 0.02, 0.05, 0.1, 0.2}) {
      nlohmann::json row = {{"max_nodes", rows}, {"token_errors", rate}};
      double paper = 0;
      for (const auto& [name, propose] : rules) {
        DecodeStats stats;
        for (int seed = 0; seed < pages; ++seed) {
          std::mt19937 rng{uint32_t(seed)};
          const SimulatedPage page = simulate_page(rng, rate);
          const DraftTokens draft{"draft", page.draft};
          stats +=
              run_script(ScriptLm(page.truth, SimulatedPage::kVocab), propose, {&draft, 1}, rows);
        }
        if (paper == 0) paper = double(stats.passes);
        row[name] = {{"passes_per_page", double(stats.passes) / pages},
                     {"tokens_per_pass", stats.tokens_per_pass()},
                     {"aal_all", stats.aal_all()},
                     {"empty_share", double(stats.empty_passes) / double(stats.passes)},
                     {"times_fewer_than_paper", paper / double(stats.passes)},
                     {"host_us_per_pass",
                      1000 * (stats.ms("propose") + stats.ms("commit")) / double(stats.passes)}};
      }
      out["rows"].push_back(row);
      std::fprintf(stderr, "%s\n", row.dump().c_str());
    }
  std::printf("%s\n", out.dump(1).c_str());
}
