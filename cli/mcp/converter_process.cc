#include "cli/mcp/converter_process.h"

#include <fcntl.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <nlohmann/json.hpp>

#include "core/base/error.h"
#include "core/base/file_descriptor.h"
#include "core/base/json_file.h"

namespace docspec {
namespace {

namespace fs = std::filesystem;

/// Starts docspec with these words; standard input is empty, standard output and error go to `out`.
pid_t start(std::vector<std::string>& words, int out) {
  std::vector<char*> argv;
  for (std::string& word : words) argv.push_back(word.data());
  argv.push_back(nullptr);
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
  posix_spawn_file_actions_adddup2(&actions, out, STDOUT_FILENO);
  posix_spawn_file_actions_adddup2(&actions, out, STDERR_FILENO);
  pid_t pid = 0;
  const int fault = posix_spawn(&pid, "/proc/self/exe", &actions, nullptr, argv.data(), environ);
  posix_spawn_file_actions_destroy(&actions);
  if (fault != 0)
    throw Error(ExitCode::internal,
                std::string("a converting process cannot be started: ") + std::strerror(fault));
  return pid;
}

/// Lines of progress are passed on; the others are the messages.
std::string read_messages(FILE* from, const std::function<void(int, int)>& progress) {
  std::string messages;
  char* line = nullptr;
  size_t room = 0;
  while (getline(&line, &room, from) >= 0) {
    const auto json = nlohmann::json::parse(line, nullptr, false);
    if (!json.is_object())
      messages += line;
    else if (json.contains("pages"))
      progress(json["pages"][0], json["pages"][1]);
  }
  std::free(line);
  return messages;
}

}  // namespace

ConverterProcess::ConverterProcess() {
  std::string name = fs::temp_directory_path() / "docspec-mcp-XXXXXX";
  if (!mkdtemp(name.data()))
    throw Error(ExitCode::output_file, name + ": " + std::strerror(errno) + "; set TMPDIR");
  folder_ = name;
}

ConverterProcess::~ConverterProcess() {
  std::error_code ignored;
  fs::remove_all(folder_, ignored);
}

void ConverterProcess::run(const std::string& input, std::vector<std::string> flags,
                           const std::function<void(int, int)>& progress) {
  std::vector<std::string> words = {"docspec",    "convert", "-o",     folder_.string() + "/",
                                    "--progress", "json",    "--quiet"};
  words.insert(words.end(), flags.begin(), flags.end());
  words.insert(words.end(), {"--", input});
  int ends[2];
  if (pipe2(ends, O_CLOEXEC) != 0)
    throw Error(ExitCode::internal, std::string("no pipe: ") + std::strerror(errno));
  FileDescriptor out(ends[1]);
  FILE* const from = fdopen(ends[0], "r");
  pid_ = start(words, out.get());
  out.close();
  if (cancelled_) cancel();
  const std::string messages = read_messages(from, progress);
  std::fclose(from);
  int status = 0;
  while (waitpid(pid_, &status, 0) < 0 && errno == EINTR) {
  }
  pid_ = 0;
  const int code = WIFEXITED(status) ? WEXITSTATUS(status) : int(ExitCode::internal);
  if (code != int(ExitCode::ok) && code != int(ExitCode::partial))
    throw Error(ExitCode(code), messages.empty() ? "docspec ended without a word" : messages);
}

void ConverterProcess::cancel() {
  cancelled_ = true;
  // Once ends it cleanly; nothing that it leaves is wanted.
  if (const pid_t pid = pid_) kill(pid, SIGTERM), kill(pid, SIGTERM);
}

std::string ConverterProcess::output(const std::string& suffix) const {
  for (const auto& entry : fs::recursive_directory_iterator(folder_))
    if (entry.path().extension() == suffix &&
        entry.path().parent_path().filename() != ".docspec")  // where journals are
      return read_file(entry.path());
  throw Error(ExitCode::internal, "no " + suffix + " was written");
}

}  // namespace docspec
