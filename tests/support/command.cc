#include "tests/support/command.h"

#include <fcntl.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <thread>

#include "tests/support/temp_dir.h"

namespace docspec::test {
namespace {

[[noreturn]] void run_child(const std::vector<std::string>& command, const CommandOptions& options,
                            const TempDir& dir) {
  const auto redirect = [&](const char* name, int flags, int to) {
    dup2(open((dir / name).c_str(), flags, 0600), to);
  };
  redirect("in", O_RDONLY, 0);
  redirect("out", O_WRONLY | O_CREAT, 1);
  redirect("err", O_WRONLY | O_CREAT, 2);
  unsetenv("DOCSPEC_MODEL");
  setenv("XDG_CONFIG_HOME", dir.path().c_str(), 1);
  setenv("XDG_CACHE_HOME", dir.path().c_str(), 1);
  for (const std::string& entry : options.environment) putenv(const_cast<char*>(entry.c_str()));
  if (!options.working_folder.empty() && chdir(options.working_folder.c_str()) != 0) _exit(127);
  if (options.address_space_mb > 0) {
    const rlim_t bytes = rlim_t(options.address_space_mb) << 20;
    const rlimit limit{bytes, bytes};
    setrlimit(RLIMIT_AS, &limit);
  }
  std::vector<char*> argv;
  for (const std::string& word : command) argv.push_back(const_cast<char*>(word.c_str()));
  argv.push_back(nullptr);
  execvp(argv[0], argv.data());
  _exit(127);
}

/// Waits until the child's stderr holds `text`, then interrupts it.
void interrupt_when(pid_t child, const std::string& err_file, const std::string& text) {
  for (int i = 0; i < 3000; ++i) {
    if (read_file(err_file).find(text) != std::string::npos) break;
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
  }
  kill(child, SIGINT);
}

}  // namespace

CommandResult run_program(const std::vector<std::string>& command, const CommandOptions& options) {
  TempDir dir;
  write_file(dir / "in", options.input);
  const pid_t child = fork();
  if (child == 0) run_child(command, options, dir);
  if (!options.interrupt_after.empty()) interrupt_when(child, dir / "err", options.interrupt_after);
  int status = 0;
  waitpid(child, &status, 0);
  CommandResult result;
  result.code = WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
  result.out = read_file(dir / "out");
  result.err = read_file(dir / "err");
  return result;
}

CommandResult docspec(const std::vector<std::string>& arguments, const CommandOptions& options) {
  std::vector<std::string> command = {DOCSPEC_BINARY};
  command.insert(command.end(), arguments.begin(), arguments.end());
  return run_program(command, options);
}

}  // namespace docspec::test
