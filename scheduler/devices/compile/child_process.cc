#include "scheduler/devices/compile/child_process.h"

#include <fcntl.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstddef>

#include "scheduler/sandbox/sandbox.h"

#ifdef __linux__
#include <pthread.h>
#include <sched.h>

#include <memory>
#else
#include <spawn.h>
#endif

namespace wb {
namespace {

std::vector<char*> Pointers(const std::vector<std::string>& texts) {
  std::vector<char*> pointers;
  for (const std::string& text : texts) pointers.push_back(const_cast<char*>(text.c_str()));
  pointers.push_back(nullptr);
  return pointers;
}

#ifdef __linux__

struct Limit {
  __rlimit_resource resource;
  rlim_t value;
};

// All that the child needs until it is another program. Until then it runs in this process's
// memory, on a stack of its own, while the thread that started it waits. It may call nothing but
// the system, and sanitizers must not watch it.
struct Birth {
  char* const* argv;
  char* const* env;
  const char* folder;
  const char* output;
  Limit limits[6];
  const Sandbox* sandbox;  // null: none
  int niceness;
  int lifeline;
  int report;  // gets the errno of what failed; execution closes it
  pid_t parent;
};

#define WB_IN_CHILD __attribute__((noinline, no_sanitize("address", "thread", "undefined")))

WB_IN_CHILD bool TakeStreams(const Birth& birth) {
  if (dup2(birth.lifeline, STDIN_FILENO) < 0 || fcntl(STDIN_FILENO, F_SETFD, 0) != 0) return false;
  const int out = open(birth.output, O_WRONLY | O_CREAT | O_APPEND, 0600);
  if (out < 0 || dup2(out, STDOUT_FILENO) < 0 || dup2(out, STDERR_FILENO) < 0) return false;
  if (close_range(STDERR_FILENO + 1, ~0u, CLOSE_RANGE_CLOEXEC) != 0) {
    for (int fd = STDERR_FILENO + 1; fd < 4096; ++fd) fcntl(fd, F_SETFD, FD_CLOEXEC);
  }
  return true;
}

// All that the child starts has the lifeline as standard input too. The end of the lifeline kills
// the group. (A death signal would reach the child alone, and first: a compiler's driver would be
// gone, and what it had started would go on.) The parent may be dead already.
WB_IN_CHILD bool TieLife(pid_t parent) {
  return fcntl(STDIN_FILENO, F_SETOWN, -getpid()) == 0 &&
         fcntl(STDIN_FILENO, F_SETSIG, SIGKILL) == 0 &&
         fcntl(STDIN_FILENO, F_SETFL, O_ASYNC) == 0 && getppid() == parent;
}

WB_IN_CHILD bool TakeLimits(const Birth& birth) {
  for (const Limit& limit : birth.limits) {
    struct rlimit both = {};
    if (getrlimit(limit.resource, &both) != 0) return false;
    both.rlim_max = both.rlim_max < limit.value ? both.rlim_max : limit.value;
    both.rlim_cur = both.rlim_max;
    if (setrlimit(limit.resource, &both) != 0) return false;
  }
  return true;
}

// No sandbox restricts where sanitizers watch, so these would not see it entered.
WB_IN_CHILD bool EnterSandbox(const Birth& birth) {
  if (birth.sandbox == nullptr) return true;
  errno = birth.sandbox->Enter();
  return errno == 0;
}

WB_IN_CHILD void TakeUsualSignals() {
  struct sigaction usual = {};
  usual.sa_handler = SIG_DFL;
  for (int number = 1; number < NSIG; ++number) sigaction(number, &usual, nullptr);
  sigset_t none;
  sigemptyset(&none);
  sigprocmask(SIG_SETMASK, &none, nullptr);
}

WB_IN_CHILD int BeChild(void* pointer) {
  const Birth& birth = *static_cast<const Birth*>(pointer);
  if (setpgid(0, 0) == 0 && TakeStreams(birth) && TieLife(birth.parent) &&
      chdir(birth.folder) == 0) {
    TakeUsualSignals();
    (void)!nice(birth.niceness);  // as much of it as there is
    // Last: this process may hold more memory than its limit, and what is above needs more calls.
    if (TakeLimits(birth) && EnterSandbox(birth)) execve(birth.argv[0], birth.argv, birth.env);
  }
  const int error = errno;
  if (write(birth.report, &error, sizeof(error)) < 0) _exit(126);
  _exit(127);
}

// ThreadSanitizer takes every clone for a fork, so there it has to be one.
#if defined(__has_feature)
#if __has_feature(thread_sanitizer)
#define __SANITIZE_THREAD__
#endif
#endif
#ifdef __SANITIZE_THREAD__
constexpr int kShared = 0;
#else
constexpr int kShared = CLONE_VM;
#endif

// A compiler opens dozens of files.
constexpr rlim_t kMostFiles = 1024;
// Counted for all of the daemon's user, whose threads may be thousands; no bound for root.
constexpr rlim_t kMostProcesses = 16384;

// As posix_spawn does it (which knows no lifeline and no limits): this process's memory, which may
// be large, is not copied, and no handler of this process runs in the child.
pid_t Bear(Birth& birth) {
  constexpr size_t kStackBytes = size_t{64} << 10;
  const auto stack = std::make_unique<std::max_align_t[]>(kStackBytes / sizeof(std::max_align_t));
  sigset_t all, before;
  sigfillset(&all);
  pthread_sigmask(SIG_BLOCK, &all, &before);
  const pid_t pid = clone(&BeChild, stack.get() + kStackBytes / sizeof(std::max_align_t),
                          kShared | CLONE_VFORK | SIGCHLD, &birth);
  pthread_sigmask(SIG_SETMASK, &before, nullptr);
  return pid;
}

// The errno that a child reported which did not become another program. 0: it did.
int ReportOf(int report) {
  int error = 0;
  return read(report, &error, sizeof(error)) == sizeof(error) ? error : 0;
}

#endif

}  // namespace

ChildProcess::~ChildProcess() {
  if (lifeline_ >= 0) close(lifeline_);
}

#ifdef __linux__

int ChildProcess::Start(const ChildPlan& plan) {
  int life[2], report[2];
  if (pipe2(life, O_CLOEXEC) != 0) return errno;
  lifeline_ = life[1];
  if (pipe2(report, O_CLOEXEC) != 0) {
    const int error = errno;
    close(life[0]);
    return error;
  }
  const std::vector<char*> argv = Pointers(plan.argv), env = Pointers(plan.env);
  const auto seconds =
      std::chrono::duration_cast<std::chrono::seconds>(plan.limits.max_time).count();
  Birth birth = {argv.data(),
                 env.data(),
                 plan.folder.c_str(),
                 plan.output.c_str(),
                 {{RLIMIT_CPU, static_cast<rlim_t>(std::max<int64_t>(seconds, 0)) + 1},
                  {RLIMIT_AS, plan.limits.max_memory_bytes},
                  {RLIMIT_FSIZE, plan.limits.max_file_bytes},
                  {RLIMIT_CORE, 0},
                  {RLIMIT_NOFILE, kMostFiles},
                  {RLIMIT_NPROC, kMostProcesses}},
                 plan.sandbox != nullptr && plan.sandbox->restricts() ? plan.sandbox : nullptr,
                 plan.limits.niceness,
                 life[0],
                 report[1],
                 getpid()};
  pid_ = Bear(birth);
  int error = pid_ < 0 ? errno : 0;
  close(life[0]);
  close(report[1]);
  if (pid_ > 0) error = ReportOf(report[0]);
  close(report[0]);
  if (pid_ > 0 && error != 0) waitpid(pid_, nullptr, 0);
  return error;
}

void ChildProcess::LimitMemory(uint64_t bytes) const {
  struct rlimit both = {};
  if (prlimit(pid_, RLIMIT_AS, nullptr, &both) != 0) return;  // it has ended
  both.rlim_cur = both.rlim_max = std::min<rlim_t>(both.rlim_max, bytes);
  prlimit(pid_, RLIMIT_AS, &both, nullptr);
}

#else

void ChildProcess::LimitMemory(uint64_t) const {}

int ChildProcess::Start(const ChildPlan& plan) {
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0);
  posix_spawn_file_actions_addopen(&actions, 1, plan.output.c_str(), O_WRONLY | O_CREAT | O_APPEND,
                                   0600);
  posix_spawn_file_actions_adddup2(&actions, 1, 2);
  posix_spawnattr_t attributes;
  posix_spawnattr_init(&attributes);
  sigset_t none, usual;
  sigemptyset(&none);
  posix_spawnattr_setsigmask(&attributes, &none);
  sigemptyset(&usual);
  for (int number : {SIGPIPE, SIGINT, SIGTERM, SIGHUP, SIGCHLD}) sigaddset(&usual, number);
  posix_spawnattr_setsigdefault(&attributes, &usual);
  posix_spawnattr_setpgroup(&attributes, 0);
  posix_spawnattr_setflags(&attributes,
                           POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF);
  const int error = posix_spawn(&pid_, plan.argv[0].c_str(), &actions, &attributes,
                                Pointers(plan.argv).data(), Pointers(plan.env).data());
  posix_spawn_file_actions_destroy(&actions);
  posix_spawnattr_destroy(&attributes);
  return error;
}

#endif

}  // namespace wb
