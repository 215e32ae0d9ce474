#include <fcntl.h>
#include <pthread.h>
#include <sys/resource.h>
#include <unistd.h>

#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <iostream>
#include <new>
#include <string>
#include <string_view>

#include "cli/commands.h"
#include "cli/flags/manual.h"
#include "cli/flags/share.h"
#include "cli/mcp/server.h"
#include "cli/model_run.h"
#include "cli/report/live_line.h"
#include "core/base/output_file.h"
#include "core/text/printable.h"

namespace docspec {

namespace {

/// The first signal lets the run end cleanly, a second one ends it at once.
void on_signal(int signal) {
  if (interrupted.exchange(true)) std::_Exit(128 + signal);
}

void watch_signals() {
  struct sigaction action {};
  action.sa_handler = on_signal;
  sigaction(SIGINT, &action, nullptr);
  sigaction(SIGTERM, &action, nullptr);
  std::signal(SIGPIPE, SIG_IGN);  // a closed pipe is an error of write()
  std::signal(SIGXFSZ, SIG_IGN);  // as is a file that outgrows its limit
}

/// An error on one line of standard error. A reader of standard output that went away has none.
void print_error(const std::string& message) {
  if (!message.empty()) tell("docspec: " + printable(message, LineBreaks::show) + "\n");
}

/// Whoever started docspec may have closed its standard streams: the next file opened would take
/// their place, a journal that of standard error. What takes it now fails when it is used.
void fill_closed_streams() {
  for (int fd : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO})
    if (fcntl(fd, F_GETFD) < 0) open("/dev/null", fd == STDIN_FILENO ? O_WRONLY : O_RDONLY);
}

/// Libraries need more stack than some limits leave. Throws Error(out_of_memory).
void raise_stack() {
  constexpr rlim_t kEnough = rlim_t{8} << 20;
  rlimit limit{};
  getrlimit(RLIMIT_STACK, &limit);
  if (limit.rlim_cur >= kEnough) return;
  pthread_attr_t threads;  // glibc took the limit for theirs when the process began
  pthread_attr_init(&threads);
  pthread_attr_setstacksize(&threads, kEnough);
  pthread_setattr_default_np(&threads);
  pthread_attr_destroy(&threads);
  limit.rlim_cur = kEnough;
  if (limit.rlim_max < kEnough) limit.rlim_max = kEnough;  // root may
  if (setrlimit(RLIMIT_STACK, &limit) == 0) return;
  getrlimit(RLIMIT_STACK, &limit);
  limit.rlim_cur = limit.rlim_max;
  setrlimit(RLIMIT_STACK, &limit);
  constexpr rlim_t kLeast = rlim_t{256} << 10;
  if (limit.rlim_max < kLeast)
    throw Error(ExitCode::out_of_memory, "the stack is limited to " +
                                             std::to_string(limit.rlim_max >> 10) +
                                             " kB; raise it: ulimit -s 8192");
}

/// A thread of libgomp that waits for work spins for milliseconds, and on a busy machine takes the
/// processor from one that has some. libgomp reads its settings when it is loaded, so a run with a
/// model starts once more with fewer turns; where that fails it goes on as it is.
void wait_briefly(char** argv) {
  if (std::getenv("OMP_WAIT_POLICY") || std::getenv("GOMP_SPINCOUNT")) return;
  setenv("GOMP_SPINCOUNT", "10000", /*overwrite=*/0);
  execv("/proc/self/exe", argv);
}

ExitCode run(int argc, char** argv) {
  if (argc < 2) {
    tell("docspec: no input\n\n" + help_text(nullptr, false));
    return ExitCode::usage;
  }
  const Parsed parsed = parse_command_line(argc, argv);
  if (parsed.answer) {
    OutputFile("-").commit(*parsed.answer);
    return ExitCode::ok;
  }
  if (parsed.options.command == Command::convert && wants_model(parsed.options)) wait_briefly(argv);
  print_error(parsed.notice);
  switch (parsed.options.command) {
    case Command::convert:
      return convert(parsed.options);
    case Command::draft:
      return draft(parsed.options);
    case Command::model:
      return model(parsed.options);
    case Command::doctor:
      return doctor(parsed.options);
    case Command::mcp:
      return serve_mcp();
    case Command::store:
      return store(parsed.options);
  }
  throw Error(ExitCode::internal, "a command without a function");
}

}  // namespace
}  // namespace docspec

/// Runs before the libraries' own initialisation.
[[gnu::section(".preinit_array"), gnu::used]] static void (*const kFirst)() = [] {
  std::set_terminate(docspec::end_without_memory);
};

int main(int argc, char** argv) {
  using docspec::ExitCode;
  std::set_terminate(std::abort);  // from here on, what is not caught is a fault of docspec's
  docspec::fill_closed_streams();
  docspec::watch_signals();
  docspec::use_own_tessdata();
  ExitCode code = ExitCode::internal;
  try {
    docspec::raise_stack();
    code = docspec::run(argc, argv);
  } catch (const docspec::Error& e) {
    docspec::print_error(e.what());
    code = e.code();
  } catch (const std::bad_alloc&) {
    docspec::print_error("out of memory; lower --max-pixels or --jobs");
    code = ExitCode::out_of_memory;
  } catch (const std::exception& e) {
    docspec::print_error(std::string("internal error: ") + e.what() +
                         "; please report it with the input");
  }
#ifndef __SANITIZE_ADDRESS__
  // Everything of ours is closed; libtorch, if it was loaded, takes a tenth of a second to take its
  // tables apart.
  std::cout.flush();
  std::fflush(nullptr);
  std::_Exit(int(code));
#endif
  return int(code);
}
