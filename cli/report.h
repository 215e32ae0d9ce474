#pragma once

#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "cli/flags/options.h"
#include "cli/report/difference_report.h"
#include "cli/targets.h"
#include "core/base/output_file.h"
#include "core/base/stopwatch.h"
#include "core/document/document.h"

namespace docspec {

/// A page that is not ok, or (page 0) an input that gave no document.
struct Problem {
  std::string input;
  int page = 0;
  std::string status;  ///< "fallback", "failed" or "error"
  ExitCode code = ExitCode::internal;
  std::string message;
};

/// The report of the model about a run.
struct DecodeReport {
  std::string summary;                ///< a line: AAL, tokens per pass, tokens per second
  std::string bench_table;            ///< lines, "" without --bench
  std::optional<ReadingStats> stats;  ///< of all inputs
  double tokens_per_s = 0;
};

/// Counts of one run and what it says of itself at the end.
class Report {
 public:
  Report(const Options& options, size_t inputs);

  /// Whether anyone sees how far the run is.
  bool shows_progress() const { return mode_ != "none"; }
  /// The pages of all inputs, known before the first is read.
  void expect_pages(size_t pages);
  /// A new input begins; `pages` are to be read.
  void begin_input(const std::string& input, size_t pages);
  /// The model has emitted so many tokens more.
  void add_tokens(size_t tokens);
  /// `known`: an earlier run read it.
  void add_page(const std::string& input, const Page& page, bool known);
  /// Sets the peak memory of the processes that draft pages, and how many of them were lost.
  void set_worker_memory(double peak_mb, int lost) {
    worker_mb_ = peak_mb;
    workers_lost_ = lost;
  }
  void add_decode(DecodeReport report) { decode_ = std::move(report); }
  /// An input that gave no document. Told at once if there is no table of problems to name it.
  void add_error(const std::string& input, const Error& error);
  /// A document is written; `fresh`: by this run.
  void add_output(const std::vector<std::filesystem::path>& files, bool fresh);
  /// A line on stderr about something that is no failure.
  void warn(const std::string& message) const;
  /// A line on stderr with -v.
  void detail(const std::string& message) const;

  /// Ends the live line, prints summary, table of problems and where the output is, writes --stats
  /// and failures.jsonl (into the plan's folder, when there are problems in a batch; each shard has
  /// a file of its own).
  void finish(const Plan& plan);
  /// Worst of the run, in the order of docspec(1).
  ExitCode exit_code() const;

 private:
  void progress(bool page);
  std::string progress_json() const;
  double seconds_left() const;
  double pages_per_second() const;
  double peak_memory_mb() const;
  std::filesystem::path failures_file(const Plan& plan) const;
  std::string last_line(const Plan& plan) const;
  void sort_problems(const Plan& plan);
  void print_problems() const;
  void write_failures(const Plan& plan) const;
  std::string summary() const;
  std::string stats_json() const;

  const Options& options_;
  Stopwatch running_;
  std::optional<Stopwatch> shown_;  ///< since the progress line was last written
  std::string mode_;                ///< of the live line: "plain", "json" or "none"
  size_t inputs_, inputs_begun_ = 0, pages_expected_ = 0, pages_seen_ = 0, pages_known_ = 0;
  bool pages_counted_ = false;  ///< pages_expected_ is of all inputs
  size_t pages_interrupted_ = 0, tokens_ = 0;
  bool interrupted_ = false;
  std::vector<std::string> written_;  ///< files of the documents of this run
  size_t documents_ = 0, documents_before_ = 0;
  double worker_mb_ = 0;
  int workers_lost_ = 0;
  std::string input_;
  std::map<PageStatus, size_t> pages_;
  std::map<std::string, double> timings_ms_;
  std::vector<Problem> problems_;
  DecodeReport decode_;
  DifferenceReport differences_;
  std::optional<OutputFile>
      stats_;  ///< opened first, so that an invalid name is reported before the work
};

}  // namespace docspec
