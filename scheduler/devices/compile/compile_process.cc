#include "scheduler/devices/compile/compile_process.h"

#include <signal.h>
#include <sys/resource.h>
#include <sys/statvfs.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <condition_variable>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <mutex>
#include <thread>

#include "scheduler/base/system_error.h"
#include "scheduler/sandbox/sandbox.h"

namespace wb {
namespace {

// Waits for the child's end, at most until the deadline. Then it kills the child's whole group
// either way, and reaps the child. (The group's number is not reused while its leader is a zombie.)
struct ChildEnd {
  bool in_time = false;
  int status = 0;  // as waitpid gives it
  rusage usage{};  // with that of the children it has waited for
};
ChildEnd AwaitEnd(pid_t pid, std::chrono::steady_clock::time_point deadline) {
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
  ChildEnd end;
  {
    std::unique_lock lock(mutex);
    end.in_time = ended_changed.wait_until(lock, deadline, [&] { return ended; });
  }
  kill(-pid, SIGKILL);
  waiter.join();
  while (wait4(pid, &end.status, 0, &end.usage) < 0 && errno == EINTR) {
  }
  return end;
}

std::chrono::microseconds Duration(const timeval& time) {
  return std::chrono::seconds(time.tv_sec) + std::chrono::microseconds(time.tv_usec);
}

std::string Beginning(const std::string& path, size_t bytes) {
  std::ifstream file(path, std::ios::binary);
  std::string text(bytes, '\0');
  file.read(text.data(), static_cast<std::streamsize>(bytes));
  text.resize(static_cast<size_t>(file.gcount()));
  return text;
}

// With less space than this a compiler cannot write its output.
constexpr uint64_t kLeastFreeBytes = uint64_t{1} << 20;

bool IsFull(const std::string& folder) {
  struct statvfs facts {};
  if (statvfs(folder.c_str(), &facts) != 0 || facts.f_blocks == 0) return false;
  return uint64_t{facts.f_bavail} * facts.f_frsize < kLeastFreeBytes;
}

}  // namespace

std::string OutputOf(const std::string& folder) { return folder + "/output.txt"; }

int StartChild(ChildProcess& child, const std::vector<std::string>& argv, const std::string& folder,
               const ChildLimits& limits) {
  const char* path = std::getenv("PATH");
  std::vector<std::string> env = {std::string("PATH=") + (path ? path : "/usr/bin:/bin"),
                                  "LC_ALL=C", "TMPDIR=" + folder, "HOME=" + folder};
  if (const char* libraries = std::getenv("LD_LIBRARY_PATH")) {
    env.push_back(std::string("LD_LIBRARY_PATH=") + libraries);
  }
  if (access(argv[0].c_str(), X_OK) != 0) return errno;
  const auto sandbox = Sandbox::Prepare(
      {SandboxPolicy::kCompiler, limits.isolation, folder, {argv[0]}, limits.reads});
  if (!sandbox.ok()) return sandbox.status().reason() == Reason::kMachineFault ? EMFILE : ENOTSUP;
  return child.Start({argv, env, folder, OutputOf(folder), limits, &*sandbox});
}

ChildReport AwaitChild(const ChildProcess& child, std::chrono::steady_clock::time_point deadline,
                       const std::string& folder, const ChildLimits& limits) {
  const ChildEnd end = AwaitEnd(child.pid(), deadline);
  ChildReport report;
  report.timed_out = !end.in_time;
  report.exit_code = WIFEXITED(end.status) ? WEXITSTATUS(end.status) : 0;
  report.signal = WIFSIGNALED(end.status) ? WTERMSIG(end.status) : 0;
  report.processor_time = Duration(end.usage.ru_utime) + Duration(end.usage.ru_stime);
  if (report.signal == SIGXCPU) report.timed_out = true;
  report.disk_full = IsFull(folder);
  report.message = Beginning(OutputOf(folder), limits.max_message_bytes);
  return report;
}

Result<ChildReport> RunChild(const std::vector<std::string>& argv, const std::string& folder,
                             const ChildLimits& limits) {
  const auto deadline = std::chrono::steady_clock::now() + limits.max_time;
  ChildProcess child;
  if (const int error = StartChild(child, argv, folder, limits); error != 0) {
    return SystemError("The program [" + argv[0] + "] could not be started", error);
  }
  return AwaitChild(child, deadline, folder, limits);
}

}  // namespace wb
