#include "scheduler/devices/compile/warm_process.h"

#include <fcntl.h>
#include <signal.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>

namespace wb {
namespace {

std::string PipeOf(const PrivateFolder& folder) {
  return folder.path() + "/" + WarmProcess::kWords;
}

UniqueFd Open(const std::string& pipe, int flags) {
  return UniqueFd(open(pipe.c_str(), flags | O_NONBLOCK | O_CLOEXEC));
}

bool HasEnded(pid_t pid) {
  siginfo_t seen = {};
  return waitid(P_PID, static_cast<id_t>(pid), &seen, WEXITED | WNOWAIT | WNOHANG) == 0 &&
         seen.si_pid != 0;
}

}  // namespace

OneCompile::~OneCompile() {
  if (place_ != nullptr) End(*place_);
}

void OneCompile::End(Place& place) {
  if (!std::exchange(place.has_child, false)) return;
  kill(-place.child.pid(), SIGKILL);
  while (waitpid(place.child.pid(), nullptr, 0) < 0 && errno == EINTR) {
  }
}

ChildReport OneCompile::RunWaiting(const std::vector<std::string>& argv,
                                   std::chrono::steady_clock::time_point deadline) {
  std::string words;
  for (size_t i = 1; i < argv.size(); ++i) words.append(argv[i]).push_back('\0');
  {
    // While it is open for reading here, a child that has just died does not end this process too.
    const UniqueFd reader = Open(PipeOf(folder()), O_RDONLY);
    const UniqueFd writer = std::move(place_->words);
    const bool told = reader.ok() && write(writer.get(), words.data(), words.size()) ==
                                         static_cast<ssize_t>(words.size());
    if (!told) deadline = std::chrono::steady_clock::now();
  }
  place_->has_child = false;
  return AwaitChild(place_->child, deadline, folder().path(), owner_->limits_);
}

Result<ChildReport> OneCompile::Run(const std::vector<std::string>& argv,
                                    std::chrono::milliseconds max_time) {
  const auto deadline = std::chrono::steady_clock::now() + max_time;
  ChildLimits limits = owner_->limits_;
  limits.max_time = max_time;
  if (place_->words.ok()) {
    ChildReport report = RunWaiting(argv, deadline);
    limits.max_time =
        std::chrono::ceil<std::chrono::milliseconds>(deadline - std::chrono::steady_clock::now());
    if ((report.exit_code == 0 && report.signal == 0) || limits.max_time.count() <= 0) {
      owner_->Refill();
      return report;
    }
    unlink(OutputOf(folder().path()).c_str());
  }
  Result<ChildReport> report = RunChild(argv, folder().path(), limits);
  owner_->Refill();
  return report;
}

std::shared_ptr<WarmProcess> WarmProcess::Create(std::vector<std::string> argv, std::string parent,
                                                 const ChildLimits& limits) {
  std::shared_ptr<WarmProcess> made(new WarmProcess(std::move(argv), std::move(parent), limits));
  made->Refill();
  return made;
}

WarmProcess::~WarmProcess() {
  const MutexLock lock(mutex_);
  if (waiting_ != nullptr) OneCompile::End(*waiting_);
}

// The pipe opens for writing only where the child has it open for reading, which it has when it is
// ready. One that has waited too long has ended itself.
std::unique_ptr<WarmProcess::Place> WarmProcess::TakeReady() {
  const MutexLock lock(mutex_);
  if (waiting_ == nullptr) return nullptr;
  waiting_->words = Open(PipeOf(waiting_->folder), O_WRONLY);
  if (waiting_->words.ok()) return std::move(waiting_);
  if (HasEnded(waiting_->child.pid())) {
    OneCompile::End(*waiting_);
    waiting_ = nullptr;
  }
  return nullptr;
}

Result<OneCompile> WarmProcess::Begin() {
  std::unique_ptr<Place> place = TakeReady();
  if (place == nullptr) {
    WB_ASSIGN(PrivateFolder folder, PrivateFolder::Create(parent_));
    place.reset(new Place{std::move(folder), {}, false, {}});
  }
  return OneCompile(std::move(place), shared_from_this());
}

void WarmProcess::Refill() {
  const MutexLock lock(mutex_);
  if (waiting_ != nullptr) return;
  Result<PrivateFolder> folder = PrivateFolder::Create(parent_);
  if (!folder.ok() || mkfifo(PipeOf(*folder).c_str(), 0600) != 0) return;
  std::unique_ptr<Place> place(new Place{std::move(folder).value(), {}, false, {}});
  if (StartChild(place->child, argv_, place->folder.path(), limits_) != 0) return;
  place->has_child = true;
  waiting_ = std::move(place);
}

}  // namespace wb
