#include "cli/flags/manual.h"

#include <fmt/format.h>

#include "cli/flags/completions.h"
#include "cli/flags/json_manual.h"
#include "cli/flags/roff.h"
#include "core/base/error.h"

namespace docspec {
namespace {

/// `text` in lines of at most `width` characters, each indented.
std::string wrapped(std::string_view text, size_t indent, size_t width) {
  std::string out, line;
  const auto flush = [&] {
    if (!line.empty()) out += std::string(indent, ' ') + line + "\n";
    line.clear();
  };
  while (!text.empty()) {
    const size_t end = std::min(text.find(' '), text.size());
    const std::string_view word = text.substr(0, end);
    if (!line.empty() && indent + line.size() + 1 + word.size() > width) flush();
    line += (line.empty() ? "" : " ") + std::string(word);
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  flush();
  return out;
}

/// "-o, --output PATH"; `names` and `value` as in Flag.
std::string usage_form(std::string_view names, std::string_view value) {
  std::string form;
  for (char c : names) form += c == ',' ? std::string(", ") : std::string(1, c);
  return value.empty() ? form : form + " " + std::string(value);
}

/// The usage form with short names in a column of their own, and one line of help.
std::string brief_help(const Flag& flag) {
  const bool has_short = !flag.names.starts_with("--");
  std::string form = (has_short ? "" : "    ") + usage_form(flag.names, flag.value);
  if (form.size() > 24 && !flag.value.empty())  // its help names the values
    form = (has_short ? "" : "    ") + usage_form(flag.names, "WHAT");
  return fmt::format("  {:<24} {}\n", form, flag.brief);
}

std::string flag_help(const Flag& flag) {
  std::string out = "  " + usage_form(flag.names, flag.value) + "\n" + wrapped(flag.help, 6, 96);
  if (!flag.choices) return out;
  std::string lines = flag.choices();
  for (size_t from = 0; from < lines.size();) {
    const size_t end = lines.find('\n', from);
    out += "        " + lines.substr(from, end - from) + "\n";
    from = end + 1;
  }
  return out;
}

/// What a rule of --verify makes of a kind of draft; the tests of the letters are named in
/// share/doc/decisions/0013-sampling.md.
constexpr std::string_view kCombinations =
    "draft \\ rule                exact    follow      token       block       restart     "
    "tolerant,\n"
    "                                                                                  prob-ratio\n"
    "page drafts, phrases        exact a  lossless b  lossless c  lossless c  lossless d  "
    "approximate e\n"
    "draft model: chain, tree    exact h  lossless h  -           -           -           "
    "approximate e\n"
    "  inputs mixed              exact h  lossless h  -           -           -           "
    "approximate e\n"
    "  over phrases              exact h  lossless h  -           -           -           "
    "approximate e\n"
    "draft model, drawn: chain   -        -           lossless i  lossless i  lossless i  -\n"
    "  inputs mixed              -        -           lossless i  lossless i  lossless i  -\n"
    "  over phrases              -        -           lossless i  lossless i  lossless i  -\n"
    "  several chains (width)    -        -           first i     first i     lossless i  -";

/// Settings of `--draft model:DIR`, as roff.
constexpr std::string_view kDraftModels =
    "A checkpoint folder with the tokenizer of the model (builtin\\-draft: the built-in "
    "model\\(aqs small sibling), given as \\-\\-draft model:DIR, alone or "
    "beside other sources. It reads the same page or crop with its own prompt. One that fails "
    "costs "
    "its proposals, never a page.\n"
    ".TP\n.B gamma=5\nIts passes a round.\n"
    ".TP\n.B width=1\nThe likeliest tokens (1 to 3) proposed at each place of its chain; where "
    "tokens are drawn, so many chains.\n"
    ".TP\n.B inputs=image\nWhat it is shown, one or more with + between: image; text (line breaks "
    "in the image\\(aqs place); pooled (2 x 2 means of the image\\(aqs rows); draft (the "
    "page\\(aqs "
    "draft text in the image\\(aqs place). Several are one batch, and their mixture is what "
    "drafts.\n"
    ".TP\n.B weights=tabed\nHow they are mixed: equal, or tabed: learnt from verified tokens (most "
    "matches, then least divergence).\n"
    ".TP\n.B window=0\nThe last verified places that count for the weights; 0 = all.\n"
    ".TP\n.B phrases=0\nTokens of a retrieved phrase that each of its passes reads; 0 = none. "
    "store=FILE adds texts of docspec store build.\n"
    ".TP\n.B pays=\n1: rounds are left without its drafts where measured time says that they cost "
    "more than they yield (greedy decoding); 0: it drafts in every round. Not given: 1 beside "
    "auto, "
    "else 0.\n";

constexpr std::string_view kExitCodes =
    "0 all pages ok; 1 usage; 2 input unreadable; 3 finished, some pages failed or fell back (the "
    "document is written); 4 model or dependency missing or unusable; 5 output not writable; "
    "6 password needed or wrong; 7 out of memory, processes or open files; 8 internal error; 130 "
    "interrupted (what is "
    "finished is kept). A batch ends with the worst of its files, in the order 8 7 5 4 2 6 3 0.";

// What tests/faults holds docspec to.
constexpr std::string_view kPromises = R"(.IP \(bu 2
No file that docspec reads is written, whatever name leads to it. No output replaces a PDF or an image,
or another output of the same run.
.IP \(bu 2
A document stands in its place whole, or it says in itself what is missing and the exit code is not 0.
.IP \(bu 2
docspec ends with a code of EXIT STATUS, and in bounded time and memory a page. A file that cannot be
read, hangs its reader or breaks it costs itself alone; the message names it and says what to do.
.IP \(bu 2
The same command finishes a run that was ended in any way, with the bytes of a run that was not.
.IP \(bu 2
The processes that read documents can write no file, reach no network, start no program and read
none of the user's files but fonts and weights (\-\-sandbox; docspec doctor tells what the kernel can do).
.IP \(bu 2
Text of a document never becomes code: not in HTML, whose own policy forbids scripts and the network,
not in Markdown, JSON or TSV, not on the terminal.
)";

constexpr std::string_view kModelFiles =
    R"(.PP
A file of JSON tells how a model is asked: share/docspec/families/FAMILY.json, or one with the
name of a fine\-tune in its "recognise", which is the last part of config.json's _name_or_path or
of the folder's name. `docspec model info` says which. A docspec.json in the model's folder chooses
another one ({"prompts": "rolmocr"}) or overrides it key by key; null removes a key.
.PP
.nf
{"prompts": "qwen2_5_vl",                           the file to begin with
 "chat": "<|im_start|>user\en{image}{question}...",  {question}{image}: the text first
 "image": "<|vision_start|><|image_pad|>...",       what stands for {image}
 "image_token": "<|image_pad|>",                    its placeholder, a token of the tokenizer
 "questions": {"page": "Convert to Markdown.",      without "page": a model for regions
               "text": "OCR:", "table": "Table:", "formula": "Formula:"},
 "stop": ["<|im_end|>"],                            tokens that end an answer
 "dialect": "markdown",                             the markup of the answers
 "markup": ["<fcel>"],                              special tokens that are part of it
 "min_pixels": 200704, "max_pixels": 1806336, "longest_px": 1288, "dpi": 200,
 "no_repeat_ngram_size": 35,                        no 35 tokens twice within the last 128,
 "no_repeat_ngram_window_size": 128,                prompt and answer; generation_config.json wins
 "page_mark": "<PAGE>",                             with a question "pages": before each page of the
 "pages_no_repeat_ngram_window_size": 1024,         answer, whose rule has this window
 "surety": {...}}                                   --letters on scans: how margins of the
                                                    model compare with OCR's confidence, as
                                                    tests/bench/letters_scans fit writes it
.fi
)";

/// Lines of at least one letter each, every one ended by a line break.
std::string roff_lines(std::string_view lines) {
  std::string out;
  while (!lines.empty()) {
    const size_t end = std::min(lines.find('\n'), lines.size());
    if (end > 0) out += roff(lines.substr(0, end)) + "\n";
    lines.remove_prefix(std::min(end + 1, lines.size()));
  }
  return out;
}

std::string man_flag(const Flag& flag) {
  std::string out =
      ".TP\n.B " + roff(usage_form(flag.names, flag.value)) + "\n" + roff(flag.help) + "\n";
  if (!flag.choices) return out;
  return out + ".RS\n.nf\n" + roff_lines(flag.choices()) + ".fi\n.RE\n";
}

std::string man_page() {
  std::string out =
      ".\\\" Generated by `docspec generate man` from the flag table; do not edit.\n"
      ".TH DOCSPEC 1 \"\" \"docspec " DOCSPEC_VERSION
      "\" \"User Commands\"\n.SH NAME\ndocspec \\- PDFs and page images to Markdown, JSON and "
      "HTML, "
      "with document VLMs that verify drafts\n.SH SYNOPSIS\n";
  for (const CommandInfo& info : command_table())
    out += fmt::format(".B docspec {}\n{} [options]\n.br\n", info.name, roff(info.arguments));
  out +=
      ".B docspec\nINPUT... [options]\n.br\n.B docspec help\n[COMMAND]\n.br\n.B docspec "
      "\\-\\-version\n.SH COMMANDS\n";
  for (const CommandInfo& info : command_table()) {
    out += fmt::format(".TP\n.B {}\n{}\n", info.name, roff(info.summary));
    if (!info.details.empty()) out += ".RS\n.nf\n" + roff_lines(info.details) + ".fi\n.RE\n";
  }
  out += ".SH OPTIONS\n";
  std::string_view group;
  for (const Flag& flag : flag_table()) {
    if (flag.group != group) out += fmt::format(".SS {}\n", group = flag.group);
    out += man_flag(flag);
  }
  out +=
      ".SH DRAFT MODELS\n" + std::string(kDraftModels) + ".SH MODEL FILES\n" +
      std::string(kModelFiles) +
      ".SH DRAFTS AND RULES\nExact: the tokens of the plain decode. Lossless: their distribution "
      "is "
      "the plain decode's. First: lossless, and only the first chain is used. A draft model draws "
      "its tokens for token, block and restart; for the other rules it proposes its likeliest "
      "ones. A letter is a test of share/doc/decisions/0013\\-sampling.md.\n.PP\n.nf\n" +
      roff(kCombinations) + "\n.fi\n";
  return out + ".SH EXIT STATUS\n" + roff(kExitCodes) +
         "\n.SH PROMISES\nOf any input, at any moment; tests/faults of the sources tries each.\n" +
         std::string(kPromises) +
         ".SH FILES\n.TP\n.B docspec.toml\nDefaults of the options, by command: a line "
         "[convert], then lines such as lang = \"deu\". Read from the current folder, where it may "
         "name no files and docspec says what it sets, else from $XDG_CONFIG_HOME/docspec/.\n.TP\n"
         ".B .docspec/STEM.json\nBeside the outputs STEM.md, STEM.json and STEM.html: their "
         "journal, a line for each page that was read. A run that was ended in any way goes on at "
         "the next page; it is bound to the input's bytes, the options and the model. It may be "
         "removed at any time.\n.TP\n.B failures.jsonl\nIn the output folder of a batch: each "
         "page and file that is not ok (failures.I\\-of\\-N.jsonl with \\-\\-shard "
         "I/N).\n.SH ENVIRONMENT\n.TP\n.B DOCSPEC_MODEL\nDefault of "
         "\\-\\-model.\n.TP\n.B DOCSPEC_CPU\nThe most that arithmetic may use of the processor: "
         "any, "
         "avx2, avx512 (default: what it has; \\fBdocspec doctor\\fR says what is used). Products "
         "of "
         "int8 and int4 have the same bits with each.\n.SH SEE ALSO\n.BR docspec\\-json (5)\n";
}

constexpr std::string_view kEndOfBriefHelp = R"(
      --help-all           every option, with its names and their settings

Exit codes: 0 all pages ok, 1 usage, 2 unreadable input, 3 some pages failed or
fell back (the document is written), 4 to 8 and 130: see docspec(1).
)";

constexpr std::string_view kOverview =
    R"(docspec turns PDFs and page images into Markdown, JSON and HTML.

Usage: docspec INPUT... [-o OUTPUT] [options]
       docspec COMMAND ... [options]

)";

constexpr std::string_view kEndOfOverview = R"(
Examples
  docspec in.pdf                           Markdown on standard output
  docspec in.pdf -o out.html               to look at: text beside the page's image
  docspec papers/ -o out/ --to md,json     a folder

docspec help COMMAND, or COMMAND --help: its main options; --help-all: every option.
docspec --version names versions and licences.
)";

std::string overview() {
  std::string out(kOverview);
  for (const CommandInfo& info : command_table())
    out += fmt::format("  {:<8} {:<26} {}\n", info.name, info.arguments, info.summary);
  return out + std::string(kEndOfOverview);
}

}  // namespace

std::string help_text(const CommandInfo* command, bool all) {
  if (!command && !all) return overview();
  if (!command) command = &command_table().front();
  std::string out = fmt::format("Usage: docspec {} {} [options]\n{}\n{}", command->name,
                                command->arguments, command->summary, command->details);
  // Only convert has more options than a screen holds.
  const bool brief = !all && command->command == Command::convert;
  std::string_view group;
  for (const Flag& flag : flag_table()) {
    if (!(flag.commands & (1u << unsigned(command->command)))) continue;
    if (brief && flag.brief.empty()) continue;
    if (flag.group != group) out += fmt::format("\n{}\n", group = flag.group);
    out += brief ? brief_help(flag) : flag_help(flag);
  }
  if (brief) return out + std::string(kEndOfBriefHelp);
  if (command->command == Command::convert) out += "\nExit codes\n" + wrapped(kExitCodes, 2, 96);
  return out;
}

std::string generated_text(std::string_view kind) {
  if (kind == "man") return man_page();
  if (kind == "json-man") return json_man_page();
  const std::string completion = completion_script(kind);
  if (!completion.empty()) return completion;
  throw Error(ExitCode::usage,
              "generate " + std::string(kind) + ": there are man, json-man, bash, zsh, fish");
}

}  // namespace docspec
