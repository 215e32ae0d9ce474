#include "core/worker/sandbox.h"

#include <fcntl.h>
#include <linux/capability.h>
#include <linux/landlock.h>
#include <sched.h>
#include <seccomp.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cerrno>
#include <cmath>
#include <cstdlib>
#include <cstring>
#include <memory>

#include "core/base/error.h"
#include "core/base/file_descriptor.h"

namespace docspec {
namespace {

namespace fs = std::filesystem;

[[noreturn]] void fail(const std::string& what, int error) {
  throw Error(ExitCode::internal, "sandbox: " + what + ": " + std::strerror(error) +
                                      "; --sandbox off reads documents without it");
}

/// The version of Landlock's interface; below 1 where the kernel has none.
long landlock_version() {
  return syscall(SYS_landlock_create_ruleset, nullptr, 0, LANDLOCK_CREATE_RULESET_VERSION);
}

/// All rights over files that a version of Landlock can take away, the newer ones by their bits:
/// headers may be older than the kernel. [kernel: Documentation/userspace-api/landlock.rst]
uint64_t file_rights(long version) {
  uint64_t rights = (uint64_t{1} << 13) - 1;      // version 1: execute, write, ..., make
  if (version >= 2) rights |= uint64_t{1} << 13;  // link across folders
  if (version >= 3) rights |= uint64_t{1} << 14;  // truncate
  if (version >= 5) rights |= uint64_t{1} << 15;  // ioctl of devices
  return rights;
}

/// All that a version of Landlock can take away. Headers may be older than the kernel.
struct Restrictions {
  uint64_t files = 0;
  uint64_t network = 0;  ///< since version 4
  uint64_t beyond = 0;   ///< since version 6: sockets by name, and signals, to other processes

