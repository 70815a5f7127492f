#include "daemon/services/child.h"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>

#include "scheduler/base/system_error.h"

extern char** environ;

namespace wb {
namespace {

using SteadyClock = std::chrono::steady_clock;

class Descriptor {
 public:
  explicit Descriptor(int fd = -1) : fd_(fd) {}
  ~Descriptor() { Close(); }
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;
  int get() const { return fd_; }
  void Set(int fd) { fd_ = fd; }
  void Close() {
    if (fd_ >= 0) close(fd_);
    fd_ = -1;
  }

 private:
  int fd_;
};

struct Pipe {
  Descriptor read;
  Descriptor write;
  bool Open() {
    int ends[2];
    if (pipe(ends) != 0) return false;
    read.Set(ends[0]);
    write.Set(ends[1]);
    fcntl(ends[0], F_SETFD, FD_CLOEXEC);
    fcntl(ends[1], F_SETFD, FD_CLOEXEC);
    return true;
  }
};

int Spawn(const std::vector<std::string>& command, int input, int output, pid_t* pid) {
  std::vector<char*> arguments;
  for (const std::string& word : command) arguments.push_back(const_cast<char*>(word.c_str()));
  arguments.push_back(nullptr);
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_adddup2(&actions, input, STDIN_FILENO);
  posix_spawn_file_actions_adddup2(&actions, output, STDOUT_FILENO);
  posix_spawn_file_actions_adddup2(&actions, output, STDERR_FILENO);
  int error = posix_spawnp(pid, arguments[0], &actions, nullptr, arguments.data(), environ);
  posix_spawn_file_actions_destroy(&actions);
  return error;
}

// Feeds `input` and collects output until the child closes it. False: the time is over.
bool Exchange(const std::string& input, SteadyClock::time_point deadline, size_t max_output,
              Pipe* to, Pipe* from, std::string* output) {
  fcntl(to->write.get(), F_SETFL, O_NONBLOCK);
  size_t sent = 0;
  while (true) {
    if (sent == input.size()) to->write.Close();
    auto left =
        std::chrono::duration_cast<std::chrono::milliseconds>(deadline - SteadyClock::now());
    if (left.count() <= 0) return false;
    pollfd fds[2] = {{from->read.get(), POLLIN, 0}, {to->write.get(), POLLOUT, 0}};
    poll(fds, 2, static_cast<int>(std::min<int64_t>(left.count(), 1000)));
    if (fds[1].revents != 0) {
      ssize_t wrote = write(to->write.get(), input.data() + sent, input.size() - sent);
      if (wrote > 0) sent += static_cast<size_t>(wrote);
      if (wrote < 0 && errno != EAGAIN && errno != EINTR) sent = input.size();  // it reads no more
    }
    if (fds[0].revents != 0) {
      char buffer[4096];
      ssize_t got = read(from->read.get(), buffer, sizeof(buffer));
      if (got == 0) return true;
      size_t room = max_output - std::min(max_output, output->size());
      if (got > 0) output->append(buffer, std::min(static_cast<size_t>(got), room));
    }
  }
}

Status CannotRun(const std::string& program, int error) {
  return SystemError("The program [" + program + "] cannot be run", error, {{"program", program}});
}

}  // namespace

Result<ChildOutcome> RunChild(const std::vector<std::string>& command, const std::string& input,
                              const RunLimits& limits) {
  Pipe to, from;
  if (!to.Open() || !from.Open()) return CannotRun(command[0], errno);
  pid_t pid = 0;
  int error = Spawn(command, to.read.get(), from.write.get(), &pid);
  if (error != 0) return CannotRun(command[0], error);
  to.read.Close();
  from.write.Close();
  ChildOutcome outcome;
  bool in_time = Exchange(input, SteadyClock::now() + limits.max_time, limits.max_output, &to,
                          &from, &outcome.output);
  if (!in_time) kill(pid, SIGKILL);
  int status = 0;
  while (waitpid(pid, &status, 0) < 0 && errno == EINTR) {
  }
  if (!in_time) {
    return Status(Reason::kDeadlineExceeded,
                  "The program [" + command[0] + "] took too long and was stopped.");
  }
  outcome.exit_code = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
  return outcome;
}

}  // namespace wb
