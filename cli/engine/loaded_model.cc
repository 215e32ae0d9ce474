#include "cli/engine/loaded_model.h"

#include <ATen/Parallel.h>
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <limits>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <thread>

#include "cli/engine/device.h"
#include "cli/engine/draft_models.h"
#include "cli/engine/model_fit.h"
#include "cli/flags/share.h"
#include "core/base/error.h"
#include "core/base/output_file.h"
#include "core/base/sha256.h"
#include "core/decode/draft_model/draft_gate.h"
#include "core/decode/registry.h"
#include "core/decode/retrieve/datastore_file.h"
#include "core/decode/trace.h"
#include "core/markup/registry.h"
#include "core/model/checkpoint/checkpoint.h"
#include "core/model/families/registry.h"
#include "core/model/layers/thread_bits.h"
#include "core/model/prompt_set.h"
#include "core/ops/cpu_quirks.h"
#include "core/ops/stoppable_ops.h"
#include "core/read/bench.h"
#include "core/read/bench_html.h"
#include "core/read/vlm_reader.h"
#include "core/text/tokenizer.h"

namespace docspec {
namespace {

constexpr int64_t kDefaultNewTokens = 8192;

void throw_if(const std::atomic<bool>& interrupted) {
  if (interrupted) throw Error(ExitCode::interrupted, "interrupted");
}

std::filesystem::path families_folder() {
  const auto share = share_folder();
  if (!share)
    throw Error(
        ExitCode::dependency,
        "docspec's data (share/docspec) was not found next to the binary; see docspec doctor");
  return *share;
}

VlmOptions vlm_options(const Options& options) {
  return {options.dtype, resolve_device(options.device), families_folder()};
}

DecodeOptions decode_options(const Options& options) {
  DecodeOptions decode;
  if (options.max_nodes != "auto") decode.cost.fixed = std::stoul(options.max_nodes);
  if (options.batch != "auto") decode.max_batch = std::stoul(options.batch);
  return decode;
}

DecodeOptions decode_options(const Options& options, const MemoryPlan& memory) {
  DecodeOptions decode = decode_options(options);
  if (options.memory > 0) decode.max_batch = memory.jobs;
  return decode;
}

int new_tokens(const Options& options) {
  return options.max_new_tokens > 0 ? options.max_new_tokens : kDefaultNewTokens;
}

Generation generation_of(const Options& options, const Checkpoint& checkpoint, const Vlm& vlm) {
  Generation out = read_generation(checkpoint.json("generation_config.json"), vlm.prompts(),
                                   vlm.tokenizer(), new_tokens(options));
  out.sampling = {options.temperature, options.top_p, options.top_k, options.seed};
  return out;
}

/// Bytes that the process needs besides the model: now, for pages, and for code loaded later.
int64_t base_bytes(const Options& options) {
  constexpr int64_t kToCome = int64_t{192} << 20;
  int64_t pages = 0, resident = 0;
  std::ifstream("/proc/self/statm") >> pages >> resident;
  return resident * ::sysconf(_SC_PAGESIZE) + kToCome +
         std::max<int64_t>(0, options.max_pixels - 50'000'000) * 3;
}

/// Without --memory the plan of one job, for -v.
MemoryPlan plan(const Options& options, const Checkpoint& checkpoint, const Ops& ops) {
  constexpr int64_t kRows = 256;  // of a prefill pass; what a pass of drafts has at most, too
  const MemoryNeeds needs = memory_needs(checkpoint, vlm_options(options), ops);
  const DecodeOptions decode = decode_options(options);
  MemoryRequest request;
  request.ceiling = options.memory > 0 ? options.memory : std::numeric_limits<int64_t>::max();
  request.base = base_bytes(options);
  request.jobs = options.memory > 0 ? decode.max_batch : 1;
  request.new_tokens = int64_t(options.pages_per_prompt) * new_tokens(options);
  request.pages = options.pages_per_prompt;
  request.rows = std::max(kRows, int64_t(decode.cost.fixed));
  return plan_memory(needs, request);
}

std::vector<Stage> stages_of(const Options& options) {
  if (options.preset == "paper" || options.stages == "region,page")
    return {Stage::region, Stage::page};
  if (options.stages == "page") return {Stage::page};
  if (options.stages == "region") return {Stage::region};
  if (options.preset == "plain" || options.draft == "none" || options.pages_per_prompt > 1)
    return {Stage::page};
  return {Stage::adaptive};
}

Spec selector_spec(const Options& options) {
  return parse_spec("--prune", options.preset == "plain" ? "off" : options.prune,
                    forms(selectors()));
}

int cores() {
  return int(std::thread::hardware_concurrency());
}

Vlm load(const Options& options, const Checkpoint& checkpoint, const MemoryPlan& memory,
         const Ops& ops) {
  // Loading that takes a few milliseconds is not worth the start of a second thread.
  constexpr int64_t kLittle = int64_t{256} << 20;
  if (memory.weights >= kLittle) keep_freed_memory();
  at::set_num_threads(options.threads > 0        ? options.threads
                      : memory.weights < kLittle ? 1
                                                 : cores());
  VlmOptions vlm = vlm_options(options);
  vlm.max_pixels = memory.max_pixels;
  return load_vlm(checkpoint, vlm, ops);
}

/// Threads that the model keeps all the time; 0 = those that are free.
int fixed_threads(const Options& options, const VlmInfo& model) {
  if (options.threads > 0) return options.threads;
  // Matrices this small lose by a second thread (two took 1.3 to 17 times the time of one on two
  // busy cores at 0.5 M parameters; the limit itself is an estimate).
  if (model.parameters < 16'000'000) return 1;
  return bits_hold_across_threads(model.dtype, cores()) ? 0 : std::max(1, cores() / 2);
}

std::unique_ptr<OutputFile> report_file(const std::string& path) {
  return path.empty() ? nullptr : std::make_unique<OutputFile>(path);
}

}  // namespace

const char* exactness_of(const Options& options, const Verifier& verifier, const Spec& selector,
                         bool batch_invariant) {
  if (!verifier.exact() || !find(selectors(), selector.name)->exact) return "approximate";
  if (stages_of(options).back() == Stage::region) return "approximate";
  if (!batch_invariant) return "approximate";
  return verifier.samples() ? "lossless" : "exact";
}

namespace {

struct ModelParts {
  ModelParts(ModelRunInput input, const Options& o, const Checkpoint& checkpoint)
      : options(o),
        config_sha256(sha256_hex(checkpoint.config().dump())),
        calibration(std::move(input.visual_shares)),
        trace(report_file(o.trace)),
        explain(report_file(o.explain)),
        bench(report_file(o.bench_out)),
        verifier(make_verifier(parse_spec("--verify", o.verify, forms(verifiers())))),
        specs(std::move(input.proposers)),
        selector(selector_spec(o)),
        host_ops(make_stoppable_cpu_ops([&stop = input.interrupted] { throw_if(stop); })),
        device_ops(make_device_ops(resolve_device(o.device), *host_ops)),
        ops(device_ops ? device_ops.get() : host_ops.get()),
        drafts(specs, vlm_options(o), *ops, input.tell),
        memory(plan(o, checkpoint, *ops)),
        vlm(load(o, checkpoint, memory, *ops)),
        draft_models(drafts.for_target(vlm)),
        threads(cores(), fixed_threads(o, vlm.info())),
        dialect(make_dialect(vlm.prompts().dialect())),
        engine{vlm,
               *ops,
               *dialect,
               *verifier,
               specs,
               generation_of(o, checkpoint, vlm),
               decode_options(o, memory),
               !o.explain.empty(),
               draft_models,
               input.page_text},
        exactness(exactness_of(o, *verifier, selector, vlm.language_model().batch_invariant())),
        ocr(std::move(input.ocr)),
        reader(engine, {stages_of(o), exactness, wants_bench(o), o.witness, pages_at_once(o),
                        o.page_timeout, &threads, [this](const Job& job) { note(job); },
                        letter_rule(o.letters), ocr.get()}) {
    if (selector.name != "off")
      engine.selector = [this](SelectorInput input) {
        if (calibration.size() == size_t(input.layers)) input.visual_shares = calibration;
        return make_selector(selector, input);
      };
    engine.mtp_gate = &mtp_gate;
    require_model_fits(o, vlm);
    for (const Spec& spec : specs)  // reports a file that is not a store before any page is read
      if (!spec.text("store").empty()) load_datastore(spec.text("store"), vlm.tokenizer());
    engine.decode.before_pass = [this, &stop = input.interrupted] {
      throw_if(stop);
      const int free = threads.model_threads();
      if (free != at::get_num_threads()) at::set_num_threads(free);
    };
    if (engine.decode.cost.fixed == 0)
      engine.cost = [this](KvCache& cache) { return cost_curve(cache); };
  }

