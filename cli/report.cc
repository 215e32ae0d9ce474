#include "cli/report.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <limits>
#include <nlohmann/json.hpp>

#include "cli/report/live_line.h"
#include "core/base/output_file.h"
#include "core/text/printable.h"

namespace docspec {
namespace {

using Json = nlohmann::ordered_json;

/// Bytes that are no UTF-8 (file names may hold them) become U+FFFD.
std::string dump(const Json& json, int indent = -1) {
  return json.dump(indent, ' ', false, Json::error_handler_t::replace);
}

template <typename... Args>
void say(fmt::format_string<Args...> format, Args&&... args) {
  tell(fmt::format(format, std::forward<Args>(args)...));
}

/// A message or name on one line: a name may hold line breaks and must not look like two messages.
std::string shown(const std::string& text) {
  return printable(text, LineBreaks::show);
}

std::string shown_mode(const Options& options) {
  if (options.progress != "auto") return options.progress;
  return isatty(STDERR_FILENO) != 0 && !options.quiet ? "plain" : "none";
}

std::string_view plural(size_t count) {
  return count == 1 ? "" : "s";
}

Json letters_json(const LetterCounts& counts) {
  return {{"words", counts.words},         {"replaced", counts.replaced},
          {"inserted", counts.inserted},   {"removed", counts.removed},
          {"unfounded", counts.unfounded}, {"refused", counts.refused},
          {"doubtful", counts.doubtful}};
}

bool continues(const Problem& a, const Problem& b) {
  return b.input == a.input && b.page == a.page + 1 && a.page > 0 && b.status == a.status &&
         b.message == a.message;
}

}  // namespace

/// Of this run's own pages.
double Report::pages_per_second() const {
  return double(pages_seen_ - pages_known_) / std::max(1e-9, running_.seconds());
}

/// Of this process and those that read pages: an upper bound, their peaks need not coincide.
double Report::peak_memory_mb() const {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  return double(usage.ru_maxrss) / 1024 + worker_mb_;
}

Report::Report(const Options& options, size_t inputs)
    : options_(options),
      mode_(shown_mode(options)),
      inputs_(inputs),
      differences_(options.report_differences) {
  if (!options.stats.empty()) stats_.emplace(options.stats);
}

void Report::expect_pages(size_t pages) {
  pages_counted_ = true;
  pages_expected_ = pages;
}

void Report::begin_input(const std::string& input, size_t pages) {
  input_ = input;
  inputs_ = std::max(inputs_, ++inputs_begun_);  // --files-from tells no number
  if (!pages_counted_) pages_expected_ += pages;
}

void Report::add_tokens(size_t tokens) {
  tokens_ += tokens;
  progress(false);
}

void Report::add_page(const std::string& input, const Page& page, bool known) {
  if (page.failure && page.failure->code == ExitCode::interrupted) {
    interrupted_ = true;  // not read: the next run does
    ++pages_interrupted_;
    return;
  }
  ++pages_[page.status];
  ++pages_seen_;
  pages_known_ += known;
  for (const auto& [phase, ms] : page.timings_ms)
    if (phase != "wall" && !known) timings_ms_[phase] += ms;
  differences_.add(input, page);
  if (page.status != PageStatus::ok)
    problems_.push_back({input, page.page, std::string(name(page.status)),
                         page.failure ? page.failure->code : ExitCode::internal,
                         page.failure ? page.failure->message : ""});
  progress(true);
}

void Report::add_error(const std::string& input, const Error& error) {
  if (error.code() == ExitCode::interrupted) {
    interrupted_ = true;
    return;
  }
  problems_.push_back({input, 0, "error", error.code(), error.what()});
  const std::string message = shown(error.what());
  if ((inputs_ == 1 || options_.quiet) && !message.empty()) say("docspec: {}\n", message);
}

void Report::add_output(const std::vector<std::filesystem::path>& files, bool fresh) {
  (fresh ? documents_ : documents_before_) += 1;
  for (const auto& file : files)
    if (file != "-") written_.push_back(file.string());
}

void Report::warn(const std::string& message) const {
  if (!options_.quiet) say("docspec: {}\n", shown(message));
}

void Report::detail(const std::string& message) const {
  if (options_.verbose > 0) say("docspec: {}\n", shown(message));
}

/// By the pages that are left, at the pace of this run's own pages; negative = no pace yet.
double Report::seconds_left() const {
  if (pages_seen_ <= pages_known_) return -1;
  return double(pages_expected_ - std::min(pages_expected_, pages_seen_)) / pages_per_second();
}

std::string Report::progress_json() const {
  const double left = seconds_left();
  const Json line = {{"input", input_},
                     {"inputs", {inputs_begun_, inputs_}},
                     {"pages", {pages_seen_, pages_expected_}},
                     {"tokens", tokens_},
                     {"pages_per_s", pages_per_second()},
                     {"eta_s", left < 0 ? Json() : Json(left)}};
  constexpr bool kAscii = true;  // a name's control characters stay escaped
  return line.dump(-1, ' ', kAscii, Json::error_handler_t::replace);
}

/// Shows how far the run is: after each page, and between pages as tokens come.
void Report::progress(bool page) {
  if (mode_ == "none") return;
  const double since = shown_ ? shown_->seconds() : std::numeric_limits<double>::max();
  if (mode_ == "json" ? !page && since < 1 : since < 0.1 && pages_seen_ < pages_expected_) return;
  shown_.emplace();
  if (mode_ == "json") return say("{}\n", progress_json());
  std::string line = inputs_ > 1 ? fmt::format("input {}/{}", inputs_begun_, inputs_)
                                 : input_.substr(input_.find_last_of('/') + 1);
  line += fmt::format(": page {}/{}", pages_seen_, pages_expected_);
  if (tokens_ > 0) line += fmt::format(" · {} tokens", tokens_);
  if (const double left = seconds_left(); left >= 0)
    line += fmt::format(" · {:.1f} pages/s · {:.0f} s left", pages_per_second(), left);
  if (!problems_.empty())
    line += fmt::format(" · {} problem{}", problems_.size(), plural(problems_.size()));
  show_live_line(line);
}

std::string Report::summary() const {
  const double seconds = running_.seconds();
  const auto count = [this](PageStatus status) {
    const auto it = pages_.find(status);
    return it == pages_.end() ? size_t{0} : it->second;
  };
  std::string out = fmt::format(
      "{} page{}: {} ok, {} fallback, {} failed · {:.2f} s · {:.1f} pages/s", pages_seen_,
      plural(pages_seen_), count(PageStatus::ok), count(PageStatus::fallback),
      count(PageStatus::failed), seconds, pages_per_second());
  if (pages_known_ > 0) out += fmt::format(" · {} of an earlier run", pages_known_);
  if (workers_lost_ > 0)
    out += fmt::format(" · {} worker{} lost", workers_lost_, plural(size_t(workers_lost_)));
  if (inputs_ > 1) out = fmt::format("{} inputs, ", inputs_) + out;
  out += "\n ";
  for (const auto& [phase, ms] : timings_ms_) out += fmt::format(" {} {:.0f} ms ·", phase, ms);
  return out + fmt::format(" peak memory {:.0f} MB", peak_memory_mb());
}

std::string Report::stats_json() const {
  Json problems = Json::array();
  for (const Problem& p : problems_)
    problems.push_back({{"input", p.input},
                        {"page", p.page},
                        {"status", p.status},
                        {"code", int(p.code)},
                        {"message", p.message}});
  Json pages = Json::object();
  for (PageStatus status : {PageStatus::ok, PageStatus::fallback, PageStatus::failed})
    pages[std::string(name(status))] = pages_.contains(status) ? pages_.at(status) : 0;
  Json decode;
  if (decode_.stats) {
    decode = to_json(*decode_.stats);
    decode["tokens_per_s"] = decode_.tokens_per_s;
  }
  return dump({{"schema", "docspec-stats/1"},
               {"inputs", inputs_},
               {"pages", pages},
               {"pages_of_an_earlier_run", pages_known_},
               {"pages_interrupted", pages_interrupted_},
               {"workers_lost", workers_lost_},
               {"seconds", running_.seconds()},
               {"pages_per_s", pages_per_second()},
               {"timings_ms", timings_ms_},
               {"decode", decode},
               {"letters", letters_json(differences_.counts())},
               {"peak_memory_mb", peak_memory_mb()},
               {"problems", problems}},
              2) +
         "\n";
}

/// The table of problems. Pages in a row with the same end, as after an interrupt, are one line.
void Report::print_problems() const {
  constexpr size_t kMost = 40;
  size_t listed = 0, next = 0;
  for (size_t i = 0; i < problems_.size(); i = next) {
    const Problem& p = problems_[i];
    for (next = i + 1; next < problems_.size() && continues(problems_[next - 1], problems_[next]);)
      ++next;
    if (p.page == 0 && inputs_ == 1) continue;  // said when it happened
    if (++listed > kMost) {
      say("  ... and {} more{}\n", problems_.size() - i, inputs_ > 1 ? ", in failures.jsonl" : "");
      return;
    }
    const int last = problems_[next - 1].page;
    const std::string pages =
        last > p.page ? fmt::format("pages {}-{}", p.page, last) : fmt::format("page {}", p.page);
    // Messages of readers begin with the input's name themselves.
    const bool named = p.message.starts_with(p.input);
    say("  {:<8} {}\n", p.status,
        shown(named    ? p.message
              : p.page ? fmt::format("{}: {}: {}", p.input, pages, p.message)
                       : fmt::format("{}: {}", p.input, p.message)));
  }
}

/// In the order of inputs and pages: those that are converted together end in any.
void Report::sort_problems(const Plan& plan) {
  std::map<std::string, size_t> place;
  for (const Target& target : plan.targets) place.try_emplace(target.input, place.size() + 1);
  const auto key = [&](const Problem& p) {
    const auto at = place.find(p.input);
    return std::pair(at == place.end() ? 0 : at->second, p.page);
  };
  std::stable_sort(problems_.begin(), problems_.end(),
                   [&](const Problem& a, const Problem& b) { return key(a) < key(b); });
}

/// What the user does next: where the documents are, or how to go on.
std::string Report::last_line(const Plan& plan) const {
  if (interrupted_)
    return options_.output.value_or("-") == "-"
               ? "interrupted; with -o FILE the next run goes on at the next page"
               : "interrupted: run the same command to go on";
  if (written_.empty()) return "";
  if (plan.folder.empty())
    return fmt::format("{}{}", documents_ > 0 ? "wrote " : "is converted already: ",
                       fmt::join(written_, ", ")) +
           (documents_ > 0 ? "" : " (--force does it again)");
  std::string out = fmt::format("wrote {} document{} to {}", documents_, plural(documents_),
                                plan.folder.string());
  if (documents_before_ > 0)
    out += fmt::format("; {} of an earlier run {} there already (--force does them again)",
                       documents_before_, documents_before_ == 1 ? "is" : "are");
  if (!problems_.empty()) out += "; problems are in " + failures_file(plan).string();
  return out;
}

void Report::finish(const Plan& plan) {
  sort_problems(plan);
  if (!options_.quiet) {
    say("{}docspec: {}\n", decode_.bench_table, summary());
    if (!decode_.summary.empty()) say("  {}\n", decode_.summary);
    if (const std::string letters = differences_.summary(); !letters.empty())
      say("  {}\n", letters);
    print_problems();
  }
  if (!plan.folder.empty()) write_failures(plan);
  if (stats_) stats_->commit(stats_json());
  std::vector<std::string> inputs;
  for (const Target& target : plan.targets) inputs.push_back(target.input);
  differences_.finish(inputs);
  const std::string last = last_line(plan);
  if (!last.empty() && !options_.quiet) say("docspec: {}\n", shown(last));
}

/// Each shard has a file of its own.
std::filesystem::path Report::failures_file(const Plan& plan) const {
  return plan.folder /
         (options_.shard_count > 1
              ? fmt::format("failures.{}-of-{}.jsonl", options_.shard_index, options_.shard_count)
              : "failures.jsonl");
}

/// Also without failures, where an earlier run left some.
void Report::write_failures(const Plan& plan) const {
  const std::filesystem::path file = failures_file(plan);
  std::string lines;
  for (const Problem& p : problems_)
    lines += dump({{"input", p.input},
                   {"page", p.page},
                   {"status", p.status},
                   {"code", int(p.code)},
                   {"message", p.message}}) +
             "\n";
  std::error_code ignored;
  if (lines.empty()) {
    std::filesystem::remove(file, ignored);
  } else {
    OutputFile(file, Links::replace).commit(lines);
  }
}

ExitCode Report::exit_code() const {
  if (interrupted_) return ExitCode::interrupted;
  std::vector<ExitCode> codes;
  for (const Problem& p : problems_) codes.push_back(p.page == 0 ? p.code : ExitCode::partial);
  for (ExitCode code :
       {ExitCode::internal, ExitCode::out_of_memory, ExitCode::output_file, ExitCode::dependency,
        ExitCode::input_file, ExitCode::password, ExitCode::partial, ExitCode::usage})
    if (std::find(codes.begin(), codes.end(), code) != codes.end()) return code;
  return ExitCode::ok;
}

}  // namespace docspec
