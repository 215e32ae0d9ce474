#include "cli/flags/options.h"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cctype>
#include <cstdlib>
#include <filesystem>
#include <sstream>

#include "cli/flags/draft_choice.h"
#include "cli/flags/flags.h"
#include "cli/flags/manual.h"
#include "cli/flags/named_files.h"
#include "core/base/error.h"
#include "core/base/file_descriptor.h"
#include "core/base/suggestion.h"
#include "core/decode/registry.h"

namespace docspec {
namespace {

const CommandInfo* command_named(std::string_view name) {
  for (const CommandInfo& info : command_table())
    if (info.name == name) return &info;
  return nullptr;
}

std::string suggested_command(std::string_view typed) {
  std::vector<std::string_view> names;
  for (const CommandInfo& info : command_table()) names.push_back(info.name);
  return did_you_mean(typed, names);
}

/// The nearest option of a command, written as `typed` is: with dashes or, in a file, without.
std::string suggested_flag(std::string_view typed, unsigned command) {
  std::vector<std::string_view> names;
  for (const Flag& flag : flag_table())
    if (flag.commands & command)
      names.push_back(long_name(flag).substr(typed.starts_with("-") ? 0 : 2));
  return did_you_mean(typed, names);
}

const Flag* flag_named(std::string_view name, unsigned command) {
  for (const Flag& flag : flag_table())
    if ((flag.commands & command) && long_name(flag).substr(2) == name) return &flag;
  return nullptr;
}

/// "https://...": no file's name.
bool is_address(std::string_view word) {
  const size_t colon = word.find("://");
  return colon != word.npos && colon > 1 &&
         std::all_of(word.begin(), word.begin() + ptrdiff_t(colon), [](unsigned char c) {
           return std::isalnum(c) || c == '+' || c == '.' || c == '-';
         });
}

/// The words, at least one, with the command first: `docspec FILE` is `docspec convert FILE`.
/// Throws Error(usage) for a first word that is neither a command nor looks like an input or an
/// option.
std::vector<std::string> with_command(std::vector<std::string> words) {
  const std::string& first = words[0];
  if (command_named(first)) return words;
  std::error_code error;
  const bool input = first.starts_with("-") || first.find_first_of("./") != first.npos ||
                     std::filesystem::exists(first, error);
  if (!input)
    throw Error(ExitCode::usage, "'" + first + "' is neither a command nor a file" +
                                     suggested_command(first) + "; see docspec --help");
  words.insert(words.begin(), "convert");
  return words;
}

constexpr const char* kFolderConfig = "docspec.toml";

/// The file whose options hold where the command line gives none: that of --config, else the
/// current folder's, else the user's; "" = there is none.
std::string config_file(const Options& options) {
  if (!options.config.empty()) return options.config;
  if (std::filesystem::exists(kFolderConfig)) return kFolderConfig;
  const char* home = std::getenv("XDG_CONFIG_HOME");
  std::filesystem::path folder;
  if (home && *home) {
    folder = home;
  } else if (const char* user = std::getenv("HOME")) {
    folder = std::filesystem::path(user) / ".config";
  }
  const auto file = folder / "docspec" / "docspec.toml";
  return !folder.empty() && std::filesystem::exists(file) ? file.string() : "";
}

/// The line, from 1, on which `key` of `[section]` stands in the text of a configuration file.
/// CLI11 reads the values but keeps no lines.
int line_of(const std::string& text, const std::string& section, const std::string& key) {
  std::istringstream lines(text);
  std::string within, line;
  for (int number = 1; std::getline(lines, line); ++number) {
    line.erase(0, std::min(line.find_first_not_of(" \t"), line.size()));
    if (line.starts_with("[")) within = line.substr(1, line.find(']') - 1);
    std::string name = line.substr(0, line.find_first_of("=#"));
    name.resize(name.find_last_not_of(" \t\r") + 1);
    if ((within == section && name == key) || (key.empty() && within == section)) return number;
  }
  return 1;
}

/// The value of a line as the command line would give it; nothing for a switch that is off.
std::optional<std::string> value_of(const Flag& flag, const CLI::ConfigItem& item) {
  std::string value;
  for (const std::string& input : item.inputs) value += (value.empty() ? "" : ",") + input;
  if (!flag.value.empty()) return value;
  if (value != "true" && value != "false")
    throw Error(ExitCode::usage, std::string(long_name(flag)) + ": must be true or false");
  return value == "true" ? std::optional<std::string>("") : std::nullopt;
}

/// A docspec.toml that was found in the current folder may have come with the documents: it may
/// name no files. Throws Error(usage).
void refuse_paths(const CLI::ConfigItem& item, const Flag& flag) {
  for (const std::string& value : item.inputs)
    if (names_path(flag, value))
      throw Error(ExitCode::usage,
                  fmt::format("{} in this folder may name no path: write {} on the command line, "
                              "or --config {}",
                              kFolderConfig, long_name(flag), kFolderConfig));
}

/// CLI11 takes time and memory that grow with the square of a name's depth. Throws Error(usage).
void refuse_deep_names(const std::string& path, const std::string& text) {
  constexpr int kMostDots = 8;
  std::istringstream lines(text);
  std::string line;
  for (int number = 1; std::getline(lines, line); ++number) {
    const std::string name = line.substr(0, line.find_first_of("=#\"'"));
    if (std::count(name.begin(), name.end(), '.') > kMostDots)
      throw Error(
          ExitCode::usage,
          fmt::format("{}:{}: no such option; write [convert] and KEY = VALUE", path, number));
  }
}

/// One line of the file. Keys above all sections hold for each command that has such an option.
void apply_config(const CLI::ConfigItem& item, bool from_folder, Options& options) {
  const std::string section = item.parents.empty() ? "" : item.parents[0];
  const CommandInfo* const info = command_named(section);
  if (!info && !section.empty())
    throw Error(ExitCode::usage, "[" + section + "]: no such command" + suggested_command(section));
  const unsigned command = info ? 1u << unsigned(info->command) : kAll;
  const Flag* const flag = flag_named(item.name, command);
  if (!flag || item.name == "config" || item.parents.size() > 1)
    throw Error(ExitCode::usage, item.name + ": no such option" +
                                     suggested_flag(item.name, command) + "; docspec " +
                                     (info ? section : "convert") + " --help-all lists them");
  if (from_folder) refuse_paths(item, *flag);
  const unsigned running = 1u << unsigned(options.command);
  const std::string name(long_name(*flag));
  if (!(command & running & flag->commands) || options.given.contains(name)) return;
  if (const auto value = value_of(*flag, item)) {
    flag->apply(options, *value);
    options.given[name] = *value;
  }
}

/// Options from docspec.toml that the command line did not give. Returns what the user must be
/// told: which options the current folder's file sets. Throws Error(usage) with file and line.
std::string read_config(Options& options) {
  const bool from_folder = options.config.empty() && config_file(options) == kFolderConfig;
  const std::string path = options.config = config_file(options);
  if (path.empty()) return "";
  std::string keys;
  constexpr int64_t kMost = 1'000'000;
  const std::string text = read_regular(path, kMost, ExitCode::usage);
  refuse_deep_names(path, text);
  std::istringstream stream(text);
  for (const CLI::ConfigItem& item : CLI::ConfigTOML().from_config(stream)) {
    const bool mark =
        item.name == "++" || item.name == "--";  // where CLI11 saw sections begin, end
    if (mark && (item.parents.empty() || command_named(item.parents[0]))) continue;
    try {
      apply_config(item, from_folder, options);
      keys += (keys.empty() ? "" : ", ") + item.name;
    } catch (const Error& e) {
      const std::string section = item.parents.empty() ? "" : item.parents[0];
      throw Error(e.code(), path + ":" +
                                std::to_string(line_of(text, section, mark ? "" : item.name)) +
                                ": " + e.what());
    }
  }
  return from_folder && !keys.empty()
             ? fmt::format("{} in this folder sets {}", kFolderConfig, keys)
             : "";
}

void add_flags(CLI::App& app, unsigned command, Options& options) {
  for (const Flag& flag : flag_table()) {
    if (!(flag.commands & command)) continue;
    const auto apply = [&flag, &options](const std::string& value) {
      flag.apply(options, value);
      options.given[std::string(long_name(flag))] = value;
    };
    if (flag.value.empty()) {
      app.add_flag_callback(std::string(flag.names), [apply] { apply(""); });
    } else {
      app.add_option_function<std::string>(std::string(flag.names), apply)
          ->take_last()
          ->expected(1);
    }
  }
}

/// Help, versions and `generate` are answered before CLI11 looks at the rest.
std::optional<std::string> early_answer(const std::vector<std::string>& words) {
  if (words.empty()) return std::nullopt;
  if (words[0] == "help") {
    const CommandInfo* const info = words.size() > 1 ? command_named(words[1]) : nullptr;
    if (words.size() > 1 && !info)
      throw Error(ExitCode::usage, "help " + words[1] + ": no such command" +
                                       suggested_command(words[1]) + "; see docspec --help");
    return help_text(info, false);
  }
  if (words[0] == "generate" && words.size() == 2) return generated_text(words[1]);
  for (const std::string& word : words) {
    if (word == "--") break;
    if (word == "--help" || word == "-h") return help_text(command_named(words[0]), false);
    if (word == "--help-all") return help_text(command_named(words[0]), true);
    if (word == "--version" || word == "-V") return version_text();
  }
  return std::nullopt;
}

/// The rule that the temperature asks for, unless the user chose one; refuses one of the other
/// kind.
void settle_verify(Options& options) {
  const bool samples = options.temperature > 0;
  if (!options.given.contains("--verify")) {
    options.verify = samples ? "follow" : "exact";
    return;
  }
  const auto rule = make_verifier(parse_spec("--verify", options.verify, forms(verifiers())));
  if (rule->samples() == samples) return;
  throw Error(ExitCode::usage,
              "--verify " + options.verify +
                  (samples ? ": is for greedy decoding; with --temperature above 0 use follow, "
                             "token, block or restart"
                           : ": draws tokens; give --temperature above 0"));
}

/// Throws Error(usage) for what cannot be had of a prompt with several pages.
void check_pages_per_prompt(const Options& options) {
  if (options.pages_per_prompt == 1) return;
  const auto refuse = [&](const std::string& why) {
    throw Error(ExitCode::usage,
                fmt::format("--pages-per-prompt {}: {}", options.pages_per_prompt, why));
  };
  if (options.model.empty() || options.model == "none")
    refuse("is for a model; name one with --model");
  if (options.bench || !options.bench_out.empty() || !options.bench_truth.empty())
    refuse("--bench compares page by page; leave one of them out");
  if (options.stages == "adaptive" || options.stages == "region")
    refuse("--stages " + options.stages + " reads one page at a time; use page or region,page");
  for (const Spec& spec : parse_draft(options.draft).steps)
    if (spec.name == "model")
      refuse("the draft model of --draft sees one page at a time; leave one of them out");
}

/// CLI11's complaint in docspec's words, with the option that was probably meant.
[[noreturn]] void rethrow_as_usage(const CLI::ParseError& e, const Options& options,
                                   const std::vector<std::string>& words) {
  const unsigned command = 1u << unsigned(options.command);
  const std::string help =
      "; see docspec " + std::string(command_table()[size_t(options.command)].name) + " --help-all";
  if (dynamic_cast<const CLI::ExtrasError*>(&e)) {
    for (size_t i = 1; i < words.size(); ++i) {
      const std::string word = words[i].substr(0, words[i].find('='));
      bool known = !word.starts_with("-") || word == "-";
      for (const Flag& flag : flag_table())
        known |=
            (flag.commands & command) &&
            (("," + std::string(flag.names) + ",").find("," + word + ",") != std::string::npos);
      if (!known)
        throw Error(ExitCode::usage,
                    "unknown option " + word + suggested_flag(word, command) + help);
    }
  }
  throw Error(ExitCode::usage, std::string(e.what()) + help);
}

void refuse_addresses(const Options& options) {
  for (const std::string& input : options.inputs)
    if (is_address(input) && !std::filesystem::exists(input))
      throw Error(ExitCode::usage,
                  input + ": docspec opens no network connection: download it first");
}

}  // namespace

Parsed parse_command_line(int argc, const char* const* argv) {
  std::vector<std::string> words(argv + std::min(argc, 1), argv + argc);
  Parsed parsed;
  if ((parsed.answer = early_answer(words))) return parsed;
  words = with_command(std::move(words));

  Options& options = parsed.options;
  if (const char* model = std::getenv("DOCSPEC_MODEL")) options.model = model;
  CLI::App app;
  app.set_help_flag();
  for (const CommandInfo& info : command_table()) {
    CLI::App* sub = app.add_subcommand(std::string(info.name));
    sub->set_help_flag();
    sub->add_option("inputs", options.inputs);
    add_flags(*sub, 1u << unsigned(info.command), options);
    if (info.name == words[0]) options.command = info.command;
  }
  try {
    app.parse(
        std::vector<std::string>(words.rbegin(), words.rend()));  // CLI11 takes the last first
  } catch (const CLI::ParseError& e) {
    rethrow_as_usage(e, options, words);
  }
  parsed.notice = read_config(options);
  refuse_addresses(options);
  settle_verify(options);
  check_pages_per_prompt(options);
  return parsed;
}

}  // namespace docspec
