#include "cli/flags/options.h"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstdlib>
#include <filesystem>

#include "cli/flags/flags.h"
#include "cli/flags/manual.h"
#include "core/base/error.h"
#include "core/decode/registry.h"

namespace docspec {
namespace {

size_t edit_distance(std::string_view a, std::string_view b) {
  std::vector<size_t> row(b.size() + 1);
  for (size_t j = 0; j <= b.size(); ++j) row[j] = j;
  for (size_t i = 1; i <= a.size(); ++i) {
    size_t diagonal = row[0]++;
    for (size_t j = 1; j <= b.size(); ++j) {
      const size_t above = row[j];
      row[j] = std::min({above + 1, row[j - 1] + 1, diagonal + (a[i - 1] != b[j - 1])});
      diagonal = above;
    }
  }
  return row[b.size()];
}

/// " (did you mean --pages?)" when a name of the command is near, else "".
std::string suggestion(std::string_view typed, unsigned command) {
  std::string_view best;
  size_t distance = std::max<size_t>(2, typed.size() / 3) + 1;
  const auto consider = [&](std::string_view name) {
    const size_t d = edit_distance(typed, name);
    if (d < distance) std::tie(best, distance) = std::pair(name, d);
  };
  if (typed.starts_with("-")) {
    for (const Flag& flag : flag_table())
      if (flag.commands & command) consider(long_name(flag));
  } else {
    for (const CommandInfo& info : command_table()) consider(info.name);
  }
  return best.empty() ? "" : " (did you mean " + std::string(best) + "?)";
}

std::optional<std::string> config_file(int argc, const char* const* argv) {
  for (int i = 1; i + 1 < argc; ++i)
    if (std::string_view(argv[i]) == "--config") return std::nullopt;  // CLI11 reads that one
  if (std::filesystem::exists("docspec.toml")) return "docspec.toml";
  const char* home = std::getenv("XDG_CONFIG_HOME");
  std::filesystem::path folder;
  if (home && *home) {
    folder = home;
  } else if (const char* user = std::getenv("HOME")) {
    folder = std::filesystem::path(user) / ".config";
  }
  const auto file = folder / "docspec" / "docspec.toml";
  if (!folder.empty() && std::filesystem::exists(file)) return file.string();
  return std::nullopt;
}

void add_flags(CLI::App& app, unsigned command, Options& options) {
  for (const Flag& flag : flag_table()) {
    if (!(flag.commands & command) || long_name(flag) == "--config") continue;
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

/// --help, --version and `generate` are answered before CLI11 looks at the rest.
std::optional<std::string> early_answer(int argc, const char* const* argv) {
  const CommandInfo* command = nullptr;
  for (const CommandInfo& info : command_table())
    if (argc > 1 && info.name == argv[1]) command = &info;
  for (int i = 1; i < argc; ++i) {
    const std::string_view word = argv[i];
    if (word == "--help" || word == "-h") return help_text(command);
    if (word == "--version") return version_text();
    if (word == "--") break;
  }
  if (argc == 3 && std::string_view(argv[1]) == "generate") return generated_text(argv[2]);
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

[[noreturn]] void rethrow_as_usage(const CLI::ParseError& e, const Options& options, int argc,
                                   const char* const* argv) {
  const std::string help =
      "; see docspec " + std::string(command_table()[size_t(options.command)].name) + " --help";
  if (dynamic_cast<const CLI::ExtrasError*>(&e)) {
    for (int i = 2; i < argc; ++i) {
      std::string word = argv[i];
      word = word.substr(0, word.find('='));
      bool known = !word.starts_with("-") || word == "-";
      for (const Flag& flag : flag_table())
        known |=
            (flag.commands & (1u << unsigned(options.command))) &&
            (("," + std::string(flag.names) + ",").find("," + word + ",") != std::string::npos);
      if (!known)
        throw Error(ExitCode::usage, "unknown option " + word +
                                         suggestion(word, 1u << unsigned(options.command)) + help);
    }
  }
  throw Error(ExitCode::usage, std::string(e.what()) + help);
}

}  // namespace

Parsed parse_command_line(int argc, const char* const* argv) {
  Parsed parsed;
  if ((parsed.answer = early_answer(argc, argv))) return parsed;
  if (argc < 2)
    throw Error(ExitCode::usage, "no command; try docspec convert in.pdf -o out.md, or --help");

  Options& options = parsed.options;
  if (const char* model = std::getenv("DOCSPEC_MODEL")) options.model = model;
  CLI::App app;
  app.set_help_flag();
  app.set_config("--config", config_file(argc, argv).value_or(""));
  app.allow_config_extras(CLI::config_extras_mode::error);
  std::vector<CLI::App*> commands;
  for (const CommandInfo& info : command_table()) {
    CLI::App* sub = app.add_subcommand(std::string(info.name));
    sub->set_help_flag();
    sub->fallthrough();
    sub->add_option("inputs", options.inputs);
    add_flags(*sub, 1u << unsigned(info.command), options);
    commands.push_back(sub);
    if (info.name == argv[1]) options.command = info.command;
  }
  const auto named = [argv](const CommandInfo& info) { return info.name == argv[1]; };
  if (std::none_of(command_table().begin(), command_table().end(), named))
    throw Error(ExitCode::usage, "unknown command '" + std::string(argv[1]) + "'" +
                                     suggestion(argv[1], 0) + "; see docspec --help");
  try {
    app.parse(argc, argv);
  } catch (const CLI::FileError& e) {
    throw Error(ExitCode::usage, std::string("--config: ") + e.what());
  } catch (const CLI::ParseError& e) {
    rethrow_as_usage(e, options, argc, argv);
  }
  settle_verify(options);
  return parsed;
}

}  // namespace docspec
