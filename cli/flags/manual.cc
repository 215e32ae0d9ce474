#include "cli/flags/manual.h"

#include <fmt/format.h>

#include "cli/flags/json_manual.h"
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

std::string usage_form(const Flag& flag) {
  std::string names;
  for (char c : flag.names) names += c == ',' ? std::string(", ") : std::string(1, c);
  return flag.value.empty() ? names : names + " " + std::string(flag.value);
}

std::string flag_help(const Flag& flag) {
  std::string out = "  " + usage_form(flag) + "\n" + wrapped(flag.help, 6, 96);
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
    "  over phrases, ahead       exact h  lossless h  -           -           -           "
    "approximate e\n"
    "draft model, drawn: chain   -        -           lossless i  lossless i  lossless i  -\n"
    "  inputs mixed              -        -           lossless i  lossless i  lossless i  -\n"
    "  over phrases, ahead       -        -           lossless i  lossless i  lossless i  -\n"
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
    ".TP\n.B weights=tabed\nHow they are mixed: equal, or learnt from what verification showed: "
    "tabed (most matches, then least divergence), kl, tv, inverse, softmax\\-inverse, boost.\n"
    ".TP\n.B window=0\nThe last verified places that count for the weights; 0 = all.\n"
    ".TP\n.B phrases=0\nTokens of a retrieved phrase that each of its passes reads; 0 = none. "
    "store=FILE adds texts of docspec store build.\n"
    ".TP\n.B ahead=0\n1: it drafts on a thread of its own while the model verifies. The text never "
    "depends on timing.\n"
    ".TP\n.B pays=\n1: rounds are left without its drafts where measured time says that they cost "
    "more than they yield (greedy decoding); 0: it drafts in every round. Not given: 1 beside "
    "auto, "
    "else 0.\n";

constexpr std::string_view kExitCodes =
    "0 all pages ok; 1 usage; 2 input unreadable; 3 finished, some pages failed or fell back (the "
    "document is written); 4 model or dependency missing or unusable; 5 output not writable; "
    "6 password needed or wrong; 7 out of memory; 8 internal error; 130 interrupted (what is "
    "finished is kept). A batch ends with the worst of its files, in the order 8 7 5 4 2 6 3 0.";

/// Words that troff or a shell would read as markup.
std::string roff(std::string_view text) {
  std::string out;
  for (char c : text) {
    if (c == '\\') {
      out += "\\e";
    } else if (c == '-') {
      out += "\\-";
    } else {
      out += c;
    }
  }
  return out.starts_with(".") || out.starts_with("'") ? "\\&" + out : out;
}

std::string man_flag(const Flag& flag) {
  std::string out = ".TP\n.B " + roff(usage_form(flag)) + "\n" + roff(flag.help) + "\n";
  if (!flag.choices) return out;
  out += ".RS\n.nf\n";
  const std::string lines = flag.choices();
  for (size_t from = 0; from < lines.size();) {
    const size_t end = lines.find('\n', from);
    out += roff(lines.substr(from, end - from)) + "\n";
    from = end + 1;
  }
  return out + ".fi\n.RE\n";
}

std::string man_page() {
  std::string out =
      ".\\\" Generated by `docspec generate man` from the flag table; do not edit.\n"
      ".TH DOCSPEC 1 \"\" \"docspec " DOCSPEC_VERSION
      "\" \"User Commands\"\n.SH NAME\ndocspec \\- PDF to Markdown with document VLMs that verify "
      "drafts\n.SH SYNOPSIS\n";
  for (const CommandInfo& info : command_table())
    out += fmt::format(".B docspec {}\n{} [options]\n.br\n", info.name, roff(info.arguments));
  out += ".SH COMMANDS\n";
  for (const CommandInfo& info : command_table())
    out += fmt::format(".TP\n.B {}\n{}\n", info.name, roff(info.summary));
  out += ".SH OPTIONS\n";
  std::string_view group;
  for (const Flag& flag : flag_table()) {
    if (flag.group != group) out += fmt::format(".SS {}\n", group = flag.group);
    out += man_flag(flag);
  }
  out +=
      ".SH DRAFT MODELS\n" + std::string(kDraftModels) +
      ".SH DRAFTS AND RULES\nExact: the tokens of the plain decode. Lossless: their distribution "
      "is "
      "the plain decode's. First: lossless, and only the first chain is used. A draft model draws "
      "its tokens for token, block and restart; for the other rules it proposes its likeliest "
      "ones. A letter is a test of share/doc/decisions/0013\\-sampling.md.\n.PP\n.nf\n" +
      roff(kCombinations) + "\n.fi\n";
  return out + ".SH EXIT STATUS\n" + roff(kExitCodes) +
         "\n.SH FILES\n.TP\n.B docspec.toml\nDefaults of the options, by command: a line "
         "[convert], then lines such as lang = \"deu\". Read from the current folder, else from "
         "$XDG_CONFIG_HOME/docspec/.\n.TP\n.B .docspec/OUTPUT.json\nBeside each output: its "
         "journal, a line for each page that was read. A run that was ended in any way goes on at "
         "the next page; it is bound to the input's bytes, the options and the model. It may be "
         "removed at any time.\n.TP\n.B failures.jsonl\nIn the output folder of a batch: each "
         "page and file that is not ok (failures.I\\-of\\-N.jsonl with \\-\\-shard "
         "I/N).\n.SH ENVIRONMENT\n.TP\n.B DOCSPEC_MODEL\nDefault of "
         "\\-\\-model.\n.SH SEE ALSO\n.BR docspec\\-json (5)\n";
}

std::string completion_words(unsigned command) {
  std::string out;
  for (const Flag& flag : flag_table())
    if (flag.commands & command) out += std::string(long_name(flag)) + " ";
  if (!out.empty()) out.pop_back();
  return out;
}

std::string bash_completion() {
  std::string out =
      "# Generated by `docspec generate bash` from the flag table; do not edit.\n"
      "_docspec() {\n  local cur=${COMP_WORDS[COMP_CWORD]} prev=${COMP_WORDS[COMP_CWORD-1]}\n"
      "  case $prev in\n";
  for (const Flag& flag : flag_table()) {
    if (flag.value.empty()) continue;
    std::string names(flag.names);
    for (char& c : names)
      if (c == ',') c = '|';
    if (flag.completes == "FILE" || flag.completes == "DIR" || flag.completes.empty()) {
      out += fmt::format("    {}) COMPREPLY=($(compgen -{} -- \"$cur\")); return ;;\n", names,
                         flag.completes == "DIR" ? "d" : "f");
    } else {
      out += fmt::format("    {}) COMPREPLY=($(compgen -W \"{}\" -- \"$cur\")); return ;;\n", names,
                         flag.completes);
    }
  }
  out += "  esac\n  if ((COMP_CWORD == 1)); then\n    COMPREPLY=($(compgen -W \"";
  for (const CommandInfo& info : command_table()) out += std::string(info.name) + " ";
  out +=
      "--help --version\" -- \"$cur\"))\n    return\n  fi\n  if [[ $cur == -* ]]; then\n"
      "    case ${COMP_WORDS[1]} in\n";
  for (const CommandInfo& info : command_table())
    out += fmt::format("      {}) COMPREPLY=($(compgen -W \"{} --help\" -- \"$cur\")) ;;\n",
                       info.name, completion_words(1u << unsigned(info.command)));
  return out +
         "    esac\n  else\n    COMPREPLY=($(compgen -f -- \"$cur\"))\n  fi\n}\n"
         "complete -o filenames -F _docspec docspec\n";
}

/// A word within single quotes of a shell.
std::string quoted(std::string_view text) {
  std::string out;
  for (char c : text) out += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return out;
}

std::string zsh_completion() {
  std::string out =
      "#compdef docspec\n# Generated by `docspec generate zsh` from the flag table; do not edit.\n"
      "local -a commands=(\n";
  for (const CommandInfo& info : command_table())
    out += fmt::format("  '{}:{}'\n", info.name, quoted(info.summary));
  out +=
      ")\nif ((CURRENT == 2)); then\n  _describe command commands\n  return\nfi\n"
      "case $words[2] in\n";
  for (const CommandInfo& info : command_table()) {
    out += fmt::format("  {})\n    _arguments \\\n", info.name);
    for (const Flag& flag : flag_table()) {
      if (!(flag.commands & (1u << unsigned(info.command)))) continue;
      std::string help;
      for (char c : quoted(flag.help)) help += c == ':' || c == '[' || c == ']' ? ' ' : c;
      out += fmt::format("      '{}[{}]", long_name(flag), help);
      if (flag.completes == "FILE" || flag.completes == "DIR") {
        out += ":file:_files";
      } else if (!flag.completes.empty()) {
        out += fmt::format(":value:({})", flag.completes);
      } else if (!flag.value.empty()) {
        out += ":value: ";
      }
      out += "' \\\n";
    }
    out += "      '*:file:_files' ;;\n";
  }
  return out + "esac\n";
}

std::string fish_completion() {
  std::string out = "# Generated by `docspec generate fish` from the flag table; do not edit.\n";
  for (const CommandInfo& info : command_table())
    out += fmt::format("complete -c docspec -n __fish_use_subcommand -a {} -d '{}'\n", info.name,
                       quoted(info.summary));
  for (const Flag& flag : flag_table()) {
    std::string within;
    for (const CommandInfo& info : command_table())
      if (flag.commands & (1u << unsigned(info.command))) within += " " + std::string(info.name);
    out += fmt::format("complete -c docspec -n '__fish_seen_subcommand_from{}' -l {}", within,
                       long_name(flag).substr(2));
    if (flag.names.size() > 3 && flag.names[2] == ',') out += fmt::format(" -s {}", flag.names[1]);
    if (!flag.value.empty()) out += " -r";
    if (!flag.completes.empty() && flag.completes != "FILE" && flag.completes != "DIR")
      out += fmt::format(" -f -a '{}'", flag.completes);
    out += fmt::format(" -d '{}'\n", quoted(flag.help));
  }
  return out;
}

}  // namespace

