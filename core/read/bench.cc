#include "core/read/bench.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "core/base/error.h"
#include "core/base/file_descriptor.h"
#include "core/text/edit_distance.h"

namespace docspec {
namespace {

using nlohmann::json;

/// Time of a decode after its prefill.
double decode_ms(const DecodeStats& stats) {
  double ms = 0;
  for (const auto& [phase, took] : stats.phase_ms)
    if (phase != "prefill" && phase != "vision") ms += took;
  return ms;
}

/// Speed-ups of some pages in both averages.
struct Ratio {
  double baseline_ms = 0, run_ms = 0, sum = 0;
  int64_t pages = 0;

  void add(double baseline, double run) {
    baseline_ms += baseline;
    run_ms += run;
    if (run <= 0) return;
    sum += baseline / run;
    ++pages;
  }
  double of_sums() const { return run_ms > 0 ? baseline_ms / run_ms : 0; }
  double mean() const { return pages ? sum / double(pages) : 0; }
  json to_json() const { return {{"ratio_of_sums", of_sums()}, {"mean_of_ratios", mean()}}; }
};

double ratio(double baseline, double run) {
  return run > 0 ? baseline / run : 0;
}

struct Totals {
  DecodeStats run;
  Ratio decode, e2e;
  int64_t pages = 0, identical = 0, excluded = 0;