  /// Measured on this machine's first use of the model, and once for each number of threads.
  const CostCurve& cost_curve(KvCache& cache) {
    const auto [it, fresh] = curves.try_emplace(at::get_num_threads());
    if (!fresh) return it->second;
    constexpr int kPasses = 3;  // counts up when passes come to cost something else
    const std::string key = fmt::format(
        "{} {} {} {} {} {}", kPasses, config_sha256, device_name(resolve_device(options.device)),
        resolve_device(options.device), vlm.info().dtype, it->first);
    if (const auto kept = load_cost_curve(key)) return it->second = *kept;
    ops->run_async([] {})->wait();  // images of other pages, which are seen before it
    it->second = measure_cost_curve(vlm.language_model(), cache, engine.decode.pass);
    save_cost_curve(key, it->second);
    return it->second;
  }

  void note(const Job& job) {
    const auto line = [](const nlohmann::json& json) {
      return json.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace) + "\n";
    };
    if (trace) trace_lines += line(trace_record(job));
    if (explain)
      explain_lines += line(explain_record(
          job, [this](int32_t id) { return vlm.tokenizer().decode(std::span(&id, 1), false); }));
  }

  double tokens_per_second() const {
    DecodeStats all = reader.page_stats();
    all += reader.region_stats();
    double ms = 0;
    for (const char* phase : {"propose", "propose concurrently", "forward", "verify", "commit"})
      ms += all.ms(phase);
    return double(all.output_tokens) * 1000 / std::max(1e-6, ms);
  }

