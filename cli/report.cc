#include "cli/report.h"

#include <fmt/format.h>
#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstdio>
#include <nlohmann/json.hpp>

#include "core/base/output_file.h"

namespace docspec {
namespace {

using Json = nlohmann::ordered_json;

double seconds_since(std::chrono::steady_clock::time_point begin) {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
}

/// Bytes that are no UTF-8 (file names may hold them) become U+FFFD.
std::string dump(const Json& json, int indent = -1) {
  return json.dump(indent, ' ', false, Json::error_handler_t::replace);
}

/// To standard error. Where it cannot be written, a full disk perhaps, the run goes on all the
/// same.
template <typename... Args>
void say(fmt::format_string<Args...> format, Args&&... args) {
  const std::string text = fmt::format(format, std::forward<Args>(args)...);
  std::fwrite(text.data(), 1, text.size(), stderr);
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
  return double(pages_seen_ - pages_known_ - pages_interrupted_) /
         std::max(1e-9, seconds_since(begin_));
}

/// Of this process and those that read pages: an upper bound, their peaks need not coincide.
double Report::peak_memory_mb() const {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  return double(usage.ru_maxrss) / 1024 + worker_mb_;
}

Report::Report(const Options& options, size_t inputs) : options_(options), inputs_(inputs), differences_(options.report_differences) {
  if (!options.stats.empty()) stats_.emplace(options.stats);
}

void Report::begin_input(const std::string& input, size_t pages) {
  input_ = input;
  ++inputs_begun_;
  pages_expected_ += pages;
}

void Report::add_page(const std::string& input, const Page& page, bool known) {
  ++pages_[page.status];
  ++pages_seen_;
  pages_known_ += known;
  pages_interrupted_ += page.failure && page.failure->code == ExitCode::interrupted;
  for (const auto& [phase, ms] : page.timings_ms)
    if (phase != "wall" && !known) timings_ms_[phase] += ms;
  differences_.add(input, page);
  if (page.status != PageStatus::ok)
    problems_.push_back({input, page.page, std::string(name(page.status)),
                         page.failure ? page.failure->code : ExitCode::internal,
                         page.failure ? page.failure->message : ""});
  progress();
}

void Report::add_error(const std::string& input, const Error& error) {
  problems_.push_back({input, 0, "error", error.code(), error.what()});
  if (live_) std::fputs("\n", stderr);
  live_ = false;
  say("docspec: {}\n", error.what());
}

void Report::warn(const std::string& message) const {
  if (!options_.quiet) say("docspec: {}\n", message);
}

void Report::detail(const std::string& message) const {
  if (options_.verbose > 0) say("docspec: {}\n", message);
}

void Report::progress() {
  const bool terminal = isatty(STDERR_FILENO) != 0;
  std::string mode = options_.progress;
  if (mode == "auto") mode = terminal && !options_.quiet ? "plain" : "none";
  if (mode == "none") return;
  if (mode == "plain" && seconds_since(shown_) < 0.1 && pages_seen_ < pages_expected_) return;
  shown_ = std::chrono::steady_clock::now();
  const double rate = pages_per_second();
  // Inputs not opened yet count as long as those seen so far.
  if (pages_known_ + pages_interrupted_ >= pages_seen_) return;  // no pace yet
  const double ahead = double(pages_expected_ - pages_seen_) +
                       double(inputs_ - inputs_begun_) * double(pages_expected_) /
                           double(std::max<size_t>(1, inputs_begun_));
  if (mode == "json") {
    say("{}\n", dump({{"input", input_},
                      {"inputs", {inputs_begun_, inputs_}},
                      {"pages", {pages_seen_, pages_expected_}},
                      {"pages_per_s", rate},
                      {"eta_s", ahead / rate}}));
    return;
  }
  say("{}{}: page {}/{} · {:.1f} pages/s · {:.0f} s left{}", terminal ? "\r\033[K" : "", input_,
      pages_seen_, pages_expected_, rate, ahead / rate, terminal ? "" : "\n");
  std::fflush(stderr);
  live_ = terminal;
}

std::string Report::summary() const {
  const double seconds = seconds_since(begin_);
  const auto count = [this](PageStatus status) {
    const auto it = pages_.find(status);
    return it == pages_.end() ? size_t{0} : it->second;
  };
  std::string out = fmt::format(
      "{} page{}: {} ok, {} fallback, {} failed · {:.2f} s · {:.1f} pages/s", pages_seen_,
      pages_seen_ == 1 ? "" : "s", count(PageStatus::ok), count(PageStatus::fallback),
      count(PageStatus::failed), seconds, pages_per_second());
  if (pages_known_ > 0) out += fmt::format(" · {} of an earlier run", pages_known_);
  if (workers_lost_ > 0)
    out += fmt::format(" · {} worker{} lost", workers_lost_, workers_lost_ == 1 ? "" : "s");
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
  return dump({{"schema", "docspec-stats/1"},
               {"inputs", inputs_},
               {"pages", pages},
               {"pages_of_an_earlier_run", pages_known_},
               {"workers_lost", workers_lost_},
               {"seconds", seconds_since(begin_)},
               {"pages_per_s", pages_per_second()},
               {"timings_ms", timings_ms_},
               {"decode", decode_.stats_json.empty() ? Json() : Json::parse(decode_.stats_json)},
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
      say("  ... and {} more\n", problems_.size() - i);
      return;
    }
    const int last = problems_[next - 1].page;
    const std::string pages =
        last > p.page ? fmt::format("pages {}-{}", p.page, last) : fmt::format("page {}", p.page);
    // Messages of readers begin with the input's name themselves.
    const bool named = p.message.starts_with(p.input);
    say("  {:<8} {}\n", p.status,
        named    ? p.message
        : p.page ? fmt::format("{}: {}: {}", p.input, pages, p.message)
                 : fmt::format("{}: {}", p.input, p.message));
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

void Report::finish(const Plan& plan) {
  sort_problems(plan);
  if (live_) std::fputs("\r\033[K", stderr);
  say("{}", decode_.bench_table);
  if (!options_.quiet) {
    say("docspec: {}\n", summary());
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
}

/// Also without failures, where an earlier run left some.
void Report::write_failures(const Plan& plan) const {
  const bool shard = options_.shard_count > 1;
  const std::filesystem::path file =
      plan.folder /
      (shard ? fmt::format("failures.{}-of-{}.jsonl", options_.shard_index, options_.shard_count)
             : "failures.jsonl");
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
    OutputFile(file).commit(lines);
  }
}

ExitCode Report::exit_code() const {
  bool interrupted = false;
  std::vector<ExitCode> codes;
  for (const Problem& p : problems_) {
    interrupted |= p.code == ExitCode::interrupted;
    codes.push_back(p.page == 0 ? p.code : ExitCode::partial);
  }
  if (interrupted) return ExitCode::interrupted;
  for (ExitCode code :
       {ExitCode::internal, ExitCode::out_of_memory, ExitCode::output_file, ExitCode::dependency,
        ExitCode::input_file, ExitCode::password, ExitCode::partial, ExitCode::usage})
    if (std::find(codes.begin(), codes.end(), code) != codes.end()) return code;
  return ExitCode::ok;
}

}  // namespace docspec
