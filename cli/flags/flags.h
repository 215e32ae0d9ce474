#pragma once

#include <span>
#include <string>
#include <string_view>

#include "cli/flags/options.h"

namespace docspec {

/// Bits of Flag::commands.
inline constexpr unsigned kConvert = 1u << unsigned(Command::convert);
inline constexpr unsigned kDraft = 1u << unsigned(Command::draft);
inline constexpr unsigned kModel = 1u << unsigned(Command::model);
inline constexpr unsigned kStore = 1u << unsigned(Command::store);
inline constexpr unsigned kDoctor = 1u << unsigned(Command::doctor);
inline constexpr unsigned kAll = kConvert | kDraft | kModel | kStore | kDoctor;

/// One flag: the only place where it is described. CLI11, --help, docspec(1) and the completions
/// read this table.
struct Flag {
  std::string_view names;  ///< "-o,--output"
  std::string_view value;  ///< "PATH"; empty = a switch
  std::string_view group;
  std::string_view help;
  unsigned commands;
  void (*apply)(Options& options, const std::string& value);
  /// Words that complete the value: "drop keep comment", or "FILE", "DIR".
  std::string_view completes = "";
  /// Lines that list a registry's names, or nullptr.
  std::string (*choices)() = nullptr;
};

/// One command.
struct CommandInfo {
  Command command;
  std::string_view name;
  std::string_view arguments;
  std::string_view summary;
};

std::span<const Flag> flag_table();
std::span<const CommandInfo> command_table();

/// The long name of a flag: "--output".
std::string_view long_name(const Flag& flag);

}  // namespace docspec