  explicit Totals(std::span<const BenchPage> all) {
    for (const BenchPage& page : all) {
      if (loops(page.baseline_ids)) {
        ++excluded;
        continue;
      }
      ++pages;
      identical += !page.first_difference();
      run += page.run;
      decode.add(page.baseline_decode_ms(), page.run_decode_ms());
      e2e.add(page.baseline_e2e_ms(), page.run_e2e_ms());
    }
  }
};

json page_json(const BenchPage& page) {
  const DecodeStats& run = page.run;
  json out = {{"input", page.input},
              {"page", page.page},
              {"output_tokens", int64_t(page.run_ids.size())},
              {"baseline",
               {{"prefill_ms", page.baseline.prefill_ms()},
                {"decode_ms", page.baseline_decode_ms()},
                {"e2e_ms", page.baseline_e2e_ms()}}},
              {"run",
               {{"draft_ms", page.draft_ms},
                {"region_ms", page.region_ms},
                {"region_prefill_ms", page.region.prefill_ms()},
                {"prefill_ms", run.prefill_ms()},
                {"decode_ms", page.run_decode_ms()},
                {"e2e_ms", page.run_e2e_ms()},
                {"passes", run.passes},
                {"accepted", run.accepted},
                {"emitted", run.emitted},
                {"rows", run.rows},
                {"aal_all", run.aal_all()},
                {"aal_tree", run.aal_tree()},
                {"tokens_per_pass", run.tokens_per_pass()},
                {"run_lengths", to_json(run)["run_lengths"]},
                {"phase_ms", run.phase_ms}}},
              {"region", to_json(page.region)},
              {"by_source", to_json(run)["by_source"]},
              {"sr_decode", ratio(page.baseline_decode_ms(), page.run_decode_ms())},
              {"sr_e2e", ratio(page.baseline_e2e_ms(), page.run_e2e_ms())},
              {"identical", !page.first_difference()},
              {"first_difference", nullptr}};
  if (const auto at = page.first_difference())
    out["first_difference"] = {{"position", at->position},
                               {"baseline_id", at->baseline_id},
                               {"run_id", at->run_id},
                               {"margin", at->margin}};
  if (loops(page.baseline_ids)) out["excluded"] = "loop";
  return out;
}

}  // namespace

double BenchPage::baseline_decode_ms() const {
  return decode_ms(baseline);
}
double BenchPage::run_decode_ms() const {
  return decode_ms(run) + draft_ms + region_ms;
}

double BenchPage::baseline_e2e_ms() const {
  return raster_ms + baseline.prefill_ms() + baseline_decode_ms();
}

double BenchPage::run_e2e_ms() const {
  return raster_ms + run.prefill_ms() + run_decode_ms();
}

std::optional<FirstDifference> BenchPage::first_difference() const {
  const auto [a, b] =
      std::mismatch(baseline_ids.begin(), baseline_ids.end(), run_ids.begin(), run_ids.end());
  if (a == baseline_ids.end() && b == run_ids.end()) return std::nullopt;
  const auto position = size_t(a - baseline_ids.begin());
  return FirstDifference{int64_t(position), a == baseline_ids.end() ? -1 : *a,
                         b == run_ids.end() ? -1 : *b,
                         position < baseline_margins.size() ? baseline_margins[position] : 0};
}

bool loops(std::span<const int32_t> ids) {
  constexpr size_t kShortest = 64, kGroup = 32, kTimes = 4;
  for (size_t period = 1; period <= kGroup; ++period) {
    const size_t length = std::max(kShortest, kTimes * period);
    if (ids.size() < length) return false;
    const auto tail = ids.last(length);
    if (std::equal(tail.begin() + ptrdiff_t(period), tail.end(), tail.begin())) return true;
  }
  return false;
}

json bench_json(const json& meta, std::span<const BenchPage> pages) {
  json out = {{"schema", "docspec-bench/1"}};
  out.update(meta);
  json& list = out["pages"] = json::array();
  for (const BenchPage& page : pages) list.push_back(page_json(page));
  const Totals total(pages);
  out["total"] = {{"pages", total.pages},
                  {"identical_pages", total.identical},
                  {"excluded_pages", total.excluded},
                  {"aal_all", total.run.aal_all()},
                  {"aal_tree", total.run.aal_tree()},
                  {"tokens_per_pass", total.run.tokens_per_pass()},
                  {"sr_decode", total.decode.to_json()},
                  {"sr_e2e", total.e2e.to_json()}};
  return out;
}

json bench_texts(std::span<const BenchPage> pages, const std::filesystem::path& folder) {
  if (folder.empty()) return json::array();
  std::vector<std::pair<std::string, std::string>> texts;  // input, Markdown of its pages
  for (const BenchPage& page : pages) {
    if (texts.empty() || texts.back().first != page.input) texts.emplace_back(page.input, "");
    texts.back().second += page.markdown + "\n";
  }
  json out = json::array();
  for (const auto& [input, text] : texts)
    for (const char* suffix : {".md", ".txt"}) {
      constexpr int64_t kMost = 100'000'000;
      const auto file = folder / (std::filesystem::path(input).stem().string() + suffix);
      if (std::error_code none; !std::filesystem::exists(file, none)) continue;
      const std::string truth = read_regular(file, kMost, ExitCode::input_file);
      out.push_back({{"input", input}, {"edit_distance", normalized_edit_distance(text, truth)}});
      break;
    }
  return out;
}

std::string bench_table(std::span<const BenchPage> pages, const json& texts) {
  std::string out =
      fmt::format("{:<24} {:>5} {:>7} {:>7} {:>7} {:>7} {:>9} {:>7}  {}\n", "input", "page",
                  "tokens", "passes", "AAL", "tok/p", "SRdecode", "SRe2e", "identical");
  for (const BenchPage& page : pages) {
    const auto at = page.first_difference();
    out += fmt::format(
        "{:<24} {:>5} {:>7} {:>7} {:>7.2f} {:>7.2f} {:>9.2f} {:>7.2f}  {}{}\n",
        page.input.substr(page.input.find_last_of('/') + 1), page.page, page.run_ids.size(),
        page.run.passes, page.run.aal_all(), page.run.tokens_per_pass(),
        ratio(page.baseline_decode_ms(), page.run_decode_ms()),
        ratio(page.baseline_e2e_ms(), page.run_e2e_ms()),
        at ? fmt::format("differs at token {}, margin {:.2g}", at->position, at->margin) : "yes",
        loops(page.baseline_ids) ? " (loops: left out)" : "");
  }
  const Totals total(pages);
  out += fmt::format(
      "total: {} pages ({} left out), {} identical; AAL {:.2f} (with a tree {:.2f}), {:.2f} tokens "
      "per pass\nspeed-up, ratio of sums (mean of ratios): decode {:.2f} ({:.2f}), end to end "
      "{:.2f} "
      "({:.2f})\n",
      total.pages, total.excluded, total.identical, total.run.aal_all(), total.run.aal_tree(),
      total.run.tokens_per_pass(), total.decode.of_sums(), total.decode.mean(), total.e2e.of_sums(),
      total.e2e.mean());
  for (const json& text : texts)
    out += fmt::format("{}: edit distance from its truth {:.2f} %\n",
                       text.at("input").get<std::string>(),
                       100 * text.at("edit_distance").get<double>());
  return out;
}

}  // namespace docspec
