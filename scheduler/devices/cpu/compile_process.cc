#include "scheduler/devices/cpu/compile_process.h"

#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <condition_variable>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <mutex>
#include <thread>

namespace wb {
namespace {

// What posix_spawn is told: own process group, standard streams, no other descriptor, no signal
// blocked or ignored.
class SpawnPlan {
 public:
  SpawnPlan(const std::string& folder, const std::string& output) {
    posix_spawn_file_actions_init(&actions_);
    posix_spawn_file_actions_addopen(&actions_, 0, "/dev/null", O_RDONLY, 0);
    posix_spawn_file_actions_addopen(&actions_, 1, output.c_str(), O_WRONLY | O_CREAT | O_APPEND,
                                     0600);
    posix_spawn_file_actions_adddup2(&actions_, 1, 2);
#if defined(__GLIBC__) && (__GLIBC__ > 2 || __GLIBC_MINOR__ >= 34)
    posix_spawn_file_actions_addchdir_np(&actions_, folder.c_str());
    posix_spawn_file_actions_addclosefrom_np(&actions_, 3);
#else
    (void)folder;  // argument lists name files by absolute paths
#endif
    posix_spawnattr_init(&attributes_);
    sigset_t none;
    sigemptyset(&none);
    posix_spawnattr_setsigmask(&attributes_, &none);
    sigset_t usual;
    sigemptyset(&usual);
    for (int number : {SIGPIPE, SIGINT, SIGTERM, SIGHUP, SIGCHLD}) sigaddset(&usual, number);
    posix_spawnattr_setsigdefault(&attributes_, &usual);
    posix_spawnattr_setpgroup(&attributes_, 0);
    posix_spawnattr_setflags(
        &attributes_, POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF);
  }
  ~SpawnPlan() {
    posix_spawn_file_actions_destroy(&actions_);
    posix_spawnattr_destroy(&attributes_);
  }
  SpawnPlan(const SpawnPlan&) = delete;
  SpawnPlan& operator=(const SpawnPlan&) = delete;

  int Start(const std::vector<std::string>& argv, const std::vector<std::string>& env,
            pid_t* pid) const {
    std::vector<char*> arguments = Pointers(argv);
    std::vector<char*> environment = Pointers(env);
    return posix_spawn(pid, argv[0].c_str(), &actions_, &attributes_, arguments.data(),
                       environment.data());
  }

 private:
  static std::vector<char*> Pointers(const std::vector<std::string>& texts) {
    std::vector<char*> pointers;
    for (const std::string& text : texts) pointers.push_back(const_cast<char*>(text.c_str()));
    pointers.push_back(nullptr);
    return pointers;
  }

  posix_spawn_file_actions_t actions_;
  posix_spawnattr_t attributes_;
};

#ifdef __linux__

// util-linux's program sets the limits and becomes the compiler, so that nothing of it runs without
// them. Where it is missing, they bind a few microseconds after the start.
constexpr const char* kLimiter = "/usr/bin/prlimit";

struct ResourceLimit {
  __rlimit_resource resource;
  const char* option;
  uint64_t value;
};

std::array<ResourceLimit, 4> LimitsOf(const ChildLimits& limits) {
  const auto seconds = std::chrono::duration_cast<std::chrono::seconds>(limits.max_time).count();
  const uint64_t cpu = static_cast<uint64_t>(std::max<int64_t>(seconds, 0)) + 1;
  return {{{RLIMIT_CPU, "--cpu=", cpu},
           {RLIMIT_AS, "--as=", limits.max_memory_bytes},
           {RLIMIT_FSIZE, "--fsize=", limits.max_file_bytes},
           {RLIMIT_CORE, "--core=", 0}}};
}

std::vector<std::string> WithLimits(std::vector<std::string> argv, const ChildLimits& limits) {
  if (access(kLimiter, X_OK) != 0) return argv;
  std::vector<std::string> all = {kLimiter};
  for (const ResourceLimit& limit : LimitsOf(limits)) {
    all.push_back(limit.option + std::to_string(limit.value));
  }
  all.push_back("--");
  all.insert(all.end(), argv.begin(), argv.end());
  return all;
}

void Bind(pid_t pid, const ChildLimits& limits) {
  for (const ResourceLimit& limit : LimitsOf(limits)) {
    const rlim_t value = static_cast<rlim_t>(limit.value);
    const struct rlimit both = {value, value};
    prlimit(pid, limit.resource, &both, nullptr);
  }
}

#else

// Elsewhere only the wall clock binds.
std::vector<std::string> WithLimits(std::vector<std::string> argv, const ChildLimits&) {
  return argv;
}
void Bind(pid_t, const ChildLimits&) {}

#endif

// Waits for the child's end, at most until the deadline; kills its whole group either way (a zombie
// leader keeps the group's name from being reused), then reaps it. True: it ended in time.
bool WaitUntil(pid_t pid, std::chrono::steady_clock::time_point deadline, siginfo_t* info) {
  std::mutex mutex;
  std::condition_variable ended_changed;
  bool ended = false;
  std::thread waiter([&] {
    siginfo_t seen = {};
    while (waitid(P_PID, static_cast<id_t>(pid), &seen, WEXITED | WNOWAIT) != 0 && errno == EINTR) {
    }
    std::lock_guard lock(mutex);
    ended = true;
    ended_changed.notify_one();
  });
  bool in_time = false;
  {
    std::unique_lock lock(mutex);
    in_time = ended_changed.wait_until(lock, deadline, [&] { return ended; });
  }
  kill(-pid, SIGKILL);
  waiter.join();
  while (waitid(P_PID, static_cast<id_t>(pid), info, WEXITED) != 0 && errno == EINTR) {
  }
  return in_time;
}

std::string Beginning(const std::string& path, size_t bytes) {
  std::ifstream file(path, std::ios::binary);
  std::string text(bytes, '\0');
  file.read(text.data(), static_cast<std::streamsize>(bytes));
  text.resize(static_cast<size_t>(file.gcount()));
  return text;
}

}  // namespace

Result<ChildReport> RunChild(const std::vector<std::string>& argv, const std::string& folder,
                             const ChildLimits& limits) {
  const auto deadline = std::chrono::steady_clock::now() + limits.max_time;
  const std::string output = folder + "/output.txt";
  const char* path = std::getenv("PATH");
  const std::vector<std::string> env = {std::string("PATH=") + (path ? path : "/usr/bin:/bin"),
                                        "LC_ALL=C", "TMPDIR=" + folder, "HOME=" + folder};
  const SpawnPlan plan(folder, output);
  pid_t pid = 0;
  const int error =
      access(argv[0].c_str(), X_OK) != 0 ? errno : plan.Start(WithLimits(argv, limits), env, &pid);
  if (error != 0) {
    return Status(Reason::kIoError, "The program [" + argv[0] +
                                        "] could not be started: " + std::strerror(error) + ".");
  }
  Bind(pid, limits);
  siginfo_t info = {};
  ChildReport report;
  report.timed_out = !WaitUntil(pid, deadline, &info);
  const bool exited = info.si_code == CLD_EXITED;
  report.exit_code = exited ? info.si_status : 0;
  report.signal = exited ? 0 : info.si_status;
  if (report.signal == SIGXCPU) report.timed_out = true;
  report.message = Beginning(output, limits.max_message_bytes);
  return report;
}

}  // namespace wb
