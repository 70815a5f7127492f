#include "scheduler/engine_host/host_process.h"

#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <spawn.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>
#ifdef __linux__
#include <sys/prctl.h>
#endif

#include <array>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <string_view>

#include "scheduler/base/quoted.h"
#include "scheduler/base/system_error.h"

extern char** environ;

namespace wb {
namespace {

constexpr std::array<std::string_view, 12> kKeptVariables = {
    "PATH=",
    "TMPDIR=",
    "HOME=",
    "LANG=",
    "LD_LIBRARY_PATH=",
    "ASAN_OPTIONS=",
    "UBSAN_OPTIONS=",
    "TSAN_OPTIONS=",
    "LSAN_OPTIONS=",
    "CUDA_VISIBLE_DEVICES=",
    "CUDA_DEVICE_ORDER=",
    "MTL_"};  // Metal's validation and capture

std::vector<char*> KeptEnvironment() {
  std::vector<char*> kept;
  for (char** variable = environ; *variable != nullptr; ++variable) {
    for (std::string_view prefix : kKeptVariables) {
      if (std::string_view(*variable).substr(0, prefix.size()) == prefix) kept.push_back(*variable);
    }
  }
  kept.push_back(nullptr);
  return kept;
}

// What posix_spawn is to do in the child before it becomes the host.
class SpawnPlan {
 public:
  explicit SpawnPlan(int socket) {
    ::posix_spawn_file_actions_init(&files_);
    ::posix_spawn_file_actions_adddup2(&files_, socket, kEngineSocket);
    ::posix_spawn_file_actions_addopen(&files_, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
    ::posix_spawn_file_actions_adddup2(&files_, STDERR_FILENO, STDOUT_FILENO);
    ::posix_spawnattr_init(&attributes_);
    sigset_t none;
    sigset_t all;
    sigemptyset(&none);
    sigfillset(&all);
    ::posix_spawnattr_setsigmask(&attributes_, &none);
    ::posix_spawnattr_setsigdefault(&attributes_, &all);
    ::posix_spawnattr_setflags(&attributes_,
                               POSIX_SPAWN_SETSID | POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF);
  }
  ~SpawnPlan() {
    ::posix_spawn_file_actions_destroy(&files_);
    ::posix_spawnattr_destroy(&attributes_);
  }
  SpawnPlan(const SpawnPlan&) = delete;
  SpawnPlan& operator=(const SpawnPlan&) = delete;

  int Spawn(const std::string& program, std::vector<char*> arguments,
            HostProcess::Inherits inherits, pid_t* pid) {
    arguments.push_back(nullptr);
    std::vector<char*> kept = KeptEnvironment();
    char** variables = inherits == HostProcess::Inherits::kAll ? environ : kept.data();
    return ::posix_spawn(pid, program.c_str(), &files_, &attributes_, arguments.data(), variables);
  }

 private:
  posix_spawn_file_actions_t files_;
  posix_spawnattr_t attributes_;
};

}  // namespace

Result<std::unique_ptr<HostProcess>> HostProcess::Start(const std::string& program,
                                                        const std::vector<std::string>& arguments,
                                                        const UniqueFd& socket, Inherits inherits) {
  std::vector<char*> words = {const_cast<char*>(program.c_str())};
  for (const std::string& argument : arguments)
    words.push_back(const_cast<char*>(argument.c_str()));
  pid_t pid = 0;
  const int error = SpawnPlan(socket.get()).Spawn(program, words, inherits, &pid);
  if (error != 0) {
    return SystemError("The engine host " + Quoted(program) + " cannot be started", error,
                       {{"path", program}});
  }
  return std::unique_ptr<HostProcess>(new HostProcess(pid));
}

void HostProcess::Kill() const { ::kill(static_cast<pid_t>(pid_), SIGKILL); }

std::string HostProcess::End() const {
  siginfo_t facts{};
  const int looked = ::waitid(P_PID, static_cast<id_t>(pid_), &facts, WEXITED | WNOHANG | WNOWAIT);
  if (looked != 0 || facts.si_pid == 0) return "";
  const std::string number = Quoted(static_cast<uint64_t>(facts.si_status));
  return (facts.si_code == CLD_EXITED ? "ended with exit code " : "was ended by signal ") + number;
}

HostProcess::~HostProcess() {
  Kill();
  while (::waitpid(static_cast<pid_t>(pid_), nullptr, 0) < 0 && errno == EINTR) {
  }
}

namespace {

// Quick builds keep every value of a function in its frame (cpu_device.cc says how many bytes).
void TakeLargeStacks() {
#ifdef __GLIBC__
  constexpr size_t kStackBytes = size_t{64} << 20;  // address space; what is not used costs nothing
  pthread_attr_t attributes;
  pthread_attr_init(&attributes);
  pthread_attr_setstacksize(&attributes, kStackBytes);
  pthread_setattr_default_np(&attributes);
  pthread_attr_destroy(&attributes);
#endif
}

void CloseOtherFiles() {
#ifdef __linux__
  if (::close_range(kEngineSocket + 1, ~0u, 0) == 0) return;
#endif
  for (int fd = kEngineSocket + 1; fd < 4096; ++fd) ::close(fd);
}

}  // namespace

bool BecomeEngineHost([[maybe_unused]] int64_t parent, int niceness,
                      HostProcess::Inherits inherits) {
  (void)!::nice(niceness);  // before there are other threads, which take it over
  TakeLargeStacks();
  const rlimit no_core{0, 0};
  ::setrlimit(RLIMIT_CORE, &no_core);
#ifdef __linux__
  ::prctl(PR_SET_PDEATHSIG, SIGKILL);
  ::prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
  if (::getppid() != parent) return false;
#endif
  if (inherits == HostProcess::Inherits::kLittle) CloseOtherFiles();
  ::fcntl(kEngineSocket, F_SETFD, FD_CLOEXEC);  // the compilers it starts do not get it
  return true;
}

void LimitMemory([[maybe_unused]] uint64_t bytes) {
#if defined(__linux__) && !defined(WB_SANITIZED)
  const rlim_t most = bytes + kStacksOfHost;
  const rlimit both{most, most};
  ::setrlimit(RLIMIT_DATA, &both);
#endif
}

}  // namespace wb
