#include "scheduler/devices/compile/warm_processes.h"

#include <fcntl.h>
#include <signal.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>

namespace wb {
namespace {

// A quick build is followed by the full one, which needs the processors too.
constexpr std::chrono::milliseconds kRefillAfter{50};

std::string PipeOf(const PrivateFolder& folder) {
  return folder.path() + "/" + WarmProcesses::kWords;
}

UniqueFd Open(const std::string& pipe, int flags) {
  return UniqueFd(open(pipe.c_str(), flags | O_NONBLOCK | O_CLOEXEC));
}

bool HasEnded(pid_t pid) {
  siginfo_t seen = {};
  return waitid(P_PID, static_cast<id_t>(pid), &seen, WEXITED | WNOWAIT | WNOHANG) == 0 &&
         seen.si_pid != 0;
}

// The process', and not that of the text.
bool IsItsOwnFault(const ChildReport& report) {
  return !report.timed_out && report.signal == 0 && report.exit_code > 1;
}

}  // namespace

OneCompile::~OneCompile() {
  if (place_ == nullptr) return;
  End(*place_);
  if (owner_ != nullptr) owner_->EndOne();
}

void OneCompile::End(Place& place) {
  if (!std::exchange(place.has_child, false)) return;
  kill(-place.child.pid(), SIGKILL);
  while (waitpid(place.child.pid(), nullptr, 0) < 0 && errno == EINTR) {
  }
}

std::optional<ChildReport> OneCompile::RunWaiting(const std::vector<std::string>& argv,
                                                  const ChildLimits& limits,
                                                  std::chrono::steady_clock::time_point deadline) {
  std::string words;
  for (size_t i = 1; i < argv.size(); ++i) words.append(argv[i]).push_back('\0');
  place_->child.LimitMemory(limits.max_memory_bytes);
  // While it is open for reading here, a child that has just died does not end this process too.
  const UniqueFd reader = Open(PipeOf(folder()), O_RDONLY);
  bool told = reader.ok();
  {
    const UniqueFd writer = std::move(place_->words);
    told = told &&
           write(writer.get(), words.data(), words.size()) == static_cast<ssize_t>(words.size());
  }
  if (!told) deadline = std::chrono::steady_clock::now();
  place_->has_child = false;
  ChildReport report = AwaitChild(place_->child, deadline, folder().path(), limits);
  char left = 0;
  const bool has_read = told && read(reader.get(), &left, 1) <= 0;
  return has_read ? std::optional(std::move(report)) : std::nullopt;
}

Result<ChildReport> OneCompile::Run(const std::vector<std::string>& argv,
                                    const ChildLimits& limits) {
  const auto deadline = std::chrono::steady_clock::now() + limits.max_time;
  ChildLimits left = limits;
  if (place_->words.ok()) {
    const std::optional<ChildReport> report = RunWaiting(argv, limits, deadline);
    if (report && !IsItsOwnFault(*report)) return *report;
    left.max_time = std::max(
        std::chrono::ceil<std::chrono::milliseconds>(deadline - std::chrono::steady_clock::now()),
        std::chrono::milliseconds(1));
    unlink(OutputOf(folder().path()).c_str());
  }
  return RunChild(argv, folder().path(), left);
}

std::shared_ptr<WarmProcesses> WarmProcesses::Create(WarmPlan plan) {
  std::shared_ptr<WarmProcesses> made(new WarmProcesses(std::move(plan)));
  {
    const MutexLock lock(made->mutex_);
    made->Refill();
  }
  made->thread_ = std::thread([warm = made.get()] { warm->RefillAndEnd(); });
  return made;
}

WarmProcesses::~WarmProcesses() {
  {
    const MutexLock lock(mutex_);
    ends_ = true;
    changed_.NotifyOne();
  }
  thread_.join();
  const MutexLock lock(mutex_);
  EndAll();
}

void WarmProcesses::EndAll() {
  for (const auto& place : waiting_) OneCompile::End(*place);
  waiting_.clear();
}

bool WarmProcesses::MayRefill(std::chrono::steady_clock::time_point now) const {
  return refill_at_ && compiles_ <= plan_.beside && now >= *refill_at_;
}

void WarmProcesses::RefillAndEnd() {
  const MutexLock lock(mutex_);
  while (!ends_) {
    const auto now = std::chrono::steady_clock::now();
    if (MayRefill(now)) Refill();
    if (!waiting_.empty() && now >= until_) EndAll();
    auto next = waiting_.empty() ? std::chrono::steady_clock::time_point::max() : until_;
    // A compile may have kept it from being done; then the end of that one does it.
    if (refill_at_ && *refill_at_ > now) next = std::min(next, *refill_at_);
    if (next == std::chrono::steady_clock::time_point::max()) {
      changed_.Wait(mutex_);
    } else {
      changed_.WaitUntil(mutex_, next);
    }
  }
}

// The pipe opens for writing only where the child has it open for reading, which it has when it is
// ready.
std::unique_ptr<WarmProcesses::Place> WarmProcesses::TakeReady() {
  const MutexLock lock(mutex_);
  ++compiles_;
  std::erase_if(waiting_, [](const std::unique_ptr<Place>& place) {
    if (!HasEnded(place->child.pid())) return false;
    OneCompile::End(*place);
    return true;
  });
  for (auto place = waiting_.begin(); place != waiting_.end(); ++place) {
    (*place)->words = Open(PipeOf((*place)->folder), O_WRONLY);
    if (!(*place)->words.ok()) continue;
    std::unique_ptr<Place> ready = std::move(*place);
    waiting_.erase(place);
    return ready;
  }
  return nullptr;
}

Result<OneCompile> WarmProcesses::Begin() {
  std::unique_ptr<Place> place = TakeReady();
  if (place == nullptr) {
    Result<PrivateFolder> folder = PrivateFolder::Create(plan_.parent);
    if (!folder.ok()) {
      EndOne();
      return folder.status();
    }
    place.reset(new Place{std::move(folder).value(), {}, false, {}});
  }
  return OneCompile(std::move(place), shared_from_this());
}

void WarmProcesses::EndOne() {
  const MutexLock lock(mutex_);
  --compiles_;
  if (MayRefill(std::chrono::steady_clock::now())) {
    Refill();
  } else if (!refill_at_) {
    refill_at_ = std::chrono::steady_clock::now() + kRefillAfter;
    changed_.NotifyOne();
  }
}

void WarmProcesses::Refill() {
  refill_at_.reset();
  until_ = std::chrono::steady_clock::now() + plan_.patience;
  changed_.NotifyOne();
  while (waiting_.size() < plan_.most) {
    std::unique_ptr<Place> place = StartOne();
    if (place == nullptr) return;
    waiting_.push_back(std::move(place));
  }
}

std::unique_ptr<WarmProcesses::Place> WarmProcesses::StartOne() const {
  Result<PrivateFolder> folder = PrivateFolder::Create(plan_.parent);
  if (!folder.ok() || mkfifo(PipeOf(*folder).c_str(), 0600) != 0) return nullptr;
  std::unique_ptr<Place> place(new Place{std::move(folder).value(), {}, false, {}});
  if (StartChild(place->child, plan_.argv, place->folder.path(), plan_.limits) != 0) return nullptr;
  place->has_child = true;
  return place;
}

}  // namespace wb
