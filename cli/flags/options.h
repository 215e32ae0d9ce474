#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "core/markup/base/dialect.h"

namespace docspec {

enum class Command { convert, draft, model, store, doctor, mcp };

/// What the user typed, checked for form only; immutable after parsing.
struct Options {
  Command command = Command::convert;
  std::vector<std::string> inputs;  ///< for `model`: the action and the folder

  std::string files_from;  ///< file that names the inputs as they come, "-" = stdin; empty = none
  std::optional<std::string> output;
  std::string to;     ///< comma list; empty = from the suffix of output, else md
  std::string pages;  ///< as typed; PageRanges reads it
  std::string password;
  std::string lang = "auto";
  std::optional<double> dpi;
  int64_t max_pixels = 50'000'000;
  RenderOptions render;
  bool force = false, retry_failed = false, strict = false, no_join_tables = false;
  bool figures = false, overlay = false;
  std::string layout = "auto";
  std::string layout_folder;           ///< of the detector "regions"
  std::optional<double> page_timeout;  ///< seconds
  std::string sandbox = "on";
  int shard_index = 1, shard_count = 1;
  int jobs = 0, threads = 0;  ///< 0 = chosen by the machine

  std::string model;  ///< empty = none was configured
  std::string device = "auto", dtype = "auto", batch = "auto";
  int64_t memory = 0;      ///< bytes; 0 = no ceiling
  int max_new_tokens = 0;  ///< 0 = the family's limit
  int pages_per_prompt = 1;
  double temperature = 0, top_p = 1;
  int top_k = 0;
  uint64_t seed = 0;

  std::string draft = "auto", propose = "auto", stages, verify = "exact", prune = "off";
  std::string preset = "default", max_nodes = "auto";
  bool witness = true;
  std::string letters = "auto", report_differences;

  bool quiet = false;
  int verbose = 0;
  std::string stats, progress = "auto", trace, explain, bench_out, bench_truth;
  bool bench = false;

  std::string config;  ///< the configuration file that was read (--config or found); "" = none

  std::map<std::string, std::string> given;  ///< long name of each flag that was given -> value
};

/// Reads the command line and docspec.toml. Prints and exits the process for nothing: --help and
/// --version come back as `answer`, the text for stdout; what the user must know of a docspec.toml
/// in the current folder, as `notice`, a line for stderr.
struct Parsed {
  Options options;
  std::optional<std::string> answer;
  std::string notice;
};

/// argc: at least 2. Throws Error(usage): unknown command, option (with the nearest known one) or
/// value, naming the ways out.
Parsed parse_command_line(int argc, const char* const* argv);

}  // namespace docspec
