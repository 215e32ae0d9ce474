#include "cli/flags/flags.h"

#include "cli/flags/draft_choice.h"
#include "cli/flags/flag_values.h"
#include "core/decode/registry.h"
#include "core/input/page_ranges.h"

namespace docspec {
namespace {

constexpr std::string_view kIo = "Input and output";
constexpr std::string_view kModelGroup = "Model";
constexpr std::string_view kSpeculation = "Speculation";
constexpr std::string_view kReports = "Reports";

using O = Options&;
using V = const std::string&;

constexpr Flag kFlags[] = {
    {"-o,--output", "PATH", kIo, "file, or folder for several inputs; - = stdout",
     "Where to write. One input: a file, or a folder (existing, or a name ending in /) that gets "
     "STEM.md. Several inputs or a folder: a folder, made if absent. - or absent: standard output "
     "(one input only). An input, a PDF or an image is never replaced.",
     kConvert | kDraft | kModel | kStore | kNoText | kWrites, [](O o, V v) { o.output = v; },
     "FILE"},
    {"-t,--to", "FORMATS", kIo, "md, json, html, comma list (default: by -o, else md)",
     "Comma list of formats; default from the suffix of --output, else md.", kConvert | kNoText,
     set_to, "", format_choices},
    {"--files-from", "FILE", kIo, "inputs' paths, as they come, from FILE or - (stdin)",
     "Read the inputs' paths from FILE (- = standard input), one a line, and convert them as they "
     "come; the model is loaded once. A line may be a JSON object, {\"input\": PATH, \"pages\": "
     "\"1-4\"}. Each document that is finished, or could not be, is a line of JSON on standard "
     "output: input, code and pages by status, with -o FOLDER its outputs, without -o its md and "
     "json themselves (--to), else a message.",
     kConvert | kNoText, [](O o, V v) { o.files_from = v; }, "FILE"},
    {"--pages", "RANGES", kIo, "pages to convert, from 1: 1-4,7,10-",
     "Pages to convert, counted from 1: 1-4,7,10-", kConvert | kDraft,
     [](O o, V v) {
       PageRanges checked{v};
       o.pages = v;
     }},
    {"--password", "TEXT", kIo, "", "Password of an encrypted PDF.", kConvert | kDraft | kNoText,
     [](O o, V v) { o.password = v; }},
    {"--password-file", "FILE", kIo, "its first line is the PDF's password",
     "File whose first line is the password.", kConvert | kDraft | kNoText, set_password_file,
     "FILE"},
    {"--lang", "LANGS", kIo, "languages of OCR: auto (default), or eng+deu",
     "Languages of scanned pages as Tesseract names them, for example eng or eng+deu; auto "
     "(default): those that are installed for the page's script.",
     kConvert | kDraft, [](O o, V v) { o.lang = v; }},
    {"--layout", "NAME", kIo, "",
     "Layout detector, which finds the regions of a page (default auto: pictures), or the folder "
     "of one as Hugging Face publishes it: RT-DETRv2, such as docling-layout-heron.",
     kConvert | kDraft, set_layout, "auto", detector_choices},
    {"--dpi", "N", kIo, "",
     "Resolution of the raster (default 200; a model reads an image file's own pixels).",
     kConvert | kDraft, [](O o, V v) { o.dpi = number("--dpi", v, 20.0, 1200.0); }},
    {"--max-pixels", "N", kIo, "",
     "Ceiling of one raster, checked before rendering; a larger page is rendered smaller and the "
     "JSON says so (default 50000000).",
     kConvert | kDraft,
     [](O o, V v) { o.max_pixels = number<int64_t>("--max-pixels", v, 10'000, 400'000'000); }},
    {"--force", "", kIo, "convert again what is converted already",
     "Read all pages again, even if an earlier run has read them.", kConvert | kNoText,
     [](O o, V) { o.force = true; }},
    {"--retry-failed", "", kIo, "read again only pages that failed or fell back",
     "Read again only pages that failed or fell back before.", kConvert | kNoText,
     [](O o, V) { o.retry_failed = true; }},
    {"--headers", "drop|keep|comment", kIo, "page headers, footers: drop (default), keep, comment",
     "Page headers and footers in Markdown (default drop; JSON always has them).",
     kConvert | kRendering, set_headers, "drop keep comment"},
    {"--page-marks", "", kIo, "mark each page by a comment with its number",
     "Mark each page in the Markdown by a comment with its number.", kConvert | kRendering,
     [](O o, V) { o.render.page_marks = true; }},
    {"--figures", "", kIo, "write crops of figures and formulas to STEM.files/",
     "Write crops of figures and formulas to STEM.files/.", kConvert,
     [](O o, V) { o.figures = true; }},
    {"--no-figures", "", kIo, "", "Write no crops of figures (the default).", kConvert,
     [](O o, V) { o.figures = false; }},
    {"--overlay", "", kIo, "",
     "Write a PNG per page to STEM.files/: its boxes, numbered in reading order.", kConvert,
     [](O o, V) { o.overlay = true; }},
    {"--no-join-tables", "", kIo, "", "Do not join tables that continue on the next page.",
     kConvert | kRendering, [](O o, V) { o.no_join_tables = true; }},
    {"--page-timeout", "SECONDS", kIo, "",
     "Stop drafting a page after this time (default 120; waiting for a processor does not count), "
     "and decoding it (default: no limit). What is known of the page is kept.",
     kConvert | kDraft | kNoText,
     [](O o, V v) { o.page_timeout = number("--page-timeout", v, 0.01, 1e6); }},
    {"--sandbox", "on|off|require", kIo, "",
     "Lock processes that read documents in, so that a hostile one reaches no file, network or "
     "process: on (the default), as far as the kernel can; require: end where it cannot; off. "
     "docspec doctor tells what it can.",
     kConvert | kDraft | kNoText,
     [](O o, V v) {
       o.sandbox = one_of("--sandbox", v, {"on", "off", "require"});
     },
     "on off require"},
    {"--gpus", "", kIo, "only the GPUs, a line each: memory that is free, and how busy it is",
     "Only the GPUs of this machine as NVIDIA's driver sees them, a line each: name, compute "
     "capability, free memory, and how busy it is. Exit code 4 where there is none.",
     kDoctor | kNoText, [](O, V) {}},
    {"--strict", "", kIo, "write nothing if a page failed or fell back",
     "Any failed or fallback page fails the run: nothing is written for it.", kConvert | kNoText,
     [](O o, V) { o.strict = true; }},
    {"--shard", "I/N", kIo, "", "Take every N-th input from the I-th, for job arrays.",
     kConvert | kNoText, set_shard},
    {"--jobs", "N", kIo, "",
     "Drafting threads (default: the cores that --threads leaves, at least 1; without a model all "
     "of them).",
     kConvert | kDraft | kNoText, [](O o, V v) { o.jobs = number("--jobs", v, 1, 256); }},
    {"--threads", "N", kIo, "",
     "Threads of the model. Default: 1 below 16 M parameters; else the cores on which no page is "
     "drafted at the moment. In f32, where the last bits of a result may depend on the number of "
     "threads, it stays at half of the cores.",
     kConvert | kNoText, [](O o, V v) { o.threads = number("--threads", v, 1, 256); }},

    {"--model", "DIR|builtin|none", kModelGroup, "checkpoint folder, builtin, or none: only drafts",
     "Hugging Face checkpoint folder; builtin: docspec's own small model; none: the drafts are the "
     "result (default: DOCSPEC_MODEL or docspec.toml, else none).",
     kConvert | kNoText, [](O o, V v) { o.model = v; }, "DIR builtin none"},
    {"--device", "auto|cpu|cuda[:N]", kModelGroup, "auto (default), cpu, cuda or cuda:N",
     "Where the model runs (default auto).", kConvert, [](O o, V v) { o.device = v; },
     "auto cpu cuda"},
    {"--dtype", "auto|f32|bf16|int8|int4", kModelGroup,
     "number format: auto (default), f32, bf16, int8, int4",
     "Number format of the model; auto: f32 below 100 M parameters on the CPU, else bf16. int8 "
     "(CPU): the language model's weights take half the memory of bf16. int4 (CPU): a quarter, "
     "with head, embeddings and vision in int8, as are layers whose inputs are no multiple of 64. "
     "int8 and int4 give exactly what plain decoding in these numbers gives; that text may differ "
     "from bf16's.",
     kConvert,
     [](O o, V v) {
       o.dtype = one_of("--dtype", v, {"auto", "f32", "bf16", "int8", "int4"});
     },
     "auto f32 bf16 int8 int4"},
    {"--memory", "SIZE", kModelGroup, "memory limit of the model's process, such as 6G",
     "Memory limit of the process that runs the model, for example 6G or 1.5GiB. docspec plans for "
     "weights, caches, images and passes before the model reads a page: it decodes fewer jobs at "
     "once, then shows smaller images where they would not fit. Exit code 7 if the smallest plan "
     "does not fit. -v prints the plan.",
     kConvert, [](O o, V v) { o.memory = memory_size("--memory", v); }},
    {"--max-new-tokens", "N", kModelGroup, "", "Limit of tokens per decode.", kConvert,
     [](O o, V v) { o.max_new_tokens = number("--max-new-tokens", v, 1, 1'000'000); }},
    {"--pages-per-prompt", "N", kModelGroup, "",
     "Show the model N pages of a document in one prompt (default 1), for a family that reads "
     "several: Unlimited-OCR, whose context holds some 20 full pages. A document's pages are taken "
     "N by N; the answer is divided at the model's page marks, and a page that it lacks falls back "
     "alone. --max-new-tokens and --page-timeout count for each page. --stages is then page or "
     "region,page.",
     kConvert, [](O o, V v) { o.pages_per_prompt = number("--pages-per-prompt", v, 1, 100); }},
    {"--batch", "N|auto", kModelGroup, "",
     "Jobs decoded together, over all pages; also how many pages are read at a time. auto (the "
     "default): 64 jobs of up to 4 pages. With --bench, --trace or --explain pages are read one "
     "after the other.",
     kConvert | kNoText,
     [](O o, V v) {
       if (v != "auto") number("--batch", v, 1, 4096);
       o.batch = v;
     },
     "auto"},
    {"--temperature", "T", kModelGroup, "",
     "Sampling temperature; 0 is greedy (the default). Above 0 tokens are sampled by a rule of "
     "--verify, after the penalties of generation_config.json.",
     kConvert, [](O o, V v) { o.temperature = number("--temperature", v, 0.0, 10.0); }},
    {"--top-p", "P", kModelGroup, "",
     "With --temperature: sample from the smallest set with this probability (default 1).",
     kConvert, [](O o, V v) { o.top_p = number("--top-p", v, 0.0, 1.0); }},
    {"--top-k", "K", kModelGroup, "",
     "With --temperature: sample from the K most probable tokens; 0 (the default): from all.",
     kConvert, [](O o, V v) { o.top_k = number("--top-k", v, 0, 1'000'000); }},
    {"--seed", "N", kModelGroup, "",
     "With --temperature: seed of the sampling (default 0). With --verify follow the same seed "
     "gives the same text, whatever the batch and the drafts. With token, block and restart the "
     "text also depends on what was proposed, hence on --batch, --max-nodes and the machine.",
     kConvert, [](O o, V v) { o.seed = number<uint64_t>("--seed", v, 0, UINT64_MAX); }},

    {"--draft", "LIST", kSpeculation, "draft sources: auto (default), none, or names",
     "Draft sources, comma list; auto: the text layer where it can be trusted, else OCR; "
     "none: plain decoding. With a draft model or retrieval alone no text of the page is proposed. "
     "A draft model together with auto drafts where measured time says that it pays. In f32 the "
     "text with drafts is the text without; naming tesseract or text-layer alone may change "
     "regions and orientation, hence what the model is shown.",
     kConvert | kDraft,
     [](O o, V v) {
       parse_draft(v);
       o.draft = v;
     },
     "auto none", drafter_choices},
    {"--propose", "LIST", kSpeculation, "",
     "Step proposers, comma list; auto (the default): those marked so, together, with more rows "
     "for "
     "those that prove right on this document. They never change what an exact rule emits.",
     kConvert,
     [](O o, V v) {
       if (v != "auto") parse_spec_list("--propose", v, forms(proposers()));
       o.propose = v;
     },
     "auto", proposer_choices},
    {"--preset", "plain|paper|default", kSpeculation,
     "plain: no drafts; paper: its rule and stages; default",
     "plain: --draft none; paper: --propose window:n=3 --stages region,page.", kConvert,
     [](O o, V v) {
       o.preset = one_of("--preset", v, {"plain", "paper", "default"});
     },
     "plain paper default"},
    {"--stages", "STAGES", kSpeculation, "",
     "adaptive (the default): the whole page at once, and regions of doubtful OCR as crops | "
     "region,page | page | region (approximate as to the page: only crops are read).",
     kConvert,
     [](O o, V v) {
       o.stages = one_of("--stages", v, {"adaptive", "region,page", "page", "region"});
     },
     "adaptive region,page page region"},
    {"--verify", "RULE", kSpeculation, "verification rule: exact (default), tolerant, ...",
     "Verification rule (default exact; with --temperature above 0 follow, and only lossless "
     "ones).",
     kConvert,
     [](O o, V v) {
       make_verifier(parse_spec("--verify", v, forms(verifiers())));
       o.verify = v;
     },
     "", verifier_choices},
    {"--max-nodes", "N|auto", kSpeculation, "",
     "Rows per verification pass; auto (the default): as many as pay by the cost of a pass, "
     "measured at a model's first use on this machine and kept in the user's cache folder.",
     kConvert,
     [](O o, V v) {
       if (v != "auto") number("--max-nodes", v, 1, 4096);
       o.max_nodes = v;
     },
     "auto"},
    {"--prune", "POLICY", kSpeculation, "",
     "Visual fixation (default off): while decoding, most layers attend only to the visual tokens "
     "that the model is looking at. Nothing is evicted. See docspec model calibrate.",
     kConvert,
     [](O o, V v) {
       make_selector(parse_spec("--prune", v, forms(selectors())), {});
       o.prune = v;
     },
     "", selector_choices},
    {"--witness", "on|off", kSpeculation, "",
     "Compare finished text with the page's drafts (default on): a blank page is not shown to the "
     "model, text that repeats itself without end is cut, regions that are missing then or that "
     "the model left out are read alone, and text that it read with low confidence gives way to "
     "the PDF's own text. Token ids never change.",
     kConvert,
     [](O o, V v) {
       o.witness = one_of("--witness", v, {"on", "off"}) == "on";
     },
     "on off"},
    {"--letters", "auto|model|document", kSpeculation,
     "whose letters stand in words (default auto)",
     "Whose letters stand in words once ids are final: the PDF's own where its text layer proves "
     "right (auto, the default), wherever it aligns (document), or the model's (model). On scans, "
     "auto takes the surer of model and OCR, if the model was measured beside it.",
     kConvert,
     [](O o, V v) {
       o.letters = one_of("--letters", v, {"auto", "model", "document"});
     },
     "auto model document"},

    {"--report-differences", "FILE", kReports, "",
     "List words on which model and page differ (TSV): page, box, readings, what stands and why.",
     kConvert | kWrites, [](O o, V v) { o.report_differences = v; }, "FILE"},
    {"--bench", "", kReports, "decode each page with and without drafts: speed-up",
     "Decode each page twice, without drafts and as configured; print the speed-ups and the first "
     "differing tokens.",
     kConvert | kNoText, [](O o, V) { o.bench = true; }},
    {"--bench-out", "FILE", kReports, "keep the comparison as .json or .html",
     "Keep the bench as JSON or, where the name ends in .html, as a page with plots.",
     kConvert | kNoText | kWrites, [](O o, V v) { o.bench_out = v; }, "FILE"},
    {"--bench-truth", "FOLDER", kReports, "",
     "Compare each input's text with FOLDER/STEM.md or .txt: edit distance in the bench.", kConvert,
     [](O o, V v) { o.bench_truth = v; }, "DIR"},
    {"--stats", "FILE", kReports, "", "Write the summary as JSON.", kConvert | kNoText | kWrites,
     [](O o, V v) { o.stats = v; }, "FILE"},
    {"--progress", "auto|plain|json|none", kReports, "",
     "The live line on standard error (default auto: where that is a terminal).",
     kConvert | kNoText,
     [](O o, V v) {
       o.progress = one_of("--progress", v, {"auto", "plain", "json", "none"});
     },
     "auto plain json none"},
    {"--trace", "FILE", kReports, "", "Write one JSON line per decode: prompt, output, steps.",
     kConvert | kNoText | kWrites, [](O o, V v) { o.trace = v; }, "FILE"},
    {"--explain", "FILE", kReports, "", "Write why each proposed token was turned down.",
     kConvert | kNoText | kWrites, [](O o, V v) { o.explain = v; }, "FILE"},
    {"-q,--quiet", "", kReports, "no summary, tables, progress; errors remain",
     "No summary, no tables, no progress; errors remain.", kAll | kNoText,
     [](O o, V) { o.quiet = true; }},
    {"-v,--verbose", "", kReports, "add plans and details", "Add plans and details.",
     kAll | kNoText, [](O o, V) { ++o.verbose; }},
    {"--config", "FILE", kReports, "",
     "Read options from this file (default: docspec.toml here, then in the user's configuration "
     "folder).",
     kAll | kNoText, [](O o, V v) { o.config = v; }, "FILE"},
};

constexpr CommandInfo kCommands[] = {
    {Command::convert, "convert", "INPUT... [-o OUTPUT]",
     "PDFs, page images and folders to Markdown, JSON or HTML",
     "INPUT is a PDF, PNG, JPEG, TIFF or WebP, a folder, or - for standard input.\n"
     "docspec INPUT... without a command does the same.\n"},
    {Command::draft, "draft", "INPUT [-o DRAFTS.json]",
     "only the CPU side: regions and drafts, for --draft replay:FILE", ""},
    {Command::model, "model", "info|verify|calibrate DIR", "what a checkpoint folder holds",
     "\n  info DIR                family, parameters, licence, SHA-256 of each file\n"
     "  verify DIR              every tensor that the family needs, by name and shape\n"
     "  calibrate DIR FILE...   which layers look at the image, measured while reading the\n"
     "                          pages of FILE...; --prune fixation then needs no warm-up\n"
     "\nDIR is a Hugging Face checkpoint folder, builtin or builtin-draft.\n"},
    {Command::store, "store", "build FILE... -o STORE", "phrases for retrieval, of text you own",
     "\n  build FILE... -o STORE  reads text or Markdown and writes the store that\n"
     "                          --draft retrieval:store=STORE uses\n"},
    {Command::doctor, "doctor", "", "what this machine has, what is missing, and the fix", ""},
    {Command::mcp, "mcp", "", "a Model Context Protocol server on standard input and output",
     "Offers the tools convert, pages, search_text, tables and page_image to a program that "
     "starts\n"
     "it, until its standard input ends. It opens no network connection.\n"},
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