std::string help_text(const CommandInfo* command) {
  std::string out;
  if (!command) {
    out = "docspec turns PDFs into Markdown and JSON.\n\nUsage: docspec COMMAND ... [options]\n\n";
    for (const CommandInfo& info : command_table())
      out += fmt::format("  {:<8} {:<26} {}\n", info.name, info.arguments, info.summary);
    return out +
           "\ndocspec COMMAND --help lists the options of one; docspec --version names versions "
           "and licences.\nExample: docspec convert in.pdf -o out.md\n";
  }
  out = fmt::format("Usage: docspec {} {} [options]\n{}\n", command->name, command->arguments,
                    command->summary);
  std::string_view group;
  for (const Flag& flag : flag_table()) {
    if (!(flag.commands & (1u << unsigned(command->command)))) continue;
    if (flag.group != group) out += fmt::format("\n{}\n", group = flag.group);
    out += flag_help(flag);
  }
  if (command->command == Command::convert) out += "\nExit codes\n" + wrapped(kExitCodes, 2, 96);
  return out;
}

std::string generated_text(std::string_view kind) {
  if (kind == "man") return man_page();
  if (kind == "json-man") return json_man_page();
  if (kind == "bash") return bash_completion();
  if (kind == "zsh") return zsh_completion();
  if (kind == "fish") return fish_completion();
  throw Error(ExitCode::usage,
              "generate " + std::string(kind) + ": there are man, json-man, bash, zsh, fish");
}

}  // namespace docspec
