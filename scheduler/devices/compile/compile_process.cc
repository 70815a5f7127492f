#include "scheduler/devices/compile/compile_process.h"

#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <condition_variable>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <mutex>
#include <thread>

namespace wb {
namespace {

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
  std::vector<std::string> env = {std::string("PATH=") + (path ? path : "/usr/bin:/bin"),
                                  "LC_ALL=C", "TMPDIR=" + folder, "HOME=" + folder};
  if (const char* libraries = std::getenv("LD_LIBRARY_PATH")) {
    env.push_back(std::string("LD_LIBRARY_PATH=") + libraries);
  }
  ChildProcess child;
  const int error =
      access(argv[0].c_str(), X_OK) != 0 ? errno : child.Start({argv, env, folder, output, limits});
  if (error != 0) {
    return Status(Reason::kIoError, "The program [" + argv[0] +
                                        "] could not be started: " + std::strerror(error) + ".");
  }
  siginfo_t info = {};
  ChildReport report;
  report.timed_out = !WaitUntil(child.pid(), deadline, &info);
  const bool exited = info.si_code == CLD_EXITED;
  report.exit_code = exited ? info.si_status : 0;
  report.signal = exited ? 0 : info.si_status;
  if (report.signal == SIGXCPU) report.timed_out = true;
  report.message = Beginning(output, limits.max_message_bytes);
  return report;
}

}  // namespace wb
