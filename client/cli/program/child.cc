#include "client/cli/program/child.h"

#include <signal.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <memory>

#include "compiler/base/own_folder.h"

extern char** environ;

namespace wb::cli {
namespace {

struct CloseFile {
  void operator()(std::FILE* file) const { std::fclose(file); }
};
using File = std::unique_ptr<std::FILE, CloseFile>;

Status CannotRun(const std::string& program, int error) {
  return Status(Reason::kIoError,
                "The program [" + program + "] cannot be run (" + std::strerror(error) + ").",
                {{"program", program}});
}

// This program blocks and ignores signals that end the child.
void KeepSignals(posix_spawnattr_t* attributes) {
  sigset_t none, defaults;
  sigemptyset(&none);
  sigemptyset(&defaults);
  sigaddset(&defaults, SIGPIPE);
  posix_spawnattr_setsigmask(attributes, &none);
  posix_spawnattr_setsigdefault(attributes, &defaults);
}

int Spawn(const std::vector<std::string>& command, int input, int output, bool in_own_group,
          pid_t* pid) {
  std::vector<char*> arguments;
  for (const std::string& word : command) arguments.push_back(const_cast<char*>(word.c_str()));
  arguments.push_back(nullptr);
  posix_spawn_file_actions_t actions;
  posix_spawnattr_t attributes;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_adddup2(&actions, input, STDIN_FILENO);
  posix_spawn_file_actions_adddup2(&actions, output, STDOUT_FILENO);
  posix_spawnattr_init(&attributes);
  KeepSignals(&attributes);
  const int group = in_own_group ? POSIX_SPAWN_SETPGROUP : 0;
  posix_spawnattr_setflags(
      &attributes,
      static_cast<short>(POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF | group));  // NOLINT
  const int error =
      posix_spawn(pid, arguments[0], &actions, &attributes, arguments.data(), environ);
  posix_spawnattr_destroy(&attributes);
  posix_spawn_file_actions_destroy(&actions);
  return error;
}

std::string ReadAll(std::FILE* file) {
  std::string bytes;
  std::rewind(file);
  char buffer[65536];
  for (size_t got = 0; (got = std::fread(buffer, 1, sizeof(buffer), file)) > 0;) {
    bytes.append(buffer, got);
  }
  return bytes;
}

}  // namespace

Result<std::string> FindCompanion(const std::string& name, const std::string& build_folder) {
  const std::filesystem::path own = OwnFolder();
  std::string looked;
  for (const std::filesystem::path& folder : {own, own / ".." / "libexec" / "wasmburst",
                                              own / ".." / "sbin", own / ".." / build_folder}) {
    const std::string path = (folder / name).lexically_normal().string();
    if (access(path.c_str(), X_OK) == 0) return path;
    looked += (looked.empty() ? "[" : ", [") + path + "]";
  }
  return Status(Reason::kNotFound,
                "The program [" + name + "] is not installed; it was looked for at " + looked + ".",
                {{"program", name}});
}

Result<pid_t> StartChild(const std::vector<std::string>& command, int input, int output,
                         bool in_own_group) {
  pid_t pid = 0;
  const int error = Spawn(command, input, output, in_own_group, &pid);
  if (error != 0) return CannotRun(command[0], error);
  return pid;
}

// By unnamed files, so neither side waits for the other.
Result<ChildEnd> RunToEnd(const std::vector<std::string>& command, const std::string& input) {
  const File in(std::tmpfile()), out(std::tmpfile());
  if (in == nullptr || out == nullptr) return CannotRun(command[0], errno);
  const bool wrote = std::fwrite(input.data(), 1, input.size(), in.get()) == input.size() &&
                     std::fflush(in.get()) == 0;
  if (!wrote) return CannotRun(command[0], errno);
  std::rewind(in.get());
  WB_ASSIGN(const pid_t pid, StartChild(command, fileno(in.get()), fileno(out.get()), false));
  int status = 0;
  while (waitpid(pid, &status, 0) < 0 && errno == EINTR) {
  }
  ChildEnd end;
  end.exit_code = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
  end.output = ReadAll(out.get());
  return end;
}

}  // namespace wb::cli
