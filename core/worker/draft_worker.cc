#include "core/worker/draft_worker.h"

#include <dirent.h>
#include <fmt/format.h>
#include <sys/wait.h>

#include <algorithm>
#include <cstring>
#include <fstream>
#include <map>
#include <memory>
#include <thread>
#include <utility>

#include "core/worker/drafted_page_wire.h"

namespace docspec {
namespace {

/// A request that ended the process of the worker, or that it refused for lack of memory: a failure
/// of the page (or document), not of the run.
class LimitError : public Error {
 public:
  using Error::Error;
};

/// The process was killed, and not by this one: where memory runs out, Linux does that.
class KilledError : public LimitError {
 public:
  using LimitError::LimitError;
};

/// The process lacked memory after other pages: what it kept of them may be to blame.
class WornOut : public LimitError {
 public:
  using LimitError::LimitError;
};

/// How a process ended, in words.
std::string end_of(int status) {
  if (WIFSIGNALED(status)) return std::string("signal ") + strsignal(WTERMSIG(status));
  return fmt::format("exit code {}", WEXITSTATUS(status));
}

/// How long each thread of a process has been ready to run without a processor to run on; empty
/// where Linux does not tell.
std::map<std::string, int64_t> queued_ns(pid_t pid) {
  std::map<std::string, int64_t> queued;
  const std::string folder = fmt::format("/proc/{}/task", pid);
  // Where memory runs out, libstdc++'s directory_iterator ends the program instead of throwing.
  const std::unique_ptr<DIR, int (*)(DIR*)> tasks(opendir(folder.c_str()), closedir);
  while (const dirent* task = tasks ? readdir(tasks.get()) : nullptr) {
    std::ifstream file(folder + "/" + task->d_name + "/schedstat");
    int64_t ran = 0, waited = 0;
    if (task->d_name[0] != '.' && file >> ran >> waited) queued[task->d_name] = waited;
  }
  return queued;
}

/// So many seconds of a worker's time. What its threads wait for a processor does not count: a busy
/// machine is not the page's fault.
Deadline deadline(double seconds, const std::atomic<bool>* interrupted, pid_t pid) {
  using std::chrono::milliseconds;
  return {std::chrono::steady_clock::now() + milliseconds(int64_t(seconds * 1000)), interrupted,
          [pid, before = queued_ns(pid)] {
            int64_t longest = 0;
            for (const auto& [task, waited] : queued_ns(pid)) {
              const auto it = before.find(task);
              longest = std::max(longest, waited - (it == before.end() ? 0 : it->second));
            }
            return std::chrono::nanoseconds(longest);
          }};
}

/// A process ends between two pages when it is old, so that a page that takes all processors for
/// all its time never meets the limit.
Sandbox with_cpu_limit(const WorkerLimits& limits) {
  Sandbox sandbox = limits.sandbox;
  const double page = limits.page_seconds * std::max(1u, std::thread::hardware_concurrency());
  if (sandbox.cpu_seconds == 0) sandbox.cpu_seconds = limits.worker_seconds + 3 * page;
  return sandbox;
}

}  // namespace

WorkerPool::WorkerPool(const WorkerLimits& limits, MakeDraftService make_service)
    : limits_(limits),
      fork_server_([make = std::move(make_service), memory = limits.memory_bytes,
                    sandbox = with_cpu_limit(limits)](int socket) {
        serve_drafts(socket, make, memory, sandbox);
      }) {}

double WorkerPool::peak_memory_mb() const {
  std::lock_guard lock(mutex_);
  return double(most_kb_) / 1024;
}

int WorkerPool::lost() const {
  std::lock_guard lock(mutex_);
  return lost_;
}

WorkerPool::Process WorkerPool::take(const InputBytes* preferred, const std::string& request) {
  {
    std::lock_guard lock(mutex_);
    const auto merit = [&](const Process& process) {
      const bool open = process.open.get() == preferred;
      if (!process.asked.empty()) return open && process.asked == request ? 3 : 0;
      return open ? 2 : 1;
    };
    const auto best =
        std::max_element(idle_.begin(), idle_.end(),
                         [&](const Process& a, const Process& b) { return merit(a) < merit(b); });
    if (best != idle_.end() && merit(*best) > 0) {
      Process process = std::move(*best);
      idle_.erase(best);
      return process;
    }
  }
  return {fork_server_.spawn()};
}

void WorkerPool::give_back(Process process) {
  std::lock_guard lock(mutex_);
  idle_.push_back(std::move(process));
}

int WorkerPool::kill_and_reap(const Process& process, bool lost) {
  const int status = fork_server_.kill_and_reap(process.worker);
  std::lock_guard lock(mutex_);
  lost_ += lost;
  peak_kb_ -= process.peak_kb;
  return status;
}

DraftWorker::DraftWorker(WorkerPool& pool, std::shared_ptr<const InputBytes> input,
                         std::string password)
    : pool_(pool), input_(std::move(input)), password_(std::move(password)) {}

DraftWorker::~DraftWorker() {
  if (process_) pool_.give_back(std::move(*process_));
}

/// Sends a request to the process that is there, unless it has it, and waits for the answer; a
/// process that does not answer in time is ended.
Answer DraftWorker::ask(const std::string& request, double seconds, const std::string& where,
                        int descriptor) {
  Deadline until = deadline(seconds, pool_.limits().interrupted, process_->worker.pid);
  std::string message;
  const int socket = process_->worker.socket.get();
  const bool asked = std::exchange(process_->asked, {}) == request;
  IoStatus end = asked ? IoStatus::done : send_message(socket, request, until);
  if (end == IoStatus::done && descriptor >= 0)
    end = send_with_descriptor(socket, "", 1, descriptor) ? IoStatus::done : IoStatus::closed;
  if (end == IoStatus::done) end = receive_message(socket, message, until);
  Answer answer;
  if (end == IoStatus::done) {
    const auto head = unpack_head(message);
    answer = head.value_or(Answer{});
    end = head ? receive_message(socket, answer.body, until) : IoStatus::closed;
  }
  if (end == IoStatus::done) {
    {
      std::lock_guard lock(pool_.mutex_);
      pool_.peak_kb_ += answer.peak_kb - process_->peak_kb;
      pool_.most_kb_ = std::max(pool_.most_kb_, pool_.peak_kb_);
      process_->peak_kb = answer.peak_kb;
      process_->cpu_seconds = answer.cpu_seconds;
    }
    process_->answers += request[0] != char(Request::outline);
    if (answer.ok) return answer;
    if (!answer.out_of_memory) throw Error(answer.code, answer.body);
  }
  constexpr int kOfOnePage = 2;  // its document was opened, it was read
  const bool worn_out = end == IoStatus::done && process_->answers > kOfOnePage;
  const int status = pool_.kill_and_reap(*process_, end != IoStatus::interrupted && !worn_out);
  process_.reset();
  if (worn_out) throw WornOut(ExitCode::input_file, where);
  switch (end) {
    case IoStatus::interrupted:
      throw Error(ExitCode::interrupted, "interrupted");
    case IoStatus::timed_out:
      throw LimitError(
          ExitCode::input_file,
          fmt::format("{}took longer than {:g} s to read; raise --page-timeout", where, seconds));
    case IoStatus::done:
      throw LimitError(ExitCode::input_file,
                       fmt::format("{}needs more than {} MB to read; lower --dpi or --max-pixels",
                                   where, pool_.limits().memory_bytes >> 20));
    default:
      if (WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL)
        throw KilledError(
            ExitCode::out_of_memory,
            fmt::format("{}its reader was killed, most likely because the machine ran out of "
                        "memory; lower --jobs, --dpi or --max-pixels",
                        where));
      throw LimitError(
          ExitCode::input_file,
          fmt::format("{}crashed its reader ({}); repair the file with qpdf or mutool clean", where,
                      end_of(status)));
  }
}

Answer DraftWorker::ask_open(const std::string& request, double seconds, const std::string& where) {
  try {
    ensure_open(request);
    return ask(request, seconds, where);
  } catch (const KilledError&) {
    ensure_open(request);
    return ask(request, seconds, where);
  }
}

/// A process has a limit of processor time, which it reaches only where it does not what it should:
/// long before, another one takes its place.
void DraftWorker::end_when_old() {
  if (!process_ || process_->cpu_seconds < pool_.limits().worker_seconds) return;
  if (!process_->asked.empty()) return;  // it works on what is needed next
  pool_.kill_and_reap(*process_, /*lost=*/false);
  process_.reset();
}

void DraftWorker::ensure_open(const std::string& request) {
  end_when_old();
  while (!process_ || process_->open != input_) try {
      if (!process_) process_ = pool_.take(input_.get(), request);
      if (process_->open == input_) return;
      process_->open = nullptr;
      const Answer answer = ask(open_request(*input_, password_), pool_.limits().page_seconds,
                                input_->name + ": ", input_->bytes.descriptor());
      process_->facts = unpack_facts(answer.body);
      process_->open = input_;
    } catch (const WornOut&) {
      // The next process may be as old; each of them ends here.
    }
}

const DocumentFacts& DraftWorker::facts() {
  try {
    ensure_open();
  } catch (const KilledError&) {
    ensure_open();
  }
  return process_->facts;
}

std::vector<OutlineEntry> DraftWorker::outline() {
  constexpr double kSeconds = 5;
  try {
    ensure_open();
    return unpack_outline(ask(std::string(1, char(Request::outline)),
                              std::min(kSeconds, pool_.limits().page_seconds), "")
                              .body);
  } catch (const LimitError&) {
    return {};
  }
}

void DraftWorker::draft_ahead(int page) {
  const std::string request = page_request(Request::draft, page);
  ensure_open(request);
  Deadline until =
      deadline(pool_.limits().page_seconds, pool_.limits().interrupted, process_->worker.pid);
  // A failure here is reported when the page is needed.
  if (send_message(process_->worker.socket.get(), request, until) == IoStatus::done)
    process_->asked = request;
}

DraftedPage DraftWorker::draft(int page) {
  const std::string where = fmt::format("{}: page {}: ", input_->name, page);
  const std::string request = page_request(Request::draft, page);
  for (;;) try {
      return unpack_drafted_page(ask_open(request, pool_.limits().page_seconds, where).body);
    } catch (const WornOut&) {
      // Again, by another process.
    } catch (const LimitError& e) {
      return rescue(page, {e.code(), e.what()});
    }
}

DraftedPage DraftWorker::rescue(int page, Failure failure) {
  constexpr double kSeconds = 10;  // text alone takes milliseconds
  DraftedPage out;
  out.drafts.page = page;
  try {
    ensure_open();
    out = unpack_drafted_page(ask(page_request(Request::text_layer, page),
                                  std::min(kSeconds, pool_.limits().page_seconds),
                                  input_->name + ": ")
                                  .body);
  } catch (const Error& e) {
    if (e.code() == ExitCode::interrupted) throw;
  }
  out.failure = std::move(failure);
  return out;
}

}  // namespace docspec