  explicit Restrictions(long version) : files(file_rights(version)) {
    if (version >= 4) network = 0b11;  // bind, connect
    if (version >= 6) beyond = 0b11;
  }
  static size_t size(long version) {
    return sizeof(uint64_t) * (version >= 6 ? 3 : version >= 4 ? 2 : 1);
  }
};

/// Fonts and their configuration, and what all programs read.
std::vector<fs::path> common_paths() {
  std::vector<fs::path> out = {"/usr",
                               "/lib",
                               "/lib64",
                               "/etc/fonts",
                               "/var/cache/fontconfig",
                               "/etc/localtime",
                               "/proc/cpuinfo",
                               "/proc/meminfo",
                               "/sys/devices/system/cpu",
                               "/nix/store",
                               "/opt"};
  if (const char* home = std::getenv("HOME"); home && *home)
    for (const char* name :
         {".fonts", ".fonts.conf", ".config/fontconfig", ".cache/fontconfig", ".local/share/fonts"})
      out.push_back(fs::path(home) / name);
  for (const char* name : {"TESSDATA_PREFIX", "FONTCONFIG_PATH", "FONTCONFIG_FILE"})
    if (const char* path = std::getenv(name); path && *path) out.emplace_back(path);
  return out;
}

void allow_reading(int rules, const fs::path& path, uint64_t handled) {
  const FileDescriptor place(open(path.c_str(), O_PATH | O_CLOEXEC));
  if (place.get() < 0) return;  // what is not there is not read
  std::error_code error;
  landlock_path_beneath_attr rule{};
  rule.allowed_access = LANDLOCK_ACCESS_FS_READ_FILE & handled;
  if (fs::is_directory(path, error)) rule.allowed_access |= LANDLOCK_ACCESS_FS_READ_DIR & handled;
  rule.parent_fd = place.get();
  if (syscall(SYS_landlock_add_rule, rules, LANDLOCK_RULE_PATH_BENEATH, &rule, 0) != 0)
    fail(path.string(), errno);
}

void restrict_files(const Sandbox& sandbox, long version) {
  const Restrictions taken(version);
  const FileDescriptor rules(
      int(syscall(SYS_landlock_create_ruleset, &taken, Restrictions::size(version), 0)));
  if (rules.get() < 0) fail("Landlock", errno);
  for (const fs::path& path : common_paths()) allow_reading(rules.get(), path, taken.files);
  for (const fs::path& path : sandbox.readable)
    if (!path.empty()) allow_reading(rules.get(), path, taken.files);
  if (syscall(SYS_landlock_restrict_self, rules.get(), 0) != 0) fail("Landlock", errno);
}

/// Calls that reading a document needs: memory, threads, time, files that are open or opened to
/// read. All others fail with EPERM.
constexpr const char* kAllowed[] = {"access",
                                    "arch_prctl",
                                    "brk",
                                    "clock_getres",
                                    "clock_gettime",
                                    "clock_nanosleep",
                                    "close",
                                    "dup",
                                    "exit",
                                    "exit_group",
                                    "faccessat",
                                    "faccessat2",
                                    "fadvise64",
                                    "fstat",
                                    "fstatfs",
                                    "futex",
                                    "get_robust_list",
                                    "getcpu",
                                    "getcwd",
                                    "getdents64",
                                    "getegid",
                                    "geteuid",
                                    "getgid",
                                    "getpid",
                                    "getppid",
                                    "getrandom",
                                    "getrlimit",
                                    "getrusage",
                                    "gettid",
                                    "gettimeofday",
                                    "getuid",
                                    "lseek",
                                    "lstat",
                                    "madvise",
                                    "membarrier",
                                    "mmap",
                                    "mprotect",
                                    "mremap",
                                    "munmap",
                                    "nanosleep",
                                    "newfstatat",
                                    "poll",
                                    "ppoll",
                                    "pread64",
                                    "read",
                                    "readlink",
                                    "readlinkat",
                                    "readv",
                                    "recvfrom",
                                    "recvmsg",
                                    "restart_syscall",
                                    "rseq",
                                    "rt_sigaction",
                                    "rt_sigprocmask",
                                    "rt_sigreturn",
                                    "sched_getaffinity",
                                    "sched_getparam",
                                    "sched_getscheduler",
                                    "sched_yield",
                                    "sendto",
                                    "set_robust_list",
                                    "set_tid_address",
                                    "setrlimit",
                                    "sigaltstack",
                                    "stat",
                                    "statfs",
                                    "statx",
                                    "sysinfo",
                                    "time",
                                    "uname",
                                    "write",
                                    "writev"};

using Filter = std::unique_ptr<void, void (*)(scmp_filter_ctx)>;

void check(int result, const char* what) {
  if (result != 0) fail(what, -result);
}

void allow(const Filter& filter, const char* name, const std::vector<scmp_arg_cmp>& where = {}) {
  const int call = seccomp_syscall_resolve_name(name);
  if (call < 0) return;  // not of this processor
  check(seccomp_rule_add_array(filter.get(), SCMP_ACT_ALLOW, call, unsigned(where.size()),
                               where.data()),
        name);
}

void restrict_calls() {
  const Filter filter(seccomp_init(SCMP_ACT_ERRNO(EPERM)), seccomp_release);
  if (!filter) fail("seccomp", ENOMEM);
  for (const char* name : kAllowed) allow(filter, name);
  constexpr scmp_datum_t kWriting =
      O_ACCMODE | O_CREAT | O_TRUNC | (O_TMPFILE & ~scmp_datum_t{O_DIRECTORY});
  allow(filter, "open", {SCMP_A1(SCMP_CMP_MASKED_EQ, kWriting, 0)});
  allow(filter, "openat", {SCMP_A2(SCMP_CMP_MASKED_EQ, kWriting, 0)});
  // Without those that name a process to be signalled.
  for (const int command : {F_DUPFD, F_DUPFD_CLOEXEC, F_GETFD, F_SETFD, F_GETFL, F_GET_SEALS})
    allow(filter, "fcntl", {SCMP_A1(SCMP_CMP_EQ, scmp_datum_t(command))});
  // Threads, of this process; glibc takes clone where clone3, whose flags no filter sees, is none.
  allow(filter, "clone", {SCMP_A0(SCMP_CMP_MASKED_EQ, CLONE_THREAD, CLONE_THREAD)});
  if (const int call = seccomp_syscall_resolve_name("clone3"); call >= 0)
    check(seccomp_rule_add(filter.get(), SCMP_ACT_ERRNO(ENOSYS), call, 0), "clone3");
  allow(filter, "tgkill", {SCMP_A0(SCMP_CMP_EQ, scmp_datum_t(getpid()))});
  allow(filter, "prctl", {SCMP_A0(SCMP_CMP_EQ, PR_SET_NAME)});
  allow(filter, "prlimit64", {SCMP_A0(SCMP_CMP_EQ, 0)});
  check(seccomp_load(filter.get()), "seccomp");
}

/// The rights of root over other users' files and processes.
void drop_capabilities() {
  __user_cap_header_struct header{_LINUX_CAPABILITY_VERSION_3, 0};
  const __user_cap_data_struct none[2] = {};
  if (syscall(SYS_capset, &header, none) != 0) fail("capset", errno);
}

void set_limit(__rlimit_resource_t what, rlim_t value) {
  const rlimit limit{value, value};
  setrlimit(what, &limit);
}

}  // namespace

std::string SandboxState::text() const {
  if (complete()) return "processes that read documents open no file of yours, socket or process";
  if (system_calls) return "without Landlock: processes that read documents can read your files";
  return files ? "Landlock alone: no seccomp filters"
               : "none: the kernel has neither seccomp nor Landlock";
}

SandboxState sandbox_state() {
  constexpr unsigned kErrno = SECCOMP_RET_ERRNO;
  constexpr unsigned kActionAvailable = 2;  // SECCOMP_GET_ACTION_AVAIL
  return {syscall(SYS_seccomp, kActionAvailable, 0, &kErrno) == 0, landlock_version() >= 1};
}

void enter_sandbox(const Sandbox& sandbox) {
  if (sandbox.mode == SandboxMode::off) return;
  const SandboxState state = sandbox_state();
  constexpr rlim_t kOpenFiles = 256;
  set_limit(RLIMIT_CORE, 0);
  set_limit(RLIMIT_FSIZE, 0);
  set_limit(RLIMIT_NOFILE, kOpenFiles);
  if (sandbox.cpu_seconds > 0) set_limit(RLIMIT_CPU, rlim_t(std::ceil(sandbox.cpu_seconds)));
  drop_capabilities();
  if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0) fail("PR_SET_NO_NEW_PRIVS", errno);
  if (state.files) restrict_files(sandbox, landlock_version());
  if (state.system_calls) restrict_calls();
}

}  // namespace docspec
