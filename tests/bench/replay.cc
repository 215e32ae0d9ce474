// Replays transcripts through true forward passes of a language model at full geometry with RANDOM
// weights: what passes cost is real, what the model says follows the transcript. See README.md.
//
//   docspec_replay --pages pages.json --tokenizer tokenizer.json --geometry dots_ocr|qwen2_5_vl_3b|
//                  qwen3_5_2b|qwen3_5_4b
//                  [--layers N] [--threads N] [--limit PAGES] [--plain full] [--max-nodes N]
//                  [--prompt ROWS] [--batch N] [--device cpu|cuda] [--clock wall|cpu]
//                  [--paper no]   without the paper's proposer, whose passes are most of the time
#include <ATen/ATen.h>
#include <ATen/Parallel.h>
#include <fmt/format.h>

#include <fstream>
#include <iostream>
#include <map>
#include <nlohmann/json.hpp>

#include "core/decode/align/draft_aligner.h"
#include "core/decode/registry.h"
#include "core/decode/verify/exact_verifier.h"
#include "core/ops/cpu_quirks.h"
#include "core/text/tokenizer.h"
#include "tests/bench/replay_model.h"

using namespace docspec;
using nlohmann::json;

namespace {

struct Arguments {
  std::map<std::string, std::string> values;
  Arguments(int argc, char** argv) {
    for (int i = 1; i + 1 < argc; i += 2) values[argv[i]] = argv[i + 1];
  }
  std::string get(const std::string& key, const std::string& otherwise) const {
    const auto it = values.find(key);
    return it == values.end() ? otherwise : it->second;
  }
};

double token_errors(const std::vector<int32_t>& a, const std::vector<int32_t>& b) {
  std::vector<size_t> row(b.size() + 1);
  for (size_t j = 0; j <= b.size(); ++j) row[j] = j;
  for (size_t i = 0; i < a.size(); ++i) {
    size_t diagonal = row[0]++;
    for (size_t j = 0; j < b.size(); ++j) {
      const size_t above = row[j + 1];
      row[j + 1] = std::min({above + 1, row[j] + 1, diagonal + (a[i] != b[j])});
      diagonal = above;
    }
  }
  return double(row.back()) / double(std::max<size_t>(1, a.size()));
}

/// A page's transcript and what was drafted of it, as tokens.
struct Transcript {
  std::vector<int32_t> script;
  std::vector<DraftTokens> drafts;

