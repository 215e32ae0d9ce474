#include <fcntl.h>
#include <unistd.h>

#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <iostream>
#include <new>

#include "cli/commands.h"
#include "cli/flags/share.h"
#include "core/base/output_file.h"

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
}

/// Whoever started docspec may have closed its standard streams: the next file opened would take
/// their place, a journal that of standard error. What takes it now fails when it is used.
void fill_closed_streams() {
  for (int fd : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO})
    if (fcntl(fd, F_GETFD) < 0) open("/dev/null", fd == STDIN_FILENO ? O_WRONLY : O_RDONLY);
}

ExitCode run(int argc, char** argv) {
  const Parsed parsed = parse_command_line(argc, argv);
  if (parsed.answer) {
    OutputFile("-").commit(*parsed.answer);
    return ExitCode::ok;
  }
  if (!parsed.notice.empty()) std::fprintf(stderr, "docspec: %s\n", parsed.notice.c_str());
  switch (parsed.options.command) {
    case Command::convert:
      return convert(parsed.options);
    case Command::draft:
      return draft(parsed.options);
    case Command::model:
      return model(parsed.options);
    case Command::doctor:
      return doctor(parsed.options);
    case Command::store:
      return store(parsed.options);
  }
  throw Error(ExitCode::internal, "a command without a function");
}

}  // namespace
}  // namespace docspec

int main(int argc, char** argv) {
  using docspec::ExitCode;
  docspec::fill_closed_streams();
  docspec::watch_signals();
  docspec::use_own_tessdata();
  ExitCode code = ExitCode::internal;
  try {
    code = docspec::run(argc, argv);
  } catch (const docspec::Error& e) {
    std::fprintf(stderr, "docspec: %s\n", e.what());
    code = e.code();
  } catch (const std::bad_alloc&) {
    std::fprintf(stderr, "docspec: out of memory; lower --max-pixels or --jobs\n");
    code = ExitCode::out_of_memory;
  } catch (const std::exception& e) {
    std::fprintf(stderr, "docspec: internal error: %s; please report it with the input\n",
                 e.what());
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
