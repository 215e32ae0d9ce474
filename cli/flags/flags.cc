#include "cli/flags/flags.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <fstream>

#include "cli/flags/draft_choice.h"
#include "core/base/error.h"
#include "core/decode/registry.h"
#include "core/input/page_ranges.h"
#include "core/markup/registry.h"
#include "drafts/registry.h"

namespace docspec {
namespace {

constexpr std::string_view kIo = "Input and output";
constexpr std::string_view kModelGroup = "Model";
constexpr std::string_view kSpeculation = "Speculation";
constexpr std::string_view kReports = "Reports";

[[noreturn]] void refuse(std::string_view flag, const std::string& value, std::string_view wanted) {
  throw Error(ExitCode::usage, fmt::format("{} {}: must be {}", flag, value, wanted));
}

template <typename T>
T number(std::string_view flag, const std::string& value, T low, T high) {
  T out{};
  const auto [end, error] = std::from_chars(value.data(), value.data() + value.size(), out);
  if (error != std::errc{} || end != value.data() + value.size() || !(out >= low) || !(out <= high))
    refuse(flag, value, fmt::format("a number from {} to {}", low, high));
  return out;
}

/// "6G", "1.5GiB", "800M", "4000000000": bytes, in powers of 1024.
int64_t memory_size(std::string_view flag, const std::string& value) {
  double count = 0;
  const char* end = value.data() + value.size();
  const auto [unit, error] = std::from_chars(value.data(), end, count);
  constexpr std::string_view kUnits = "KMGT";
  const size_t power = unit == end ? kUnits.npos : kUnits.find(*unit);
  const std::string_view tail =
      power == kUnits.npos ? std::string_view(unit, end) : std::string_view(unit + 1, end);
  const bool known = tail.empty() || (power != kUnits.npos && (tail == "B" || tail == "iB"));
  const double bytes = power == kUnits.npos ? count : std::ldexp(count, 10 * (int(power) + 1));
  if (error != std::errc{} || !known || !(bytes >= 1) || !(bytes <= 1e15))
    refuse(flag, value, "a size such as 6G, 800M or 1.5GiB");
  return int64_t(bytes);
}

std::string one_of(std::string_view flag, const std::string& value,
                   std::initializer_list<std::string_view> known) {
  std::string list;
  for (std::string_view name : known) {
    if (name == value) return value;
    list += (list.empty() ? "" : ", ") + std::string(name);
  }
  refuse(flag, value, "one of " + list);
}

/// Exact in law: the output's distribution is that of the plain decode.
template <typename Make>
bool lossless(const Entry<Make>& entry) {
  if constexpr (std::is_same_v<Make, MakeVerifier>)
    return make_verifier(parse_spec("--verify", entry.name, forms(verifiers())))->samples();
  return false;
}

template <typename Make>
std::string listing(std::span<const Entry<Make>> table, bool exactness) {
  const auto call = [](const Entry<Make>& entry) {
    return std::string(entry.name) + (entry.settings.empty() ? "" : ":") +
           std::string(entry.settings);
  };
  constexpr size_t kWidest = 40;  // what is wider has a line of its own
  size_t width = 14;
  for (const auto& entry : table)
    if (call(entry).size() <= kWidest) width = std::max(width, call(entry).size());
  std::string out;
  for (const auto& entry : table) {
    const std::string name = call(entry);
    out += fmt::format("{:<{}} {}{}\n", name.size() > width ? name + "\n" : name,
                       name.size() > width ? name.size() + 1 + width : width, entry.summary,
                       !exactness        ? ""
                       : lossless(entry) ? " (lossless: exact in law)"
                       : entry.exact     ? " (exact)"
                                         : " (approximate)");
  }
  return out;
}

std::string format_choices() {
  return listing(output_formats(), false);
}
std::string proposer_choices() {
  return listing(proposers(), true);
}
std::string verifier_choices() {
  return listing(verifiers(), true);
}
std::string selector_choices() {
  return listing(selectors(), true);
}
std::string detector_choices() {
  return listing(detector_registry(), false);
}
std::string drafter_choices() {
  return listing(drafter_registry(), false) + listing(draft_proposers(), true);
}

void set_headers(Options& o, const std::string& value) {
  one_of("--headers", value, {"drop", "keep", "comment"});
  o.render.headers = value == "drop"   ? HeaderPolicy::drop
                     : value == "keep" ? HeaderPolicy::keep
                                       : HeaderPolicy::comment;
}

void set_password_file(Options& o, const std::string& path) {
  std::ifstream file(path);
  if (!std::getline(file, o.password))
    throw Error(ExitCode::usage, "--password-file " + path + ": cannot be read or is empty");
  if (!o.password.empty() && o.password.back() == '\r') o.password.pop_back();
}

void set_shard(Options& o, const std::string& value) {
  const size_t slash = value.find('/');
  if (slash == std::string::npos) refuse("--shard", value, "I/N, for example 2/8");
  o.shard_count = number("--shard", value.substr(slash + 1), 1, 1'000'000);
  o.shard_index = number("--shard", value.substr(0, slash), 1, o.shard_count);
}

void set_to(Options& o, const std::string& value) {
  size_t from = 0;
  while (true) {
    const size_t comma = value.find(',', from);
    make_output_format(value.substr(from, comma - from));
    if (comma == std::string::npos) break;
    from = comma + 1;
  }
  o.to = value;
}

using O = Options&;
using V = const std::string&;

constexpr Flag kFlags[] = {
    {"-o,--output", "PATH", kIo,
     "Where to write. One input: a file, or a folder (existing, or a name ending in /) that gets "
     "STEM.md. Several inputs or a folder: a folder, made if absent. - or absent: standard output "
     "(one input only).",
     kConvert | kDraft | kStore, [](O o, V v) { o.output = v; }, "FILE"},
    {"-t,--to", "FORMATS", kIo,
     "Comma list of formats; default from the suffix of --output, else md.", kConvert, set_to,
     "md json html", format_choices},
    {"--pages", "RANGES", kIo, "Pages to convert, counted from 1: 1-4,7,10-", kConvert | kDraft,
     [](O o, V v) {
       PageRanges checked{v};
       o.pages = v;
     }},
    {"--password", "TEXT", kIo, "Password of an encrypted PDF.", kConvert | kDraft,
     [](O o, V v) { o.password = v; }},
    {"--password-file", "FILE", kIo, "File whose first line is the password.", kConvert | kDraft,
     set_password_file, "FILE"},
    {"--lang", "LANGS", kIo,
     "Languages of scanned pages as Tesseract names them, for example eng or eng+deu; auto "
     "(default): "
     "those that are installed for the page's script.",
     kConvert | kDraft, [](O o, V v) { o.lang = v; }},
    {"--layout", "NAME", kIo, "What tells the regions of a page (default auto: lines).",
     kConvert | kDraft,
     [](O o, V v) {
       if (v != "auto" && !find(detector_registry(), v))
         throw Error(ExitCode::usage, fmt::format("--layout {}: unknown; there are: auto, {}", v,
                                                  names(detector_registry())));
       o.layout = v;
     },
     "auto lines", detector_choices},
    {"--dpi", "N", kIo,
     "Resolution of the raster (default 200; a model reads an image file's own pixels).",
     kConvert | kDraft, [](O o, V v) { o.dpi = number("--dpi", v, 20.0, 1200.0); }},
    {"--max-pixels", "N", kIo,
     "Ceiling of one raster, checked before rendering; a larger page is rendered smaller and the "
     "JSON says so (default 50000000).",
     kConvert | kDraft,
     [](O o, V v) { o.max_pixels = number<int64_t>("--max-pixels", v, 10'000, 400'000'000); }},
    {"--force", "", kIo, "Read all pages again, whatever an earlier run left.", kConvert,
     [](O o, V) { o.force = true; }},
    {"--retry-failed", "", kIo, "Read again only pages that failed or fell back before.", kConvert,
     [](O o, V) { o.retry_failed = true; }},
    {"--headers", "drop|keep|comment", kIo,
     "Page headers and footers in Markdown (default drop; JSON always has them).", kConvert,
     set_headers, "drop keep comment"},
    {"--page-marks", "", kIo, "Mark each page in the Markdown by a comment with its number.",
     kConvert, [](O o, V) { o.render.page_marks = true; }},
    {"--figures", "", kIo, "Write crops of figures and formulas to STEM.files/.", kConvert,
     [](O o, V) { o.figures = true; }},
    {"--no-figures", "", kIo, "Write no crops of figures (the default).", kConvert,
     [](O o, V) { o.figures = false; }},
    {"--overlay", "", kIo,
     "Write a PNG per page to STEM.files/: its boxes, numbered in reading order.", kConvert,
     [](O o, V) { o.overlay = true; }},
    {"--no-join-tables", "", kIo, "Leave tables that run over pages apart.", kConvert,
     [](O o, V) { o.no_join_tables = true; }},
    {"--page-timeout", "SECONDS", kIo,
     "Give up drafting a page after this time (default 120; waiting for a processor does not "
     "count), "
     "and decoding it (default: no limit); what is known of it is kept.",
     kConvert | kDraft, [](O o, V v) { o.page_timeout = number("--page-timeout", v, 0.01, 1e6); }},
    {"--strict", "", kIo, "Any failed or fallback page fails the run: nothing is written for it.",
     kConvert, [](O o, V) { o.strict = true; }},
    {"--shard", "I/N", kIo, "Take every N-th input from the I-th, for job arrays.", kConvert,
     set_shard},
    {"--jobs", "N", kIo,
     "Drafting threads (default: the cores that --threads leaves, at least 1; without a model all "
     "of them).",
     kConvert | kDraft, [](O o, V v) { o.jobs = number("--jobs", v, 1, 256); }},
    {"--threads", "N", kIo,
     "Threads of the model. Default: 1 below 16 M parameters; else the cores on which no page is "
     "drafted at the moment; where another number of threads would change last bits (f32), half "
     "of the cores.",
     kConvert, [](O o, V v) { o.threads = number("--threads", v, 1, 256); }},

    {"--model", "DIR|builtin|none", kModelGroup,
     "Hugging Face checkpoint folder; none: the drafts are the result (default: DOCSPEC_MODEL or "
     "docspec.toml, else none).",
     kConvert, [](O o, V v) { o.model = v; }, "DIR"},
    {"--device", "auto|cpu|cuda[:N]", kModelGroup, "Where the model runs (default auto).", kConvert,
     [](O o, V v) { o.device = v; }, "auto cpu cuda"},
    {"--dtype", "auto|f32|bf16|int8", kModelGroup,
     "Numbers of the model; auto: f32 below 100 M parameters on CPU, else bf16. int8: the language "
     "model's products in whole numbers, half the memory of bf16 (CPU); exact then means equal to "
     "plain decoding in int8, whose texts may differ from those of bf16.",
     kConvert,
     [](O o, V v) {
       o.dtype = one_of("--dtype", v, {"auto", "f32", "bf16", "int8"});
     },
     "auto f32 bf16 int8"},
    {"--memory", "SIZE", kModelGroup,
     "Ceiling of the memory of the process that runs the model, for example 6G or 1.5GiB. Weights, "
     "caches, vision and passes are planned for before the model reads a page: fewer jobs at once, "
     "then smaller images where they would not fit; exit code 7 where the least does not. "
     "-v prints the plan.",
     kConvert, [](O o, V v) { o.memory = memory_size("--memory", v); }},
    {"--max-new-tokens", "N", kModelGroup, "Limit of tokens per decode.", kConvert,
     [](O o, V v) { o.max_new_tokens = number("--max-new-tokens", v, 1, 1'000'000); }},
    {"--batch", "N|auto", kModelGroup,
     "Jobs decoded together, over all pages; also how many pages are read at a time. "
     "auto (the default): 64 jobs of up to 4 pages. Reports (--bench, --trace, --explain) are of "
     "pages read one after the other.",
     kConvert,
     [](O o, V v) {
       if (v != "auto") number("--batch", v, 1, 4096);
       o.batch = v;
     }},
    {"--temperature", "T", kModelGroup,
     "Sampling temperature; 0 is greedy (the default). Above 0 tokens are drawn by a rule of "
     "--verify, after the penalties of generation_config.json.",
     kConvert, [](O o, V v) { o.temperature = number("--temperature", v, 0.0, 10.0); }},
    {"--top-p", "P", kModelGroup,
     "With --temperature: sample from the smallest set with this probability (default 1).",
     kConvert, [](O o, V v) { o.top_p = number("--top-p", v, 0.0, 1.0); }},
    {"--top-k", "K", kModelGroup,
     "With --temperature: sample from the K most probable tokens; 0 (the default): from all.",
     kConvert, [](O o, V v) { o.top_k = number("--top-k", v, 0, 1'000'000); }},
    {"--seed", "N", kModelGroup,
     "With --temperature: seed of the sampling (default 0). The same seed gives the same text, "
     "whatever the batch; with --verify follow whatever was proposed, too.",
     kConvert, [](O o, V v) { o.seed = number<uint64_t>("--seed", v, 0, UINT64_MAX); }},

    {"--draft", "LIST", kSpeculation,
     "Draft sources, comma list; auto: the text layer where it can be trusted, else OCR; "
     "none: plain decoding. A draft model or retrieval alone: no text of the page is proposed; a "
     "draft model beside auto drafts where measured time says that it pays.",
     kConvert | kDraft,
     [](O o, V v) {
       parse_draft(v);
       o.draft = v;
     },
     "auto none text-layer ocr tesseract ppocr replay: model: retrieval", drafter_choices},
    {"--propose", "LIST", kSpeculation,
     "Step proposers, comma list; auto (the default): window, cursor, backoff, automaton and "
     "template together, rows going to those that prove right on this document. They never change "
     "what an exact rule emits.",
     kConvert,
     [](O o, V v) {
       if (v != "auto") parse_spec_list("--propose", v, forms(proposers()));
       o.propose = v;
     },
     "auto window cursor backoff automaton template history retrieval", proposer_choices},
    {"--preset", "plain|paper|default", kSpeculation,
     "plain: --draft none; paper: --propose window:n=3 --stages region,page.", kConvert,
     [](O o, V v) {
       o.preset = one_of("--preset", v, {"plain", "paper", "default"});
     },
     "plain paper default"},
    {"--stages", "LIST", kSpeculation,
     "adaptive (the default): the page at once, beside it the regions of doubtful OCR | "
     "region,page "
     "| page | region (approximate as to the page: crops are read alone).",
     kConvert,
     [](O o, V v) {
       o.stages = one_of("--stages", v, {"adaptive", "region,page", "page", "region"});
     },
     "adaptive region,page page region"},
    {"--verify", "RULE", kSpeculation,
     "Verification rule (default exact; with --temperature above 0 follow, and only lossless "
     "ones).",
     kConvert,
     [](O o, V v) {
       make_verifier(parse_spec("--verify", v, forms(verifiers())));
       o.verify = v;
     },
     "exact tolerant prob-ratio follow token block restart", verifier_choices},
    {"--max-nodes", "N|auto", kSpeculation,
     "Rows per verification pass; auto (the default): as many as pay by the cost of a pass, "
     "measured at a model's first use on this machine and kept in the user's cache folder.",
     kConvert,
     [](O o, V v) {
       if (v != "auto") number("--max-nodes", v, 1, 4096);
       o.max_nodes = v;
     }},
    {"--prune", "POLICY", kSpeculation,
     "Visual fixation (default off): while decoding, most layers attend only to the visual tokens "
     "that the model is looking at. Nothing is evicted. See docspec model calibrate.",
     kConvert,
     [](O o, V v) {
       make_selector(parse_spec("--prune", v, forms(selectors())), {});
       o.prune = v;
     },
     "off fixation", selector_choices},
    {"--witness", "on|off", kSpeculation,
     "Judge finished text against the page's drafts (default on): a blank page reaches no model, "
     "text that runs away is cut and its regions are read alone, what a model read in doubt "
     "and is not the PDF's own text gives way to that. Token ids never change.",
     kConvert,
     [](O o, V v) {
       o.witness = one_of("--witness", v, {"on", "off"}) == "on";
     },
     "on off"},

    {"--stats", "FILE", kReports, "Write the summary as JSON.", kConvert,
     [](O o, V v) { o.stats = v; }, "FILE"},
    {"--progress", "auto|plain|json|none", kReports, "The live line on stderr (default auto).",
     kConvert,
     [](O o, V v) {
       o.progress = one_of("--progress", v, {"auto", "plain", "json", "none"});
     },
     "auto plain json none"},
    {"--trace", "FILE", kReports, "Write one JSON line per decode: prompt, output, steps.",
     kConvert, [](O o, V v) { o.trace = v; }, "FILE"},
    {"--explain", "FILE", kReports, "Write why each proposed token was turned down.", kConvert,
     [](O o, V v) { o.explain = v; }, "FILE"},
    {"--bench", "", kReports, "Decode each page plain and as configured; print the speed-ups.",
     kConvert, [](O o, V) { o.bench = true; }},
    {"--bench-out", "FILE", kReports,
     "Keep the bench as JSON or, where the name ends in .html, as a page with plots.", kConvert,
     [](O o, V v) { o.bench_out = v; }, "FILE"},
    {"--bench-truth", "FOLDER", kReports,
     "Compare each input's text with FOLDER/STEM.md or .txt: edit distance in the bench.", kConvert,
     [](O o, V v) { o.bench_truth = v; }, "DIR"},
    {"-q,--quiet", "", kReports, "No summary, no progress.", kAll, [](O o, V) { o.quiet = true; }},
    {"-v,--verbose", "", kReports, "Add plans and details.", kAll, [](O o, V) { ++o.verbose; }},
    {"--config", "FILE", kReports,
     "Read options from this file (default: docspec.toml here, then in the user's configuration "
     "folder).",
     kConvert, [](O, V) {}, "FILE"},
};

constexpr CommandInfo kCommands[] = {
    {Command::convert, "convert", "INPUT...",
     "PDF, image or folder to Markdown or JSON; - is standard input"},
    {Command::draft, "draft", "INPUT...",
     "only the CPU side: regions and drafts as JSON, for --draft replay:FILE"},
    {Command::model, "model", "info|verify DIR, calibrate DIR FILE...",
     "what a checkpoint folder holds; what its layers look at"},
    {Command::store, "store", "build FILE...", "a prior for retrieval from text you own"},
    {Command::doctor, "doctor", "", "what this machine has, what is missing, and the fix"},
};

}  // namespace

std::span<const Flag> flag_table() {
  return kFlags;
}
std::span<const CommandInfo> command_table() {
  return kCommands;
}

std::string_view long_name(const Flag& flag) {
  return flag.names.substr(flag.names.find("--"));
}

}  // namespace docspec