  Transcript(const json& page, const Tokenizer& tokenizer)
      : script(tokenizer.encode(page.at("truth").get<std::string>(), false)) {
    for (const json& draft : page.at("drafts"))
      drafts.push_back({draft.at("source").get<std::string>(),
                        tokenizer.encode(draft.at("text").get<std::string>(), false)});
  }
};

struct Replayed {
  DecodeStats stats;
  double decode_ms = 0;
  bool identical = true;
};

/// Decodes the pages as one batch.
Replayed replay(Engine& engine, const Tokenizer& tokenizer, std::span<const Transcript> pages,
                const std::string& propose, size_t max_nodes) {
  ReplayLm lm(*engine.trunk, engine.prefix);
  std::vector<Job> jobs;
  const double begin = engine.clock();
  for (const Transcript& page : pages) {
    JobLimits limits;
    limits.max_new_tokens = int64_t(page.script.size()) + 8;
    limits.stop_ids = {kStop};
    Job& job =
        jobs.emplace_back(JobLabel{1, "page", {}}, std::vector<int32_t>(size_t(engine.prefix), 0),
                          continued(*engine.prompt), limits);
    lm.follow(job.cache(), page.script);
    if (!propose.empty()) {
      ProposerInput known{page.drafts, kStop, &tokenizer};
      known.aligner = std::make_shared<DraftAligner>(page.drafts, &tokenizer);
      for (const Spec& spec : parse_spec_list("--propose", propose, forms(proposers())))
        job.add(make_proposer(spec, known));
    }
    job.start(page.script.front(), 1);
  }
  DecodeOptions options;
  options.cost = engine.cost;
  options.cost.fixed = max_nodes;
  options.pass.padded = !propose.empty();
  Replayed out;
  out.stats = decode(lm, *engine.ops, *make_exact_verifier(), nullptr, jobs, options);
  out.decode_ms = engine.clock() - begin;
  for (size_t i = 0; i < jobs.size(); ++i)
    out.identical &= std::ranges::equal(jobs[i].output(), pages[i].script);
  return out;
}

json counts(const Replayed& run) {
  const DecodeStats& s = run.stats;
  return {{"decode_ms", run.decode_ms},
          {"passes", s.passes},
          {"rows", s.rows},
          {"aal_all", s.aal_all()},
          {"aal_tree", s.aal_tree()},
          {"tokens_per_pass", s.tokens_per_pass()},
          {"empty_share", double(s.empty_passes) / double(std::max<int64_t>(1, s.passes))},
          {"host_share", (s.ms("propose") + s.ms("commit")) / std::max(1e-9, run.decode_ms)},
          {"phase_ms", s.phase_ms},
          {"by_source", to_json(s)["by_source"]},
          {"identical", run.identical}};
}

/// What a page costs beside its decode, and what a GPU does of it.
struct Around {
  double vision_ms = 0;  ///< measured on a GPU alone: here it would take minutes
  bool paper = true;     ///< whether the paper's proposer is replayed, too
};

json replay_page(Engine& engine, const Tokenizer& tokenizer, const json& page, bool plain_full,
                 size_t max_nodes, int64_t prompt, const Around& around) {
  const Transcript transcript(page, tokenizer);
  const std::span one(&transcript, 1);
  const std::vector<int32_t>& script = transcript.script;
  std::vector<int32_t> joined;
  for (const DraftTokens& draft : transcript.drafts)
    joined.insert(joined.end(), draft.ids.begin(), draft.ids.end());
  engine.prefill(prompt > 0 ? prompt : page.at("prompt_tokens").get<int64_t>());
  const double draft_ms = page.at("draft_ms"), raster_ms = page.at("raster_ms");
  json out = {{"page", page.at("name")},
              {"group", page.at("group")},
              {"tokens", script.size()},
              {"prompt_tokens", engine.prefix},
              {"draft_ms", draft_ms},
              {"raster_ms", raster_ms},
              {"lm_prefill_ms", engine.prefill_ms},
              {"token_errors", token_errors(script, joined)}};
  double plain_ms = 0;
  if (plain_full) {
    out["plain"] = counts(replay(engine, tokenizer, one, "", 0));
    plain_ms = out["plain"]["decode_ms"];
  } else {
    for (size_t t = 0; t < script.size(); ++t) plain_ms += engine.plain_pass(int64_t(t));
    out["plain"] = {{"decode_ms", plain_ms}, {"passes", script.size()}};
  }
  if (engine.device.is_cuda()) out["vision_ms"] = around.vision_ms;
  const double before = raster_ms + engine.prefill_ms;
  for (const auto& [name, propose] :
       {std::pair<const char*, std::string>{"paper", "window"},
        std::pair<const char*, std::string>{"ours", automatic(proposers())}}) {
    if (!around.paper && name == std::string_view("paper")) continue;
    const Replayed run = replay(engine, tokenizer, one, propose, max_nodes);
    out[name] = counts(run);
    out[name]["sr_decode"] = plain_ms / (run.decode_ms + draft_ms);
    if (engine.device.is_cpu()) {
      out[name]["e2e_cpu_no_vision"] = (before + plain_ms) / (before + draft_ms + run.decode_ms);
      continue;
    }
    // Drafts behind vision and prefill, and beside them.
    const double seen = around.vision_ms + engine.prefill_ms, plain = raster_ms + seen + plain_ms;
    out[name]["e2e_gpu"] = {
        {"serial", plain / (raster_ms + seen + draft_ms + run.decode_ms)},
        {"overlapped", plain / (raster_ms + std::max(seen, draft_ms) + run.decode_ms)}};
  }
  return out;
}

/// Each `batch` pages decoded alone and then together, behind a prompt of one length.
json replay_batches(Engine& engine, const Tokenizer& tokenizer, const json& pages, size_t batch,
                    const std::string& propose, int64_t prompt, const Around& around) {
  engine.prefill(prompt > 0 ? prompt : pages[0].at("prompt_tokens").get<int64_t>());
  std::vector<Transcript> transcripts;
  for (const json& page : pages) transcripts.emplace_back(page, tokenizer);
  double alone_ms = 0, together_ms = 0, tokens = 0;
  int64_t alone_passes = 0, together_passes = 0, rows = 0;
  bool identical = true;
  for (size_t from = 0; from + batch <= transcripts.size(); from += batch) {
    const std::span<const Transcript> group(&transcripts[from], batch);
    for (size_t i = 0; i < batch; ++i) {
      const Replayed alone = replay(engine, tokenizer, group.subspan(i, 1), propose, 0);
      alone_ms += alone.decode_ms;
      alone_passes += alone.stats.forwards;
      tokens += double(group[i].script.size());
      identical &= alone.identical;
    }
    const Replayed together = replay(engine, tokenizer, group, propose, 0);
    together_ms += together.decode_ms;
    together_passes += together.stats.forwards;
    rows += together.stats.rows;
    identical &= together.identical;
  }
  const double pages_done = double(transcripts.size() / batch * batch),
               seen_ms = pages_done * (around.vision_ms + engine.prefill_ms);
  const auto per_s = [&](double n, double ms) { return n * 1000 / ms; };
  return {{"batch", batch},
          {"tokens", tokens},
          {"vision_ms", around.vision_ms},  // 0: left out
          {"lm_prefill_ms", engine.prefill_ms},
          {"pages_per_s",
           {{"alone", per_s(pages_done, seen_ms + alone_ms)},
            {"together", per_s(pages_done, seen_ms + together_ms)}}},
          {"prompt_tokens", engine.prefix},
          {"tokens_per_s",
           {{"alone", per_s(tokens, alone_ms)}, {"together", per_s(tokens, together_ms)}}},
          {"ratio", alone_ms / together_ms},
          {"forwards", {{"alone", alone_passes}, {"together", together_passes}}},
          {"rows_per_forward", double(rows) / double(together_passes)},
          {"identical", identical}};
}

/// Sums and both averages of one group; OCR and text-layer pages are never put together.
json totals(const json& pages, const std::string& group) {
  json out;
  double plain = 0, before = 0, drafts = 0;
  int64_t count = 0, tokens = 0;
  for (const json& page : pages) {
    if (page["group"] != group) continue;
    ++count;
    tokens += page["tokens"].get<int64_t>();
    plain += page["plain"]["decode_ms"].get<double>();
    drafts += page["draft_ms"].get<double>();
    before += page["raster_ms"].get<double>() + page["lm_prefill_ms"].get<double>();
  }
  out = {{"pages", count},
         {"tokens_per_page", double(tokens) / double(count)},
         {"plain",
          {{"passes_per_page", double(tokens) / double(count)},
           {"ms_per_token", plain / double(tokens)}}}};
  for (const char* rule : {"paper", "ours"}) {
    if (!pages[0].contains(rule)) continue;
    double decode = 0, sr = 0, passes = 0, host = 0;
    std::map<std::string, double> e2e;  // sums over pages
    bool identical = true;
    for (const json& page : pages) {
      if (page["group"] != group) continue;
      decode += page[rule]["decode_ms"].get<double>();
      passes += page[rule]["passes"].get<double>();
      host += page[rule]["host_share"].get<double>() * page[rule]["decode_ms"].get<double>();
      sr += page[rule]["sr_decode"].get<double>();
      if (page[rule].contains("e2e_gpu"))
        for (const char* how : {"serial", "overlapped"})
          e2e[how] += page[rule]["e2e_gpu"][how].get<double>();
      else
        e2e["cpu"] += page[rule]["e2e_cpu_no_vision"].get<double>();
      identical = identical && page[rule]["identical"].get<bool>();
    }
    out[rule] = {
        {"passes_per_page", passes / double(count)},
        {"tokens_per_pass", double(tokens) / passes},
        {"sr_decode",
         {{"ratio_of_sums", plain / (decode + drafts)}, {"mean_of_ratios", sr / double(count)}}},
        {"host_share", host / decode},
        {"identical", identical}};
    if (e2e.contains("cpu"))
      out[rule]["e2e_cpu_no_vision"] = {
          {"ratio_of_sums", (before + plain) / (before + drafts + decode)},
          {"mean_of_ratios", e2e["cpu"] / double(count)}};
    else
      for (const char* how : {"serial", "overlapped"})
        out[rule]["e2e_gpu"][how]["mean_of_ratios"] = e2e[how] / double(count);
  }
  return out;
}

}  // namespace