  std::string summary() const {
    const DecodeStats& page = reader.page_stats();
    const DecodeStats& region = reader.region_stats();
    return fmt::format(
               "page stage: {} tokens, {} passes, AAL {:.2f} (with a tree {:.2f}), {:.2f} tokens "
               "per pass · region stage: {} tokens, {} passes, AAL {:.2f} · {:.0f} tokens/s · {}{}",
               page.output_tokens, page.passes, page.aal_all(), page.aal_tree(),
               page.tokens_per_pass(), region.output_tokens, region.passes, region.aal_all(),
               tokens_per_second(), exactness, numbers()) +
           rested(page.declined_passes + region.declined_passes, page.passes + region.passes) +
           fixated();
  }

  /// The summary of --prune.
  std::string fixated() const {
    if (selector.name == "off") return "";
    DecodeStats all = reader.page_stats();
    all += reader.region_stats();
    if (all.pruned_passes == 0) return " · fixation: no image had enough visual tokens";
    return fmt::format(
        " · fixation in {} of {} passes: {:.0f} % of their visual keys seen, {} run "
        "again in full",
        all.pruned_passes, all.passes, 100 * double(all.visual_keys) / double(all.all_visual_keys),
        all.guarded_passes);
  }

  /// Where verifying drafts cost more than it brought, speculation was off.
  static std::string rested(int64_t declined, int64_t passes) {
    if (declined == 0) return "";
    return fmt::format(" · speculation off in {} of {} passes: no row of a draft would have paid",
                       declined, passes);
  }

  std::string bench_report(std::span<const BenchPage> pages) const {
    nlohmann::json json = bench_json(bench_meta(), pages);
    json["texts"] = texts();
    if (options.bench_out.ends_with(".html")) return bench_html(json);
    return json.dump(2, ' ', false, nlohmann::json::error_handler_t::replace) + "\n";
  }

