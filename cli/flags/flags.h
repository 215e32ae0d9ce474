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
inline constexpr unsigned kMcp = 1u << unsigned(Command::mcp);
inline constexpr unsigned kAll = kConvert | kDraft | kModel | kStore | kDoctor | kMcp;
/// Further bits of Flag::commands: the effect of a flag. Pages that an earlier run has read are
/// used again only if all flags that decide text are the same.
inline constexpr unsigned kNoText = 1u << 30;     ///< decides no text of any page
inline constexpr unsigned kRendering = 1u << 29;  ///< decides how pages become files
inline constexpr unsigned kWrites = 1u << 28;     ///< its value is a file to write

/// One flag: the only place where it is described. CLI11, --help, docspec(1) and the completions
/// read this table.
struct Flag {
  std::string_view names;  ///< "-o,--output"
  std::string_view value;  ///< "PATH"; empty = a switch
  std::string_view group;
  std::string_view brief;  ///< one line for the short help; "" = in --help-all alone
  std::string_view help;
  unsigned commands;
  void (*apply)(Options& options, const std::string& value);
  /// Words that complete the value: "drop keep comment"; FILE and DIR stand for names of files and
  /// folders. The names in `choices` complete it, too.
  std::string_view completes = "";
  /// Lines that list a registry's names, each "NAME:SETTINGS  SUMMARY", or nullptr.
  std::string (*choices)() = nullptr;
};

/// One command.
struct CommandInfo {
  Command command;
  std::string_view name;
  std::string_view arguments;
  std::string_view summary;
  std::string_view details;  ///< lines for its help, or ""
};

std::span<const Flag> flag_table();
std::span<const CommandInfo> command_table();

/// The long name of a flag: "--output".
std::string_view long_name(const Flag& flag);

}  // namespace docspec