int main(int argc, char** argv) try {
  limit_libraries();
  const Arguments arguments(argc, argv);
  const std::string device = device_or_skip(arguments.get("--device", "cpu"));
  if (device.empty()) return 0;
  const std::string shape = arguments.get("--geometry", "dots_ocr");
  const int64_t layers = std::stoll(arguments.get("--layers", "0"));
  const bool plain_full = arguments.get("--plain", "sampled") == "full";
  at::set_num_threads(std::stoi(arguments.get("--threads", "2")));
  const json input = json::parse(std::ifstream(arguments.get("--pages", "pages.json")));
  const Tokenizer tokenizer = Tokenizer::load(arguments.get("--tokenizer", "tokenizer.json"));

  const int64_t prompt = std::stoll(arguments.get("--prompt", "0"));  // 0 = the page's own length
  const size_t max_nodes = std::stoul(arguments.get("--max-nodes", "0"));

  std::string command = argv[0];
  for (int i = 1; i < argc; ++i) command += std::string(" ") + argv[i];
  json out = {
      {"note",
       "The weights are random: passes cost what they cost with trained ones, the text "
       "follows a transcript. On the CPU vision is left out everywhere; a GPU's figures have "
       "dots.ocr's tower, measured once, in each page."},
      {"command", command},
      {"geometry", geometry(shape, layers)},
      {"dtype", "bf16"},
      {"device", {{"name", device_name(device)}, {"threads", at::get_num_threads()}}},
      {"clock", arguments.get("--clock", "wall")},
      {"plain_timing", plain_full ? "every token" : "passes timed at each 1000 tokens of context"}};
  std::cerr << out["note"].get<std::string>() << "\n";
  Engine engine(geometry(shape, layers), "bf16", nullptr, device);
  engine.clock = clock_by(arguments.get("--clock", "wall"));
  const Around around{device == "cpu" ? 0 : vision_ms(device, *engine.ops),
                      arguments.get("--paper", "yes") == "yes"};
  size_t limit = std::stoul(arguments.get("--limit", "1000"));
  if (const size_t batch = std::stoul(arguments.get("--batch", "1")); batch > 1) {
    json pages = input.at("pages");
    pages.erase(pages.begin() + std::min<int64_t>(int64_t(limit), int64_t(pages.size())),
                pages.end());
    for (const auto& [name, propose] :
         {std::pair<const char*, std::string>{"plain", ""},
          std::pair<const char*, std::string>{"ours", automatic(proposers())}})
      out[name] = replay_batches(engine, tokenizer, pages, batch, propose, prompt, around);
    for (const auto& point : engine.cost.points())
      out["cost_curve"].push_back({point.rows, point.ms});
    std::cout << out.dump(1) << "\n";
    return 0;
  }
  std::map<std::string, int> groups;
  for (const json& page : input.at("pages")) {
    if (limit-- == 0) break;
    out["pages"].push_back(
        replay_page(engine, tokenizer, page, plain_full, max_nodes, prompt, around));
    const json& done = out["pages"].back();
    ++groups[done["group"]];
    for (const char* rule : {"paper", "ours"})
      if (done.contains(rule))
        std::cerr << fmt::format(
            "{}: {} tokens, {:.1f} % token errors; {}: {} passes, SR_decode {:.2f}{}\n",
            done["page"].get<std::string>(), done["tokens"].get<int>(),
            100 * done["token_errors"].get<double>(), rule, done[rule]["passes"].get<int>(),
            done[rule]["sr_decode"].get<double>(),
            done[rule]["identical"].get<bool>() ? "" : " NOT IDENTICAL");
  }
  for (const auto& point : engine.cost.points())
    out["cost_curve"].push_back({point.rows, point.ms});
  for (const auto& [group, count] : groups) {
    out["total"][group] = totals(out["pages"], group);
  }
  if (out["total"].contains("ocr"))  // the headline figures are those of OCR drafts
    for (const char* rule : {"plain", "paper", "ours"})
      if (out["total"]["ocr"].contains(rule)) out[rule] = out["total"]["ocr"][rule];
  std::cout << out.dump(1) << "\n";
} catch (const std::exception& e) {
  std::cerr << "replay: " << e.what() << "\n";
  return 1;
}