  nlohmann::json texts() const { return bench_texts(reader.bench_pages(), options.bench_truth); }

  nlohmann::json cost_points() const {
    nlohmann::json out = nlohmann::json::array();
    const CostCurve& curve = curves.empty() ? engine.decode.cost : curves.rbegin()->second;
    for (const auto& point : curve.points()) out.push_back({point.rows, point.ms});
    return out;
  }

  nlohmann::json bench_meta() const {
    const VlmInfo& model = vlm.info();
    return {
        {"model",
         {{"path", options.model},
          {"family", model.family},
          {"parameters", model.parameters},
          {"dtype", model.dtype}}},
        {"device", {{"name", resolve_device(options.device)}, {"threads", at::get_num_threads()}}},
        {"options",
         {{"draft", options.draft},
          {"propose", options.propose},
          {"preset", options.preset},
          {"stages", options.stages.empty() ? "auto" : options.stages},
          {"verify", options.verify},
          {"temperature", options.temperature},
          {"max_nodes", options.max_nodes}}},
        {"cost_curve", cost_points()}};
  }

  /// Says that int8 and int4 are exact compared with plain decoding in these numbers.
  std::string numbers() const {
    if (!vlm.language_model().batch_invariant())
      return " (on this device a row's bits depend on the other rows)";
    const std::string& dtype = vlm.info().dtype;
    return dtype.starts_with("int") ? " (compared with plain decoding in " + dtype + ")" : "";
  }

  const Options& options;
  const std::string config_sha256;  ///< of the model's config.json
  std::vector<double> calibration;  ///< as ModelRunInput::visual_shares
  std::unique_ptr<OutputFile> trace, explain, bench;
  std::string trace_lines, explain_lines;
  std::unique_ptr<Verifier> verifier;
  std::vector<Spec> specs;
  Spec selector;
  std::unique_ptr<Ops> host_ops, device_ops;
  const Ops* ops;
  DraftModels drafts;  ///< loaded first: the memory plan counts them
  MemoryPlan memory;
  Vlm vlm;
  std::vector<DraftModel> draft_models;
  DraftGate mtp_gate;
  ThreadBudget threads;
  std::unique_ptr<Dialect> dialect;
  StageEngine engine;
  const char* exactness;               ///< of the output against the plain decode
  std::map<int, CostCurve> curves;     ///< by number of threads
  const std::unique_ptr<Drafter> ocr;  ///< loaded when it is first asked
  VlmReader reader;
};

class LoadedModel : public ModelRun {
 public:
  explicit LoadedModel(ModelRunInput input)
      : parts_(std::move(input), input.options, Checkpoint(model_folder(input.options.model))) {}

  PageReader& reader() override { return parts_.reader; }
  ModelInfo info() const override {
    const VlmInfo& info = parts_.vlm.info();
    return {parts_.options.model, info.family, info.dtype, info.parameters};
  }
  const MemoryPlan& memory() const override { return parts_.memory; }
  ThreadBudget& threads() override { return parts_.threads; }
  void on_tokens(std::function<void(size_t)> told) override {
    parts_.engine.decode.on_tokens = std::move(told);
  }
  void select(
      std::function<std::unique_ptr<FocalSelector>(const SelectorInput&)> selector) override {
    parts_.engine.selector = std::move(selector);
  }

  DecodeReport finish() override {
    ModelParts& p = parts_;
    if (p.trace) p.trace->commit(p.trace_lines);
    if (p.explain) p.explain->commit(p.explain_lines);
    const std::vector<BenchPage>& pages = p.reader.bench_pages();
    if (p.bench) p.bench->commit(p.bench_report(pages));
    return {p.summary(), pages.empty() ? "" : bench_table(pages, p.texts()),
            ReadingStats{p.exactness, p.vlm.info().dtype, p.reader.page_stats(),
                         p.reader.region_stats()},
            p.tokens_per_second()};
  }

 private:
  ModelParts parts_;
};

}  // namespace

std::unique_ptr<ModelRun> load_model(ModelRunInput input) {
  return std::make_unique<LoadedModel>(std::move(input));
}

}  // namespace docspec
